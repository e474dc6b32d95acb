package org.alder.partition.error;

/**
 * Ends what is worked out when nobody waits for it any more, or its time is up, where no checked exception may be thrown. Its cause is
 * the operation's result.
 */
public final class GivenUpException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public GivenUpException(DirectoryException result) {
        super(result.getMessage(), result, false, false);
    }

    /** What the operation ends with. */
    public DirectoryException result() {
        return (DirectoryException) getCause();
    }
}
