package org.alder.partition.update;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.Partition;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.commit.LocalPart;
import org.alder.partition.dn.Dn;
import org.alder.partition.dn.Rdn;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.StoreException;
import org.alder.partition.prepared.TransactionId;
import org.alder.partition.schema.Schema;
import org.alder.partition.update.rules.Distribution;

/**
 * What whoever writes a shard is to add there, where an entry comes from a shard that another process writes (docs/format/member-questions.md; do not change without
 * a new version): the renaming, and the entry with all below it. Immutable.
 *
 * <pre>
 *   SEQUENCE { version INTEGER (1), dn OCTET STRING, newrdn OCTET STRING, deleteoldrdn BOOLEAN, newSuperior OCTET STRING (empty for none),
 *     authorizationDn OCTET STRING, seconds INTEGER, nanos INTEGER (since 1970), entries SEQUENCE OF SEQUENCE {
 *       above INTEGER (the position of the one above it; -1 for the first), dn OCTET STRING, record OCTET STRING (with all values) } }
 * </pre>
 */
public record Arrival(Renaming renaming, MovedEntries moved) {
    private static final int VERSION = 1;
    private static final int NANOS = 1_000_000_000;
    /** Of 1,000 entries of 983,040 bytes in all, with their names. */
    private static final int MOST_BYTES = 16 << 20;

    byte[] encode() {
        BerWriter out = new BerWriter(4096);
        int outer = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.INTEGER, VERSION);
        out.string(BerWriter.OCTET_STRING, renaming.dn().text());
        out.string(BerWriter.OCTET_STRING, renaming.newRdn().text());
        out.bool(BerWriter.BOOLEAN, renaming.deleteOldRdn());
        out.string(BerWriter.OCTET_STRING, renaming.newSuperior() == null ? "" : renaming.newSuperior().text());
        out.string(BerWriter.OCTET_STRING, renaming.origin().authorizationDn());
        out.integer(BerWriter.INTEGER, renaming.origin().time().getEpochSecond());
        out.integer(BerWriter.INTEGER, renaming.origin().time().getNano());
        int all = out.begin(BerWriter.SEQUENCE);
        for (MovedEntries.Moved each : moved.entries()) {
            int one = out.begin(BerWriter.SEQUENCE);
            out.integer(BerWriter.INTEGER, each.above());
            out.string(BerWriter.OCTET_STRING, each.dn());
            out.octets(BerWriter.OCTET_STRING, each.whole().bytes());
            out.end(one);
        }
        out.end(all);
        out.end(outer);
        return out.toByteArray();
    }

    /** @throws BerException where it is none, of another version, or more than may be moved at once */
    public static Arrival decode(Schema schema, byte[] bytes) throws BerException {
        require(bytes.length <= MOST_BYTES, "an arrival of " + bytes.length + " bytes");
        BerReader in = new BerReader(bytes);
        int outer = in.enter(BerWriter.SEQUENCE);
        int version = in.readInt(BerWriter.INTEGER);
        require(version == VERSION, "an arrival of version " + version + ", expected " + VERSION);
        try {
            Renaming renaming = readRenaming(schema, in);
            List<MovedEntries.Moved> entries = readEntries(schema, in);
            in.leaveFully(outer);
            require(!in.hasMore(), "bytes behind its end");
            return new Arrival(renaming, new MovedEntries(entries));
        } catch (DirectoryException | StoreException e) {
            throw new BerException("an arrival of what cannot be there: " + e.getMessage());
        }
    }

    private static Renaming readRenaming(Schema schema, BerReader in) throws BerException, DirectoryException {
        Dn dn = Dn.parse(schema, in.readString(BerWriter.OCTET_STRING));
        Rdn newRdn = Rdn.parse(schema, in.readString(BerWriter.OCTET_STRING));
        boolean deleteOldRdn = in.readBoolean(BerWriter.BOOLEAN);
        String newSuperior = in.readString(BerWriter.OCTET_STRING);
        String authorizationDn = in.readString(BerWriter.OCTET_STRING);
        long seconds = in.readLong(BerWriter.INTEGER);
        int nanos = in.readInt(BerWriter.INTEGER);
        require(!dn.isRoot() && nanos >= 0 && nanos < NANOS && Math.abs(seconds) < Integer.MAX_VALUE * 60L, "a rename of the root, or at no time");
        return new Renaming(dn, newRdn, deleteOldRdn, newSuperior.isEmpty() ? null : Dn.parse(schema, newSuperior),
                new UpdateOrigin(authorizationDn, Instant.ofEpochSecond(seconds, nanos)));
    }

    private static List<MovedEntries.Moved> readEntries(Schema schema, BerReader in) throws BerException, DirectoryException {
        List<MovedEntries.Moved> entries = new ArrayList<>();
        int all = in.enter(BerWriter.SEQUENCE);
        while (in.hasMore()) {
            int one = in.enter(BerWriter.SEQUENCE);
            int above = in.readInt(BerWriter.INTEGER);
            String dn = in.readString(BerWriter.OCTET_STRING);
            EntryRecord record = EntryRecord.of(in.readBytes(BerWriter.OCTET_STRING));
            in.leaveFully(one);
            boolean isBelow = entries.isEmpty() ? above == -1 : above >= 0 && above < entries.size();
            require(isBelow && entries.size() < MovedEntries.MOST_ENTRIES, "entry " + entries.size() + " below entry " + above);
            Dn.parse(schema, dn);
            entries.add(new MovedEntries.Moved(0, above, dn, record, record));
        }
        in.leave(all);
        require(!entries.isEmpty(), "an arrival of nothing");
        return List.copyOf(entries);
    }

    private static void require(boolean is, String otherwise) throws BerException {
        if (!is) {
            throw new BerException(otherwise);
        }
    }

    /**
     * Has the shard that this process writes keep it, as {@link org.alder.partition.commit.ShardPart#prepare}. Whoever leads the transaction knows what its client may do.
     *
     * @param updates of the shard
     */
    public CompletableFuture<Void> prepare(Partition shard, Updates updates, TransactionId id) {
        if (!shard.holds(renaming.newName())) {
            return CompletableFuture.failedFuture(Distribution.betweenShards(renaming.dn(), renaming.newName(), shard.suffix()));
        }
        try {
            return new LocalPart(shard, updates.arrival(moved, renaming, UpdateOptions.NONE)).prepare(id);
        } catch (DirectoryException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
