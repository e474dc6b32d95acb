package org.alder.server.control;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;

/** The attributes that a request names to be returned (AttributeSelection, RFC 4511 4.5.1): so many at most, however they come. */
public final class AttributeNames {
    /** More names than any schema has, and as many as a filter may have parts. */
    public static final int MOST = 10_000;

    private AttributeNames() {
    }

    /** Reads a SEQUENCE OF names. @throws DirectoryException adminLimitExceeded if there are more than {@link #MOST} */
    public static List<String> read(BerReader reader) throws BerException, DirectoryException {
        List<String> names = new ArrayList<>();
        int outer = reader.enter(BerWriter.SEQUENCE);
        while (reader.hasMore()) {
            if (names.size() == MOST) {
                throw new DirectoryException(ResultCode.ADMIN_LIMIT_EXCEEDED,
                        "the request names more than " + MOST + " attributes to be returned");
            }
            names.add(reader.readString(BerWriter.OCTET_STRING));
        }
        reader.leave(outer);
        return names;
    }
}
