package org.alder.partition.update.copy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.Partition;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.StoreException;
import org.alder.partition.request.Modification;
import org.alder.partition.schema.Schema;
import org.alder.partition.update.edit.ModificationStep;

/**
 * Changes of a followed server for a shard that another process may write (docs/format/member-questions.md; do not change without a new version). Immutable.
 *
 * <pre>
 *   SEQUENCE { version INTEGER (1), turn INTEGER, counts BOOLEAN, isNamed BOOLEAN, changes SEQUENCE OF CHOICE {
 *     put [0] { dn OCTET STRING, uuid OCTET STRING, record OCTET STRING }, modify [1] { uuid OCTET STRING, csn OCTET STRING, steps SEQUENCE OF SEQUENCE {
 *       kind INTEGER, description OCTET STRING, values SEQUENCE OF OCTET STRING } },
 *     keep [2] { uuid OCTET STRING }, remove [3] { uuid OCTET STRING }, drop [4] { place INTEGER } } }
 * </pre>
 *
 * @param turn    of whoever follows: a shard takes none that is behind another one's
 * @param counts  whether it is counted instead what stands aside
 * @param isNamed whether the changes are told out of their turn, as in a refresh
 */
public record CopiedBatch(long turn, boolean counts, boolean isNamed, List<CopiedChange> changes) {
    private static final int VERSION = 1;
    /** Constructed, of the context; the kinds of changes follow. */
    private static final int PUT = 0xA0;
    private static final int MODIFY = 0xA1;
    private static final int KEEP = 0xA2;
    private static final int REMOVE = 0xA3;
    private static final int DROP = 0xA4;

    byte[] encode() {
        BerWriter out = new BerWriter(4096);
        int outer = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.INTEGER, VERSION);
        out.integer(BerWriter.INTEGER, turn);
        out.bool(BerWriter.BOOLEAN, counts);
        out.bool(BerWriter.BOOLEAN, isNamed);
        int all = out.begin(BerWriter.SEQUENCE);
        changes.forEach(each -> write(out, each));
        out.end(all);
        out.end(outer);
        return out.toByteArray();
    }

    private static void write(BerWriter out, CopiedChange change) {
        int one;
        if (change instanceof CopiedChange.Put put) {
            one = out.begin(PUT);
            out.string(BerWriter.OCTET_STRING, put.dn().text());
            out.octets(BerWriter.OCTET_STRING, put.uuid());
            out.octets(BerWriter.OCTET_STRING, put.record().bytes());
        } else if (change instanceof CopiedChange.Modify modify) {
            one = out.begin(MODIFY);
            out.octets(BerWriter.OCTET_STRING, modify.uuid());
            out.octets(BerWriter.OCTET_STRING, modify.csn());
            int steps = out.begin(BerWriter.SEQUENCE);
            modify.steps().forEach(each -> write(out, each));
            out.end(steps);
        } else if (change instanceof CopiedChange.Drop drop) {
            one = out.begin(DROP);
            out.integer(BerWriter.INTEGER, drop.place());
        } else {
            one = out.begin(change instanceof CopiedChange.Keep ? KEEP : REMOVE);
            out.octets(BerWriter.OCTET_STRING, ((CopiedChange.OfEntry) change).uuid());
        }
        out.end(one);
    }

    private static void write(BerWriter out, ModificationStep step) {
        int one = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.INTEGER, step.kind().ordinal());
        out.string(BerWriter.OCTET_STRING, step.description().text());
        int values = out.begin(BerWriter.SEQUENCE);
        step.values().forEach(each -> out.octets(BerWriter.OCTET_STRING, each));
        out.end(values);
        out.end(one);
    }

    /** @throws BerException where it is none, or of another version */
    public static CopiedBatch decode(Schema schema, byte[] bytes) throws BerException {
        BerReader in = new BerReader(bytes);
        int outer = in.enter(BerWriter.SEQUENCE);
        int version = in.readInt(BerWriter.INTEGER);
        require(version == VERSION, "copied changes of version " + version + ", expected " + VERSION);
        long turn = in.readLong(BerWriter.INTEGER);
        boolean counts = in.readBoolean(BerWriter.BOOLEAN);
        boolean isNamed = in.readBoolean(BerWriter.BOOLEAN);
        List<CopiedChange> changes = new ArrayList<>();
        int all = in.enter(BerWriter.SEQUENCE);
        try {
            while (in.hasMore()) {
                int tag = in.peekTag();
                int one = in.enter(tag);
                changes.add(read(schema, tag, in));
                in.leaveFully(one);
            }
        } catch (DirectoryException | StoreException e) {
            throw new BerException("copied changes of what cannot be there: " + e.getMessage());
        }
        in.leave(all);
        in.leaveFully(outer);
        require(turn >= 0 && !in.hasMore(), "copied changes of turn " + turn + ", or bytes behind them");
        return new CopiedBatch(turn, counts, isNamed, List.copyOf(changes));
    }

    private static CopiedChange read(Schema schema, int tag, BerReader in) throws BerException, DirectoryException {
        return switch (tag) {
            case PUT -> new CopiedChange.Put(Dn.parse(schema, in.readString(BerWriter.OCTET_STRING)), in.readBytes(BerWriter.OCTET_STRING),
                    EntryRecord.of(in.readBytes(BerWriter.OCTET_STRING)));
            case MODIFY -> new CopiedChange.Modify(in.readBytes(BerWriter.OCTET_STRING), in.readBytes(BerWriter.OCTET_STRING), steps(schema, in));
            case KEEP -> new CopiedChange.Keep(in.readBytes(BerWriter.OCTET_STRING));
            case REMOVE -> new CopiedChange.Remove(in.readBytes(BerWriter.OCTET_STRING));
            case DROP -> new CopiedChange.Drop(in.readLong(BerWriter.INTEGER));
            default -> throw new BerException("a copied change with tag " + tag);
        };
    }

    private static List<ModificationStep> steps(Schema schema, BerReader in) throws BerException, DirectoryException {
        List<ModificationStep> steps = new ArrayList<>();
        int all = in.enter(BerWriter.SEQUENCE);
        while (in.hasMore()) {
            int one = in.enter(BerWriter.SEQUENCE);
            int kind = in.readInt(BerWriter.INTEGER);
            require(kind >= 0 && kind < Modification.Kind.values().length, "a modification of kind " + kind);
            String description = in.readString(BerWriter.OCTET_STRING);
            List<byte[]> values = new ArrayList<>();
            int list = in.enter(BerWriter.SEQUENCE);
            while (in.hasMore()) {
                values.add(in.readBytes(BerWriter.OCTET_STRING));
            }
            in.leave(list);
            in.leaveFully(one);
            steps.add(ModificationStep.own(schema, new Modification(Modification.Kind.values()[kind], description, values)));
        }
        in.leave(all);
        return steps;
    }

    private static void require(boolean is, String otherwise) throws BerException {
        if (!is) {
            throw new BerException(otherwise);
        }
    }

    /**
     * Makes them in a shard that this process writes.
     *
     * @return completes when they are durable, with what came of them for whoever has sent them; exceptionally with a {@link DirectoryException} or a {@link
     *     StoreException}, of kind NOT_LEADER also where somebody else follows since, and then nothing was changed
     */
    public CompletableFuture<byte[]> make(Partition shard) {
        CopiedShard copy = new CopiedShard(shard, FollowTurn.of(turn));
        return counts ? copy.count().thenApply(none -> new byte[0]) : copy.make(changes, null, 0, isNamed ? place -> true : null).thenApply(CopiedShard.Made::encode);
    }
}
