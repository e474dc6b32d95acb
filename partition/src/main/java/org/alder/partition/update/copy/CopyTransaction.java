package org.alder.partition.update.copy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongPredicate;
import org.alder.partition.Partition;
import org.alder.partition.dn.Ava;
import org.alder.partition.dn.Dn;
import org.alder.partition.dn.Rdn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.AttributeCursor;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.id.IdSet;
import org.alder.partition.index.IndexKeys;
import org.alder.partition.index.IndexedAttribute;
import org.alder.partition.request.Modification;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.SchemaChecker;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.WriteContext;
import org.alder.partition.text.Utf8;
import org.alder.partition.tree.EntryView;
import org.alder.partition.tree.ScopeSet;
import org.alder.partition.update.EntryChecks;
import org.alder.partition.update.edit.EntryEdit;
import org.alder.partition.update.edit.ModificationStep;

/** Makes changes of a followed server in one transaction of the copy, whose entries keep the numbers that they come with. One thread. */
final class CopyTransaction {
    /** More entries above one that were not told are not made up. */
    static final int MOST_MISSING_SUPERIORS = 64;
    /** More entries below one that was not told do not change their place at once. */
    static final int MOST_GATHERED = 100_000;
    /** Where more entries have others below them, nobody looks whether one was told: it is taken for granted. */
    private static final int MOST_PARENTS = 100_000;
    private static final String ENTRY_CSN = "entryCSN";
    private static final String ASIDE_NAME = CopiedEntries.ENTRY_UUID + "=";
    private static final byte[] GLUE_VALUE = CopiedEntries.utf8(CopiedEntries.GLUE);

    private final Partition partition;
    private final Schema schema;
    private final IndexedAttribute uuids;
    private final CopyNotes.Attributes notes;
    private final SchemaChecker checker;
    private final AttributeDescription objectClass;
    private final WriteContext context;
    /** Of the places of entries; null where nothing is told out of its turn. */
    private final LongPredicate isTold;
    private final Set<Long> toldIds = new LinkedHashSet<>();
    private final List<Long> keptIds = new ArrayList<>();
    private final List<byte[]> unfit = new ArrayList<>();
    /** Whether the state lacks what was written. */
    private boolean behind;
    private long added;
    private long modified;
    private long renamed;
    private long deleted;
    private long strange;
    /** How many entries more than before; may be negative. */
    private long aside;
    private boolean tookTold;

    CopyTransaction(Partition partition, IndexedAttribute uuids, CopyNotes.Attributes notes, SchemaChecker checker, WriteContext context,
            LongPredicate isTold) {
        this.partition = partition;
        this.schema = partition.schema();
        this.uuids = uuids;
        this.notes = notes;
        this.checker = checker;
        this.objectClass = schema.descriptionOrNull("objectClass");
        this.context = context;
        this.isTold = isTold;
    }

    CopiedShard.Made made() {
        return new CopiedShard.Made(new CopiedEntries.Outcome(added, modified, renamed, deleted, tookTold, strange, unfit), places(toldIds), places(keptIds));
    }

    private long[] places(Collection<Long> ids) {
        int shard = partition.shard().number();
        return ids.stream().mapToLong(id -> CopiedEntries.place(shard, id)).toArray();
    }

    void make(CopiedChange change) throws DirectoryException {
        if (change instanceof CopiedChange.Put put) {
            put(put);
        } else if (change instanceof CopiedChange.Modify modify) {
            modify(modify);
        } else if (change instanceof CopiedChange.Keep keep) {
            long id = find(state(), uuids, keep.uuid());
            if (id == HierarchyKeys.NO_PARENT) {
                strange++;
            } else {
                keptIds.add(id);
            }
        } else if (change instanceof CopiedChange.Remove remove) {
            remove(find(state(), uuids, remove.uuid()));
        } else if (change instanceof CopiedChange.Drop drop) {
            remove(CopiedEntries.idAt(drop.place()));
        }
    }

    /** With all that was written. */
    private Snapshot state() {
        if (behind) {
            context.advance();
            behind = false;
        }
        return context.state();
    }

    /** 0 for none. */
    static long find(Snapshot state, IndexedAttribute uuids, byte[] uuid) throws DirectoryException {
        byte[] key = IndexKeys.equality(uuids.type().equality().normalize(uuid));
        IdSet found = state.ids(uuids.number(), key);
        return found.isEmpty() ? HierarchyKeys.NO_PARENT : found.iterator().next();
    }

