package org.alder.partition.update.copy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.alder.partition.Partition;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.StoreException;
import org.alder.partition.index.IndexKind;
import org.alder.partition.index.IndexedAttribute;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.SchemaChecker;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Transaction;

/** What one store has of a copy of another server's entries: all of it, or a shard's part. Thread safe. */
final class CopiedShard {
    private static final int MANY = 50;

    /**
     * What came of the changes of one transaction.
     *
     * @param told where the copies of the entries are that were put: {@link CopiedEntries#place}
     * @param kept where those are that are as they were
     */
    record Made(CopiedEntries.Outcome outcome, long[] told, long[] kept) {
        /** Adds what was named to what was before. @param named null for nothing */
        CopiedEntries.Outcome namedIn(NamedEntries named) {
            if (named != null) {
                named.add(told, kept);
            }
            return outcome;
        }

        /** SEQUENCE of added, modified, renamed and deleted, tookTold, strange, unfit, told and kept, as {@link CopiedEntries.Outcome} and this say what they are. */
        byte[] encode() {
            BerWriter out = new BerWriter(256);
            int outer = out.begin(BerWriter.SEQUENCE);
            for (long each : new long[] {outcome.added(), outcome.modified(), outcome.renamed(), outcome.deleted()}) {
                out.integer(BerWriter.INTEGER, each);
            }
            out.bool(BerWriter.BOOLEAN, outcome.tookTold());
            out.integer(BerWriter.INTEGER, outcome.strange());
            int unfit = out.begin(BerWriter.SEQUENCE);
            outcome.unfit().forEach(each -> out.octets(BerWriter.OCTET_STRING, each));
            out.end(unfit);
            write(out, told);
            write(out, kept);
            out.end(outer);
            return out.toByteArray();
        }

        private static void write(BerWriter out, long[] places) {
            int all = out.begin(BerWriter.SEQUENCE);
            for (long each : places) {
                out.integer(BerWriter.INTEGER, each);
            }
            out.end(all);
        }

        static Made decode(byte[] bytes) {
            try {
                BerReader in = new BerReader(bytes);
                int outer = in.enter(BerWriter.SEQUENCE);
                long added = in.readLong(BerWriter.INTEGER);
                long modified = in.readLong(BerWriter.INTEGER);
                long renamed = in.readLong(BerWriter.INTEGER);
                long deleted = in.readLong(BerWriter.INTEGER);
                boolean tookTold = in.readBoolean(BerWriter.BOOLEAN);
                long strange = in.readLong(BerWriter.INTEGER);
                List<byte[]> unfit = new ArrayList<>();
                int all = in.enter(BerWriter.SEQUENCE);
                while (in.hasMore()) {
                    unfit.add(in.readBytes(BerWriter.OCTET_STRING));
                }
                in.leave(all);
                Made made = new Made(new CopiedEntries.Outcome(added, modified, renamed, deleted, tookTold, strange, unfit), places(in), places(in));
                in.leaveFully(outer);
                return made;
            } catch (BerException e) {
                throw new StoreException(StoreException.Kind.OUTCOME_UNKNOWN, "who leads a shard has answered in another way: " + e.getMessage());
            }
        }

        private static long[] places(BerReader in) throws BerException {
            LongStream.Builder places = LongStream.builder();
            int all = in.enter(BerWriter.SEQUENCE);
            while (in.hasMore()) {
                places.add(in.readLong(BerWriter.INTEGER));
            }
            in.leave(all);
            return places.build().toArray();
        }
    }

    private final Partition partition;
    private final FollowTurn turn;
    private final IndexedAttribute uuids;
    private final CopyNotes.Attributes notes;
    private final SchemaChecker checker;

    /** @throws StoreException of kind REFUSED if the partition or its schema lacks what a copy needs */
    CopiedShard(Partition partition, FollowTurn turn) {
        this.partition = partition;
        this.turn = turn;
        Schema schema = partition.schema();
        this.uuids = partition.indexer().index(schema.attributeType(CopiedEntries.ENTRY_UUID));
        this.checker = new SchemaChecker(schema);
        if (uuids == null || !uuids.has(IndexKind.EQUALITY)) {
            throw new StoreException(StoreException.Kind.REFUSED, "a partition that copies entries, as one that follows another server and a shard do, needs an index of"
                    + " entryUUID: index: entryUUID eq");
        }
        this.notes = CopyNotes.Attributes.of(schema);
    }

    Partition partition() {
        return partition;
    }

