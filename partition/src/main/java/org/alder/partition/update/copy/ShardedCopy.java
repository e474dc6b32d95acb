package org.alder.partition.update.copy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.id.IdSet;
import org.alder.partition.rule.EntryLimits;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.LargeValues;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.Shard;

/**
 * Makes changes of a followed server in the shards that hold the entries: those of a shard in their order, in one transaction, and those of shard 0 last, with
 * the cookie. Whatever ends in between, the server tells from the cookie before on what is missing, and what was made is no change the second time.
 *
 * <p>An entry whose new name is another shard's is added there; what is below it follows, in pieces, and only then goes where it was: so what ends in between
 * leaves entries in both shards, and the same change, told again, ends with one of each. For one list of changes; one thread until {@link #apply} has returned,
 * which waits for the shards where an entry goes from one to another.
 */
final class ShardedCopy {
    private static final int PIECE_ENTRIES = 500;
    private static final long PIECE_BYTES = 4 << 20;

    private final List<CopiedShard> shards;
    private final Dn suffix;
    private final NamedEntries named;
    /** What is to be made next, of each shard. */
    private final List<List<CopiedChange>> next = new ArrayList<>();
    /** In which of these an entry is put. */
    private final Map<ByteBuffer, Integer> put = new HashMap<>();
    /** Of the shards, as they were before that. */
    private final Snapshot[] states;
    /** The IDs of the suffix entry in these, or of its copy. */
    private final long[] suffixes;
    private CopiedEntries.Outcome made = CopiedEntries.Outcome.NONE;
    private boolean changesSuffix;

    /** @param named as {@link CopiedEntries#apply} */
    ShardedCopy(List<CopiedShard> shards, NamedEntries named) {
        this.shards = shards;
        this.suffix = shards.get(0).partition().suffix();
        this.named = named;
        this.states = new Snapshot[shards.size()];
        this.suffixes = new long[shards.size()];
        shards.forEach(each -> next.add(new ArrayList<>()));
    }

    CompletableFuture<CopiedEntries.Outcome> apply(List<CopiedChange> changes, byte[] to) {
        try {
            for (CopiedChange change : changes) {
                if (change instanceof CopiedChange.Put entry) {
                    put(entry);
                } else if (change instanceof CopiedChange.OfEntry entry) {
                    change(entry);
                } else if (change instanceof CopiedChange.Drop drop) {
                    next.get(CopiedEntries.shardAt(drop.place())).add(drop);
                }
            }
        } catch (DirectoryException e) {
            return CompletableFuture.failedFuture(e);
        } catch (CompletionException e) {
            return CompletableFuture.failedFuture(e.getCause());
        } finally {
            forgetStates();
        }
        return end(to);
    }

    private void put(CopiedChange.Put entry) throws DirectoryException {
        int target = Shard.numberOf(suffix, entry.dn(), shards.size());
        ByteBuffer uuid = ByteBuffer.wrap(entry.uuid());
        Integer waiting = put.get(uuid);
        if (waiting == null ? !elsewhere(entry.uuid(), target).isEmpty() : waiting != target) {
            flush();
            List<Long> elsewhere = elsewhere(entry.uuid(), target);
            if (!elsewhere.isEmpty()) {
                bring(entry, target, elsewhere);
                return;
            }
        }
        changesSuffix |= entry.dn().equals(suffix);
        next.get(target).add(entry);
        put.put(uuid, target);
    }

    private void change(CopiedChange.OfEntry change) throws DirectoryException {
        Integer waiting = put.get(ByteBuffer.wrap(change.uuid()));
        List<Long> places = waiting == null ? places(change.uuid()) : List.of();
        if (places.isEmpty()) {
            // What is nowhere is found missing there.
            next.get(waiting == null ? 0 : waiting).add(change);
        }
        for (long place : places) {
            changesSuffix |= isSuffix(place);
            next.get(CopiedEntries.shardAt(place)).add(change);
        }
    }

