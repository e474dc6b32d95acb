package org.alder.server.control;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.DirectoryException;

/** The attributes that a request names to be returned (AttributeSelection, RFC 4511 4.5.1): so many at most, however they come. */
public final class AttributeNames {
    private AttributeNames() {
    }

    /** Reads a SEQUENCE OF names. @throws DirectoryException adminLimitExceeded if there are too many */
    public static List<String> read(BerReader reader, RequestLimits limits) throws BerException, DirectoryException {
        List<String> names = new ArrayList<>();
        int outer = reader.enter(BerWriter.SEQUENCE);
        while (reader.hasMore()) {
            if (names.size() == limits.attributes()) {
                throw RequestLimits.exceeded("more attributes to be returned", limits.attributes(), "maxRequestedAttributes");
            }
            names.add(reader.readString(BerWriter.OCTET_STRING));
        }
        reader.leave(outer);
        return names;
    }
}
