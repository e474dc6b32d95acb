package org.alder.partition.derived;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.LongConsumer;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Csn;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.StoredName;
import org.alder.partition.error.StoreException;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.filter.CandidateEntry;
import org.alder.partition.filter.EntryAccess;
import org.alder.partition.id.IdSet;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.LargeValues;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.EntryView;

/** The entry a search looks at, and the next one after it. One thread. */
public final class Candidate implements CandidateEntry {
    private static final LongConsumer NOT_COUNTED = bytes -> { };
    private static final String CONTEXT_CSN = "1.3.6.1.4.1.4203.666.1.25";
    private static final String ENTRY_DN = "1.3.6.1.1.20";
    private static final String ENTRY_USN = "2.16.840.1.113730.3.1.606";
    private static final String SUBSCHEMA_SUBENTRY = "2.5.18.10";
    private static final String GOVERNING_STRUCTURE_RULE = "2.5.21.10";

    private final Snapshot snapshot;
    private final Surroundings around;
    private long id;
    private StoredName name;
    /** Null while nobody has asked for more than the name. */
    private EntryRecord record;
    /** Finds the record then. */
    private Snapshot.EntryLookup records;
    private final List<CollectiveAttributes.Area> areas;
    private LongConsumer memory = NOT_COUNTED;
    /** The record with what the entry shares with others; null while nobody asked. */
    private EntryRecord shared;
    private String dn;
    private long tailParent = -1;
    private String tailText;
    /** The same in UTF-8; null while nobody has asked. */
    private byte[] tail;

    /** @param areas of this snapshot */
    public Candidate(Snapshot snapshot, Surroundings around, List<CollectiveAttributes.Area> areas) {
        this.snapshot = snapshot;
        this.around = around;
        this.areas = areas;
    }

    /** Has values that are worked out, of which there may be many, counted. @param grants so many bytes more, or throws */
    void countIn(LongConsumer grants) {
        memory = grants;
    }

    public void moveTo(long newId, EntryRecord newRecord) {
        id = newId;
        name = newRecord;
        record = newRecord;
        shared = null;
        dn = null;
    }

    /** To an entry of which perhaps nothing but the name is needed. @param lookup reads the rest when it is */
    public void moveTo(long newId, StoredName newName, Snapshot.EntryLookup lookup) {
        id = newId;
        name = newName;
        record = null;
        records = lookup;
        shared = null;
        dn = null;
    }

    public long id() {
        return id;
    }

    public EntryRecord stored() {
        if (record == null) {
            record = records.entry(id);
            if (record == null) {
                throw new StoreException(StoreException.Kind.CORRUPT, "entry " + id + " has a name but no record");
            }
        }
        return record;
    }

    @Override
    public StoredName name() {
        return name;
    }

    @Override
    public EntryRecord record() {
        if (areas.isEmpty()) {
            return stored();
        }
        if (shared == null) {
            shared = around.collective().shared(areas, dn(), stored());
        }
        return shared;
    }

    @Override
    public String dn() {
        if (dn == null) {
            dn = around.tree().dnOf(snapshot, name);
        }
        return dn;
    }

    @Override
    public String dnTail() {
        if (name.parentId() != tailParent) {
            tailText = around.tree().tail(snapshot, name.parentId());
            tail = null;
            tailParent = name.parentId();
        }
        return tailText;
    }

    /** Writes the DN as it is spelt, without building it: siblings share what follows their RDNs. */
    public void writeDn(BerWriter out, int tag) {
        String text = dnTail();
        if (tail == null) {
            tail = text.getBytes(StandardCharsets.UTF_8);
        }
        out.header(tag, name.rdnLength() + tail.length);
        out.raw(name.buffer(), name.rdnOffset(), name.rdnLength());
        out.raw(tail, 0, tail.length);
    }

