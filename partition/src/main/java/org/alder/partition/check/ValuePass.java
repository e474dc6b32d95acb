package org.alder.partition.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.KeyRange;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.ValueKeys;
import org.roaringbitmap.RoaringBitmap;

/**
 * Holds the value table against the records: each value belongs to an attribute that its entry's record lists as large, under
 * its normal form, and there are as many, with as many bytes, as the record says. Told all keys in their order. One thread.
 */
final class ValuePass {
    private final Snapshot snapshot;
    private final EntryIndexer indexer;
    private final Findings findings;
    private final PostingSums sums;
    /** Entries with large attributes whose values did not come yet. */
    private final RoaringBitmap waiting;
    private final List<LargeAttribute> unseen = new ArrayList<>();
    private long entryId;
    private LargeAttribute attribute;
    private int slot = -1;
    private long count;
    private long valueBytes;

    /** @param entriesWithLarge entries whose records list large attributes; not changed */
    ValuePass(Snapshot snapshot, EntryIndexer indexer, Findings findings, PostingSums sums, RoaringBitmap entriesWithLarge) {
        this.snapshot = snapshot;
        this.indexer = indexer;
        this.findings = findings;
        this.sums = sums;
        this.waiting = entriesWithLarge.clone();
    }

    void check(byte[] key, IdSet ids) {
        try {
            long id = ValueKeys.entryId(key);
            int keySlot = ValueKeys.slot(key);
            if (id != entryId) {
                enterEntry(id);
            }
            if (keySlot != slot) {
                enterAttribute(keySlot);
            }
            checkValue(key, ids);
        } catch (StoreException e) {
            Findings.requireDamage(e);
            findings.key(Problem.Kind.BAD_VALUE, 0, ValueKeys.INDEX, key, e.getMessage());
        }
    }

    private void enterEntry(long id) {
        leaveEntry();
        entryId = id;
        if (id > 0 && id <= IdSet.MAX_ID) {
            waiting.remove((int) id);
            EntryRecord record = snapshot.entry(id);
            unseen.addAll(record == null ? List.of() : record.largeAttributes());
        }
    }

    private void leaveEntry() {
        leaveAttribute();
        unseen.forEach(missing -> findings.entry(Problem.Kind.WRONG_VALUES, entryId, "the value table has no values of "
                + missing.description() + ", the record says " + missing.count()));
        unseen.clear();
    }

    private void enterAttribute(int newSlot) {
        leaveAttribute();
        slot = newSlot;
        attribute = unseen.stream().filter(one -> one.slot() == newSlot).findFirst().orElse(null);
        unseen.remove(attribute);
        if (attribute == null) {
            findings.entry(Problem.Kind.WRONG_VALUES, entryId, "the value table has values in slot " + newSlot
                    + (snapshot.entry(entryId) == null ? ", there is no such entry" : ", which the record does not list"));
        }
    }

    private void leaveAttribute() {
        if (attribute != null && (count != attribute.count() || valueBytes != attribute.valueBytes())) {
            findings.entry(Problem.Kind.WRONG_VALUES, entryId, "the value table has " + count + " values of "
                    + attribute.description() + " with " + valueBytes + " bytes, the record says " + attribute.count() + " with "
                    + attribute.valueBytes());
        }
        attribute = null;
        slot = -1;
        count = 0;
        valueBytes = 0;
    }

    private void checkValue(byte[] key, IdSet ids) {
        byte[] value = ValueKeys.value(key);
        count++;
        valueBytes += LargeAttribute.encodedBytes(value);
        if (ids.cardinality() != 1 || ids.iterator().next() != entryId) {
            findings.key(Problem.Kind.BAD_VALUE, entryId, ValueKeys.INDEX, key, "the key's set has " + ids.cardinality()
                    + " IDs, expected entry " + entryId + " alone");
        }
        if (attribute == null) {
            return;
        }
        byte[] form = indexer.valueForm(attribute.description(), value);
        if (form == null || !Arrays.equals(key, ValueKeys.key(entryId, slot, form, value))) {
            findings.key(Problem.Kind.BAD_VALUE, entryId, ValueKeys.INDEX, key, "the value of " + attribute.description()
                    + " is not under its normal form");
        }
        indexer.forEachValueKey(attribute.description(), ValueKeys.form(key),
                (index, derived) -> sums.add(PostingSums.hash(index, derived), entryId));
    }

    /** After the last key. */
    void finish() {
        leaveEntry();
        for (IdSet.IdIterator ids = IdSet.wrap(waiting).iterator(); ids.hasNext() && !findings.isFull();) {
            enterEntry(ids.next());
            leaveEntry();
        }
    }

    /** Calls the consumer with the attribute and the key of each value that belongs to one; what else is there was reported. */
    static void forEachValue(Snapshot snapshot, EntryIndexer indexer, BiConsumer<LargeAttribute, byte[]> consumer) {
        if (!indexer.hasValueTable()) {
            return;
        }
        long id = 0;
        List<LargeAttribute> large = List.of();
        try (Snapshot.KeyCursor keys = snapshot.keys(ValueKeys.INDEX, KeyRange.ALL)) {
            while (keys.next()) {
                byte[] key = keys.key();
                if (!ValueKeys.isKey(key)) {
                    continue;
                }
                if (ValueKeys.entryId(key) != id) {
                    id = ValueKeys.entryId(key);
                    EntryRecord record = snapshot.entry(id);
                    large = record == null ? List.of() : record.largeAttributes();
                }
                large.stream().filter(one -> one.slot() == ValueKeys.slot(key)).forEach(one -> consumer.accept(one, key));
            }
        }
    }
}
