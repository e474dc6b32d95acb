package org.alder.partition.query;

import java.util.List;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.StoredName;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.filter.CandidateEntry;
import org.alder.partition.filter.FilterNode;
import org.alder.partition.request.Patience;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.store.LargeValues;

/**
 * An entry for a filter of so many items that testing it alone may take long: {@link Patience} is asked each so many items, all of which
 * begin with the record. One thread at a time.
 */
final class PatientEntry implements CandidateEntry {
    private static final int ASKED_EACH = 64;

    private final CandidateEntry inner;
    private final Patience patience;
    private int asked;

    private PatientEntry(CandidateEntry inner, Patience patience) {
        this.inner = inner;
        this.patience = patience;
    }

    /** The entry itself, where it is soon tested or somebody waits for ever. */
    static CandidateEntry of(CandidateEntry entry, FilterNode filter, Patience patience) {
        return patience == Patience.ENDLESS || filter.size() <= ASKED_EACH ? entry : new PatientEntry(entry, patience);
    }

    @Override
    public EntryRecord record() {
        if (++asked % ASKED_EACH == 0) {
            patience.checkOrGiveUp();
        }
        return inner.record();
    }

    @Override
    public StoredName name() {
        return inner.name();
    }

    @Override
    public String dn() {
        return inner.dn();
    }

    @Override
    public String dnTail() {
        return inner.dnTail();
    }

    @Override
    public List<byte[]> virtualValues(AttributeType type) {
        return inner.virtualValues(type);
    }

    @Override
    public boolean hasComputedValue(AttributeType type, byte[] form) {
        return inner.hasComputedValue(type, form);
    }

    @Override
    public AttributeAccess access() {
        return inner.access();
    }

    @Override
    public CandidateEntry entryAt(Dn other) {
        return inner.entryAt(other);
    }

    @Override
    public LargeValues largeValues() {
        return inner.largeValues();
    }
}
