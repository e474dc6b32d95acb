package org.alder.partition.error;

import java.util.List;

/**
 * An operation that ends with an LDAP result other than success: the result code of RFC 4511 4.1.9, a diagnostic message
 * written for the person who reads it (cut in the middle where it repeats a very long name), and the matchedDN where RFC 4511 4.1.9 wants one.
 *
 * <p>This is the one error vocabulary above the store: everything an LDAP client did wrong, or asked for and cannot have, is
 * one of these. It is an expected outcome, so it carries no stack trace. Faults of the store itself are {@link
 * StoreException}s.
 */
public class DirectoryException extends Exception {
    private static final long serialVersionUID = 1L;

    private final ResultCode resultCode;
    private final String matchedDn;
    private final String[] referrals;

    public DirectoryException(ResultCode resultCode, String message) {
        this(resultCode, message, "");
    }

    /** @param matchedDn the deepest existing ancestor's DN as it is stored, or the empty string */
    public DirectoryException(ResultCode resultCode, String message, String matchedDn) {
        this(resultCode, message, matchedDn, List.of());
    }

    private DirectoryException(ResultCode resultCode, String message, String matchedDn, List<String> referrals) {
        super(Shortened.of(message), null, false, false);
        this.resultCode = resultCode;
        this.matchedDn = matchedDn;
        this.referrals = referrals.toArray(String[]::new);
    }

    /** @param dn of the entry that is not there, as it was asked for  @param matchedDn as above */
    public static DirectoryException noSuchObject(String dn, String matchedDn) {
        return new DirectoryException(ResultCode.NO_SUCH_OBJECT, "there is no entry \"" + dn + '"', matchedDn);
    }

    /** Another server is to be asked. @param urls of which each leads there, at least one (RFC 4511 4.1.10) */
    public static DirectoryException referral(String message, List<String> urls) {
        if (urls.isEmpty()) {
            throw new IllegalArgumentException("a referral without a URL");
        }
        return new DirectoryException(ResultCode.REFERRAL, message, "", urls);
    }

    public ResultCode resultCode() {
        return resultCode;
    }

    public String matchedDn() {
        return matchedDn;
    }

    /** Empty but for the result code referral. */
    public List<String> referrals() {
        return List.of(referrals);
    }
}
