package org.alder.server.console;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsExchange;
import java.util.List;

/**
 * The cookie that a browser has for a session: only this server's page sends it, no script reads it, and it goes when the browser does.
 * Its name has the port, because browsers send the cookies of one port to all. Stateless.
 */
final class SessionCookie {
    private SessionCookie() {
    }

    private static String name(HttpExchange exchange) {
        return "alder-console-" + exchange.getLocalAddress().getPort();
    }

    /** Null if the browser has none. */
    static String token(HttpExchange exchange) {
        String wanted = name(exchange) + '=';
        for (String line : exchange.getRequestHeaders().getOrDefault("Cookie", List.of())) {
            for (String cookie : line.split(";")) {
                if (cookie.strip().startsWith(wanted)) {
                    return cookie.strip().substring(wanted.length());
                }
            }
        }
        return null;
    }

    static void set(HttpExchange exchange, String token) {
        exchange.getResponseHeaders().set("Set-Cookie", name(exchange) + '=' + token + "; Path=" + Console.PATH + "; HttpOnly; SameSite=Strict"
                + (exchange instanceof HttpsExchange ? "; Secure" : ""));
    }

    static void clear(HttpExchange exchange) {
        set(exchange, "; Max-Age=0");
    }
}
