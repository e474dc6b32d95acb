package org.alder.partition.jdbm.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.layer.KeyDeltaCursor;
import org.alder.partition.jdbm.layer.LayerStack;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.ValueKeys;

/**
 * One entry while the operations of a transaction are made to it: its record, and which keys of the value table it gets and
 * loses. A change of values of a large attribute looks at these values only. One thread.
 */
final class EntryDraft {
    private final long id;
    private final LayerStack state;
    private final EntryIndexer indexer;
    private final EntryRecord before;
    private EntryRecord after;
    private final NavigableSet<byte[]> addedValues = new TreeSet<>(Arrays::compareUnsigned);
    private final NavigableSet<byte[]> removedValues = new TreeSet<>(Arrays::compareUnsigned);

    /** @param before the entry in the state, or null */
    EntryDraft(long id, EntryRecord before, LayerStack state, EntryIndexer indexer) {
        this.id = id;
        this.before = before;
        this.after = before;
        this.state = state;
        this.indexer = indexer;
    }

    boolean exists() {
        return after != null;
    }

    EntryChange change() {
        return new EntryChange(id, before, after);
    }

    void add(EntryRecord record) {
        after = split(record);
    }

    void delete() {
        removeAllValues();
        after = null;
    }

    void modify(List<AttributeDelta> deltas) {
        change(after.apply(deltas), deltas);
    }

    void rename(long newParentId, byte[] rdn, List<AttributeDelta> deltas) {
        change(after.moved(newParentId, rdn, deltas), deltas);
    }

    /** @param changed the record with the changes, which knows only how many values a large attribute has */
    private void change(EntryRecord changed, List<AttributeDelta> deltas) {
        if (after.hasLarge()) {
            if (!indexer.mayStayLarge(changed) || !haveForms(changed, deltas)) {
                makeWhole(changed.parentId(), changed.rdnBytes(), deltas);
                return;
            }
            deltas.stream().filter(delta -> !delta.operational()).forEach(delta -> changeValues(changed, delta));
        }
        after = split(changed);
    }

    private boolean haveForms(EntryRecord changed, List<AttributeDelta> deltas) {
        return deltas.stream().filter(delta -> changed.largeAttribute(delta.description()) != null)
                .allMatch(delta -> delta.added().stream().allMatch(value -> form(delta.description(), value) != null));
    }

    private byte[] form(String description, byte[] value) {
        return indexer.valueForm(description, value);
    }

    /** The way back into the record, at the cost of all values. */
    private void makeWhole(long parentId, byte[] rdn, List<AttributeDelta> deltas) {
        List<Attribute> large = new ArrayList<>();
        for (LargeAttribute attribute : after.largeAttributes()) {
            List<byte[]> values = new ArrayList<>();
            forEachKey(ValueKeys.ofAttribute(id, attribute.slot()), key -> values.add(ValueKeys.value(key)));
            large.add(new Attribute(attribute.description(), values));
        }
        EntryRecord whole = after.whole(large);
        removeAllValues();
        after = split(whole.moved(parentId, rdn, deltas));
    }

    private void changeValues(EntryRecord changed, AttributeDelta delta) {
        LargeAttribute attribute = after.largeAttribute(delta.description());
        if (attribute == null) {
            return;
        }
        for (byte[] value : delta.removed()) {
            removeValue(attribute, value);
        }
        if (changed.largeAttribute(delta.description()) != null) {
            for (byte[] value : delta.added()) {
                addValue(attribute, value);
            }
        }
    }

    private void removeValue(LargeAttribute attribute, byte[] value) {
        byte[] form = form(attribute.description(), value);
        byte[] key = form == null ? null : ValueKeys.key(id, attribute.slot(), form, value);
        if (key == null || !Arrays.equals(key, existing(ValueKeys.ofForm(id, attribute.slot(), form)))) {
            throw new StoreException(StoreException.Kind.CORRUPT, "attribute " + attribute.description()
                    + " has not a value that is to be removed from entry " + id);
        }
        remove(key);
    }

    private void addValue(LargeAttribute attribute, byte[] value) {
        byte[] form = form(attribute.description(), value);
        if (existing(ValueKeys.ofForm(id, attribute.slot(), form)) != null) {
            throw new StoreException(StoreException.Kind.CORRUPT, "attribute " + attribute.description()
                    + " already has a value that is to be added to entry " + id);
        }
        add(ValueKeys.key(id, attribute.slot(), form, value));
    }

