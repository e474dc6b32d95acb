package org.alder.perf.stress;

/** The server is not as the model is, or did what it must not do. The message says what was found and what was expected. */
final class DifferenceException extends Exception {
    private static final long serialVersionUID = 1L;

    DifferenceException(String message) {
        super(message);
    }
}
