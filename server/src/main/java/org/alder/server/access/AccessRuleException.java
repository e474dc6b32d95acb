package org.alder.server.access;

/** A text that is no access rule; the message names the column, counted from 1, and what was expected there. */
public final class AccessRuleException extends Exception {
    private static final long serialVersionUID = 1L;

    AccessRuleException(int position, String problem, Throwable cause) {
        super("column " + (position + 1) + ": " + problem, cause);
    }
}
