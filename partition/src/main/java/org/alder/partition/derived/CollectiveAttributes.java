package org.alder.partition.derived;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.Octets;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.id.IdSet;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.ObjectClass;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.StoredValues;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.alder.partition.text.Utf8;
import org.alder.partition.tree.EntryTree;
import org.alder.partition.tree.SubtreeSpecification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Attributes that the entries of a subtree share (RFC 3671): they stand in a subentry of the class collectiveAttributeSubentry
 * and are read as if each entry had them, unless its collectiveExclusions say no. Nothing of it is stored in the entries. A
 * partition without such subentries pays one look at a key for each state that is read. Immutable, thread safe.
 */
public final class CollectiveAttributes {
    private static final Logger LOG = LoggerFactory.getLogger(CollectiveAttributes.class);
    private static final String SUBENTRY_CLASS = "2.5.17.0";
    private static final String AREA_CLASS = "2.5.17.2";
    private static final String SUBTREE_SPECIFICATION = "2.5.18.6";
    private static final String EXCLUSIONS = "2.5.18.7";
    private static final String EXCLUDE_ALL = "2.5.18.0";
    private static final String EXCLUDE_ALL_NAME = "excludeAllCollectiveAttributes";

    private final Schema schema;
    private final EntryTree tree;
    private final ObjectClass areaClass;
    private final ObjectClass subentryClass;
    private final AttributeType subtreeSpecification;
    private final AttributeType exclusions;

    /**
     * What one subentry says.
     *
     * @param attributes a record that has the collective attributes and nothing else
     */
    public record Area(String dn, SubtreeSpecification subtree, EntryRecord attributes, List<AttributeType> types) {
    }

    public CollectiveAttributes(Schema schema, EntryTree tree) {
        this.schema = schema;
        this.tree = tree;
        this.areaClass = schema.objectClass(AREA_CLASS);
        this.subentryClass = schema.objectClass(SUBENTRY_CLASS);
        this.subtreeSpecification = schema.attributeType(SUBTREE_SPECIFICATION);
        this.exclusions = schema.attributeType(EXCLUSIONS);
    }

    /** All of them; {@link StateFacts} remembers them. */
    List<Area> read(Snapshot snapshot) {
        List<Area> areas = new ArrayList<>(0);
        IdSet subentries = snapshot.ids(HierarchyKeys.INDEX, HierarchyKeys.subentries());
        for (IdSet.IdIterator each = subentries.iterator(); each.hasNext();) {
            EntryRecord record = snapshot.entry(each.next());
            if (record != null && StoredValues.classes(schema, record).contains(areaClass)) {
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
            for (byte[] value : StoredValues.of(schema, record, subtreeSpecification)) {
                SubtreeSpecification subtree = SubtreeSpecification.parse(schema, Dn.parse(schema, dn).parent(), value);
                areas.add(new Area(dn, subtree, EntryRecord.of(0, new byte[0], shared, List.of()), List.copyOf(types)));
            }
        } catch (DirectoryException e) {
            LOG.warn("the collective attributes of \"{}\" are nobody's: {}", dn, e.getMessage());
        }
    }

    private AttributeType type(Attribute attribute) {
        AttributeDescription description = schema.descriptionOrNull(attribute.description());
        return description == null ? null : description.type();
    }

    /** Those in whose subtree the entry is; a subentry is in none. */
    List<Area> of(List<Area> areas, String dn, EntryRecord record) {
        List<ObjectClass> classes = StoredValues.classes(schema, record);
        Dn name = Dn.stored(schema, dn);
        boolean subentry = classes.stream().anyMatch(one -> one.isSubclassOf(subentryClass));
        return subentry ? List.of() : areas.stream().filter(area -> area.subtree.holds(name, classes)).toList();
    }

    /** The entry with the attributes that it shares. */
    EntryRecord shared(List<Area> areas, String dn, EntryRecord record) {
        List<String> excluded = excluded(record);
        List<Area> around = excluded.contains(EXCLUDE_ALL) ? List.of() : of(areas, dn, record);
        Map<String, Map<Octets, byte[]>> added = new LinkedHashMap<>();
        for (Area area : around) {
            for (Attribute attribute : area.attributes.userAttributes()) {
                if (!excluded.contains(type(attribute).oid())) {
                    // Two subentries may give the same value.
                    Map<Octets, byte[]> values = added.computeIfAbsent(attribute.description(), none -> new LinkedHashMap<>());
                    attribute.values().forEach(value -> values.put(new Octets(value), value));
                }
            }
        }
        if (added.isEmpty()) {
            return record;
        }
        for (Attribute present : record.userAttributes()) {
            Map<Octets, byte[]> values = added.get(present.description());
            if (values != null) {
                present.values().forEach(value -> values.remove(new Octets(value)));
            }
        }
        return record.apply(added.entrySet().stream().map(each -> new AttributeDelta(each.getKey(), false, List.of(),
                List.copyOf(each.getValue().values()))).toList());
    }

    /** The OIDs that collectiveExclusions names. */
    private List<String> excluded(EntryRecord record) {
        return StoredValues.of(schema, record, exclusions).stream().map(value -> oid(Utf8.stored(value))).toList();
    }

    private String oid(String name) {
        AttributeType type = schema.attributeType(name);
        return name.equalsIgnoreCase(EXCLUDE_ALL_NAME) ? EXCLUDE_ALL : type == null ? name : type.oid();
    }
}
