package org.alder.partition.jdbm.log;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.Varints;
import org.alder.partition.error.StoreException;

/**
 * The payload of a log record, version 2 (docs/format/commit-log.md; do not change without a new version byte):
 * <pre>
 *   version          1 byte, 2
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
 *   deltas           count, each: 1 byte (1 = operational), description, removed values, added values
 *   values           count, each length + bytes          description: length + UTF-8
 * </pre>
 */
final class GroupCodec {
    private static final byte VERSION = 2;
    private static final byte ADD = 1;
    private static final byte MODIFY = 2;
    private static final byte RENAME = 3;
    private static final byte DELETE = 4;

    private GroupCodec() {
    }

    static void encode(LogGroup group, long durableOffset, GrowingBuffer out) {
        out.put(VERSION);
        out.putVarint(durableOffset);
        out.putVarint(group.firstSequence());
        out.putVarint(group.timeMillis());
        out.putVarint(group.transactions().size());
        for (List<Operation> transaction : group.transactions()) {
            out.putVarint(transaction.size());
            transaction.forEach(operation -> encode(operation, out));
        }
    }

    private static void encode(Operation operation, GrowingBuffer out) {
        if (operation instanceof Operation.Add add) {
            head(out, ADD, add.id());
            out.putBytes(add.entry().bytes());
        } else if (operation instanceof Operation.Modify modify) {
            head(out, MODIFY, modify.id());
            encode(modify.deltas(), out);
        } else if (operation instanceof Operation.Rename rename) {
            head(out, RENAME, rename.id());
            out.putVarint(rename.newParentId());
            out.putBytes(rename.rdn());
            encode(rename.deltas(), out);
        } else {
            Operation.Delete delete = (Operation.Delete) operation;
            head(out, DELETE, delete.id());
            out.putBytes(delete.identity());
        }
    }

    private static void head(GrowingBuffer out, byte kind, long id) {
        out.put(kind);
        out.putVarint(id);
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
        if (payload.length == 0 || payload[0] != VERSION) {
            throw corrupt("log record version " + (payload.length == 0 ? "missing" : payload[0]) + ", expected " + VERSION);
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
        long id = in.next();
        return switch (kind) {
            case ADD -> new Operation.Add(id, EntryRecord.of(bytes(in, payload)));
            case MODIFY -> new Operation.Modify(id, decodeDeltas(in, payload));
            case RENAME -> new Operation.Rename(id, in.next(), bytes(in, payload), decodeDeltas(in, payload));
            case DELETE -> new Operation.Delete(id, bytes(in, payload));
            default -> throw corrupt("operation kind " + kind + " in a log record, expected 1 to 4");
        };
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
