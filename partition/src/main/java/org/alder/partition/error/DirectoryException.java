package org.alder.partition.error;

import org.apache.directory.api.ldap.model.message.ResultCodeEnum;

/**
 * An operation that ends with an LDAP result other than success: the result code of RFC 4511 4.1.9, a diagnostic message
 * written for the person who reads it, and the matchedDN where RFC 4511 4.1.9 wants one.
 *
 * <p>This is the one error vocabulary above the store: everything an LDAP client did wrong, or asked for and cannot have, is
 * one of these. It is an expected outcome, so it carries no stack trace. Faults of the store itself are {@link
 * StoreException}s.
 */
public final class DirectoryException extends Exception {
    private static final long serialVersionUID = 1L;

    private final ResultCodeEnum resultCode;
    private final int code;
    private final String matchedDn;

    public DirectoryException(ResultCodeEnum resultCode, String message) {
        this(resultCode, message, "");
    }

    /** @param matchedDn the deepest existing ancestor's DN as it is stored, or the empty string */
    public DirectoryException(ResultCodeEnum resultCode, String message, String matchedDn) {
        this(resultCode, resultCode.getResultCode(), message, matchedDn);
    }

    public DirectoryException(ControlResult result, String message) {
        this(ResultCodeEnum.OTHER, result.code(), message, "");
    }

    private DirectoryException(ResultCodeEnum resultCode, int code, String message, String matchedDn) {
        super(message, null, false, false);
        this.resultCode = resultCode;
        this.code = code;
        this.matchedDn = matchedDn;
    }

    /** OTHER for a {@link ControlResult}. */
    public ResultCodeEnum resultCode() {
        return resultCode;
    }

    /** The number the client is told. */
    public int code() {
        return code;
    }

    public String matchedDn() {
        return matchedDn;
    }
}
