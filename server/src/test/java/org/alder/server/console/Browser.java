package org.alder.server.console;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.alder.partition.text.JsonReader;
import org.alder.partition.text.JsonText;

/** A browser's part of HTTP, without its page: sends what the console's script would, or what it would not. One thread. */
final class Browser {
    private final HttpClient http;
    private final String url;
    private String cookie;
    private String csrf = Console.NO_TOKEN;

    /** @param url of the HTTP port */
    Browser(HttpClient http, String url) {
        this.http = http;
        this.url = url;
    }

    Browser(String url) {
        this(HttpClient.newHttpClient(), url);
    }

    /** What was answered, as text and, if that is an object of JSON, as such. */
    record Answer(int status, String text, HttpResponse<String> response) {
        Map<?, ?> json() {
            return (Map<?, ?>) JsonReader.parse(text);
        }

        String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }

        List<?> entries() {
            return (List<?>) json().get("entries");
        }

        /** The texts of an attribute of the first entry; empty if it has none. */
        List<?> values(String attribute) {
            List<?> attributes = (List<?>) ((Map<?, ?>) entries().get(0)).get("attributes");
            return attributes.stream().map(each -> (Map<?, ?>) each).filter(each -> attribute.equalsIgnoreCase((String) each.get("name")))
                    .flatMap(each -> ((List<?>) each.get("values")).stream()).map(value -> ((Map<?, ?>) value).get("text")).toList();
        }
    }

    Answer get(String path) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(url + path)).GET());
    }

    Answer send(String method, String path) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(url + path)).method(method, HttpRequest.BodyPublishers.noBody()));
    }

    private Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> response = exchange(request.build());
        return new Answer(response.statusCode(), response.body(), response);
    }

    /** As browsers do: on a connection that was kept, and that the server closes just then, nothing was asked yet (RFC 9112 9.3.1). */
    private HttpResponse<String> exchange(HttpRequest request) throws IOException, InterruptedException {
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            if (!String.valueOf(e.getMessage()).contains("received no bytes")) {
                throw e;
            }
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        }
    }

    Answer call(String name, Map<String, ?> asked) throws IOException, InterruptedException {
        return call(name, JsonText.of(asked), request -> { });
    }

    /** @param change of the request's headers */
    Answer call(String name, String body, Consumer<HttpRequest.Builder> change) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + "/console/api/" + name))
                .header("Content-Type", "application/json").header(Console.CSRF_HEADER, csrf).POST(HttpRequest.BodyPublishers.ofString(body));
        if (cookie != null) {
            request.header("Cookie", "other=1; " + cookie);
        }
        change.accept(request);
        return send(request);
    }

    Answer login(String dn, String password) throws IOException, InterruptedException {
        Answer answer = call("login", Map.of("dn", dn, "password", password));
        Matcher set = Pattern.compile("([^;]+);.*").matcher(answer.header("Set-Cookie"));
        if (answer.status() == 200 && set.matches()) {
            cookie = set.group(1);
            csrf = (String) answer.json().get("csrf");
        }
        return answer;
    }

    Answer read(String dn) throws IOException, InterruptedException {
        return call("search", Map.of("base", dn, "scope", "base", "attributes", List.of("*", "+")));
    }

    /** What it has of its session, for another one to take it. */
    String cookie() {
        return cookie;
    }

    void setCookie(String other) {
        cookie = other;
    }

    void setCsrf(String other) {
        csrf = other;
    }

    String csrf() {
        return csrf;
    }
}