    /**
     * Makes the changes in their order, in one transaction; of a shard that is not the first one, in a cluster, by whoever leads it.
     *
     * @param to    as {@link CopiedEntries#apply}
     * @param asideElsewhere how many entries stand aside in other shards
     * @param named as {@link CopiedEntries#apply}
     * @return completes when they are durable; exceptionally with a {@link DirectoryException} or a {@link StoreException}, and then nothing was changed
     */
    CompletableFuture<Made> apply(List<CopiedChange> changes, byte[] to, long asideElsewhere, NamedEntries named) {
        return isElsewhere() ? ask(false, named != null, changes).thenApply(Made::decode)
                : make(changes, to, asideElsewhere, named == null ? null : named::isTold);
    }

    private boolean isElsewhere() {
        return turn.isOfMany() && partition.shard().number() > 0;
    }

    private CompletableFuture<byte[]> ask(boolean counts, boolean isNamed, List<CopiedChange> changes) {
        return partition.shards().writers().copy(partition.shard().number(), new CopiedBatch(turn.number(), counts, isNamed, changes).encode());
    }

    /** The same here. @param isTold of places; null where the changes come in the order in which they were made */
    CompletableFuture<Made> make(List<CopiedChange> changes, byte[] to, long asideElsewhere, LongPredicate isTold) {
        Transaction<Made> all = context -> {
            turn.require(context, partition);
            CopyTransaction copy = new CopyTransaction(partition, uuids, notes, checker, context, isTold);
            for (CopiedChange change : changes) {
                copy.make(change);
            }
            copy.note(to, asideElsewhere);
            return copy.made();
        };
        return partition.submit(all.called(changes.size() >= MANY, () -> changes.size() + " copied changes"));
    }

    /** How many entries stand aside in the newest state. */
    long aside() {
        return CopyNotes.of(partition).aside();
    }

    /** Looks at all entries. @return completes when their number is noted; exceptionally as {@link #apply} */
    CompletableFuture<Void> recountAside() {
        return isElsewhere() ? ask(true, false, List.of()).thenAccept(none -> { }) : count();
    }

    CompletableFuture<Void> count() {
        Transaction<Void> count = context -> {
            turn.require(context, partition);
            new CopyTransaction(partition, uuids, notes, checker, context, null).recountAside();
            return null;
        };
        return partition.submit(count.called(true, () -> "a count of what stands aside in the copy"));
    }

    /** The ID of the entry with this entryUUID; 0 for none. */
    long find(Snapshot state, byte[] uuid) throws DirectoryException {
        return CopyTransaction.find(state, uuids, uuid);
    }

    /** The entries of the newest state that are not among these. The copy that a shard has of the suffix entry is none of them. */
    CopiedEntries.Rest rest(NamedEntries named) {
        int shard = partition.shard().number();
        try (Snapshot now = partition.snapshot()) {
            long[] places = new long[16];
            int[] depths = new int[16];
            int found = 0;
            long entries = 0;
            long counted = 0;
            try (Snapshot.EntryCursor all = now.entries(0)) {
                while (all.next()) {
                    if (partition.shard().hasCopyOfSuffix() && all.entry().parentId() == HierarchyKeys.NO_PARENT) {
                        continue;
                    }
                    boolean glue = CopyTransaction.isGlue(all.entry());
                    long place = CopiedEntries.place(shard, all.id());
                    entries += glue ? 0 : 1;
                    if (!named.contains(place)) {
                        counted += glue ? 0 : 1;
                        if (found == places.length) {
                            places = Arrays.copyOf(places, 2 * found);
                            depths = Arrays.copyOf(depths, 2 * found);
                        }
                        places[found] = place;
                        depths[found++] = depth(now, all.entry());
                    }
                }
            }
            return new CopiedEntries.Rest(deepestFirst(places, depths, found), entries, counted);
        }
    }

    private static int depth(Snapshot now, EntryRecord record) {
        int depth = 0;
        for (long parent = record.parentId(); parent != HierarchyKeys.NO_PARENT; parent = now.entry(parent).parentId()) {
            depth++;
        }
        return depth;
    }

    /** By a count of each depth, of which there are few. */
    private static long[] deepestFirst(long[] places, int[] depths, int found) {
        int deepest = 0;
        for (int i = 0; i < found; i++) {
            deepest = Math.max(deepest, depths[i]);
        }
        int[] next = new int[deepest + 2];
        for (int i = 0; i < found; i++) {
            next[deepest - depths[i] + 1]++;
        }
        for (int i = 1; i < next.length; i++) {
            next[i] += next[i - 1];
        }
        long[] sorted = new long[found];
        for (int i = 0; i < found; i++) {
            sorted[next[deepest - depths[i]]++] = places[i];
        }
        return sorted;
    }
}
