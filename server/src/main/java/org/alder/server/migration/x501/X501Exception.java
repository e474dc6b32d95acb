package org.alder.server.migration.x501;

/** An ACI item, or a part of one, that cannot be read or has no counterpart here. The message says which part and why. */
final class X501Exception extends Exception {
    private static final long serialVersionUID = 1L;

    X501Exception(String message) {
        super(message);
    }
}