    private void put(CopiedChange.Put put) throws DirectoryException {
        long id = find(state(), uuids, put.uuid());
        if (put.dn().equals(partition.suffix())) {
            putSuffix(put, id);
            return;
        }
        Dn before = id == HierarchyKeys.NO_PARENT ? null : Dn.stored(schema, partition.dnOf(state(), id));
        if (before != null && before.equals(partition.suffix())) {
            throw new DirectoryException(ResultCode.NAMING_VIOLATION, "the entry of the suffix is told to be \"" + put.dn().text() + '"');
        }
        if (before != null && put.dn().size() > before.size() && put.dn().isDescendantOrSelf(before)) {
            // Another entry is to have its name, and to be above it.
            stepAside(id);
        }
        if (before != null && put.dn().size() > before.size()
                && ScopeSet.isDeeper(state(), id, partition.rules().limits().depth() - put.dn().size())) {
            throw partition.rules().limits().tooDeep(put.dn().text());
        }
        long parentBefore = id == HierarchyKeys.NO_PARENT ? HierarchyKeys.NO_PARENT : state().entry(id).parentId();
        long parent = superior(put.dn().parent(), 0);
        long holder = holder(parent, put.dn().rdn());
        boolean gathers = false;
        if (holder != HierarchyKeys.NO_PARENT && holder != id) {
            boolean glue = isGlue(state().entry(holder));
            if (glue && id == HierarchyKeys.NO_PARENT) {
                id = holder;
                added++;
                modified--;
            } else {
                gathers = glue;
                stepAside(holder);
            }
        }
        if (id == HierarchyKeys.NO_PARENT) {
            id = context.allocateId();
            context.add(id, put.record().withParent(parent));
            behind = true;
            added++;
            aside += isAside(put.record()) ? 1 : 0;
        } else {
            become(id, parent, put.record());
        }
        toldIds.add(id);
        if (gathers) {
            gather(holder, id);
        }
        if (parentBefore != HierarchyKeys.NO_PARENT && parentBefore != parent) {
            removeEmptyGlue(parentBefore);
        }
    }

    /** One that was told before is passed over, and one that does not hold here is left to whoever has told it. */
    private void modify(CopiedChange.Modify change) throws DirectoryException {
        long id = find(state(), uuids, change.uuid());
        EntryRecord now = id == HierarchyKeys.NO_PARENT ? null : state().entry(id);
        if (now == null) {
            unfit.add(change.uuid());
            return;
        }
        byte[] csn = now.operationalValue(ENTRY_CSN);
        if (csn != null && Arrays.compareUnsigned(csn, change.csn()) >= 0) {
            return;
        }
        List<AttributeDelta> deltas;
        try {
            deltas = deltas(id, now, change.steps());
        } catch (DirectoryException e) {
            unfit.add(change.uuid());
            return;
        }
        context.modify(id, deltas);
        modified++;
        behind = true;
    }

    private List<AttributeDelta> deltas(long id, EntryRecord now, List<ModificationStep> steps) throws DirectoryException {
        EntryEdit edit = new EntryEdit(schema, context, new EntryView(id, now, ""), false);
        for (ModificationStep step : steps) {
            edit.apply(step);
        }
        if (!isAside(now)) {
            edit.requireRdnValues(Rdn.parse(schema, now.rdn()));
        }
        List<AttributeDelta> deltas = edit.deltas();
        EntryRecord after = partition.rules().limits().require(now, now.apply(deltas));
        EntryChecks.structural(checker, after, deltas);
        EntryChecks.checkOperational(schema, after, deltas);
        return deltas;
    }

    /** Nothing can be beside it, and a partition has one. */
    private void putSuffix(CopiedChange.Put put, long known) throws DirectoryException {
        long suffix = holder(HierarchyKeys.NO_PARENT, put.dn().rdn());
        if (known != HierarchyKeys.NO_PARENT && known != suffix) {
            throw new DirectoryException(ResultCode.NAMING_VIOLATION, "the entry \"" + partition.dnOf(state(), known)
                    + "\" is told to be the one of the suffix");
        }
        if (suffix == HierarchyKeys.NO_PARENT) {
            suffix = context.allocateId();
            context.add(suffix, put.record());
            behind = true;
            added++;
        } else {
            become(suffix, HierarchyKeys.NO_PARENT, put.record());
        }
        toldIds.add(suffix);
    }

    /** 0 for nobody. */
    private long holder(long parent, Rdn rdn) {
        IdSet holders = state().ids(HierarchyKeys.INDEX, HierarchyKeys.rdn(parent, rdn.normalized()));
        return holders.isEmpty() ? HierarchyKeys.NO_PARENT : holders.iterator().next();
    }

