package org.alder.server.cli.client;

import java.io.Console;
import java.util.Arrays;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.output.TerminalText;

/** Passwords that people type, which the terminal does not show. Stateless. */
final class TypedPassword {
    private TypedPassword() {
    }

    /** Whether there is a terminal to ask on. */
    static boolean canBeAsked() {
        return System.console() != null;
    }

    /** @throws CommandException if nothing is typed */
    static String ask(String prompt) throws CommandException {
        char[] typed = read(prompt);
        if (typed.length == 0) {
            throw new CommandException("no password was typed");
        }
        return text(typed);
    }

    /** Asked twice. @return null if nothing is typed @throws CommandException if the two differ */
    static String askNew(String prompt) throws CommandException {
        char[] first = read(prompt);
        if (first.length == 0) {
            return null;
        }
        char[] second = read("The same again: ");
        if (!Arrays.equals(first, second)) {
            throw new CommandException("the two passwords differ: nothing was changed");
        }
        return text(first);
    }

    private static char[] read(String prompt) throws CommandException {
        Console console = System.console();
        if (console == null) {
            throw new CommandException("there is no terminal to ask for a password on: put it into a file, and name that with --password-file");
        }
        char[] typed = console.readPassword("%s", TerminalText.shown(prompt));
        return typed == null ? new char[0] : typed;
    }

    private static String text(char[] typed) {
        String text = new String(typed);
        Arrays.fill(typed, '\0');
        return text;
    }
}
