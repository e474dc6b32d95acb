package org.alder.partition.prepared;

import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.SystemRecords;

/**
 * That a transaction of several shards is made: a system record of the coordinator's store, which is there from the commit that decides it until all others
 * have made it, too (docs/format/system-records.md; do not change without a new version). Where there is none, and the coordinator does not work on
 * it any more, the transaction was not made. Immutable.
 *
 * <pre>
 *   key      decided/UUID
 *   record   SEQUENCE { version INTEGER (1), coordinator INTEGER, shards SEQUENCE OF INTEGER }
 * </pre>
 *
 * @param shards the numbers of those that may not have made it yet
 */
public record Decision(TransactionId id, Set<Integer> shards) {
    private static final String KEY = "decided/";
    private static final int VERSION = 1;

    public static String key(UUID uuid) {
        return KEY + uuid;
    }

    /** Given each one. */
    public static void forEach(SystemRecords records, Consumer<Decision> consumer) {
        records.forEach((key, record) -> {
            if (key.startsWith(KEY)) {
                consumer.accept(decode(uuid(key, KEY), record));
            }
        });
    }

    public byte[] encode() {
        BerWriter out = new BerWriter(32);
        int outer = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.INTEGER, VERSION);
        out.integer(BerWriter.INTEGER, id.coordinator());
        int all = out.begin(BerWriter.SEQUENCE);
        new TreeSet<>(shards).forEach(shard -> out.integer(BerWriter.INTEGER, shard));
        out.end(all);
        out.end(outer);
        return out.toByteArray();
    }

    /** @throws StoreException of kind CORRUPT where it is none, or a newer build wrote it */
    public static Decision decode(UUID uuid, byte[] record) {
        try {
            BerReader in = new BerReader(record);
            int outer = in.enter(BerWriter.SEQUENCE);
            requireVersion(in, VERSION);
            int coordinator = readShard(in);
            Set<Integer> shards = new TreeSet<>();
            int all = in.enter(BerWriter.SEQUENCE);
            while (in.hasMore()) {
                shards.add(readShard(in));
            }
            in.leave(all);
            in.leaveFully(outer);
            if (in.hasMore()) {
                throw new BerException("bytes behind its end");
            }
            return new Decision(new TransactionId(uuid, coordinator), shards);
        } catch (BerException e) {
            throw new StoreException(StoreException.Kind.CORRUPT, "the system record " + key(uuid) + ": " + e.getMessage(), e);
        }
    }

    static void requireVersion(BerReader in, int version) throws BerException {
        int found = in.readInt(BerWriter.INTEGER);
        if (found != version) {
            throw new BerException("version " + found + ", expected " + version + (found > version ? ": a newer build wrote it" : ""));
        }
    }

    static int readShard(BerReader in) throws BerException {
        int number = in.readInt(BerWriter.INTEGER);
        if (number < 0) {
            throw new BerException("the shard " + number);
        }
        return number;
    }

    static UUID uuid(String key, String prefix) {
        try {
            return UUID.fromString(key.substring(prefix.length()));
        } catch (IllegalArgumentException e) {
            throw new StoreException(StoreException.Kind.CORRUPT, "the system record " + key + ": expected a UUID behind " + prefix, e);
        }
    }
}
