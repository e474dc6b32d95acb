package org.alder.partition.error;

import java.util.List;
import org.apache.directory.api.ldap.model.message.ResultCodeEnum;

/**
 * An operation that ends with an LDAP result other than success: the result code of RFC 4511 4.1.9, a diagnostic message
 * written for the person who reads it (cut in the middle where it repeats a very long name), and the matchedDN where RFC 4511 4.1.9 wants one.
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
    private final String[] referrals;

    public DirectoryException(ResultCodeEnum resultCode, String message) {
        this(resultCode, message, "");
    }

    /** @param matchedDn the deepest existing ancestor's DN as it is stored, or the empty string */
    public DirectoryException(ResultCodeEnum resultCode, String message, String matchedDn) {
        this(resultCode, resultCode.getResultCode(), message, matchedDn, List.of());
    }

    public DirectoryException(ControlResult result, String message) {
        this(ResultCodeEnum.OTHER, result.code(), message, "", List.of());
    }

    private DirectoryException(ResultCodeEnum resultCode, int code, String message, String matchedDn, List<String> referrals) {
        super(Shortened.of(message), null, false, false);
        this.resultCode = resultCode;
        this.code = code;
        this.matchedDn = matchedDn;
        this.referrals = referrals.toArray(String[]::new);
    }

    /** Another server is to be asked. @param urls of which each leads there, at least one (RFC 4511 4.1.10) */
    public static DirectoryException referral(String message, List<String> urls) {
        if (urls.isEmpty()) {
            throw new IllegalArgumentException("a referral without a URL");
        }
        return new DirectoryException(ResultCodeEnum.REFERRAL, ResultCodeEnum.REFERRAL.getResultCode(), message, "", urls);
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

    /** Empty but for the result code referral. */
    public List<String> referrals() {
        return List.of(referrals);
    }
}
