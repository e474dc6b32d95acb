package org.alder.server.config;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The {@code httpListener} line. Immutable.
 *
 * @param isSecure whether it speaks TLS
 */
public record HttpListenerLine(boolean isSecure, String host, int port) {
    static final String FORM = "http://HOST[:PORT] or https://HOST[:PORT]";
    static final int PORT = 9389;
    private static final Pattern URL = Pattern.compile("(https?)://(\\[[0-9A-Fa-f:.]+(?:%\\w+)?]|[^\\s:/\\[\\]?#]+)(?::(\\d{1,5}))?/?",
            Pattern.CASE_INSENSITIVE);
    private static final int MOST_PORT = 65_535;

    /** @throws IllegalArgumentException if it is not of the form */
    static HttpListenerLine parse(String line) {
        Matcher url = URL.matcher(line);
        ValueType.require(url.matches());
        int port = url.group(3) == null ? PORT : Integer.parseInt(url.group(3));
        ValueType.require(port <= MOST_PORT);
        return new HttpListenerLine(url.group(1).toLowerCase(Locale.ROOT).equals("https"), url.group(2).replaceAll("[\\[\\]]", ""), port);
    }
}
