package org.alder.partition.jdbm.store;

import org.alder.partition.store.CacheStatus;
import org.alder.partition.store.Snapshot;

/** The DNs of one span of states between two renames. Thread safe. */
final class BoundedDnMemo implements Snapshot.DnMemo {
    /** Heap bytes of an entry besides its characters: boxed ID, string, map node. */
    private static final int ENTRY_BYTES = 120;

    private final long limitBytes;
    private final BoundedCache<Long, String> dns;

    BoundedDnMemo(long limitBytes) {
        this.limitBytes = limitBytes;
        this.dns = new BoundedCache<>("dns", limitBytes, (id, dn) -> ENTRY_BYTES + 2 * dn.length());
    }

    /** An empty memo with the same bound. */
    BoundedDnMemo fresh() {
        return new BoundedDnMemo(limitBytes);
    }

    @Override
    public String get(long id) {
        return dns.get(id);
    }

    @Override
    public void put(long id, String dn) {
        dns.put(id, dn);
    }

    void clear() {
        dns.clear();
    }

    CacheStatus.Cache status() {
        return dns.status();
    }
}
