package org.alder.server.cli.option;

/**
 * A command that cannot do what was asked. The message is all the user sees: it names the file, folder or value, and what to do.
 */
public class CommandException extends Exception {
    private static final long serialVersionUID = 1L;

    public CommandException(String message) {
        super(message);
    }

    public CommandException(String message, Throwable cause) {
        super(message, cause);
    }
}
