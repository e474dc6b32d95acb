package org.alder.partition.update;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdMarks;
import org.alder.partition.index.IndexKind;
import org.alder.partition.index.IndexedAttribute;
import org.alder.partition.request.Modification;
import org.alder.partition.rule.EntryLimits;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.SchemaChecker;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Transaction;
import org.alder.partition.tree.EntryView;
import org.alder.partition.update.edit.EntryEdit;
import org.alder.partition.update.edit.ModificationStep;

/**
 * Makes a partition a copy of another server's entries: what that server says of them becomes what is stored, operational attributes
 * and all, without the rules between entries that hold for clients. Entries are known by their entryUUID, whatever their names are
 * here. With the changes of a transaction goes a cookie that says up to where the copy is ({@value #COOKIE} of the suffix entry), so that no
 * crash leaves one without the other. Thread safe.
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
    private static final int MANY = 50;

    private final Partition partition;
    private volatile Prepared prepared;
    private final IndexedAttribute uuids;
    private final AttributeDescription cookie;
    private final SchemaChecker checker;

    /** @throws StoreException of kind REFUSED if the partition or its schema lacks what a copy needs */
    public CopiedEntries(Partition partition) {
        this.partition = partition;
        Schema schema = partition.schema();
        this.prepared = prepared(partition.rules().limits());
        AttributeType uuid = schema.attributeType(ENTRY_UUID);
        this.uuids = partition.indexer().index(uuid);
        this.cookie = schema.descriptionOrNull(COOKIE);
        this.checker = new SchemaChecker(schema);
        if (uuids == null || !uuids.has(IndexKind.EQUALITY)) {
            throw new StoreException(StoreException.Kind.REFUSED, "a partition that copies entries, as one that follows another server and a shard do, needs an index of"
                    + " entryUUID: index: entryUUID eq");
        } else if (cookie == null || schema.objectClass(GLUE) == null) {
            throw new StoreException(StoreException.Kind.REFUSED, "the schema has not " + COOKIE + " and " + GLUE
                    + ", which a partition that follows another server needs: conf/schema/follow.ldif has them");
        }
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
     * What came of a transaction.
     *
     * @param named  the IDs of the entries that were put or kept
     * @param aside  how many more entries than before have stepped aside; may be negative
     * @param strange how many entries were to be kept and are not there
     * @param unfit   the entryUUIDs of those that were to be modified, are not there or are other than what was told, and are as they were
     */
    public record Outcome(long added, long modified, long renamed, long deleted, long[] named, int aside, long strange, List<byte[]> unfit) {
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
            if (!attribute.description().equalsIgnoreCase(COOKIE) && !attribute.description().equalsIgnoreCase(ENTRY_UUID)) {
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
            } else if (!description.type().isVirtual() && !description.type().equals(cookie.type()) && !description.type().equals(uuids.type())) {
                steps.add(new ModificationStep(each.kind(), description, each.values()));
            }
        }
        return new CopiedChange.Modify(uuid, csn, steps);
    }

    /**
     * Makes the changes in their order, in one transaction.
     *
     * @param to the cookie of the state that they lead to; null for the one before. It is not noted while an entry stands aside, or did not fit
     * @param aside how many did before
     * @return completes when they are durable; exceptionally with a {@link DirectoryException} or a {@link StoreException}, and then nothing was
     *     changed
     */
    public CompletableFuture<Outcome> apply(List<CopiedChange> changes, byte[] to, int aside) {
        Transaction<Outcome> all = context -> {
            CopyTransaction copy = new CopyTransaction(partition, uuids, cookie, checker, context);
            for (CopiedChange change : changes) {
                copy.make(change);
            }
            if (to != null) {
                copy.setCookie(to, aside);
            }
            return copy.outcome();
        };
        return partition.submit(all.called(changes.size() >= MANY, () -> changes.size() + " copied changes"));
    }

    /** The cookie of the newest state; null if there is none. */
    public byte[] cookie() {
        return cookie(partition);
    }

    private static byte[] cookie(Partition partition) {
        try (Snapshot now = partition.snapshot()) {
            long id = partition.resolve(now, partition.suffix());
            EntryRecord suffix = id == HierarchyKeys.NO_PARENT ? null : now.entry(id);
            return suffix == null ? null : suffix.operationalValue(COOKIE);
        }
    }

    /**
     * Forgets up to where a partition is a copy, as what is changed in it from now on is not told by the other server. Does nothing where it is none.
     *
     * @return completes when that is durable; exceptionally with a {@link StoreException}
     */
    public static CompletableFuture<Void> forget(Partition partition) {
        AttributeDescription attribute = partition.schema().descriptionOrNull(COOKIE);
        if (attribute == null || cookie(partition) == null) {
            return CompletableFuture.completedFuture(null);
        }
        return partition.submit(context -> {
            long id = partition.resolve(context.state(), partition.suffix());
            EntryRecord record = id == HierarchyKeys.NO_PARENT ? null : context.state().entry(id);
            byte[] known = record == null ? null : record.operationalValue(COOKIE);
            if (known != null) {
                EntryEdit edit = new EntryEdit(partition.schema(), context, new EntryView(id, record, ""), true);
                edit.removeIfPresent(attribute, known);
                context.modify(id, edit.deltas());
            }
            return null;
        });
    }

    /**
     * What is left when all entries of the other server were named.
     *
     * @param leavesFirst the IDs of the others, each before that of the entry above it
     * @param entries     how many there are that stand for some of the other server's, those among them
     * @param counted     how many of the others do
     */
    public record Rest(long[] leavesFirst, long entries, long counted) {
    }

    /** The entries of the newest state that are not among these. */
    public Rest rest(IdMarks named) {
        try (Snapshot now = partition.snapshot()) {
            long[] ids = new long[16];
            int[] depths = new int[16];
            int found = 0;
            long entries = 0;
            long counted = 0;
            try (Snapshot.EntryCursor all = now.entries(0)) {
                while (all.next()) {
                    boolean glue = CopyTransaction.isGlue(all.entry());
                    entries += glue ? 0 : 1;
                    if (!named.contains(all.id())) {
                        counted += glue ? 0 : 1;
                        if (found == ids.length) {
                            ids = Arrays.copyOf(ids, 2 * found);
                            depths = Arrays.copyOf(depths, 2 * found);
                        }
                        ids[found] = all.id();
                        depths[found++] = depth(now, all.entry());
                    }
                }
            }
            return new Rest(deepestFirst(ids, depths, found), entries, counted);
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
    private static long[] deepestFirst(long[] ids, int[] depths, int found) {
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
            sorted[next[deepest - depths[i]]++] = ids[i];
        }
        return sorted;
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