    /** The entry of this name; one that was not told is made up. @param missing how many below it are made up already */
    private long superior(Dn dn, int missing) throws DirectoryException {
        long known = partition.resolve(state(), dn);
        if (known != HierarchyKeys.NO_PARENT) {
            return known;
        }
        if (missing >= MOST_MISSING_SUPERIORS) {
            throw new DirectoryException(ResultCode.ADMIN_LIMIT_EXCEEDED, "more than " + MOST_MISSING_SUPERIORS
                    + " entries above an entry were not told, from \"" + dn.text() + "\" on");
        }
        long parent = dn.equals(partition.suffix()) ? HierarchyKeys.NO_PARENT : superior(dn.parent(), missing + 1);
        long id = context.allocateId();
        context.add(id, glue(parent, dn.rdn()));
        behind = true;
        return id;
    }

    private EntryRecord glue(long parent, Rdn rdn) throws DirectoryException {
        List<Attribute> user = new ArrayList<>();
        user.add(new Attribute(objectClass.text(), List.of(CopiedEntries.utf8("top"), GLUE_VALUE, CopiedEntries.utf8("extensibleObject"))));
        for (Ava ava : rdn.avas()) {
            AttributeDescription description = schema.description(ava.typeText());
            if (!description.type().isOperational() && !description.equals(objectClass)) {
                user.add(new Attribute(description.storedText(), List.of(ava.value())));
            }
        }
        List<Attribute> operational = List.of(new Attribute("structuralObjectClass", List.of(GLUE_VALUE)),
                new Attribute(CopiedEntries.ENTRY_UUID, List.of(CopiedEntries.utf8(UUID.randomUUID().toString()))));
        return EntryRecord.of(parent, CopiedEntries.utf8(rdn.text()), user, operational);
    }

    static boolean isGlue(EntryRecord record) {
        byte[] structural = record.operationalValue("structuralObjectClass");
        return structural != null && Arrays.equals(structural, GLUE_VALUE);
    }

    /** Whether it has the name that stands for none. */
    private static boolean isAside(EntryRecord record) {
        byte[] uuid = record.operationalValue(CopiedEntries.ENTRY_UUID);
        return uuid != null && record.rdn().equals(ASIDE_NAME + Utf8.stored(uuid)) && !isGlue(record);
    }

    /** Out of the way of an entry that is to have its name. */
    private void stepAside(long id) {
        EntryRecord record = state().entry(id);
        byte[] uuid = record.operationalValue(CopiedEntries.ENTRY_UUID);
        aside += isGlue(record) || isAside(record) ? 0 : 1;
        String name = ASIDE_NAME + (uuid == null ? UUID.randomUUID().toString() : Utf8.stored(uuid));
        lookBelow(id);
        context.rename(id, record.parentId(), CopiedEntries.utf8(name), List.of());
        behind = true;
    }

    /** Before an entry gets another name: what goes with it and has been told was told by the name that it gives up, which is another entry's now. */
    private void lookBelow(long id) {
        if (isTold == null || tookTold || isLeaf(id) || isGlue(state().entry(id))) {
            return;
        }
        IdSet below = ScopeSet.subtree(state(), id, false, MOST_PARENTS, Long.MAX_VALUE);
        tookTold = below == null || hasTold(below);
    }

    private boolean hasTold(IdSet ids) {
        int shard = partition.shard().number();
        boolean found = false;
        for (IdSet.IdIterator each = ids.iterator(); !found && each.hasNext();) {
            long id = each.next();
            found = isTold.test(CopiedEntries.place(shard, id)) || toldIds.contains(id);
        }
        return found;
    }

    /**
     * What is below an entry that was made up goes to the one that it stood for, and what was made up there, too: where both have an entry of one name, one
     * that was told never steps aside for one that was not.
     */
    private void gather(long from, long to) throws DirectoryException {
        IdSet children = state().ids(HierarchyKeys.INDEX, HierarchyKeys.children(from));
        if (children.cardinality() > MOST_GATHERED) {
            throw new DirectoryException(ResultCode.ADMIN_LIMIT_EXCEEDED, "more than " + MOST_GATHERED + " entries came before the one above"
                    + " them, \"" + partition.dnOf(state(), to) + '"');
        }
        for (IdSet.IdIterator each = children.iterator(); each.hasNext();) {
            gatherOne(each.next(), to);
        }
        state();
        context.delete(from);
        behind = true;
    }

    private void gatherOne(long child, long to) throws DirectoryException {
        EntryRecord record = state().entry(child);
        long holder = holder(to, Rdn.parse(schema, record.rdn()));
        boolean holds = holder != HierarchyKeys.NO_PARENT;
        if (holds && isGlue(record)) {
            gather(child, holder);
            return;
        }
        boolean glue = holds && isGlue(state().entry(holder));
        if (holds) {
            stepAside(holder);
        }
        context.rename(child, to, record.rdnBytes(), List.of());
        behind = true;
        if (glue) {
            gather(holder, child);
        }
    }

