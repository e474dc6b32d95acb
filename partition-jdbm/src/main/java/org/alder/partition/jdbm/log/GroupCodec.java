package org.alder.partition.jdbm.log;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.entry.Varints;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.SystemRecords;

/**
 * The payload of a log record, versions 3 and 4 (docs/format/commit-log.md; do not change without a new version byte). Version 4 is written where
 * there is an operation of kind 5 or 6, which version 3 has not. Version 2, which is read too, is version 3 without what is outside of the record:
 * <pre>
 *   version          1 byte, 3 or 4
 *   durable offset   varint    up to here the file was synced when this record was written
 *   first sequence   varint
 *   time             varint    milliseconds since 1970
 *   count            varint    transactions
 *   transaction      count of operations (varint), operations
 *   operation        kind 1 byte, entry ID varint, then
 *     1 ADD            length, entry record
 *     2 MODIFY         deltas
 *     3 RENAME         new parent varint, length, RDN, deltas
 *     4 DELETE         length, identity
 *     5 KEEP           length, key, length, record
 *     6 FORGET         length, key
 *     17, 18, 19       as 1, 2, 3, then what is outside
 *   deltas           count, each: 1 byte (1 = operational), description, removed values, added values
 *   values           count, each length + bytes          description: length + UTF-8
 *   outside          1 byte (1 = made whole first), count of moved attributes (varint), each: slot varint, description;
 *                    forms as values; {@link Outside}
 * </pre>
 */
public final class GroupCodec {
    private static final byte VERSION = 3;
    private static final byte VERSION_WITH_RECORDS = 4;
    private static final byte VERSION_WITHOUT_OUTSIDE = 2;
    private static final byte ADD = 1;
    private static final byte MODIFY = 2;
    private static final byte RENAME = 3;
    private static final byte DELETE = 4;
    private static final byte KEEP = 5;
    private static final byte FORGET = 6;
    /** Added to a kind whose operation did something outside of the record. */
    private static final byte AND_OUTSIDE = 16;

    private GroupCodec() {
    }

    /** The payload of a group in a log that is not a file. */
    public static byte[] bytesOf(LogGroup group) {
        GrowingBuffer out = new GrowingBuffer();
        out.reset(0);
        encode(group, 0, out);
        return Arrays.copyOf(out.bytes(), out.size());
    }

    /**
     * What {@link #bytesOf} was given.
     *
     * @throws StoreException of kind CORRUPT where it is malformed
     */
    public static LogGroup groupOf(byte[] payload) {
        return decode(payload).group();
    }

    static void encode(LogGroup group, long durableOffset, GrowingBuffer out) {
        out.put(group.transactions().stream().anyMatch(GroupCodec::keeps) ? VERSION_WITH_RECORDS : VERSION);
        out.putVarint(durableOffset);
        out.putVarint(group.firstSequence());
        out.putVarint(group.timeMillis());
        out.putVarint(group.transactions().size());
        for (List<Operation> transaction : group.transactions()) {
            out.putVarint(transaction.size());
            transaction.forEach(operation -> encode(operation, out));
        }
    }

    private static boolean keeps(List<Operation> transaction) {
        return transaction.stream().anyMatch(Operation.Keep.class::isInstance);
    }

    private static void encode(Operation operation, GrowingBuffer out) {
        if (operation instanceof Operation.Keep keep) {
            head(out, keep.record() == null ? FORGET : KEEP, keep);
            out.putBytes(keep.key().getBytes(StandardCharsets.US_ASCII));
            if (keep.record() != null) {
                out.putBytes(keep.record());
            }
        } else if (operation instanceof Operation.Add add) {
            head(out, ADD, add);
            out.putBytes(add.entry().bytes());
        } else if (operation instanceof Operation.Modify modify) {
            head(out, MODIFY, modify);
            encode(modify.deltas(), out);
        } else if (operation instanceof Operation.Rename rename) {
            head(out, RENAME, rename);
            out.putVarint(rename.newParentId());
            out.putBytes(rename.rdn());
            encode(rename.deltas(), out);
        } else {
            Operation.Delete delete = (Operation.Delete) operation;
            head(out, DELETE, delete);
            out.putBytes(delete.identity());
        }
        if (!operation.outside().isNone()) {
            encode(operation.outside(), out);
        }
    }

    private static void head(GrowingBuffer out, byte kind, Operation operation) {
        out.put(operation.outside().isNone() ? kind : (byte) (kind + AND_OUTSIDE));
        out.putVarint(operation.id());
    }

    private static void encode(Outside outside, GrowingBuffer out) {
        out.put((byte) (outside.madeWhole() ? 1 : 0));
        out.putVarint(outside.moved().size());
        for (Outside.Moved attribute : outside.moved()) {
            out.putVarint(attribute.slot());
            out.putBytes(attribute.description().getBytes(StandardCharsets.UTF_8));
        }
        encodeValues(outside.forms(), out);
    }

    private static void encode(List<AttributeDelta> deltas, GrowingBuffer out) {
        out.putVarint(deltas.size());
        for (AttributeDelta delta : deltas) {
            out.put((byte) (delta.operational() ? 1 : 0));
            out.putBytes(delta.description().getBytes(StandardCharsets.UTF_8));
            encodeValues(delta.removed(), out);
            encodeValues(delta.added(), out);
        }
    }

