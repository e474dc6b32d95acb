package org.alder.partition.error;

/** A search has looked at as many entries as it may for want of an index. */
public final class ExaminedLimitException extends DirectoryException {
    private static final long serialVersionUID = 1L;

    public ExaminedLimitException(String message) {
        super(ResultCode.ADMIN_LIMIT_EXCEEDED, message);
    }
}
