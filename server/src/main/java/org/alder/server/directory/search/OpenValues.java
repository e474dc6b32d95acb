package org.alder.server.directory.search;

import org.alder.partition.ber.BerWriter;
import org.alder.partition.store.LargeValues;
import org.alder.server.directory.ValueCursor;

/** The values of a large attribute in a partition. One thread at a time. */
public record OpenValues(LargeValues.Cursor values) implements ValueCursor {
    @Override
    public boolean next() {
        return values.next();
    }

    @Override
    public void write(BerWriter out) {
        out.octets(BerWriter.OCTET_STRING, values.bytes(), values.offset(), values.length());
    }

    @Override
    public byte[] value() {
        return values.value();
    }

    @Override
    public void close() {
        values.close();
    }
}
