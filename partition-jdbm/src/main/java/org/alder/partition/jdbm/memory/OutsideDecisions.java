package org.alder.partition.jdbm.memory;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.log.Outside;
import org.alder.partition.store.EntryIndexer;

/**
 * What is decided about large attributes while one operation is made to an entry: by the indexer, and kept so that it is logged;
 * or as it was logged, without asking the indexer, whose schema may be another one by now. One thread, one operation.
 */
final class OutsideDecisions {
    private final EntryIndexer indexer;
    private final ChangeHeap heap;
    private final Outside logged;
    private final List<Outside.Moved> moved = new ArrayList<>(0);
    private final List<byte[]> forms = new ArrayList<>(0);
    private boolean madeWhole;
    private int nextForm;

    /** @param logged null if the indexer decides */
    OutsideDecisions(Outside logged, EntryIndexer indexer, ChangeHeap heap) {
        this.logged = logged;
        this.indexer = indexer;
        this.heap = heap;
    }

    /** What was decided. */
    Outside outside() {
        return logged != null ? logged : !madeWhole && moved.isEmpty() && forms.isEmpty() ? Outside.NONE
                : new Outside(madeWhole, moved, forms);
    }

    /**
     * Whether an entry with large attributes has to have all values in its record before the deltas are applied.
     *
     * @param changed the record with the deltas applied, which knows only how many values a large attribute has
     */
    boolean makesWhole(EntryRecord before, EntryRecord changed, List<AttributeDelta> deltas) {
        if (logged != null) {
            return logged.madeWhole();
        }
        madeWhole = !indexer.mayStayLarge(changed);
        for (int i = 0; i < deltas.size() && !madeWhole; i++) {
            AttributeDelta delta = deltas.get(i);
            LargeAttribute large = delta.operational() ? null : before.largeAttribute(delta.description());
            if (large != null && !large.isEmptiedBy(delta)) {
                madeWhole = !haveForms(delta.description(), delta.removed()) || !haveForms(delta.description(), delta.added());
            }
        }
        if (madeWhole) {
            forms.clear();
        }
        return madeWhole;
    }

    private boolean haveForms(String description, List<byte[]> values) {
        for (byte[] value : values) {
            byte[] form = indexer.valueForm(description, value);
            if (form == null) {
                return false;
            }
            keep(form);
        }
        return true;
    }

    private void keep(byte[] form) {
        heap.takeForm(form);
        forms.add(form);
    }

    /** The form of the next value of a delta. */
    byte[] nextForm() {
        List<byte[]> known = logged == null ? forms : logged.forms();
        if (nextForm == known.size()) {
            throw new StoreException(StoreException.Kind.CORRUPT, "the log has " + known.size()
                    + " normal forms of values of a large attribute, and one more value");
        }
        return known.get(nextForm++);
    }

    /** Moves what is too large out of the record. */
    EntryRecord moveOut(EntryRecord record, EntryIndexer.SlotUse slots, EntryIndexer.ValueConsumer consumer) {
        return logged == null ? indexer.split(record, slots, (attribute, form, value) -> {
            if (moved.isEmpty() || moved.get(moved.size() - 1).slot() != attribute.slot()) {
                moved.add(new Outside.Moved(attribute.slot(), attribute.description()));
            }
            keep(form);
            consumer.accept(attribute, form, value);
        }) : moveOutAsLogged(record, consumer);
    }

    private EntryRecord moveOutAsLogged(EntryRecord record, EntryIndexer.ValueConsumer consumer) {
        if (logged.moved().isEmpty()) {
            return record;
        }
        List<Attribute> attributes = record.userAttributes();
        List<LargeAttribute> large = new ArrayList<>(1);
        for (Outside.Moved one : logged.moved()) {
            List<byte[]> values = attributes.stream().filter(attribute -> attribute.description().equals(one.description()))
                    .findFirst().map(Attribute::values).orElseThrow(() -> new StoreException(StoreException.Kind.CORRUPT,
                            "the log moves " + one.description() + " out of a record that has no such attribute"));
            LargeAttribute attribute = LargeAttribute.of(one.slot(), one.description(), values);
            large.add(attribute);
            values.forEach(value -> consumer.accept(attribute, nextForm(), value));
        }
        return record.withLarge(large);
    }
}
