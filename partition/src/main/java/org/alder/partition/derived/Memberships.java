package org.alder.partition.derived;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.AttributeCursor;
import org.alder.partition.entry.DnForm;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.id.IdSet;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.index.IndexKeys;
import org.alder.partition.index.IndexKind;
import org.alder.partition.index.IndexedAttribute;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.LargeValues;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.DnLookup;
import org.alder.partition.tree.EntryTree;
import org.alder.partition.tree.EntryView;
import org.roaringbitmap.RoaringBitmap;

/**
 * Who is a member of what: {@code memberOf} is never stored, but read from the equality indexes of the attributes that name
 * members. It is therefore right for every entry at every point in time, whatever was changed or loaded, and changing a group
 * costs nothing for its members. Immutable, thread safe.
 */
public final class Memberships {
    /** Of a partition without groups. */
    public static final Memberships NONE = new Memberships();
    private static final String MEMBER_OF = "memberOf";

    /** So many different values of one attribute are looked up for {@code (memberOf=*)}, before entries are tested instead. */
    private static final int MOST_VALUES = 1_000_000;

    private final Schema schema;
    private final AttributeType memberOf;
    private final List<IndexedAttribute> indexes;
    private final EntryTree tree;
    private final ComputedGroups dynamic;

    private Memberships() {
        schema = null;
        memberOf = null;
        indexes = List.of();
        tree = null;
        dynamic = ComputedGroups.NONE;
    }

    private Memberships(Schema schema, AttributeType memberOf, List<IndexedAttribute> indexes, EntryTree tree,
            ComputedGroups dynamic) {
        this.schema = schema;
        this.memberOf = memberOf;
        this.indexes = List.copyOf(indexes);
        this.tree = tree;
        this.dynamic = dynamic;
    }

    /**
     * @param attributes the types whose values name members; those without an equality index are left out
     */
    public static Memberships of(Schema schema, AttributeIndexer indexer, List<AttributeType> attributes, EntryTree tree) {
        AttributeType memberOf = schema.attributeType(MEMBER_OF);
        List<IndexedAttribute> indexes = attributes.stream().map(indexer::index)
                .filter(index -> index != null && index.has(IndexKind.EQUALITY)).toList();
        return memberOf == null || indexes.isEmpty() ? NONE
                : new Memberships(schema, memberOf, indexes, tree, ComputedGroups.NONE);
    }

    /** The same with groups whose members are found by URLs. */
    Memberships with(ComputedGroups groups) {
        return this == NONE ? NONE : new Memberships(schema, memberOf, indexes, tree, groups);
    }

    /** The groups whose members are found by URLs. */
    public ComputedGroups dynamic() {
        return dynamic;
    }

    /** Whether this is the type of the virtual attribute. */
    public boolean isMemberOf(AttributeType type) {
        return memberOf != null && type == memberOf;
    }

    /** The groups that name the entry. */
    IdSet groupsOf(Snapshot snapshot, Dn member) {
        byte[] key = IndexKeys.equality(member.normalized());
        IdSet groups = IdSet.EMPTY;
        for (IndexedAttribute index : indexes) {
            IdSet more = snapshot.ids(index.number(), key);
            groups = groups.isEmpty() ? more : groups.or(more);
        }
        return groups;
    }

    /** The groups that name the entry, and those that find it. */
    IdSet groupsOf(Snapshot snapshot, EntryView member) {
        return indexes.isEmpty() ? IdSet.EMPTY
                : groupsOf(snapshot, Dn.stored(schema, member.dn())).or(dynamic.groupsOf(snapshot, member));
    }

    /** The attributes by which a group names the entry. */
    List<AttributeType> typesNaming(Snapshot snapshot, Dn member, long group) {
        byte[] key = IndexKeys.equality(member.normalized());
        return indexes.stream().filter(index -> snapshot.ids(index.number(), key).contains(group)).map(IndexedAttribute::type).toList();
    }

