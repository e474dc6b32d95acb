package org.alder.partition.update;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.Csn;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.store.WriteContext;
import org.alder.partition.store.WriteContextFilter;

/**
 * A transaction whose every changed entry gets the transaction's change sequence number, whoever changes it and however often.
 * One thread, inside the transaction.
 */
final class StampedWrites extends WriteContextFilter {
    private final byte[] csn;
    /** The entries that have the number already. */
    private final Set<Long> stamped = new HashSet<>();

    StampedWrites(WriteContext inner) {
        super(inner);
        this.csn = inner.csn().bytes();
    }

    @Override
    public void add(long id, EntryRecord record) {
        stamped.add(id);
        super.add(id, record);
    }

    /** The entry as it is to be added: one that brings a number keeps it. */
    static EntryRecord placed(EntryRecord prepared, long parentId, Csn csn) {
        return prepared.withParent(parentId, Csn.in(prepared) != null ? List.of()
                : List.of(new Attribute(Csn.ENTRY_CSN, List.of(csn.bytes()))));
    }

    @Override
    public void modify(long id, List<AttributeDelta> deltas) {
        super.modify(id, stamp(id, deltas));
    }

    @Override
    public void rename(long id, long newParentId, byte[] rdn, List<AttributeDelta> deltas) {
        super.rename(id, newParentId, rdn, stamp(id, deltas));
    }

    private List<AttributeDelta> stamp(long id, List<AttributeDelta> deltas) {
        boolean first = stamped.add(id);
        boolean brought = deltas.stream().anyMatch(StampedWrites::isStamp);
        if (first == brought) {
            return deltas;
        }
        List<AttributeDelta> result = new ArrayList<>(deltas);
        if (first) {
            byte[] before = Csn.in(state().entry(id));
            result.add(new AttributeDelta(Csn.ENTRY_CSN, true, before == null ? List.of() : List.of(before), List.of(csn)));
        } else {
            result.removeIf(StampedWrites::isStamp);
        }
        return result;
    }

    private static boolean isStamp(AttributeDelta delta) {
        return delta.operational() && delta.description().equalsIgnoreCase(Csn.ENTRY_CSN);
    }

    @Override
    public void takeBack() {
        stamped.clear();
        super.takeBack();
    }
}
