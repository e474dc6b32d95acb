package org.alder.partition.index;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.alder.partition.dn.Rdn;
import org.alder.partition.entry.AttributeCursor;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.EntryUuid;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.StoreException;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.ObjectClass;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.Superclasses;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.ValueKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Derives the keys of the hierarchy (index 0) and of the attribute indexes (one index each from number 2 on, at first in the order
 * of the definitions), and moves large attributes to the value table (index 1). Immutable, thread safe.
 *
 * <p>A value is also in the indexes of its type's supertypes, options do not matter, and an object class brings its
 * superclasses with it (RFC 4512 3.3 has them in the entry implicitly). A value the rule cannot read has no key, and no
 * assertion can match it.
 */
public final class AttributeIndexer implements EntryIndexer {
    /** An attribute with more values is large, where nothing else is configured. */
    public static final int DEFAULT_LARGE_ATTRIBUTE_THRESHOLD = 1000;

    private static final Logger log = LoggerFactory.getLogger(AttributeIndexer.class);
    static final String OBJECT_CLASS_OID = "2.5.4.0";
    private static final String HIERARCHY = "hierarchy";

    private final Schema schema;
    private final AttributeType objectClass;
    /** Null in a schema without it. */
    private final AttributeType accessRule;
    private final ObjectClass alias;
    private final ObjectClass referral;
    private final ObjectClass subentry;
    /** In the order of their numbers. */
    private final List<IndexedAttribute> indexes;
    private final BitSet building = new BitSet();
    private final int largeAttributeThreshold;
    private final List<IndexSpec> specs = new ArrayList<>();
    /** Those that are not being built. */
    private final Map<AttributeType, IndexedAttribute> byType = new HashMap<>();
    /** By type, the indexes in which its values have keys. */
    private final PerType<List<IndexedAttribute>> takingValuesOf;
    private final InlineAttributes inline;
    /** Whether there is any. */
    private final boolean hasInline;
    /** Of keys that are gathered for a record: one for each index, and those of inline attributes. */
    private final int lists;
    private final BitSet allIndexes = new BitSet();
    /** By type, the numbers of the indexes on whose keys its values have an effect. */
    private final PerType<BitSet> indexesOf;
    private final IndexesOfChange changes;
    private final LargeAttributeRule largeAttributes;
    /** A shorter record has no attribute that is large. */
    private final long leastLargeBytes;

    /** @throws IllegalArgumentException if two definitions are for the same attribute type */
    public AttributeIndexer(Schema schema, List<IndexDefinition> definitions) {
        this(schema, definitions, DEFAULT_LARGE_ATTRIBUTE_THRESHOLD);
    }

    /**
     * @param largeAttributeThreshold the most values that an attribute has in the entry's record, 0 for no limit; attributes that
     *     are large stay so under another threshold
     * @throws IllegalArgumentException if two definitions are for the same attribute type
     */
    public AttributeIndexer(Schema schema, List<IndexDefinition> definitions, int largeAttributeThreshold) {
        this(schema, numbered(definitions), ValueKeys.INDEX + 1 + definitions.size(), largeAttributeThreshold);
    }

    private static List<IndexedAttribute> numbered(List<IndexDefinition> definitions) {
        return IntStream.range(0, definitions.size())
                .mapToObj(i -> new IndexedAttribute(ValueKeys.INDEX + 1 + i, definitions.get(i), false)).toList();
    }