    @Override
    public List<byte[]> virtualValues(AttributeType type) {
        return switch (type.oid()) {
            case CONTEXT_CSN -> isSuffix() && isWhole() ? List.of(contextCsn().bytes()) : List.of();
            case ENTRY_DN -> value(dn());
            case ENTRY_USN -> value(Long.toString(Csn.sequenceIn(stored(), snapshot.sequence())));
            case SUBSCHEMA_SUBENTRY -> value(Schema.SUBSCHEMA_DN);
            case GOVERNING_STRUCTURE_RULE -> around.governing(snapshot, stored()).stream().sorted().limit(1)
                    .map(number -> utf8(number.toString())).toList();
            case HAS_SUBORDINATES -> isWhole() ? value(children() > 0 ? "TRUE" : "FALSE") : List.of();
            case NUM_SUBORDINATES -> isWhole() ? value(Long.toString(children())) : List.of();
            case COLLECTIVE_ATTRIBUTE_SUBENTRIES -> areas.isEmpty() ? List.of()
                    : around.collective().of(areas, dn(), stored()).stream().map(area -> utf8(area.dn())).toList();
            case MEMBER_OF -> names(around.memberships().groupsOf(snapshot, view()));
            default -> List.of();
        };
    }

    /** Whether a dynamic group finds the member for somebody who may know no more than this of entries. */
    public boolean isMemberShown(long member, EntryAccess others) {
        return shownTo(others).isSeenMember(member);
    }

    /** The entry for filters of somebody who may know no more than this of other entries. */
    public CandidateEntry searchedBy(EntryAccess others) {
        return new SeenEntry(this, snapshot, around, others, AttributeAccess::maySearch, AttributeAccess::searchable);
    }

    /** The entry as it is shown to somebody who may know no more than this of other entries. */
    SeenEntry shownTo(EntryAccess others) {
        return new SeenEntry(this, snapshot, around, others, AttributeAccess::mayRead, AttributeAccess::readable);
    }

    private boolean isSuffix() {
        return name.parentId() == HierarchyKeys.NO_PARENT;
    }

    /** Whether other stores have entries directly below it, too. */
    boolean isDistributed() {
        return isSuffix() && around.tree().shard().isPart();
    }

    /** Whether it is known what is below it: what one shard says of all is not told. */
    boolean isWhole() {
        return !isDistributed() || around.otherShards().areKnown();
    }

    private Csn contextCsn() {
        return isDistributed() ? around.otherShards().csn(snapshot.csn()) : snapshot.csn();
    }

    private long children() {
        return snapshot.cardinality(HierarchyKeys.INDEX, HierarchyKeys.children(id)) + (isDistributed() ? around.otherShards().children() : 0);
    }

    static List<byte[]> value(String text) {
        return List.of(utf8(text));
    }

    EntryView view() {
        return new EntryView(id, stored(), dn());
    }

    private List<byte[]> names(IdSet entries) {
        CountedNames names = countedNames();
        for (IdSet.IdIterator each = entries.iterator(); each.hasNext();) {
            names.add(around.tree().dnOf(snapshot, each.next()));
        }
        return names.all();
    }

    /** For names of other entries, of which there may be many. */
    CountedNames countedNames() {
        return new CountedNames(memory);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public boolean hasComputedValue(AttributeType type, byte[] form) {
        ComputedGroups dynamic = around.memberships().dynamic();
        return dynamic.isMember(type) && dynamic.all(snapshot).contains(id) && dynamic.groupsOf(snapshot, form).contains(id);
    }

    @Override
    public CandidateEntry entryAt(Dn other) {
        long found = around.tree().resolve(snapshot, other);
        if (found == HierarchyKeys.NO_PARENT) {
            return null;
        }
        Candidate entry = new Candidate(snapshot, around, areas);
        entry.moveTo(found, snapshot.entry(found));
        return entry;
    }

    @Override
    public LargeValues largeValues() {
        return new LargeValues(snapshot, id);
    }
}
