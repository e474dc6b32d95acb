package org.alder.partition.jdbm.state;

import java.nio.ByteBuffer;
import java.util.List;
import org.alder.partition.store.CacheStatus;
import org.alder.partition.store.Snapshot;

/** The DNs of one span of states between two renames, and the IDs of parents by their DNs. Thread safe. */
public final class BoundedDnMemo implements Snapshot.DnMemo {
    /** Heap bytes of an entry besides its characters: boxed ID, string, map node. */
    private static final int ENTRY_BYTES = 120;

    private volatile long limitBytes;
    private final BoundedCache<Long, String> dns;
    private final BoundedCache<ByteBuffer, Long> ids;
    private volatile boolean retired;

    public BoundedDnMemo(long limitBytes) {
        this.limitBytes = limitBytes;
        this.dns = new BoundedCache<>("dns", limitBytes - limitBytes / 4, (id, dn) -> ENTRY_BYTES + 2 * dn.length());
        this.ids = new BoundedCache<>("dn-ids", limitBytes / 4, (dn, id) -> ENTRY_BYTES + dn.capacity());
    }

    /** An empty memo with the same bound. */
    public BoundedDnMemo fresh() {
        return new BoundedDnMemo(limitBytes);
    }

    @Override
    public String get(long id) {
        return dns.get(id);
    }

    @Override
    public void put(long id, String dn) {
        if (!retired) {
            dns.put(id, dn);
        }
    }

    @Override
    public long id(byte[] normalizedDn) {
        Long id = ids.get(ByteBuffer.wrap(normalizedDn));
        return id == null ? 0 : id;
    }

    @Override
    public void putId(byte[] normalizedDn, long id) {
        if (!retired) {
            ids.put(ByteBuffer.wrap(normalizedDn), id);
        }
    }

    /** Forgets all, and remembers nothing any more: who still reads these states works names out. */
    void retire() {
        retired = true;
        clear();
    }

    /** Forgets at once what is too much. */
    void limit(long bytes) {
        limitBytes = bytes;
        dns.limit(bytes - bytes / 4);
        ids.limit(bytes / 4);
    }

    public void clear() {
        dns.clear();
        ids.clear();
    }

    List<CacheStatus.Cache> status() {
        return List.of(dns.status(), ids.status());
    }
}