    /** @param count all numbers that stand for an index, or stood for one, are below it */
    private AttributeIndexer(Schema schema, List<IndexedAttribute> indexes, int count, int largeAttributeThreshold) {
        this.schema = schema;
        this.objectClass = schema.attributeType(OBJECT_CLASS_OID);
        this.accessRule = schema.attributeType("accessRule");
        this.alias = schema.objectClass("alias");
        this.referral = schema.objectClass("referral");
        this.subentry = schema.objectClass("subentry");
        this.indexes = List.copyOf(indexes);
        this.largeAttributeThreshold = largeAttributeThreshold;
        specs.add(new IndexSpec(HIERARCHY, IndexDefinition.DEFAULT_DUPLICATE_THRESHOLD, true));
        specs.add(new IndexSpec(ValueKeys.NAME, IndexDefinition.DEFAULT_DUPLICATE_THRESHOLD));
        specs.addAll(Collections.nCopies(count - specs.size(), IndexSpec.NONE));
        indexes.forEach(this::addIndex);
        allIndexes.set(0, specs.size());
        Map<AttributeType, List<IndexedAttribute>> defined = new HashMap<>();
        indexes.forEach(index -> defined.computeIfAbsent(index.type(), none -> new ArrayList<>(1)).add(index));
        takingValuesOf = PerType.inherited(schema, defined);
        inline = new InlineAttributes(schema, specs.size(), indexes);
        hasInline = !inline.isEmpty();
        lists = specs.size() + inline.lists();
        indexesOf = new PerType<>(schema, this::numbersOf);
        changes = new IndexesOfChange(schema, indexesOf);
        largeAttributes = new LargeAttributeRule(schema, largeAttributeThreshold, takingValuesOf, inline);
        leastLargeBytes = LargeAttributeRule.leastBytes(largeAttributeThreshold);
    }

    private void addIndex(IndexedAttribute index) {
        IndexDefinition definition = index.definition();
        if (index.isBuilding()) {
            building.set(index.number());
        } else if (byType.put(definition.type(), index) != null) {
            throw new IllegalArgumentException("two indexes are defined for attribute " + definition.type().name());
        }
        specs.set(index.number(), new IndexSpec(definition.name(), definition.duplicateThreshold(), definition.primaryKey()));
    }

    /** Those that there are, or are being built; of one that is built in the place of another, only the new one. */
    public List<IndexDefinition> definitions() {
        return indexes.stream().filter(index -> !isReplaced(index)).map(IndexedAttribute::definition).toList();
    }

    /** The most values that an attribute has in the entry's record, 0 for no limit. */
    public int largeAttributeThreshold() {
        return largeAttributeThreshold;
    }

    /** The types whose indexes are being built. */
    public Set<AttributeType> typesBuilding() {
        return building.stream().mapToObj(number -> at(number).type()).collect(Collectors.toSet());
    }

    /** Whether another one is built that takes its place. */
    public boolean isReplaced(IndexedAttribute index) {
        return !index.isBuilding() && building.stream().anyMatch(number -> at(number).type() == index.type());
    }

    private IndexedAttribute at(int number) {
        return indexes.stream().filter(index -> index.number() == number).findFirst().orElseThrow();
    }

    /**
     * The indexer for a store that is open with this one and is to have other indexes. An index stays under its number where its
     * keys do. One that is new, or has other keys, gets a number that stood for none before, and is to be built; until it is, that
     * one is read in whose place it is.
     *
     * @param anew the types whose indexes are to be built though they are there
     * @throws IllegalArgumentException if two definitions are for the same attribute type
     */
    public AttributeIndexer changedTo(List<IndexDefinition> wanted, Set<AttributeType> anew) {
        return changedTo(wanted, anew, largeAttributeThreshold);
    }

    /** As {@link #changedTo(List, Set)}, with another threshold for what is written from then on. */
    public AttributeIndexer changedTo(List<IndexDefinition> wanted, Set<AttributeType> anew, int largeAttributeThreshold) {
        List<IndexedAttribute> next = new ArrayList<>();
        Set<AttributeType> seen = new HashSet<>();
        int count = specs.size();
        for (IndexDefinition definition : wanted) {
            if (!seen.add(definition.type())) {
                throw new IllegalArgumentException("two indexes are defined for attribute " + definition.type().name());
            }
            IndexedAttribute now = byType.get(definition.type());
            if (now != null && now.definition().hasKeysOf(definition) && !anew.contains(definition.type()) && !isBeingBuilt(definition)) {
                next.add(new IndexedAttribute(now.number(), definition, false));
            } else {
                if (now != null) {
                    next.add(now);
                }
                next.add(new IndexedAttribute(count++, definition, true));
            }
        }
        next.sort(Comparator.comparingInt(IndexedAttribute::number));
        return new AttributeIndexer(schema, next, count, largeAttributeThreshold);
    }

