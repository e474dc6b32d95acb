package org.alder.server.migration;

/** An access control instruction, or a part of one, that has no counterpart here. The message says which part and why. */
final class AciException extends Exception {
    private static final long serialVersionUID = 1L;

    AciException(String message) {
        super(message);
    }
}
