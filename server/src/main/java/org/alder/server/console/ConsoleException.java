package org.alder.server.console;

/** A request of the console that is refused. The message is for the person at the browser. */
final class ConsoleException extends Exception {
    static final int BAD_REQUEST = 400;
    static final int NOT_LOGGED_IN = 401;
    static final int FORBIDDEN = 403;
    static final int NOT_FOUND = 404;
    static final int METHOD_NOT_ALLOWED = 405;
    static final int LENGTH_REQUIRED = 411;
    static final int CONTENT_TOO_LARGE = 413;
    static final int UNSUPPORTED_MEDIA_TYPE = 415;
    static final int TOO_MANY_REQUESTS = 429;
    static final int BAD_GATEWAY = 502;
    static final int UNAVAILABLE = 503;
    static final int GATEWAY_TIMEOUT = 504;
    private static final long serialVersionUID = 1L;

    private final int status;

    /** @param status of the HTTP answer */
    ConsoleException(int status, String message) {
        super(message);
        this.status = status;
    }

    ConsoleException(int status, String message, Throwable cause) {
        super(message, cause);
        this.status = status;
    }

    int status() {
        return status;
    }
}