    /** One with the same keys that was asked for although it was there is asked for until it is complete. */
    private boolean isBeingBuilt(IndexDefinition definition) {
        return indexes.stream().anyMatch(each -> building.get(each.number()) && each.definition().hasKeysOf(definition));
    }

    @Override
    public BitSet building() {
        return (BitSet) building.clone();
    }

    @Override
    public AttributeIndexer built() {
        return new AttributeIndexer(schema, indexes.stream().filter(index -> !isReplaced(index))
                .map(index -> new IndexedAttribute(index.number(), index.definition(), false)).toList(), specs.size(),
                largeAttributeThreshold);
    }

    @Override
    public AttributeIndexer without(BitSet numbers) {
        return new AttributeIndexer(schema, indexes.stream().filter(index -> !numbers.get(index.number())).toList(), specs.size(),
                largeAttributeThreshold);
    }

    /** The index of exactly this type, or null; none that is being built. */
    public IndexedAttribute index(AttributeType type) {
        return byType.get(type);
    }

    /** Whether an index has inline attributes. */
    public boolean hasInline() {
        return hasInline;
    }

    @Override
    public List<IndexSpec> indexes() {
        return List.copyOf(specs);
    }

    @Override
    public String fingerprint() {
        return currentFingerprint(KeyFingerprint.Form.WITH_RULES).toString();
    }

    /** The keys of the hierarchy depend on the types that are in names, and those of all entries are under the same rules. */
    @Override
    public String fingerprintOf(int index) {
        return indexes.stream().filter(each -> each.number() == index).findFirst()
                .map(each -> KeyFingerprint.ofIndex(each.definition(), schema, takingValuesOf, inline)).orElse("");
    }

    @Override
    public String whyDeriveAnew(String storedFingerprint) {
        KeyFingerprint.Difference difference = differenceFrom(storedFingerprint);
        return difference == null ? null : difference.why();
    }

    @Override
    public Set<String> indexesToDerive(String storedFingerprint) {
        KeyFingerprint.Difference difference = differenceFrom(storedFingerprint);
        return difference == null ? Set.of() : difference.indexes();
    }

    @Override
    public boolean dependsOnData(String storedFingerprint) {
        KeyFingerprint.Difference difference = differenceFrom(storedFingerprint);
        return difference != null && !difference.otherRules().isEmpty();
    }

    @Override
    public Set<String> indexesToDerive(String storedFingerprint, Snapshot kept) {
        KeyFingerprint.Difference difference = differenceFrom(storedFingerprint);
        if (difference == null || difference.otherRules().isEmpty()) {
            return indexesToDerive(storedFingerprint);
        }
        Set<AttributeType> types = difference.otherRules().stream().map(schema::attributeType).collect(Collectors.toSet());
        Set<String> names = new TreeSet<>(difference.indexes());
        return switch (new RuleUse(schema, types).in(kept)) {
            case NOTHING -> names;
            case IN_VALUES -> {
                indexes.stream().filter(index -> index.definition().hasKeysOfNames()).forEach(index -> names.add(index.definition().name()));
                yield names;
            }
            case IN_NAMES -> null;
        };
    }

    @Override
    public Set<String> indexesOfOtherSchema(String storedFingerprint) {
        KeyFingerprint.Difference difference = differenceFrom(storedFingerprint);
        return difference == null ? Set.of() : difference.bySchema();
    }

    private KeyFingerprint.Difference differenceFrom(String storedFingerprint) {
        KeyFingerprint stored = KeyFingerprint.parse(storedFingerprint);
        return currentFingerprint(stored.form()).differenceFrom(stored, schema);
    }

    @Override
    public String fingerprintFollowing(String storedFingerprint, boolean derivedAnew) {
        return currentFingerprint(KeyFingerprint.Form.WITH_RULES).following(KeyFingerprint.parse(storedFingerprint), derivedAnew)
                .toString();
    }

