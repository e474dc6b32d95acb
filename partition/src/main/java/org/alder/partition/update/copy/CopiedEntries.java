package org.alder.partition.update.copy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.alder.partition.Partition;
import org.alder.partition.ShardGroup;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.request.Modification;
import org.alder.partition.rule.EntryLimits;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.EntryView;
import org.alder.partition.update.EntryPreparation;
import org.alder.partition.update.UpdateOrigin;
import org.alder.partition.update.edit.EntryEdit;
import org.alder.partition.update.edit.ModificationStep;

/**
 * Makes a naming context a copy of another server's entries: what that server says of them becomes what is stored, operational attributes
 * and all, without the rules between entries that hold for clients. Entries are known by their entryUUID, whatever their names are
 * here. With the last changes goes a cookie that says up to where the copy is ({@value #COOKIE} of the suffix entry), in one transaction with them, so
 * that no crash leaves a cookie without the changes that lead to it. Of several shards ({@link ShardedCopy}) that is a transaction of shard 0, made when
 * the others have theirs. Thread safe.
 *
 * <p>An entry may come before the one above it, which {@value #GLUE} stands for until then, and before another one that has its name
 * here gives that up: the other one steps aside, as {@code entryUUID=...} beside it, until more is told of it.
 */
public final class CopiedEntries {
    /** The operational attribute of the suffix entry that has the cookie. */
    public static final String COOKIE = "alderFollowCookie";
    /** The object class of entries that stand for those that were not told. */
    public static final String GLUE = "alderGlue";
    static final String ENTRY_UUID = "entryUUID";

    private static final int SHARD_SHIFT = 32;

    /** The first of the shards, or the only one. */
    private final Partition partition;
    private final List<CopiedShard> shards;
    private final FollowTurn turn;
    private volatile Prepared prepared;

    /**
     * @param partition or one of the shards of a naming context, all of which are meant
     * @throws StoreException of kind REFUSED if the partition or its schema lacks what a copy needs
     */
    public CopiedEntries(Partition partition) {
        List<Partition> all = all(partition);
        this.partition = all.get(0);
        this.turn = ShardGroup.isWrittenAlone(partition) ? FollowTurn.none() : FollowTurn.ofCluster();
        this.shards = all.stream().map(each -> new CopiedShard(each, turn)).toList();
        this.prepared = prepared(this.partition.rules().limits());
    }

    private static List<Partition> all(Partition partition) {
        return partition.shards() == null ? List.of(partition) : partition.shards().shards();
    }

    /** Tells an entry from those of other shards. @param id in its shard */
    static long place(int shard, long id) {
        return (long) shard << SHARD_SHIFT | id;
    }

    static int shardAt(long place) {
        return (int) (place >>> SHARD_SHIFT);
    }

    static long idAt(long place) {
        return place & IdSet.MAX_ID;
    }

    /** By limits that may change. */
    private record Prepared(EntryLimits limits, EntryPreparation preparation) {
    }

    private Prepared prepared(EntryLimits limits) {
        return new Prepared(limits, new EntryPreparation(partition.schema(), limits));
    }

    private EntryPreparation preparation() {
        EntryLimits limits = partition.rules().limits();
        if (!limits.equals(prepared.limits)) {
            prepared = prepared(limits);
        }
        return prepared.preparation;
    }

    /**
     * What came of some changes.
     *
     * @param tookTold whether an entry that has another name now took one with it that had been told before: by the name that it had, and so below another entry
     * @param strange  how many entries were to be kept and are not there
     * @param unfit    the entryUUIDs of those that were to be modified, are not there or are other than what was told, and are as they were
     */
    public record Outcome(long added, long modified, long renamed, long deleted, boolean tookTold, long strange, List<byte[]> unfit) {
        static final Outcome NONE = new Outcome(0, 0, 0, 0, false, 0, List.of());

        Outcome plus(Outcome other) {
            return new Outcome(added + other.added, modified + other.modified, renamed + other.renamed, deleted + other.deleted,
                    tookTold || other.tookTold, strange + other.strange,
                    Stream.concat(unfit.stream(), other.unfit.stream()).toList());
        }
    }

    /**
     * Checks and encodes an entry, on the caller's thread.
     *
     * @param uuid its entryUUID as text
     * @throws DirectoryException as {@link EntryPreparation}; namingViolation for a DN that is not in this partition
     */
    public CopiedChange.Put prepare(Dn dn, byte[] uuid, List<Attribute> attributes) throws DirectoryException {
        if (!dn.isDescendantOrSelf(partition.suffix())) {
            throw new DirectoryException(ResultCode.NAMING_VIOLATION, "\"" + dn.text() + "\" is not below \"" + partition.suffix().text() + '"');
        }
        List<Attribute> kept = new ArrayList<>(attributes.size() + 1);
        for (Attribute attribute : attributes) {
            if (!CopyNotes.has(attribute.description()) && !attribute.description().equalsIgnoreCase(ENTRY_UUID)) {
                kept.add(attribute);
            }
        }
        kept.add(new Attribute(ENTRY_UUID, List.of(uuid)));
        // What is not told is the same each time, so that it is no change.
        return new CopiedChange.Put(dn, uuid, preparation().prepareLoad(dn, kept, new UpdateOrigin("", Instant.EPOCH)));
    }

