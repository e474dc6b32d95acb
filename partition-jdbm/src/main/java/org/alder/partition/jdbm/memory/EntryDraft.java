package org.alder.partition.jdbm.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
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
import org.alder.partition.jdbm.log.Operation;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.KeyRange;
import org.alder.partition.store.ValueKeys;

/**
 * One entry while the operations of a transaction are made to it: its record, and which keys of the value table it gets and
 * loses. A change of values of a large attribute looks at these values only. One thread.
 */
final class EntryDraft {
    private final long id;
    private final LayerStack state;
    private final EntryIndexer indexer;
    private final ChangeHeap heap;
    private final EntryRecord before;
    private EntryRecord after;
    private final NavigableSet<byte[]> addedValues = new TreeSet<>(Arrays::compareUnsigned);
    private final NavigableSet<byte[]> removedValues = new TreeSet<>(Arrays::compareUnsigned);
    /** A slot stands for one attribute until the transaction is over: its keys before and after are compared. */
    private final Map<Integer, String> slots = new HashMap<>(2);

    /** @param before the entry in the state, or null */
    EntryDraft(long id, EntryRecord before, LayerStack state, EntryIndexer indexer, ChangeHeap heap) {
        this.id = id;
        this.heap = heap;
        this.before = before;
        this.after = before;
        this.state = state;
        this.indexer = indexer;
        if (before != null) {
            before.largeAttributes().forEach(attribute -> slots.put(attribute.slot(), attribute.description()));
        }
    }

    boolean exists() {
        return after != null;
    }

    EntryChange change() {
        return new EntryChange(id, before, after);
    }

    /** Makes an operation, and returns it with what was decided about values outside of the record. */
    Operation apply(Operation operation) {
        if (operation instanceof Operation.Delete) {
            removeAllValues();
            after = null;
            return operation;
        }
        OutsideDecisions decisions = new OutsideDecisions(operation.outside(), indexer, heap);
        if (operation instanceof Operation.Add add) {
            after = moveOut(add.entry(), decisions);
        } else if (operation instanceof Operation.Modify modify) {
            change(after.apply(modify.deltas()), modify.deltas(), decisions);
        } else if (operation instanceof Operation.Rename rename) {
            change(after.moved(rename.newParentId(), rename.rdn(), rename.deltas()), rename.deltas(), decisions);
        }
        return operation.with(decisions.outside());
    }

    /** @param changed the record with the changes, which knows only how many values a large attribute has */
    private void change(EntryRecord changed, List<AttributeDelta> deltas, OutsideDecisions decisions) {
        EntryRecord next = changed;
        if (after.hasLarge() && decisions.makesWhole(after, changed, deltas)) {
            next = takeWhole().moved(changed.parentId(), changed.rdnBytes(), deltas);
        } else if (after.hasLarge()) {
            deltas.stream().filter(delta -> !delta.operational()).forEach(delta -> changeValues(delta, decisions));
        }
        after = moveOut(next, decisions);
    }

    private EntryRecord moveOut(EntryRecord record, OutsideDecisions decisions) {
        return decisions.moveOut(record, this::isTaken, (attribute, form, value) -> {
            slots.put(attribute.slot(), attribute.description());
            add(ValueKeys.key(id, attribute.slot(), form, value));
        });
    }

    private boolean isTaken(int slot, String description) {
        return !slots.getOrDefault(slot, description).equals(description);
    }

    /** The way back into the record, at the cost of all values. */
    private EntryRecord takeWhole() {
        heap.requireRoomToRemove(after.largeAttributes());
        List<Attribute> large = new ArrayList<>();
        for (LargeAttribute attribute : after.largeAttributes()) {
            List<byte[]> values = new ArrayList<>();
            forEachKey(ValueKeys.ofAttribute(id, attribute.slot()), key -> values.add(ValueKeys.value(key)));
            large.add(new Attribute(attribute.description(), values));
        }
        EntryRecord whole = after.whole(large);
        removeAllValues();
        return whole;
    }

    private void changeValues(AttributeDelta delta, OutsideDecisions decisions) {
        LargeAttribute attribute = after.largeAttribute(delta.description());
        if (attribute == null) {
            return;
        }
        if (attribute.isEmptiedBy(delta)) {
            heap.requireRoomToRemove(List.of(attribute));
            requireAll(attribute, delta.removed().size(), removeValues(ValueKeys.ofAttribute(id, attribute.slot())));
            return;
        }
        for (byte[] value : delta.removed()) {
            removeValue(attribute, decisions.nextForm(), value);
        }
        for (byte[] value : delta.added()) {
            addValue(attribute, decisions.nextForm(), value);
        }
    }

    private void requireAll(LargeAttribute attribute, long wanted, long removed) {
        if (wanted != removed) {
            throw new StoreException(StoreException.Kind.CORRUPT, "attribute " + attribute.description() + " has " + removed
                    + " values in the value table, all " + wanted + " are to be removed from entry " + id);
        }
    }

    private void removeValue(LargeAttribute attribute, byte[] form, byte[] value) {
        byte[] key = ValueKeys.key(id, attribute.slot(), form, value);
        boolean found = addedValues.contains(key)
                || !removedValues.contains(key) && state.netCardinality(ValueKeys.INDEX, key) != 0;
        if (!found) {
            throw new StoreException(StoreException.Kind.CORRUPT, "attribute " + attribute.description()
                    + " has not a value that is to be removed from entry " + id);
        }
        remove(key);
    }

    private void addValue(LargeAttribute attribute, byte[] form, byte[] value) {
        if (isThere(ValueKeys.ofForm(id, attribute.slot(), form))) {
            throw new StoreException(StoreException.Kind.CORRUPT, "attribute " + attribute.description()
                    + " already has a value that is to be added to entry " + id);
        }
        add(ValueKeys.key(id, attribute.slot(), form, value));
    }

