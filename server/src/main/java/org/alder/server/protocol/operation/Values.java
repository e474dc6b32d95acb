package org.alder.server.protocol.operation;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;

/** The values of an attribute in a request: SET OF OCTET STRING (RFC 4511 4.1.7). */
final class Values {
    private Values() {
    }

    static List<byte[]> decode(BerReader reader) throws BerException {
        List<byte[]> values = new ArrayList<>(2);
        int outer = reader.enter(BerWriter.SET);
        while (reader.hasMore()) {
            values.add(reader.readBytes(BerWriter.OCTET_STRING));
        }
        reader.leave(outer);
        return values;
    }
}
