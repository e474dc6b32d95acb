package org.alder.server.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A file of the console that every browser gets. There are those of this table, read when the server starts; no path of a request is
 * ever made the name of a file. Immutable.
 *
 * @param path as requests have it
 */
record Asset(String path, String contentType, byte[] content) {
    static final Map<String, Asset> BY_PATH = List.of(
                    read(Console.PATH + "/", "console.html", "text/html; charset=utf-8"),
                    read(Console.PATH + "/console.js", "console.js", "text/javascript; charset=utf-8"),
                    read(Console.PATH + "/session.js", "session.js", "text/javascript; charset=utf-8"),
                    read(Console.PATH + "/connections.js", "connections.js", "text/javascript; charset=utf-8"),
                    read(Console.PATH + "/indexes.js", "indexes.js", "text/javascript; charset=utf-8"),
                    read(Console.PATH + "/tree.js", "tree.js", "text/javascript; charset=utf-8"),
                    read(Console.PATH + "/edit.js", "edit.js", "text/javascript; charset=utf-8"),
                    read(Console.PATH + "/overview.js", "overview.js", "text/javascript; charset=utf-8"),
                    read(Console.PATH + "/page.js", "page.js", "text/javascript; charset=utf-8"),
                    read(Console.PATH + "/console.css", "console.css", "text/css; charset=utf-8"),
                    read(Console.PATH + "/icon.svg", "icon.svg", "image/svg+xml"))
            .stream().collect(Collectors.toUnmodifiableMap(Asset::path, Function.identity()));

    private static Asset read(String path, String name, String contentType) {
        try (InputStream in = Asset.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the program lacks its file " + name + " of the console");
            }
            return new Asset(path, contentType, in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