    /** Whether the entry has a key that begins so, as of now; no two keys do. */
    private boolean isThere(byte[] prefix) {
        byte[] added = addedValues.ceiling(prefix);
        if (added != null && ValueKeys.startsWith(added, prefix)) {
            return true;
        }
        KeyDeltaCursor keys = state.keys(ValueKeys.INDEX, KeyRange.ofPrefix(prefix));
        return keys.next() && !removedValues.contains(keys.key());
    }

    private void add(byte[] key) {
        if (!removedValues.remove(key)) {
            heap.takeValue();
            addedValues.add(key);
        }
    }

    private void remove(byte[] key) {
        if (!addedValues.remove(key)) {
            heap.takeValue();
            removedValues.add(key);
        }
    }

    private void removeAllValues() {
        if (after.hasLarge()) {
            heap.requireRoomToRemove(after.largeAttributes());
            removeValues(ValueKeys.ofEntry(id));
        }
    }

    /** @return how many they were */
    private int removeValues(byte[] prefix) {
        List<byte[]> keys = new ArrayList<>();
        forEachKey(prefix, keys::add);
        keys.forEach(this::remove);
        return keys.size();
    }

    /** The entry's keys in the value table that begin so, as of now. */
    private void forEachKey(byte[] prefix, Consumer<byte[]> consumer) {
        KeyDeltaCursor keys = state.keys(ValueKeys.INDEX, KeyRange.ofPrefix(prefix));
        while (keys.next()) {
            if (!removedValues.contains(keys.key())) {
                consumer.accept(keys.key());
            }
        }
        addedValues.tailSet(prefix, true).stream().takeWhile(key -> ValueKeys.startsWith(key, prefix)).forEach(consumer);
    }

    /**
     * The difference of all index keys between before and now, each key once. Only the side with fewer values is held in memory.
     */
    void forEachKeyChange(Consumer<KeyChange> consumer) {
        heap.takeEntry(after);
        if (before == null && addedValues.isEmpty() && removedValues.isEmpty()) {
            forEachNewKey(consumer);
            return;
        }
        boolean holdsAfter = removedValues.size() > addedValues.size();
        Set<IndexKey> held = new LinkedHashSet<>();
        List<IndexKey> compared = new ArrayList<>();
        forEachRecordKey(holdsAfter ? compared::add : held::add, holdsAfter ? held::add : compared::add);
        forEachValueKey(holdsAfter, key -> {
            heap.takeHeld();
            held.add(key);
        });
        Consumer<IndexKey> compare = key -> {
            if (!held.remove(key)) {
                consumer.accept(change(key, !holdsAfter));
            }
        };
        compared.forEach(compare);
        forEachValueKey(!holdsAfter, compare);
        held.forEach(key -> consumer.accept(change(key, holdsAfter)));
    }

    /** Of an entry that was not there and has all in its record there is nothing to compare: each key is new, and given once. */
    private void forEachNewKey(Consumer<KeyChange> consumer) {
        if (after != null) {
            indexer.forEachKey(after, new NewKeys(consumer));
        }
    }

    private KeyChange change(IndexKey key, boolean added) {
        return change(key.index(), key.key(), added);
    }

    private KeyChange change(int index, byte[] key, boolean added) {
        heap.takeKey(key);
        return new KeyChange(index, key, id, added);
    }

    /** The keys of the records, but for those that neither loses nor gets. */
    private void forEachRecordKey(Consumer<IndexKey> ofBefore, Consumer<IndexKey> ofAfter) {
        EntryIndexer.KeyConsumer left = new HeldKeys(ofBefore);
        EntryIndexer.KeyConsumer right = new HeldKeys(ofAfter);
        if (before != null && after != null) {
            indexer.forEachKeyOfEither(before, after, left, right);
        } else if (before != null) {
            indexer.forEachKey(before, left);
        } else if (after != null) {
            indexer.forEachKey(after, right);
        }
    }

    /** The keys of the values of large attributes that are there now and were not before, or the other way round. */
    private void forEachValueKey(boolean ofAfter, Consumer<IndexKey> consumer) {
        Set<byte[]> values = ofAfter ? addedValues : removedValues;
        List<LargeAttribute> large = values.isEmpty() ? List.of() : (ofAfter ? after : before).largeAttributes();
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

    private void requireRoomForKeys(int index, long heapBytes) {
        if (!heap.hasRoom(heapBytes)) {
            throw heap.tooLarge("the index keys of the values of " + indexer.indexes().get(index).name() + " take ", heapBytes);
        }
    }

    /** Makes changes of the keys of a new entry. */
    private final class NewKeys implements EntryIndexer.KeyConsumer {
        private final Consumer<KeyChange> target;

        private NewKeys(Consumer<KeyChange> target) {
            this.target = target;
        }

        @Override
        public void accept(int index, byte[] key) {
            target.accept(change(index, key, true));
        }

        @Override
        public void gathering(int index, long heapBytes) {
            requireRoomForKeys(index, heapBytes);
        }
    }

    /** Hands on the keys of one record as long as there is room for them. */
    private final class HeldKeys implements EntryIndexer.KeyConsumer {
        private final Consumer<IndexKey> target;
        private long bytes;

        private HeldKeys(Consumer<IndexKey> target) {
            this.target = target;
        }

        @Override
        public void accept(int index, byte[] key) {
            bytes += ChangeHeap.heldBytes(key);
            gathering(index, bytes);
            target.accept(new IndexKey(index, key));
        }

        @Override
        public void gathering(int index, long heapBytes) {
            requireRoomForKeys(index, heapBytes);
        }
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
