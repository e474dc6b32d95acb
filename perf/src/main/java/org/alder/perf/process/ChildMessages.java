package org.alder.perf.process;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Passes on to standard error what a program writes there, as it comes, and keeps the end of it for whoever says that it failed. Thread safe. */
final class ChildMessages {
    private static final int MOST_LINES = 3;
    private static final int MOST_CHARACTERS = 2000;
    /** What a program has started may hold its standard error open. */
    private static final long MOST_MILLIS = 5000;

    private final StringBuilder end = new StringBuilder();
    private final Thread reader;

    /** Of a program whose standard error is read by nobody else. */
    ChildMessages(Process process) {
        reader = new Thread(() -> passOn(process.getErrorStream()), "messages-of-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    private void passOn(InputStream in) {
        byte[] bytes = new byte[8192];
        try {
            for (int length = in.read(bytes); length >= 0; length = in.read(bytes)) {
                System.err.write(bytes, 0, length);
                System.err.flush();
                keep(new String(bytes, 0, length, StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            keep("\nits messages cannot be read: " + e.getMessage());
        }
    }

    private synchronized void keep(String text) {
        end.append(text);
        end.delete(0, Math.max(0, end.length() - MOST_CHARACTERS));
    }

    /** Of a program that has ended. @return its last lines in one, behind a colon; empty if it wrote nothing */
    String last() throws InterruptedException {
        reader.join(MOST_MILLIS);
        synchronized (this) {
            List<String> lines = end.toString().lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
            return lines.isEmpty() ? "" : ": " + String.join("; ", lines.subList(Math.max(0, lines.size() - MOST_LINES), lines.size()));
        }
    }
}
