package org.alder.server.cli.output;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.alder.partition.text.JsonReader;
import org.alder.partition.text.Utf8;

/**
 * Reads a log of JSON objects, one a line, which somebody may still be writing: the last line is only taken once it has its end. Lines that are
 * none, such as one that a crash has cut, are counted and passed over. One thread.
 */
public final class JsonLines implements Closeable {
    private static final int MOST_BYTES = 1 << 20;

    /** One line. @param text as it is in the file */
    public record Line(String text, Map<?, ?> members) {
        /** The member as text; empty if there is none. Numbers that are whole have no fraction. */
        public String get(String name) {
            return text(members.get(name));
        }

        /** A value that was read from JSON, as people write it. */
        public static String text(Object value) {
            return value == null ? "" : value instanceof Double number && number == Math.rint(number) && Math.abs(number) < 1e15
                    ? Long.toString(number.longValue()) : value.toString();
        }
    }

    private final InputStream in;
    private final ByteArrayOutputStream partial = new ByteArrayOutputStream();
    private long unreadable;

    public JsonLines(Path file) throws IOException {
        in = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
    }

    /** @return null if there is no whole line now; later there may be one */
    public Line next() throws IOException {
        int octet = in.read();
        while (octet >= 0) {
            if (octet == '\n') {
                Line line = line();
                if (line != null) {
                    return line;
                }
            } else if (partial.size() <= MOST_BYTES) {
                partial.write(octet);
            }
            octet = in.read();
        }
        return null;
    }

    private Line line() {
        String text = partial.size() > MOST_BYTES ? null : Utf8.decodeOrNull(partial.toByteArray());
        boolean blank = partial.size() == 0;
        partial.reset();
        try {
            if (text != null && JsonReader.parse(text) instanceof Map<?, ?> members) {
                return new Line(text, members);
            }
        } catch (IllegalArgumentException e) {
            // Counted below: what the line was is not to be known any more.
        }
        unreadable += blank ? 0 : 1;
        return null;
    }

    /** How many lines were passed over. */
    public long unreadable() {
        return unreadable;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
