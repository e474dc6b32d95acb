package org.alder.partition.jdbm.store;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.HierarchyKeys;

/** Indexes the hierarchy and the plain values of the named attributes. */
public final class TestIndexer implements EntryIndexer {
    private final List<String> attributes;
    private boolean capitals;
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
        return capitals ? text.toUpperCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8) : value;
    }

    @Override
    public List<IndexSpec> indexes() {
        return specs;
    }

    /** Values are keys as they are, or in capitals. */
    TestIndexer inCapitals() {
        TestIndexer other = new TestIndexer(specs.get(0).duplicateThreshold(), attributes.toArray(new String[0]));
        other.capitals = true;
        return other;
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
            int index = attributes.indexOf(attribute.description()) + 1;
            Set<String> seen = new HashSet<>();
            for (byte[] value : attribute.values()) {
                if (index > 0 && value.length > 0 && seen.add(java.util.HexFormat.of().formatHex(value))) {
                    consumer.accept(index, key(value));
                }
            }
        }
    }
}
