package org.alder.server.policy;

import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;

/** A result that a password policy is the reason of; clients that ask for the response control are told which. */
public final class PolicyRefusal extends DirectoryException {
    private static final long serialVersionUID = 1L;

    private final PolicyError error;

    /** @param error null if the client is not to know */
    public PolicyRefusal(ResultCode code, String message, PolicyError error) {
        super(code, message);
        this.error = error;
    }

    public PolicyNotice notice() {
        return PolicyNotice.of(error);
    }
}