    /** The groups that name this DN, whoever has it and if nobody here, and those whose URLs find its entry. */
    public List<Dn> groupsWith(Snapshot snapshot, Dn member) {
        List<Dn> groups = new ArrayList<>();
        IdSet ids = groupsOf(snapshot, member);
        IdSet computed = dynamic.groupsOf(snapshot, member.normalized());
        for (IdSet.IdIterator each = (computed.isEmpty() ? ids : ids.or(computed)).iterator(); each.hasNext();) {
            groups.add(Dn.stored(schema, tree.dnOf(snapshot, each.next())));
        }
        return groups;
    }

    /** Whether the group itself names this DN: not by a URL, and not over other groups. */
    public boolean isNamed(Snapshot snapshot, Dn group, Dn member) {
        IdSet groups = groupsOf(snapshot, member);
        return !groups.isEmpty() && groups.contains(tree.resolve(snapshot, group));
    }

    /** Whether the group itself names a DN at or below this one. Reads all its values. */
    public boolean namesBelow(Snapshot snapshot, Dn group, Dn top) {
        long id = indexes.isEmpty() ? HierarchyKeys.NO_PARENT : tree.resolve(snapshot, group);
        EntryRecord record = id == HierarchyKeys.NO_PARENT ? null : snapshot.entry(id);
        boolean[] found = new boolean[1];
        if (record != null) {
            forEachForm(snapshot, id, record, form -> found[0] |= form != null && DnForm.isAtOrBelow(form, top.normalized()));
        }
        return found[0];
    }

    /** Whether there can be groups: whether attributes that name members have indexes. */
    public boolean isPossible() {
        return !indexes.isEmpty();
    }

    /** How many values name members of the group; {@link Long#MAX_VALUE} if they are found by URLs. */
    public long memberCount(Snapshot snapshot, long id, EntryRecord group) {
        if (dynamic.all(snapshot).contains(id)) {
            return Long.MAX_VALUE;
        }
        long[] count = new long[1];
        forEachAttribute(group, cursor -> count[0] += cursor.values().size(), large -> count[0] += large.count());
        return count[0];
    }

    /** The entries that the group names, or its URLs find; null if too many would have to be looked at. */
    public IdSet membersOf(Snapshot snapshot, long group) {
        RoaringBitmap members = new RoaringBitmap();
        return addMembers(snapshot, new DnLookup(snapshot, tree), group, members) ? IdSet.wrap(members) : null;
    }

    /** The entries that the group names, those that these name, and so on; the group itself if it is in a loop. Null as above. */
    public IdSet allMembersOf(Snapshot snapshot, long group) {
        DnLookup lookup = new DnLookup(snapshot, tree);
        RoaringBitmap all = new RoaringBitmap();
        RoaringBitmap walked = RoaringBitmap.bitmapOf((int) group);
        Deque<Long> open = new ArrayDeque<>(List.of(group));
        while (!open.isEmpty()) {
            RoaringBitmap members = new RoaringBitmap();
            if (!addMembers(snapshot, lookup, open.poll(), members)) {
                return null;
            }
            all.or(members);
            members.andNot(walked);
            RoaringBitmap groups = groupsAmong(snapshot, members);
            walked.or(groups);
            for (IdSet.IdIterator each = IdSet.wrap(groups).iterator(); each.hasNext();) {
                open.add(each.next());
            }
        }
        return IdSet.wrap(all);
    }

    /** Those that may name members: told by presence indexes where there are such, else by looking at each. */
    private RoaringBitmap groupsAmong(Snapshot snapshot, RoaringBitmap ids) {
        if (!indexes.stream().allMatch(index -> index.has(IndexKind.PRESENCE))) {
            return ids;
        }
        RoaringBitmap groups = new RoaringBitmap();
        indexes.forEach(index -> groups.or(snapshot.ids(index.number(), IndexKeys.presence()).bitmap()));
        groups.or(dynamic.all(snapshot).bitmap());
        groups.and(ids);
        return groups;
    }

