package org.alder.server.cli;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import picocli.CommandLine;

/** One command that has run within this JVM: its exit status and what it said. No LDIF on standard output. */
public record CommandRun(int status, String out, String err) {
    private static final byte[] NO_INPUT = {};

    static {
        System.setProperty("alder.home", "..");
    }

    public static CommandRun of(Object... arguments) {
        return reading(NO_INPUT, arguments);
    }

    /** @param arguments texts and paths */
    public static CommandRun reading(byte[] standardInput, Object... arguments) {
        return in(Path.of(""), standardInput, arguments);
    }

    /** As if it was called in that folder. */
    public static CommandRun in(Path folder, byte[] standardInput, Object... arguments) {
        String[] texts = new String[arguments.length];
        for (int i = 0; i < arguments.length; i++) {
            texts[i] = arguments[i].toString();
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        InputStream oldIn = System.in;
        PrintStream oldOut = System.out;
        PrintStream oldErr = System.err;
        System.setIn(new ByteArrayInputStream(standardInput));
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        try {
            CommandLine line = Alder.commandLineFor(texts);
            if (!folder.toString().isEmpty()) {
                line.registerConverter(Path.class, text -> text.equals("-") ? Path.of(text) : folder.resolve(text));
            }
            line.setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8));
            int status = line.execute(texts);
            return new CommandRun(status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
        } finally {
            System.setIn(oldIn);
            System.setOut(oldOut);
            System.setErr(oldErr);
        }
    }

    /** Loads LDIF text into the first partition of a data folder. */
    public static CommandRun importing(Path data, String ldif, Object... more) {
        Object[] arguments = new Object[more.length + 6];
        Object[] first = {"import", "--data", data, "--rejects", data.resolveSibling(data.getFileName() + "-rejects.ldif"), "-"};
        System.arraycopy(first, 0, arguments, 0, first.length);
        System.arraycopy(more, 0, arguments, first.length, more.length);
        return reading(ldif.getBytes(StandardCharsets.UTF_8), arguments);
    }

    public CommandRun succeeds() {
        assertEquals(toString(), 0, status);
        return this;
    }

    /** Fails with this status and one line of message that holds the text. */
    public CommandRun fails(int expectedStatus, String text) {
        assertEquals(toString(), expectedStatus, status);
        String message = err.lines().filter(line -> line.startsWith("alder: ")).reduce("", String::concat);
        assertTrue("expected " + text + " in " + this, message.contains(text));
        assertEquals("expected one line of message in " + this, 1, err.lines().filter(line -> !line.isBlank()).count());
        return this;
    }
}