    private Snapshot state(int shard) {
        if (states[shard] == null) {
            states[shard] = shards.get(shard).partition().snapshot();
            suffixes[shard] = shards.get(shard).partition().resolve(states[shard], suffix);
        }
        return states[shard];
    }

    private void forgetStates() {
        for (int shard = 0; shard < states.length; shard++) {
            if (states[shard] != null) {
                states[shard].close();
                states[shard] = null;
            }
        }
    }

    /** Where entries with this entryUUID are, more than one where a move was cut off. The copies of the suffix entry are none. */
    private List<Long> places(byte[] uuid) throws DirectoryException {
        List<Long> places = new ArrayList<>(1);
        for (int shard = 0; shard < shards.size(); shard++) {
            long id = shards.get(shard).find(state(shard), uuid);
            long place = CopiedEntries.place(shard, id);
            if (id != HierarchyKeys.NO_PARENT && (shard == 0 || !isSuffix(place))) {
                places.add(place);
            }
        }
        return places;
    }

    private boolean isSuffix(long place) {
        state(CopiedEntries.shardAt(place));
        return suffixes[CopiedEntries.shardAt(place)] == CopiedEntries.idAt(place);
    }

    private List<Long> elsewhere(byte[] uuid, int target) throws DirectoryException {
        return places(uuid).stream().filter(place -> CopiedEntries.shardAt(place) != target).toList();
    }

