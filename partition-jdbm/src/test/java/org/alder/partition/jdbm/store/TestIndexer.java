package org.alder.partition.jdbm.store;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.ValueKeys;

/** Indexes the hierarchy and the plain values of the named attributes, of which those with many values may be large. */
public final class TestIndexer implements EntryIndexer {
    /** An attribute that an entry keeps, whatever it is called. */
    static final String BORN = "born";

    private final List<String> attributes;
    private boolean capitals;
    /** The most values an attribute has in its record; 0 if there is no value table. */
    private int largeThreshold;
    private final List<IndexSpec> specs = new ArrayList<>();

    public TestIndexer(String... attributes) {
        this(1000, attributes);
    }

    public TestIndexer(int duplicateThreshold, String... attributes) {
        this.attributes = List.of(attributes);
        specs.add(new IndexSpec("hierarchy", duplicateThreshold, true));
        this.attributes.forEach(name -> specs.add(new IndexSpec(name, duplicateThreshold, name.equals("color"))));
    }

    private byte[] key(byte[] value) {
        String text = new String(value, StandardCharsets.UTF_8);
        return capitals ? text.toUpperCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8)
                : hasValueTable() ? lowerCase(text) : value;
    }

    private static byte[] lowerCase(String text) {
        return text.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8);
    }

    /** What it was born with, or the RDN: most entries of these tests have nothing else that is theirs alone. */
    @Override
    public byte[] identity(EntryRecord record) {
        return record.userAttributes().stream().filter(each -> each.description().equals(BORN)).map(each -> each.values().get(0)).findFirst()
                .orElseGet(record::rdnBytes);
    }

    @Override
    public List<IndexSpec> indexes() {
        return specs;
    }

    /** Values are keys as they are, or in capitals. */
    TestIndexer inCapitals() {
        TestIndexer other = new TestIndexer(specs.get(0).duplicateThreshold(), attributes.toArray(new String[0]));
        other.capitals = true;
        return hasValueTable() ? other.withValueTable(largeThreshold) : other;
    }

    /** The same with a value table, for indexed attributes with more values than the threshold; case does not matter then. */
    TestIndexer withValueTable(int threshold) {
        largeThreshold = threshold;
        specs.add(ValueKeys.INDEX, new IndexSpec(ValueKeys.NAME, specs.get(0).duplicateThreshold()));
        return this;
    }

    /** The same without a primary key, as most indexes are. */
    TestIndexer withoutPrimaryKey() {
        specs.replaceAll(spec -> new IndexSpec(spec.name(), spec.duplicateThreshold()));
        return this;
    }

    @Override
    public String fingerprint() {
        return EntryIndexer.super.fingerprint() + (capitals ? " in capitals" : "");
    }

    @Override
    public void forEachKey(EntryRecord record, KeyConsumer consumer) {
        byte[] rdn = record.rdn().toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8);
        consumer.accept(HierarchyKeys.INDEX, HierarchyKeys.rdn(record.parentId(), rdn));
        consumer.accept(HierarchyKeys.INDEX, HierarchyKeys.children(record.parentId()));
        for (Attribute attribute : record.userAttributes()) {
            int index = index(attribute.description());
            Set<String> seen = new HashSet<>();
            for (byte[] value : attribute.values()) {
                if (index > 0 && value.length > 0 && seen.add(java.util.HexFormat.of().formatHex(value))) {
                    consumer.accept(index, key(value));
                }
            }
        }
    }

    /** 0 if the attribute is not indexed. */
    private int index(String description) {
        int position = attributes.indexOf(description);
        return position < 0 ? 0 : position + (hasValueTable() ? ValueKeys.INDEX : HierarchyKeys.INDEX) + 1;
    }

    @Override
    public boolean hasValueTable() {
        return largeThreshold > 0;
    }

    @Override
    public EntryRecord split(EntryRecord record, SlotUse slots, ValueConsumer moved) {
        List<LargeAttribute> large = new ArrayList<>();
        for (Attribute attribute : record.userAttributes()) {
            if (hasValueTable() && index(attribute.description()) > 0 && attribute.values().size() > largeThreshold) {
                int slot = attributes.indexOf(attribute.description());
                LargeAttribute one = LargeAttribute.of(slot, attribute.description(), attribute.values());
                large.add(one);
                attribute.values().forEach(value -> moved.accept(one, valueForm(one.description(), value), value));
            }
        }
        return large.isEmpty() ? record : record.withLarge(large);
    }

    @Override
    public boolean mayStayLarge(EntryRecord record) {
        return record.largeAttributes().stream().allMatch(attribute -> attribute.count() > largeThreshold);
    }

    @Override
    public byte[] valueForm(String description, byte[] value) {
        return lowerCase(new String(value, StandardCharsets.UTF_8));
    }

    @Override
    public void forEachValueKey(String description, byte[] form, KeyConsumer consumer) {
        consumer.accept(index(description), key(form));
    }
}