    private static void encodeValues(List<byte[]> values, GrowingBuffer out) {
        out.putVarint(values.size());
        values.forEach(out::putBytes);
    }

    /** Reads a payload whose checksum was right; throws a StoreException of kind CORRUPT where it is malformed all the same. */
    static LogRecord decode(byte[] payload) {
        if (payload.length == 0 || payload[0] < VERSION_WITHOUT_OUTSIDE || payload[0] > VERSION_WITH_RECORDS) {
            throw corrupt("log record version " + (payload.length == 0 ? "missing" : payload[0]) + ", expected "
                    + VERSION_WITHOUT_OUTSIDE + " to " + VERSION_WITH_RECORDS);
        }
        Varints in = new Varints(payload, 1);
        long durableOffset = in.next();
        long firstSequence = in.next();
        long timeMillis = in.next();
        int count = count(in, payload);
        List<List<Operation>> transactions = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            transactions.add(decodeTransaction(in, payload));
        }
        if (in.position() != payload.length) {
            throw corrupt((payload.length - in.position()) + " bytes behind the last transaction of a log record");
        }
        return new LogRecord(durableOffset, new LogGroup(firstSequence, timeMillis, transactions));
    }

    private static List<Operation> decodeTransaction(Varints in, byte[] payload) {
        int count = count(in, payload);
        List<Operation> operations = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            operations.add(decodeOperation(in, payload));
        }
        return operations;
    }

    private static Operation decodeOperation(Varints in, byte[] payload) {
        byte kind = nextByte(in, payload);
        if ((kind == KEEP || kind == FORGET) && payload[0] == VERSION_WITH_RECORDS) {
            return decodeKeep(kind, in, payload);
        }
        boolean logged = payload[0] != VERSION_WITHOUT_OUTSIDE;
        boolean isMore = logged && kind > AND_OUTSIDE;
        Operation operation = decodeOperation(isMore ? (byte) (kind - AND_OUTSIDE) : kind, in, payload);
        return logged ? operation.with(isMore ? decodeOutside(in, payload) : Outside.NONE) : operation;
    }

    private static Operation decodeOperation(byte kind, Varints in, byte[] payload) {
        long id = in.next();
        return switch (kind) {
            case ADD -> new Operation.Add(id, EntryRecord.of(bytes(in, payload)));
            case MODIFY -> new Operation.Modify(id, decodeDeltas(in, payload));
            case RENAME -> new Operation.Rename(id, in.next(), bytes(in, payload), decodeDeltas(in, payload));
            case DELETE -> new Operation.Delete(id, bytes(in, payload));
            default -> throw corrupt("operation kind " + kind + " in a log record of version " + payload[0] + ", expected 1 to "
                    + (payload[0] == VERSION_WITH_RECORDS ? FORGET : DELETE));
        };
    }

    private static Operation decodeKeep(byte kind, Varints in, byte[] payload) {
        long id = in.next();
        String key = new String(bytes(in, payload), StandardCharsets.US_ASCII);
        if (!SystemRecords.isKey(key)) {
            throw corrupt("the key \"" + key + "\" of a system record in a log record");
        }
        return new Operation.Keep(id, key, kind == KEEP ? bytes(in, payload) : null);
    }

    private static Outside decodeOutside(Varints in, byte[] payload) {
        boolean madeWhole = nextByte(in, payload) == 1;
        int count = count(in, payload);
        List<Outside.Moved> moved = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            long slot = in.next();
            if (slot >= LargeAttribute.MAX_SLOTS) {
                throw corrupt("slot " + slot + " of a large attribute, expected 0 to " + (LargeAttribute.MAX_SLOTS - 1));
            }
            moved.add(new Outside.Moved((int) slot, new String(bytes(in, payload), StandardCharsets.UTF_8)));
        }
        return new Outside(madeWhole, moved, decodeValues(in, payload));
    }

    private static List<AttributeDelta> decodeDeltas(Varints in, byte[] payload) {
        int count = count(in, payload);
        List<AttributeDelta> deltas = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            boolean operational = nextByte(in, payload) == 1;
            String description = new String(bytes(in, payload), StandardCharsets.UTF_8);
            List<byte[]> removed = decodeValues(in, payload);
            deltas.add(new AttributeDelta(description, operational, removed, decodeValues(in, payload)));
        }
        return deltas;
    }

    private static List<byte[]> decodeValues(Varints in, byte[] payload) {
        int count = count(in, payload);
        List<byte[]> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            values.add(bytes(in, payload));
        }
        return values;
    }

    /** A count of things that take at least one byte each. */
    private static int count(Varints in, byte[] payload) {
        long count = in.next();
        if (count > payload.length - in.position()) {
            throw corrupt("a count of " + count + " where " + (payload.length - in.position()) + " bytes are left");
        }
        return (int) count;
    }

    private static byte nextByte(Varints in, byte[] payload) {
        in.skip(1);
        return payload[in.position() - 1];
    }

    private static byte[] bytes(Varints in, byte[] payload) {
        int length = in.nextLength();
        int from = in.position();
        in.skip(length);
        return Arrays.copyOfRange(payload, from, from + length);
    }

    private static StoreException corrupt(String found) {
        return new StoreException(StoreException.Kind.CORRUPT, found);
    }
}
