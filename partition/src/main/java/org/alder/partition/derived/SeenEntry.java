package org.alder.partition.derived;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.filter.CandidateEntry;
import org.alder.partition.filter.EntryAccess;
import org.alder.partition.filter.ValueTest;
import org.alder.partition.id.IdSet;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.LargeValues;
import org.alder.partition.store.Snapshot;
import org.alder.partition.text.Utf8;
import org.alder.partition.tree.DnLookup;
import org.alder.partition.tree.EntryView;

/**
 * An entry for somebody who may not know all others: what is worked out of other entries is worked out of those that he may know
 * of. One thread.
 */
final class SeenEntry implements CandidateEntry {
    /** Of more children nobody is told how many of them there are for him. */
    private static final int MOST_CHILDREN = 10_000;

    private final Candidate entry;
    private final Snapshot snapshot;
    private final Surroundings around;
    private final EntryAccess others;
    private final BiPredicate<AttributeAccess, AttributeType> may;
    private final BiFunction<AttributeAccess, AttributeType, ValueTest> values;

    /** @param may whether rights are to an attribute  @param values to which of its values, null for all */
    SeenEntry(Candidate entry, Snapshot snapshot, Surroundings around, EntryAccess others,
            BiPredicate<AttributeAccess, AttributeType> may, BiFunction<AttributeAccess, AttributeType, ValueTest> values) {
        this.entry = entry;
        this.snapshot = snapshot;
        this.around = around;
        this.others = others;
        this.may = may;
        this.values = values;
    }

    @Override
    public EntryRecord record() {
        return entry.record();
    }

    @Override
    public String dn() {
        return entry.dn();
    }

    @Override
    public LargeValues largeValues() {
        return entry.largeValues();
    }

    @Override
    public AttributeAccess access() {
        return others.of(entry);
    }

    @Override
    public List<byte[]> virtualValues(AttributeType type) {
        return switch (type.oid()) {
            case HAS_SUBORDINATES -> {
                long children = children(1);
                yield children < 0 ? List.of() : Candidate.value(children > 0 ? "TRUE" : "FALSE");
            }
            case NUM_SUBORDINATES -> {
                long children = children(Long.MAX_VALUE);
                yield children < 0 ? List.of() : Candidate.value(Long.toString(children));
            }
            case MEMBER_OF -> groups();
            case COLLECTIVE_ATTRIBUTE_SUBENTRIES -> entry.virtualValues(type).stream().filter(this::isKnown).toList();
            default -> entry.virtualValues(type);
        };
    }

    /** Those he may know of, up to so many; below 0 if it would take too long to count them. */
    private long children(long enough) {
        if (!entry.isWhole()) {
            return -1;
        }
        SeenChildren seen = new SeenChildren(enough);
        seen.count(snapshot, around, entry.id());
        if (entry.isDistributed()) {
            around.otherShards().read((there, its) -> seen.count(there, its, OtherShards.suffix(there, its)));
        }
        return seen.known >= enough || !seen.areTooMany ? seen.known : -1;
    }

    /** How many children he may know of, of one entry and of its copies in other shards. */
    private final class SeenChildren {
        private final long enough;
        private long known;
        private long looked;
        private boolean areTooMany;

        SeenChildren(long enough) {
            this.enough = enough;
        }

        void count(Snapshot state, Surroundings its, long parent) {
            if (known >= enough || areTooMany) {
                return;
            }
            IdSet all = state.ids(HierarchyKeys.INDEX, HierarchyKeys.children(parent));
            areTooMany = enough > MOST_CHILDREN && looked + all.cardinality() > MOST_CHILDREN;
            for (IdSet.IdIterator each = all.iterator(); each.hasNext() && known < enough && !areTooMany;) {
                long child = each.next();
                if (++looked > MOST_CHILDREN) {
                    areTooMany = true;
                } else if (others.of(its.candidate(state, child, state.entry(child))) != AttributeAccess.NONE) {
                    known++;
                }
            }
        }
    }

    private Candidate at(long id) {
        return around.candidate(snapshot, id, snapshot.entry(id));
    }

    private boolean isKnown(byte[] dn) {
        String text = Utf8.decodeOrNull(dn);
        long id = text == null ? HierarchyKeys.NO_PARENT : around.tree().resolve(snapshot, Dn.stored(around.schema(), text));
        return id != HierarchyKeys.NO_PARENT && others.of(at(id)) != AttributeAccess.NONE;
    }

    /** The groups he may know of, by attributes that he may know of. */
    private List<byte[]> groups() {
        EntryView view = entry.view();
        Dn dn = Dn.stored(around.schema(), view.dn());
        CountedNames names = entry.countedNames();
        for (IdSet.IdIterator each = around.memberships().groupsOf(snapshot, view).iterator(); each.hasNext();) {
            Candidate group = at(each.next());
            AttributeAccess rights = others.of(group);
            boolean named = around.memberships().typesNaming(snapshot, dn, group.id()).stream()
                    .anyMatch(type -> mayKnow(rights, type, view));
            if (named || isComputed(group, rights, view, others.of(entry))) {
                names.add(group.dn());
            }
        }
        return names.all();
    }

    private boolean mayKnow(AttributeAccess rights, AttributeType type, EntryView member) {
        byte[] name = member.dn().getBytes(StandardCharsets.UTF_8);
        return rights != AttributeAccess.NONE && type.withSubtypes().stream().allMatch(each -> may.test(rights, each)
                && (values.apply(rights, each) == null || values.apply(rights, each).matches(name, 0, name.length)));
    }

    /** Whether the group finds the member by what he may know of both. */
    private boolean isComputed(Candidate group, AttributeAccess rights, EntryView member, AttributeAccess memberRights) {
        ComputedGroups dynamic = around.memberships().dynamic();
        return dynamic.all(snapshot).contains(group.id()) && mayKnow(rights, dynamic.member(), member)
                && dynamic.isMember(snapshot, group.id(), member, memberRights);
    }

    @Override
    public boolean hasComputedValue(AttributeType type, byte[] form) {
        if (!entry.hasComputedValue(type, form)) {
            return false;
        }
        Candidate member = at(new DnLookup(snapshot, around.tree()).find(form));
        return isComputed(entry, others.of(entry), member.view(), others.of(member));
    }

    /** Which of the members that a dynamic group finds he may know of. */
    boolean isSeenMember(long id) {
        Candidate member = at(id);
        return isComputed(entry, others.of(entry), member.view(), others.of(member));
    }

    @Override
    public CandidateEntry entryAt(Dn dn) {
        long id = around.tree().resolve(snapshot, dn);
        if (id == HierarchyKeys.NO_PARENT) {
            return null;
        }
        Candidate other = at(id);
        return others.of(other) == AttributeAccess.NONE ? null
                : new SeenEntry(other, snapshot, around, others, may, values);
    }
}
