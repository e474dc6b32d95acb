package org.alder.server.cli.option;

/**
 * A call that cannot be meant, whatever the data folder has and the server says: options that exclude each other, or a value that is no number.
 * The command ends with 2, as where picocli finds that.
 */
public final class WrongCallException extends CommandException {
    private static final long serialVersionUID = 1L;

    public WrongCallException(String message) {
        super(message);
    }

    public WrongCallException(String message, Throwable cause) {
        super(message, cause);
    }
}
