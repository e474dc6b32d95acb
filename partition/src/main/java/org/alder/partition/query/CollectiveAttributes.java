package org.alder.partition.query;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.id.IdSet;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.ObjectClass;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.alder.partition.text.Utf8;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Attributes that the entries of a subtree share (RFC 3671): they stand in a subentry of the class collectiveAttributeSubentry
 * and are read as if each entry had them, unless its collectiveExclusions say no. Nothing of it is stored in the entries. A
 * partition without such subentries pays one look at a key for each state that is read. Immutable but for what it remembers,
 * thread safe.
 */
public final class CollectiveAttributes {
    private static final Logger LOG = LoggerFactory.getLogger(CollectiveAttributes.class);
    private static final String SUBENTRY_CLASS = "2.5.17.2";
    private static final String EXCLUDE_ALL = "2.5.18.0";
    private static final String EXCLUDE_ALL_NAME = "excludeAllCollectiveAttributes";

    private final Schema schema;
    private final ObjectClass subentryClass;
    /** As they were read last: between changes they are asked for with each search. */
    private volatile Known known = new Known(-1, -1, List.of());

    private record Known(long sequence, long schemaVersion, List<Area> areas) {
        boolean isOf(Snapshot snapshot, Schema schema) {
            return sequence == snapshot.sequence() && schemaVersion == schema.version();
        }
    }

    /**
     * What one subentry says.
     *
     * @param attributes a record that has the collective attributes and nothing else
     */
    record Area(String dn, SubtreeSpecification subtree, EntryRecord attributes, List<AttributeType> types) {
    }

    public CollectiveAttributes(Schema schema) {
        this.schema = schema;
        this.subentryClass = schema.objectClass(SUBENTRY_CLASS);
    }

    /** Those of any state, also one that never comes to be. */
    List<Area> areas(Snapshot snapshot, EntryTree tree) {
        Known last = known;
        return last.isOf(snapshot, schema) ? last.areas : read(snapshot, tree);
    }

    /** Those of a reader's state, which are remembered. */
    List<Area> remembered(Snapshot snapshot, EntryTree tree) {
        long version = schema.version();
        List<Area> areas = areas(snapshot, tree);
        if (!known.isOf(snapshot, schema)) {
            known = new Known(snapshot.sequence(), version, areas);
        }
        return areas;
    }

    private List<Area> read(Snapshot snapshot, EntryTree tree) {
        List<Area> areas = new ArrayList<>(0);
        IdSet subentries = snapshot.ids(HierarchyKeys.INDEX, HierarchyKeys.subentries());
        for (IdSet.IdIterator each = subentries.iterator(); each.hasNext();) {
            EntryRecord record = snapshot.entry(each.next());
            if (record != null && classes(record).contains(subentryClass)) {
                addArea(tree.dnOf(snapshot, record), record, areas);
            }
        }
        return List.copyOf(areas);
    }

    private void addArea(String dn, EntryRecord record, List<Area> areas) {
        List<Attribute> shared = new ArrayList<>();
        List<AttributeType> types = new ArrayList<>();
        for (Attribute attribute : record.userAttributes()) {
            AttributeType type = type(attribute);
            if (type != null && type.isCollective()) {
                shared.add(attribute);
                types.add(type);
            }
        }
        try {
            for (Attribute attribute : record.operationalAttributes()) {
                if (attribute.description().equalsIgnoreCase("subtreeSpecification")) {
                    SubtreeSpecification subtree = SubtreeSpecification.parse(schema, Dn.parse(schema, dn).parent(),
                            attribute.values().get(0));
                    areas.add(new Area(dn, subtree, EntryRecord.of(0, new byte[0], shared, List.of()), List.copyOf(types)));
                }
            }
        } catch (DirectoryException e) {
            LOG.warn("the collective attributes of \"{}\" are nobody's: {}", dn, e.getMessage());
        }
    }

    private AttributeType type(Attribute attribute) {
        AttributeDescription description = schema.descriptionOrNull(attribute.description());
        return description == null ? null : description.type();
    }

    private List<ObjectClass> classes(EntryRecord record) {
        for (Attribute attribute : record.userAttributes()) {
            if (attribute.description().equalsIgnoreCase("objectClass")) {
                return attribute.values().stream().map(schema::objectClass).filter(one -> one != null).toList();
            }
        }
        return List.of();
    }

    /** Those in whose subtree the entry is; a subentry is in none. */
    List<Area> of(List<Area> areas, String dn, EntryRecord record) {
        List<ObjectClass> classes = classes(record);
        Dn name = Dn.stored(schema, dn);
        boolean subentry = classes.stream().anyMatch(one -> one.name().equalsIgnoreCase("subentry"));
        return subentry ? List.of() : areas.stream().filter(area -> area.subtree.holds(name, classes)).toList();
    }

    /** The entry with the attributes that it shares. */
    EntryRecord shared(List<Area> areas, String dn, EntryRecord record) {
        EntryRecord whole = record;
        List<String> excluded = excluded(record);
        for (Area area : excluded.contains(EXCLUDE_ALL) ? List.<Area>of() : of(areas, dn, record)) {
            for (Attribute attribute : area.attributes.userAttributes()) {
                if (!excluded.contains(type(attribute).oid())) {
                    whole = whole.apply(List.of(new AttributeDelta(attribute.description(), false, List.of(),
                            missing(whole, attribute))));
                }
            }
        }
        return whole;
    }

    /** Two subentries may give the same value. */
    private static List<byte[]> missing(EntryRecord record, Attribute attribute) {
        List<byte[]> values = new ArrayList<>(attribute.values());
        for (Attribute present : record.userAttributes()) {
            if (present.description().equals(attribute.description())) {
                values.removeIf(value -> present.values().stream().anyMatch(one -> Arrays.equals(one, value)));
            }
        }
        return values;
    }

    /** The OIDs that collectiveExclusions names. */
    private List<String> excluded(EntryRecord record) {
        for (Attribute attribute : record.operationalAttributes()) {
            if (attribute.description().equalsIgnoreCase("collectiveExclusions")) {
                return attribute.values().stream().map(value -> oid(Utf8.stored(value))).toList();
            }
        }
        return List.of();
    }

    private String oid(String name) {
        AttributeType type = schema.attributeType(name);
        return name.equalsIgnoreCase(EXCLUDE_ALL_NAME) ? EXCLUDE_ALL : type == null ? name : type.oid();
    }
}
