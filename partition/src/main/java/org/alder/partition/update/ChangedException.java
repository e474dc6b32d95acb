package org.alder.partition.update;

import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;

/** What was to be moved to another shard is not as it was when it was looked at. */
final class ChangedException extends DirectoryException {
    private static final long serialVersionUID = 1L;

    ChangedException(String dn) {
        super(ResultCode.BUSY, "\"" + dn + "\", or something below it, is changed again and again while it is to be moved to another shard: nothing was done");
    }
}
