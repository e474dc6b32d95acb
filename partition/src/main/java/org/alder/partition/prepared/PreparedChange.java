package org.alder.partition.prepared;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.Csn;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.store.WriteContext;

/** One change of an entry that a transaction of several shards makes when it is decided. Immutable. */
sealed interface PreparedChange {
    /** [0] to [3], constructed. */
    int ADD = 0xA0;
    int MODIFY = 0xA1;
    int RENAME = 0xA2;
    int DELETE = 0xA3;

    long id();

    /** @param before the number that changed entries were to get when it was prepared, in whose place they get that of the commit */
    void apply(WriteContext context, byte[] before);

    void write(BerWriter out);

    record Add(long id, EntryRecord record) implements PreparedChange {
        @Override
        public void apply(WriteContext context, byte[] before) {
            context.add(id, stamped(record, before, context.csn().bytes()));
        }

        @Override
        public void write(BerWriter out) {
            int mark = out.begin(ADD);
            out.integer(BerWriter.INTEGER, id);
            out.octets(BerWriter.OCTET_STRING, record.bytes());
            out.end(mark);
        }
    }

    record Modify(long id, List<AttributeDelta> deltas) implements PreparedChange {
        @Override
        public void apply(WriteContext context, byte[] before) {
            context.modify(id, stamped(deltas, before, context.csn().bytes()));
        }

        @Override
        public void write(BerWriter out) {
            int mark = out.begin(MODIFY);
            out.integer(BerWriter.INTEGER, id);
            PreparedChange.write(deltas, out);
            out.end(mark);
        }
    }

    record Rename(long id, long newParentId, byte[] rdn, List<AttributeDelta> deltas) implements PreparedChange {
        @Override
        public void apply(WriteContext context, byte[] before) {
            context.rename(id, newParentId, rdn, stamped(deltas, before, context.csn().bytes()));
        }

        @Override
        public void write(BerWriter out) {
            int mark = out.begin(RENAME);
            out.integer(BerWriter.INTEGER, id);
            out.integer(BerWriter.INTEGER, newParentId);
            out.octets(BerWriter.OCTET_STRING, rdn);
            PreparedChange.write(deltas, out);
            out.end(mark);
        }
    }

    record Delete(long id) implements PreparedChange {
        @Override
        public void apply(WriteContext context, byte[] before) {
            context.delete(id);
        }

        @Override
        public void write(BerWriter out) {
            int mark = out.begin(DELETE);
            out.integer(BerWriter.INTEGER, id);
            out.end(mark);
        }
    }

    /** An entry that brought a number of its own keeps it. */
    static EntryRecord stamped(EntryRecord record, byte[] before, byte[] after) {
        return Arrays.equals(Csn.in(record), before)
                ? record.apply(List.of(new AttributeDelta(Csn.ENTRY_CSN, true, List.of(before), List.of(after)))) : record;
    }

    private static List<AttributeDelta> stamped(List<AttributeDelta> deltas, byte[] before, byte[] after) {
        List<AttributeDelta> stamped = new ArrayList<>(deltas.size());
        for (AttributeDelta delta : deltas) {
            boolean isStamp = delta.operational() && delta.description().equalsIgnoreCase(Csn.ENTRY_CSN) && delta.added().size() == 1
                    && Arrays.equals(delta.added().get(0), before);
            stamped.add(isStamp ? new AttributeDelta(delta.description(), true, delta.removed(), List.of(after)) : delta);
        }
        return stamped;
    }

    private static void write(List<AttributeDelta> deltas, BerWriter out) {
        int all = out.begin(BerWriter.SEQUENCE);
        for (AttributeDelta delta : deltas) {
            int one = out.begin(BerWriter.SEQUENCE);
            out.bool(BerWriter.BOOLEAN, delta.operational());
            out.string(BerWriter.OCTET_STRING, delta.description());
            writeValues(delta.removed(), out);
            writeValues(delta.added(), out);
            out.end(one);
        }
        out.end(all);
    }

    private static void writeValues(List<byte[]> values, BerWriter out) {
        int all = out.begin(BerWriter.SEQUENCE);
        values.forEach(value -> out.octets(BerWriter.OCTET_STRING, value));
        out.end(all);
    }

    static PreparedChange read(BerReader in) throws BerException {
        int tag = in.peekTag();
        if (tag < ADD || tag > DELETE) {
            throw new BerException("a change with the tag " + tag + ", expected " + ADD + " to " + DELETE);
        }
        int mark = in.enter(tag);
        long id = in.readLong(BerWriter.INTEGER);
        if (id < 1) {
            throw new BerException("a change of the entry " + id);
        }
        PreparedChange change = switch (tag) {
            case ADD -> new Add(id, EntryRecord.of(in.readBytes(BerWriter.OCTET_STRING)));
            case MODIFY -> new Modify(id, readDeltas(in));
            case RENAME -> new Rename(id, in.readLong(BerWriter.INTEGER), in.readBytes(BerWriter.OCTET_STRING), readDeltas(in));
            default -> new Delete(id);
        };
        in.leaveFully(mark);
        return change;
    }

    private static List<AttributeDelta> readDeltas(BerReader in) throws BerException {
        List<AttributeDelta> deltas = new ArrayList<>();
        int all = in.enter(BerWriter.SEQUENCE);
        while (in.hasMore()) {
            int one = in.enter(BerWriter.SEQUENCE);
            boolean operational = in.readBoolean(BerWriter.BOOLEAN);
            String description = in.readString(BerWriter.OCTET_STRING);
            List<byte[]> removed = readValues(in);
            deltas.add(new AttributeDelta(description, operational, removed, readValues(in)));
            in.leaveFully(one);
        }
        in.leave(all);
        return deltas;
    }

    private static List<byte[]> readValues(BerReader in) throws BerException {
        List<byte[]> values = new ArrayList<>();
        int all = in.enter(BerWriter.SEQUENCE);
        while (in.hasMore()) {
            values.add(in.readBytes(BerWriter.OCTET_STRING));
        }
        in.leave(all);
        return values;
    }
}
