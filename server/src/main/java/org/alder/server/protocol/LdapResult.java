package org.alder.server.protocol;

import java.util.List;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;

/** How an operation ended (RFC 4511 4.1.9). @param referrals URLs, for the result code referral only */
public record LdapResult(ResultCode code, String matchedDn, String message, List<String> referrals) {
    public static final LdapResult SUCCESS = of(ResultCode.SUCCESS, "");

    public static LdapResult of(ResultCode code, String message) {
        return new LdapResult(code, "", message, List.of());
    }

    public static LdapResult of(DirectoryException failure) {
        return new LdapResult(failure.resultCode(), failure.matchedDn(), failure.getMessage(), failure.referrals());
    }
}
