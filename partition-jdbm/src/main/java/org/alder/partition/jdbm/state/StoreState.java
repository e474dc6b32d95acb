package org.alder.partition.jdbm.state;

import org.alder.partition.store.SystemRecords;

/**
 * What a new snapshot reads.
 *
 * @param sequence the newest acknowledged transaction
 * @param timeMillis when that was, since 1970; never before an earlier one's
 * @param entries  the number of live entries at that sequence
 * @param dnMemo   the DNs known for this state
 * @param records  what is kept beside the entries
 */
public record StoreState(long sequence, long timeMillis, long entries, LayerSet layers, BoundedDnMemo dnMemo, SystemRecords records) {
    /** The same state as other layers have it. */
    public StoreState withLayers(LayerSet other) {
        return new StoreState(sequence, timeMillis, entries, other, dnMemo, records);
    }
}
