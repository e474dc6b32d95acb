package org.alder.perf.client;

import java.io.IOException;

/** A server answered, with another result code than the right one (RFC 4511 4.1.9). */
public final class UnexpectedResultException extends IOException {
    private static final long serialVersionUID = 1;

    private final int code;

    UnexpectedResultException(int code, String diagnostic) {
        super("result code " + code + " from the server: " + diagnostic);
        this.code = code;
    }

    /** What it answered with. */
    public int code() {
        return code;
    }
}
