package org.alder.partition.jdbm.store;

/**
 * What a new snapshot reads.
 *
 * @param sequence the newest acknowledged transaction
 * @param entries  the number of live entries at that sequence
 * @param dnMemo   the DNs known for this state
 */
record StoreState(long sequence, long entries, LayerSet layers, BoundedDnMemo dnMemo) {
    StoreState withLayers(LayerSet other) {
        return new StoreState(sequence, entries, other, dnMemo);
    }
}