    /** The entry's key that begins so, as of now; null if there is none. */
    private byte[] existing(byte[] prefix) {
        byte[] added = addedValues.ceiling(prefix);
        if (added != null && ValueKeys.startsWith(added, prefix)) {
            return added;
        }
        KeyDeltaCursor keys = state.keys(ValueKeys.INDEX, prefix);
        boolean found = keys.next() && ValueKeys.startsWith(keys.key(), prefix) && !removedValues.contains(keys.key());
        return found ? keys.key() : null;
    }

    private void add(byte[] key) {
        if (!removedValues.remove(key)) {
            addedValues.add(key);
        }
    }

    private void remove(byte[] key) {
        if (!addedValues.remove(key)) {
            removedValues.add(key);
        }
    }

    private void removeAllValues() {
        if (after.hasLarge()) {
            List<byte[]> keys = new ArrayList<>();
            forEachKey(ValueKeys.ofEntry(id), keys::add);
            keys.forEach(this::remove);
        }
    }

    /** The entry's keys in the value table that begin so, as of now. */
    private void forEachKey(byte[] prefix, Consumer<byte[]> consumer) {
        KeyDeltaCursor keys = state.keys(ValueKeys.INDEX, prefix);
        while (keys.next() && ValueKeys.startsWith(keys.key(), prefix)) {
            if (!removedValues.contains(keys.key())) {
                consumer.accept(keys.key());
            }
        }
        addedValues.tailSet(prefix, true).stream().takeWhile(key -> ValueKeys.startsWith(key, prefix)).forEach(consumer);
    }

    private EntryRecord split(EntryRecord record) {
        return indexer.split(record,
                (attribute, form, value) -> add(ValueKeys.key(id, attribute.slot(), form, value)));
    }

    /** The difference of all index keys between before and now, each key once. */
    void forEachKeyChange(Consumer<KeyChange> consumer) {
        Set<IndexKey> gone = new LinkedHashSet<>();
        Consumer<IndexKey> ofAfter = key -> {
            if (!gone.remove(key)) {
                consumer.accept(new KeyChange(key.index(), key.key(), id, true));
            }
        };
        forEachValueKey(before, removedValues, gone::add);
        if (before != null && after != null) {
            indexer.forEachKeyOfEither(before, after, (index, key) -> gone.add(new IndexKey(index, key)),
                    (index, key) -> ofAfter.accept(new IndexKey(index, key)));
        } else if (before != null) {
            indexer.forEachKey(before, (index, key) -> gone.add(new IndexKey(index, key)));
        } else if (after != null) {
            indexer.forEachKey(after, (index, key) -> ofAfter.accept(new IndexKey(index, key)));
        }
        forEachValueKey(after, addedValues, ofAfter);
        gone.forEach(key -> consumer.accept(new KeyChange(key.index(), key.key(), id, false)));
    }

    /** The keys of the values of the record's large attributes that changed. */
    private void forEachValueKey(EntryRecord record, Set<byte[]> values, Consumer<IndexKey> consumer) {
        List<LargeAttribute> large = values.isEmpty() ? List.of() : record.largeAttributes();
        for (byte[] value : values) {
            consumer.accept(new IndexKey(ValueKeys.INDEX, value));
            indexer.forEachValueKey(description(large, ValueKeys.slot(value)), ValueKeys.form(value),
                    (index, key) -> consumer.accept(new IndexKey(index, key)));
        }
    }

    private String description(List<LargeAttribute> large, int slot) {
        for (LargeAttribute attribute : large) {
            if (attribute.slot() == slot) {
                return attribute.description();
            }
        }
        throw new StoreException(StoreException.Kind.CORRUPT, "the value table has values of entry " + id + " in slot " + slot
                + ", which its record does not name");
    }

    private record IndexKey(int index, byte[] key) {
        @Override
        public boolean equals(Object other) {
            return other instanceof IndexKey that && index == that.index && Arrays.equals(key, that.key);
        }

        @Override
        public int hashCode() {
            return 31 * Arrays.hashCode(key) + index;
        }
    }
}
