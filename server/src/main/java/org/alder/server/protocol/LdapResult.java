package org.alder.server.protocol;

import java.util.List;
import org.alder.partition.error.DirectoryException;
import org.apache.directory.api.ldap.model.message.ResultCodeEnum;

/** How an operation ended (RFC 4511 4.1.9). @param referrals URLs, for the result code referral only */
public record LdapResult(int code, String matchedDn, String message, List<String> referrals) {
    public static final LdapResult SUCCESS = of(ResultCodeEnum.SUCCESS, "");

    public static LdapResult of(ResultCodeEnum code, String message) {
        return new LdapResult(code.getResultCode(), "", message, List.of());
    }

    public static LdapResult of(DirectoryException failure) {
        return new LdapResult(failure.code(), failure.matchedDn(), failure.getMessage(), failure.referrals());
    }
}
