package org.alder.ldif.progress;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What standard error is connected to. */
final class Terminal {

    /** Set by the launcher, which can ask the terminal, to its width; 0 when standard error is no terminal. */
    static final String COLUMNS_PROPERTY = "alder.terminal.columns";

    private static final int USUAL_COLUMNS = 80;

    private Terminal() {
    }

    /** Width of the terminal on standard error; 0 when there is none that can redraw a line. */
    static int columns() {
        Integer told = Integer.getInteger(COLUMNS_PROPERTY);
        if (told != null) {
            return told;
        }
        return isTerminal() && !"dumb".equals(System.getenv("TERM")) ? environmentColumns() : 0;
    }

    private static int environmentColumns() {
        String columns = System.getenv("COLUMNS");
        return columns != null && columns.matches("[1-9][0-9]{0,3}") ? Integer.parseInt(columns) : USUAL_COLUMNS;
    }

    /** System.console() would say no as soon as standard output is redirected, as in {@code generate > file}. */
    private static boolean isTerminal() {
        Path standardError = Path.of("/proc/self/fd/2");
        try {
            return Files.isSymbolicLink(standardError)
                ? Files.readSymbolicLink(standardError).toString().matches("/dev/(pts/|tty).*") : System.console() != null;
        } catch (IOException e) {
            return System.console() != null;
        }
    }
}