    KeyFingerprint currentFingerprint(KeyFingerprint.Form form) {
        return KeyFingerprint.of(form, schema, indexes, takingValuesOf, inline);
    }

    @Override
    public void forEachKey(EntryRecord record, KeyConsumer consumer) {
        forEachKey(record, allIndexes, consumer);
    }

    @Override
    public void forEachKeyOfEither(EntryRecord before, EntryRecord after, KeyConsumer ofBefore, KeyConsumer ofAfter) {
        BitSet indexes = changes.between(before, after);
        if (indexes.isEmpty()) {
            return;
        }
        forEachKey(before, indexes, ofBefore);
        forEachKey(after, indexes, ofAfter);
    }

    @Override
    public void forEachKey(EntryRecord record, BitSet wanted, KeyConsumer consumer) {
        if (wanted.get(HierarchyKeys.INDEX)) {
            consumer.accept(HierarchyKeys.INDEX, HierarchyKeys.rdn(record.parentId(), normalizedRdn(record)));
            consumer.accept(HierarchyKeys.INDEX, HierarchyKeys.children(record.parentId()));
        }
        KeyCollector keys = new KeyCollector(lists, inline, consumer);
        AttributeCursor cursor = record.cursor(true);
        while (cursor.next()) {
            collect(cursor, wanted, keys);
        }
        for (LargeAttribute attribute : record.largeAttributes()) {
            collectPresence(attribute, wanted, keys);
        }
        if (hasInline) {
            inline.addKeys(wanted, keys::list);
        }
        keys.forEachDistinct(specs.size());
    }

    private void collectPresence(LargeAttribute attribute, BitSet wanted, KeyCollector keys) {
        for (IndexedAttribute index : indexesOf(attribute.description())) {
            if (index.has(IndexKind.PRESENCE) && wanted.get(index.number())) {
                keys.add(index.number(), IndexKeys.presence());
            }
        }
    }

    private BitSet numbersOf(AttributeType type) {
        BitSet numbers = new BitSet();
        takingValuesOf.get(type).forEach(index -> numbers.set(index.number()));
        inline.targets(type).forEach(target -> numbers.set(target.index()));
        if (type == objectClass || type == accessRule) {
            numbers.set(HierarchyKeys.INDEX);
        }
        return numbers;
    }

    private List<IndexedAttribute> indexesOf(String description) {
        AttributeDescription known = schema.descriptionOrNull(description);
        return known == null ? List.of() : takingValuesOf.get(known.type());
    }

    @Override
    public byte[] identity(EntryRecord record) {
        byte[] uuid = EntryUuid.in(record);
        return uuid == null ? new byte[0] : uuid;
    }

    @Override
    public boolean hasValueTable() {
        return true;
    }

    @Override
    public EntryRecord split(EntryRecord record, SlotUse slots, ValueConsumer moved) {
        return record.length() < leastLargeBytes ? record : largeAttributes.split(record, slots, moved);
    }

    @Override
    public boolean mayStayLarge(EntryRecord record) {
        return largeAttributes.mayStayLarge(record);
    }

    @Override
    public boolean mayHaveLarge(EntryRecord record) {
        return largeAttributes.mayHaveLarge(record);
    }

    @Override
    public byte[] valueForm(String description, byte[] value) {
        return largeAttributes.form(description, value);
    }

    @Override
    public void forEachValueKey(String description, byte[] form, KeyConsumer consumer) {
        for (IndexedAttribute index : indexesOf(description)) {
            if (index.has(IndexKind.EQUALITY)) {
                consumer.accept(index.number(), IndexKeys.equality(form));
            }
        }
    }

    private byte[] normalizedRdn(EntryRecord record) {
        try {
            return Rdn.parse(schema, record.rdn()).normalized();
        } catch (DirectoryException e) {
            throw new StoreException(StoreException.Kind.CORRUPT, "an entry with the RDN \"" + record.rdn()
                    + "\", which is none: " + e.getMessage(), e);
        }
    }

