package org.alder.server.protocol;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import org.alder.partition.error.Cause;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.GivenUpException;
import org.alder.partition.error.NotLeaderException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns whatever an operation failed with into its result. Faults of the server are logged under a reference that the client is
 * told.
 */
public final class Faults {
    private static final Logger LOG = LoggerFactory.getLogger(Faults.class);
    private static final SecureRandom REFERENCES = new SecureRandom();

    private Faults() {
    }

    public static LdapResult toResult(Throwable failure) {
        Throwable cause = cause(failure);
        if (cause instanceof DirectoryException refusal) {
            return LdapResult.of(refusal);
        }
        if (cause instanceof NotLeaderException elsewhere && elsewhere.referral() != null) {
            return new LdapResult(ResultCode.REFERRAL, "", elsewhere.getMessage(), List.of(elsewhere.referral()));
        }
        if (cause instanceof StoreException store) {
            switch (store.kind()) {
                case READ_ONLY, CLOSED, OUTCOME_UNKNOWN, FENCED, NOT_LEADER -> {
                    return LdapResult.of(ResultCode.UNAVAILABLE, store.getMessage());
                }
                case DISK_FULL -> {
                    return LdapResult.of(ResultCode.UNWILLING_TO_PERFORM, store.getMessage());
                }
                case SNAPSHOT_EXPIRED, TOO_LARGE -> {
                    return LdapResult.of(ResultCode.ADMIN_LIMIT_EXCEEDED, store.getMessage());
                }
                default -> { }
            }
        }
        return internal(cause);
    }

    /** What an operation failed with, wherever it was done. */
    static Throwable cause(Throwable failure) {
        Throwable cause = Cause.of(failure);
        return cause instanceof GivenUpException ended ? ended.result() : cause;
    }

    private static LdapResult internal(Throwable cause) {
        byte[] random = new byte[6];
        REFERENCES.nextBytes(random);
        String reference = HexFormat.of().formatHex(random);
        LOG.error("internal error, reference {}", reference, cause);
        return LdapResult.of(ResultCode.OTHER, "internal error; the server's log says more under reference " + reference);
    }
}
