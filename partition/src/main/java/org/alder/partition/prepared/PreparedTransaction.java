package org.alder.partition.prepared;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.SystemRecords;
import org.alder.partition.store.WriteContext;

/**
 * What a shard is to do when a transaction of several shards is decided, and what nobody else may change until then: a system record of its store
 * (docs/format/system-records.md; do not change without a new version). Immutable.
 *
 * <pre>
 *   key      prepared/UUID
 *   record   SEQUENCE { version INTEGER (1), coordinator INTEGER, what OCTET STRING, csn OCTET STRING,
 *              locks SEQUENCE OF SEQUENCE { attribute OCTET STRING, form OCTET STRING },
 *              changes SEQUENCE OF CHOICE {
 *                add [0] SEQUENCE { id INTEGER, record OCTET STRING },
 *                modify [1] SEQUENCE { id INTEGER, deltas },
 *                rename [2] SEQUENCE { id INTEGER, parent INTEGER, rdn OCTET STRING, deltas },
 *                delete [3] SEQUENCE { id INTEGER } } }
 *   deltas   SEQUENCE OF SEQUENCE { operational BOOLEAN, description OCTET STRING, removed SEQUENCE OF OCTET STRING, added SEQUENCE OF OCTET STRING }
 * </pre>
 */
public final class PreparedTransaction {
    /** Of a record: what takes more is not made in several shards. */
    public static final int MOST_BYTES = 1 << 20;
    private static final String KEY = "prepared/";
    private static final int VERSION = 1;

    private final TransactionId id;
    private final String what;
    private final byte[] csn;
    private final Set<Lock> locks;
    private final List<PreparedChange> changes;

    /** @param csn which the changed entries have in the changes, in whose place they get that of the commit */
    PreparedTransaction(TransactionId id, String what, byte[] csn, Set<Lock> locks, List<PreparedChange> changes) {
        this.id = id;
        this.what = what;
        this.csn = csn;
        this.locks = locks;
        this.changes = changes;
    }

    public static String key(UUID uuid) {
        return KEY + uuid;
    }

    /** Null where there is none. */
    public static PreparedTransaction in(SystemRecords records, UUID uuid) {
        byte[] record = records.get(key(uuid));
        return record == null ? null : decode(uuid, record);
    }

    /** Given each one. */
    public static void forEach(SystemRecords records, BiConsumer<TransactionId, PreparedTransaction> consumer) {
        records.forEach((key, record) -> {
            if (key.startsWith(KEY)) {
                PreparedTransaction each = decode(Decision.uuid(key, KEY), record);
                consumer.accept(each.id, each);
            }
        });
    }

    public TransactionId id() {
        return id;
    }

    /** For people. */
    public String what() {
        return what;
    }

    /** Not to be changed. */
    public Set<Lock> locks() {
        return locks;
    }

    /** The number that changed entries have in the changes. Not to be changed. */
    public byte[] csn() {
        return csn;
    }

    /** How many entries it changes, or a bit more. */
    public int size() {
        return changes.size();
    }

    /** Makes the changes, whose entries get the number of the commit. */
    public void apply(WriteContext context) {
        changes.forEach(change -> change.apply(context, csn));
    }

    public byte[] encode() {
        BerWriter out = new BerWriter(512);
        int outer = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.INTEGER, VERSION);
        out.integer(BerWriter.INTEGER, id.coordinator());
        out.string(BerWriter.OCTET_STRING, what);
        out.octets(BerWriter.OCTET_STRING, csn);
        int all = out.begin(BerWriter.SEQUENCE);
        for (Lock lock : locks) {
            int one = out.begin(BerWriter.SEQUENCE);
            out.string(BerWriter.OCTET_STRING, lock.attribute());
            out.octets(BerWriter.OCTET_STRING, lock.formBytes());
            out.end(one);
        }
        out.end(all);
        all = out.begin(BerWriter.SEQUENCE);
        changes.forEach(change -> change.write(out));
        out.end(all);
        out.end(outer);
        return out.toByteArray();
    }

    /** @throws StoreException of kind CORRUPT where it is none, or a newer build wrote it */
    public static PreparedTransaction decode(UUID uuid, byte[] record) {
        try {
            return read(uuid, new BerReader(record));
        } catch (BerException e) {
            throw new StoreException(StoreException.Kind.CORRUPT, "the system record " + key(uuid) + ": " + e.getMessage(), e);
        }
    }

    private static PreparedTransaction read(UUID uuid, BerReader in) throws BerException {
        int outer = in.enter(BerWriter.SEQUENCE);
        Decision.requireVersion(in, VERSION);
        TransactionId id = new TransactionId(uuid, Decision.readShard(in));
        String what = in.readString(BerWriter.OCTET_STRING);
        byte[] csn = in.readBytes(BerWriter.OCTET_STRING);
        Set<Lock> locks = new LinkedHashSet<>();
        int all = in.enter(BerWriter.SEQUENCE);
        while (in.hasMore()) {
            int one = in.enter(BerWriter.SEQUENCE);
            locks.add(new Lock(in.readString(BerWriter.OCTET_STRING), ByteBuffer.wrap(in.readBytes(BerWriter.OCTET_STRING))));
            in.leaveFully(one);
        }
        in.leave(all);
        List<PreparedChange> changes = new ArrayList<>();
        all = in.enter(BerWriter.SEQUENCE);
        while (in.hasMore()) {
            changes.add(PreparedChange.read(in));
        }
        in.leave(all);
        in.leaveFully(outer);
        if (in.hasMore()) {
            throw new BerException("bytes behind its end");
        }
        return new PreparedTransaction(id, what, csn, locks, changes);
    }
}