    /** Makes what there is, of the shards from one on; what came of it is added when it is made, also what was named, which the next ones may look for. */
    private CompletableFuture<Void> make(int from) {
        List<CompletableFuture<CopiedShard.Made>> all = new ArrayList<>();
        for (int shard = from; shard < shards.size(); shard++) {
            if (!next.get(shard).isEmpty()) {
                all.add(shards.get(shard).apply(next.get(shard), null, 0, named));
                next.set(shard, new ArrayList<>());
            }
        }
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).thenRun(() -> all.forEach(each -> made = made.plus(each.join().namedIn(named))));
    }

    /** Makes what there is, and waits for it. @throws CompletionException as {@link CopiedShard#apply} ends */
    private void flush() {
        make(0).join();
        put.clear();
        forgetStates();
    }

    private CompletableFuture<CopiedEntries.Outcome> end(byte[] to) {
        return make(1).thenCompose(none -> endFirst(made, made.unfit().isEmpty() ? to : null));
    }

    private CompletableFuture<CopiedEntries.Outcome> endFirst(CopiedEntries.Outcome others, byte[] to) {
        CompletableFuture<CopiedEntries.Outcome> all = next.get(0).isEmpty() && to == null ? CompletableFuture.completedFuture(others)
                : shards.get(0).apply(next.get(0), to, asideInOthers(), named).thenApply(first -> others.plus(first.namedIn(named)));
        return changesSuffix ? all.thenCompose(outcome -> renewCopies().thenApply(none -> outcome)) : all;
    }

    private long asideInOthers() {
        return shards.stream().skip(1).mapToLong(CopiedShard::aside).sum();
    }

    private CompletableFuture<Void> renewCopies() {
        return new SuffixCopies(shards.stream().map(CopiedShard::partition).toList()).renew();
    }

    /** An entry comes to another shard than it is in, or than an earlier attempt has left it in. */
    private void bring(CopiedChange.Put entry, int target, List<Long> from) throws DirectoryException {
        if (entry.dn().equals(suffix) || from.stream().anyMatch(this::isSuffix)) {
            throw new DirectoryException(ResultCode.NAMING_VIOLATION, "the entry of the suffix is told to be another one than it was: \"" + entry.dn().text() + '"');
        }
        List<Moving> moving = new ArrayList<>();
        for (long place : from) {
            moving.add(new Moving(place, name(place), below(place)));
        }
        for (Moving each : moving) {
            requireDepth(each, entry.dn(), shards.get(target).partition().rules().limits());
        }
        forgetStates();
        CopiedEntries.Outcome arrived = shards.get(target).apply(List.of(entry), null, 0, named).join().namedIn(named);
        // One that is renamed, and nothing that is new.
        boolean tookTold = named != null && moving.stream().flatMap(each -> each.below.stream()).anyMatch(named::isTold);
        made = made.plus(new CopiedEntries.Outcome(0, 0, 1, 0, tookTold || arrived.tookTold(), 0, List.of()));
        for (Moving each : moving) {
            bring(each, entry.dn(), target);
            leave(each);
        }
        forgetStates();
    }

    /**
     * An entry that goes to another shard.
     *
     * @param name  that it has where it is
     * @param below where the entries below it are, each behind the one above it, and the deepest last
     */
    private record Moving(long place, Dn name, List<Long> below) {
    }

    private void requireDepth(Moving moving, Dn to, EntryLimits limits) throws DirectoryException {
        if (!moving.below.isEmpty()) {
            Dn deepest = name(moving.below.get(moving.below.size() - 1)).rebase(moving.name, to);
            if (deepest.size() > limits.depth()) {
                throw limits.tooDeep(to.text());
            }
        }
    }

    private Dn name(long place) {
        Partition shard = shards.get(CopiedEntries.shardAt(place)).partition();
        return Dn.stored(shard.schema(), shard.dnOf(state(CopiedEntries.shardAt(place)), CopiedEntries.idAt(place)));
    }

    private EntryRecord record(long place) {
        return state(CopiedEntries.shardAt(place)).entry(CopiedEntries.idAt(place));
    }

    /** As {@link Moving} has them. */
    private List<Long> below(long top) {
        int shard = CopiedEntries.shardAt(top);
        List<Long> all = new ArrayList<>(List.of(top));
        for (int i = 0; i < all.size(); i++) {
            byte[] children = HierarchyKeys.children(CopiedEntries.idAt(all.get(i)));
            for (IdSet.IdIterator each = state(shard).ids(HierarchyKeys.INDEX, children).iterator(); each.hasNext();) {
                all.add(CopiedEntries.place(shard, each.next()));
            }
        }
        return all.subList(1, all.size());
    }

    /**
     * Each piece is read as it is when its turn comes: nobody else changes it, and no state is kept open for long. What was made up is made up there, too, where
     * something is below it.
     */
    private void bring(Moving moving, Dn to, int target) throws DirectoryException {
        List<CopiedChange> piece = new ArrayList<>();
        List<Long> places = new ArrayList<>();
        long bytes = 0;
        for (long place : moving.below) {
            EntryRecord record = record(place);
            byte[] uuid = record.operationalValue(CopiedEntries.ENTRY_UUID);
            if (CopyTransaction.isGlue(record) || uuid == null) {
                continue;
            }
            EntryRecord whole = new LargeValues(state(CopiedEntries.shardAt(place)), CopiedEntries.idAt(place)).whole(record);
            piece.add(new CopiedChange.Put(name(place).rebase(moving.name, to), uuid, whole));
            places.add(place);
            bytes += whole.length();
            if (piece.size() == PIECE_ENTRIES || bytes > PIECE_BYTES) {
                bringPiece(piece, places, target);
                bytes = 0;
            }
        }
        bringPiece(piece, places, target);
    }

    private void bringPiece(List<CopiedChange> piece, List<Long> places, int target) {
        if (piece.isEmpty()) {
            return;
        }
        CopiedShard.Made arrived = shards.get(target).apply(List.copyOf(piece), null, 0, named).join();
        for (int i = 0; named != null && i < places.size(); i++) {
            named.follow(places.get(i), arrived.told()[i]);
        }
        piece.clear();
        places.clear();
        forgetStates();
    }

    private void leave(Moving moving) {
        CopiedShard shard = shards.get(CopiedEntries.shardAt(moving.place));
        List<CopiedChange> piece = new ArrayList<>();
        for (int i = moving.below.size() - 1; i >= -1; i--) {
            piece.add(new CopiedChange.Drop(i < 0 ? moving.place : moving.below.get(i)));
            if (piece.size() == PIECE_ENTRIES || i < 0) {
                shard.apply(List.copyOf(piece), null, 0, named).join();
                piece.clear();
            }
        }
    }
}