    private boolean addMembers(Snapshot snapshot, DnLookup lookup, long group, RoaringBitmap members) {
        addNamed(snapshot, lookup, group, members);
        IdSet found = dynamic.all(snapshot).contains(group) ? dynamic.membersOf(snapshot, group) : IdSet.EMPTY;
        if (found != null) {
            members.or(found.bitmap());
        }
        return found != null;
    }

    private void addNamed(Snapshot snapshot, DnLookup lookup, long group, RoaringBitmap members) {
        EntryRecord record = snapshot.entry(group);
        if (record == null) {
            return;
        }
        forEachForm(snapshot, group, record, form -> add(lookup, form, members));
    }

    /** The normal forms of the values that name members; null for one that its rule cannot read. */
    private void forEachForm(Snapshot snapshot, long group, EntryRecord record, Consumer<byte[]> taker) {
        forEachAttribute(record, cursor -> {
            AttributeType type = description(cursor).type();
            cursor.values().forEach(value -> taker.accept(form(type, value)));
        }, large -> {
            try (LargeValues.Cursor values = new LargeValues(snapshot, group).open(large)) {
                while (values.next()) {
                    taker.accept(values.form());
                }
            }
        });
    }

    private static void add(DnLookup lookup, byte[] form, RoaringBitmap members) {
        long id = form == null ? 0 : lookup.find(form);
        if (id != 0) {
            members.add((int) id);
        }
    }

    private void forEachAttribute(EntryRecord record, Consumer<AttributeCursor> inRecord,
            Consumer<LargeAttribute> outside) {
        AttributeCursor cursor = record.cursor(false);
        while (cursor.next()) {
            if (names(description(cursor))) {
                inRecord.accept(cursor);
            }
        }
        record.largeAttributes().stream().filter(large -> names(schema.descriptionOrNull(large.description()))).forEach(outside);
    }

    private AttributeDescription description(AttributeCursor cursor) {
        return schema.descriptionOrNull(cursor.bytes(), cursor.nameOffset(), cursor.nameLength());
    }

    private boolean names(AttributeDescription description) {
        return description != null && indexes.stream().anyMatch(index -> description.type().isSubtypeOf(index.type()));
    }

    /** All entries that some group names; null if there are too many values to look them all up. */
    public IdSet allMembers(Snapshot snapshot) {
        DnLookup lookup = new DnLookup(snapshot, tree);
        RoaringBitmap members = new RoaringBitmap();
        for (IndexedAttribute index : indexes) {
            if (!addValues(snapshot, index, lookup, members)) {
                return null;
            }
        }
        for (IdSet.IdIterator each = dynamic.all(snapshot).iterator(); each.hasNext();) {
            if (!addMembers(snapshot, lookup, each.next(), members)) {
                return null;
            }
        }
        return IdSet.wrap(members);
    }

    /** Long names have keys that do not say them, so the values of who has such a one are read. */
    private boolean addValues(Snapshot snapshot, IndexedAttribute index, DnLookup lookup, RoaringBitmap members) {
        int read = 0;
        try (Snapshot.KeyCursor keys = snapshot.keys(index.number(), IndexKeys.equalityRange(null, null))) {
            while (keys.next()) {
                if (++read > MOST_VALUES) {
                    return false;
                }
                add(lookup, Arrays.copyOfRange(keys.key(), 1, keys.key().length), members);
            }
        }
        try (Snapshot.KeyCursor keys = snapshot.keys(index.number(), IndexKeys.longEqualityRange(null, null))) {
            while (keys.next()) {
                for (IdSet.IdIterator each = keys.ids().iterator(); each.hasNext();) {
                    addNamed(snapshot, lookup, each.next(), members);
                }
            }
        }
        return true;
    }

    /** @return null for a value that its rule cannot read: it names nobody */
    private static byte[] form(AttributeType type, byte[] value) {
        try {
            return type.equality().normalize(value);
        } catch (DirectoryException e) {
            return null;
        }
    }
}