    /** Makes an entry what the other server says that it is. */
    private void become(long id, long parent, EntryRecord told) throws DirectoryException {
        EntryRecord now = state().entry(id);
        EntryRecord wanted = told.withParent(parent);
        if (Arrays.equals(now.bytes(), wanted.bytes())) {
            return;
        }
        boolean moves = now.parentId() != parent || !now.rdn().equals(told.rdn());
        List<AttributeDelta> deltas = deltas(id, now, told);
        if (moves) {
            aside += (isAside(told) ? 1 : 0) - (isAside(now) ? 1 : 0);
            lookBelow(id);
            context.rename(id, parent, told.rdnBytes(), deltas);
            renamed++;
        } else if (!deltas.isEmpty()) {
            context.modify(id, deltas);
            modified++;
        }
        behind |= moves || !deltas.isEmpty();
    }

    private List<AttributeDelta> deltas(long id, EntryRecord now, EntryRecord told) throws DirectoryException {
        EntryEdit edit = new EntryEdit(schema, context, new EntryView(id, now, ""), true);
        Set<AttributeDescription> wanted = new HashSet<>();
        AttributeCursor cursor = told.cursor(true);
        while (cursor.next()) {
            AttributeDescription description = schema.description(cursor.description());
            wanted.add(description);
            edit.apply(new ModificationStep(Modification.Kind.REPLACE, description, cursor.values()));
        }
        wanted.addAll(notes.all());
        AttributeCursor old = now.cursor(true);
        while (old.next()) {
            clear(edit, wanted, old.description());
        }
        for (LargeAttribute large : now.largeAttributes()) {
            clear(edit, wanted, large.description());
        }
        return edit.deltas();
    }

    /** Unless it is wanted. */
    private void clear(EntryEdit edit, Set<AttributeDescription> wanted, String stored) throws DirectoryException {
        AttributeDescription description = schema.description(stored);
        if (!wanted.contains(description)) {
            edit.apply(new ModificationStep(Modification.Kind.REPLACE, description, List.of()));
        }
    }

    /** Where others are below it, one that stands for it stays. @param id 0 for none */
    private void remove(long id) throws DirectoryException {
        EntryRecord record = id == HierarchyKeys.NO_PARENT ? null : state().entry(id);
        if (record == null) {
            return;
        }
        boolean wasGlue = isGlue(record);
        deleted += wasGlue ? 0 : 1;
        aside -= isAside(record) ? 1 : 0;
        boolean isSuffix = record.parentId() == HierarchyKeys.NO_PARENT;
        if (isSuffix || !isLeaf(id)) {
            if (!wasGlue) {
                List<AttributeDelta> deltas = deltas(id, record, glue(record.parentId(), Rdn.parse(schema, record.rdn())));
                context.modify(id, deltas);
                behind = true;
            }
            return;
        }
        context.delete(id);
        behind = true;
        removeEmptyGlue(record.parentId());
    }

    private boolean isLeaf(long id) {
        return state().cardinality(HierarchyKeys.INDEX, HierarchyKeys.children(id)) == 0;
    }

    private void removeEmptyGlue(long from) {
        long id = from;
        while (isLeaf(id)) {
            EntryRecord record = state().entry(id);
            if (record == null || !isGlue(record) || record.parentId() == HierarchyKeys.NO_PARENT) {
                return;
            }
            context.delete(id);
            behind = true;
            id = record.parentId();
        }
    }

    /** Whatever was noted. */
    void recountAside() throws DirectoryException {
        try (Snapshot.EntryCursor all = state().entries(0)) {
            while (all.next()) {
                aside += isAside(all.entry()) ? 1 : 0;
            }
        }
        aside -= CopyNotes.of(state().entry(superior(partition.suffix(), 0))).aside();
        note(null, 0);
    }

    /**
     * Notes how many entries stand aside, and up to where the copy is, unless one still does or did not fit: then less is true.
     *
     * @param to             null where that stays as it is
     * @param asideElsewhere how many stand aside in other shards
     */
    void note(byte[] to, long asideElsewhere) throws DirectoryException {
        if (to == null && aside == 0) {
            return;
        }
        long suffix = superior(partition.suffix(), 0);
        EntryRecord record = state().entry(suffix);
        CopyNotes before = CopyNotes.of(record);
        long now = Math.max(0, before.aside() + aside);
        boolean holds = now + asideElsewhere == 0 && unfit.isEmpty();
        List<AttributeDelta> deltas = new CopyNotes(to != null && holds ? to : before.cookie(), now).deltas(schema, context, new EntryView(suffix, record, ""));
        if (!deltas.isEmpty()) {
            context.modify(suffix, deltas);
            behind = true;
        }
    }
}