    /**
     * Checks what changes in an entry, operational attributes and all.
     *
     * @param uuid its entryUUID as text
     * @param csn  its entryCSN afterwards
     * @return null where the whole entry has to be seen: object classes change, of which the copy adds superclasses, or what is here does not know or take
     *     an attribute or a value
     */
    public CopiedChange.Modify prepare(byte[] uuid, byte[] csn, List<Modification> modifications) {
        Schema schema = partition.schema();
        List<ModificationStep> steps = new ArrayList<>(modifications.size());
        for (Modification each : modifications) {
            AttributeDescription description = schema.descriptionOrNull(each.description());
            if (description == null || description.type().equals(schema.attributeType("objectClass"))
                    || each.kind() == Modification.Kind.ADD && each.values().isEmpty() || each.kind() == Modification.Kind.INCREMENT
                    || each.kind() != Modification.Kind.DELETE && !each.values().stream().allMatch(description.type()::checkSyntax)) {
                return null;
            } else if (!description.type().isVirtual() && !CopyNotes.has(description.type().name()) && !description.type().equals(schema.attributeType(ENTRY_UUID))) {
                steps.add(new ModificationStep(each.kind(), description, each.values()));
            }
        }
        return new CopiedChange.Modify(uuid, csn, steps);
    }

    /**
     * Makes the changes in their order, in one transaction, or in one of each shard. One call after the other, when the one before has ended.
     *
     * @param to the cookie of the state that they lead to; null for the one before. It is not noted while an entry stands aside, or did not fit
     * @param named what was named up to now, to which is added what these name; null where the changes come in the order in which they were made
     * @return completes when they are durable; exceptionally with a {@link DirectoryException} or a {@link StoreException}, and then the cookie is the one
     *     before, and whoever begins there makes the rest
     */
    public CompletableFuture<Outcome> apply(List<CopiedChange> changes, byte[] to, NamedEntries named) {
        return shards.size() == 1 ? shards.get(0).apply(changes, to, 0, named).thenApply(made -> made.namedIn(named))
                : new ShardedCopy(shards, named).apply(changes, to);
    }

    /**
     * Has those who lead other shards, in a cluster, take nothing more of whoever has followed before; to be called before it is looked up to where the copy is.
     *
     * @return completes when that is so; exceptionally with a {@link StoreException}
     */
    public CompletableFuture<Void> begin() {
        return !turn.isOfMany() ? CompletableFuture.completedFuture(null) : turn.take(partition.shards().shards()).thenCompose(none ->
                CompletableFuture.allOf(shards.stream().skip(1).map(each -> each.apply(List.of(), null, 0, null)).toArray(CompletableFuture[]::new)));
    }

    /** How many entries stand aside in the newest state, whoever made them do so, and whenever. */
    public long aside() {
        return shards.stream().mapToLong(CopiedShard::aside).sum();
    }

    /**
     * Counts them anew, where clients or a file with entries may have changed their number: with all entries told none stands aside but those that are named so.
     *
     * @return completes when their number is noted; exceptionally as {@link #apply}
     */
    public CompletableFuture<Void> recountAside() {
        return CompletableFuture.allOf(shards.stream().map(CopiedShard::recountAside).toArray(CompletableFuture[]::new));
    }

    /** The cookie of the newest state; null if there is none. */
    public byte[] cookie() {
        return cookie(partition);
    }

    /** The same of a partition, or of the first shard of a naming context. */
    public static byte[] cookie(Partition first) {
        return CopyNotes.of(first).cookie();
    }

    /**
     * Forgets up to where a partition, or a shard, is a copy, and how much stands aside in it, as what is changed in it from now on is not told by the other
     * server. Does nothing where it is none.
     *
     * @return completes when that is durable; exceptionally with a {@link StoreException}
     */
    public static CompletableFuture<Void> forget(Partition partition) {
        if (CopyNotes.of(partition).isNone()) {
            return CompletableFuture.completedFuture(null);
        }
        return partition.submit(context -> {
            long id = partition.resolve(context.state(), partition.suffix());
            EntryRecord record = id == HierarchyKeys.NO_PARENT ? null : context.state().entry(id);
            if (!CopyNotes.of(record).isNone()) {
                context.modify(id, new CopyNotes(null, 0).deltas(partition.schema(), context, new EntryView(id, record, "")));
            }
            return null;
        });
    }

    /**
     * What is left when all entries of the other server were named.
     *
     * @param leavesFirst where the others are, each before the entry above it
     * @param entries     how many there are that stand for some of the other server's, those among them
     * @param counted     how many of the others do
     */
    public record Rest(long[] leavesFirst, long entries, long counted) {
    }

    /** The entries of the newest state that are not among these. */
    public Rest rest(NamedEntries named) {
        List<Rest> parts = shards.stream().map(shard -> shard.rest(named)).toList();
        return new Rest(parts.stream().flatMapToLong(part -> Arrays.stream(part.leavesFirst())).toArray(), parts.stream().mapToLong(Rest::entries).sum(),
                parts.stream().mapToLong(Rest::counted).sum());
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