    private void collect(AttributeCursor cursor, BitSet wanted, KeyCollector keys) {
        AttributeDescription description = schema.descriptionOrNull(cursor.bytes(), cursor.nameOffset(), cursor.nameLength());
        if (description == null) {
            return;
        }
        if (!indexesOf.get(description.type()).intersects(wanted)) {
            return;
        }
        List<byte[]> values = cursor.values();
        if (description.type() == objectClass && wanted.get(HierarchyKeys.INDEX)) {
            collectSpecial(values, keys);
        } else if (description.type() == accessRule && wanted.get(HierarchyKeys.INDEX)) {
            keys.add(HierarchyKeys.INDEX, HierarchyKeys.accessRules());
        }
        if (hasInline) {
            collectInline(description.type(), values, wanted, keys);
        }
        for (IndexedAttribute index : takingValuesOf.get(description.type())) {
            if (wanted.get(index.number())) {
                collect(index, values, keys);
            }
        }
    }

    private void collect(IndexedAttribute index, List<byte[]> values, KeyCollector keys) {
        if (index.has(IndexKind.PRESENCE)) {
            keys.add(index.number(), IndexKeys.presence());
        }
        for (byte[] value : values) {
            collect(index, value, keys);
        }
        if (index.has(IndexKind.EQUALITY)) {
            collectSuperclasses(index.type(), values, index.number(), keys);
        }
    }

    /** The keys by which searches find aliases, referral objects and subentries, whether or not object classes are indexed. */
    private void collectSpecial(List<byte[]> values, KeyCollector keys) {
        for (byte[] value : values) {
            ObjectClass known = schema.objectClass(value);
            if (known != null && known.isSubclassOf(alias)) {
                keys.add(HierarchyKeys.INDEX, HierarchyKeys.aliases());
            } else if (known != null && known.isSubclassOf(referral)) {
                keys.add(HierarchyKeys.INDEX, HierarchyKeys.referrals());
            } else if (known != null && known.isSubclassOf(subentry)) {
                keys.add(HierarchyKeys.INDEX, HierarchyKeys.subentries());
            }
        }
    }

    private void collect(IndexedAttribute index, byte[] value, KeyCollector keys) {
        try {
            if (index.has(IndexKind.EQUALITY)) {
                collectEquality(index.type(), value, index.number(), keys);
            }
            if (index.has(IndexKind.SUBSTRING)) {
                keys.addSubstrings(index.number(), index.type().substring().normalize(value));
            }
        } catch (DirectoryException e) {
            log.debug("a value of {} has no key in its index: {}", index.type().name(), e.getMessage());
        }
    }

    private void collectInline(AttributeType type, List<byte[]> values, BitSet wanted, KeyCollector keys) {
        for (InlineAttributes.Target target : inline.targets(type)) {
            if (wanted.get(target.index())) {
                values.forEach(value -> collectInline(target, value, keys));
                collectSuperclasses(target.type(), values, target.list(), keys);
            }
        }
    }

    private void collectInline(InlineAttributes.Target target, byte[] value, KeyCollector keys) {
        try {
            collectEquality(target.type(), value, target.list(), keys);
        } catch (DirectoryException e) {
            log.debug("a value of {} has no key where it is inline: {}", target.type().name(), e.getMessage());
        }
    }

    private static void collectEquality(AttributeType type, byte[] value, int list, KeyCollector keys)
            throws DirectoryException {
        keys.add(list, IndexKeys.equality(type.equality().normalize(value)));
    }

    /** Most entries list the superclasses of their classes: these have their keys already. */
    private void collectSuperclasses(AttributeType type, List<byte[]> values, int list, KeyCollector keys) {
        if (type != objectClass) {
            return;
        }
        for (byte[] missing : Superclasses.missing(schema, values)) {
            try {
                collectEquality(type, missing, list, keys);
            } catch (DirectoryException e) {
                throw new IllegalStateException("an object class of the schema has no valid name", e);
            }
        }
    }
}
