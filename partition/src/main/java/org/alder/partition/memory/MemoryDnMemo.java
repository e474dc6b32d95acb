package org.alder.partition.memory;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.alder.partition.store.Snapshot;

/** Remembers everything between two renames. Thread safe. */
final class MemoryDnMemo implements Snapshot.DnMemo {
    private final Map<Long, String> dns = new ConcurrentHashMap<>();
    private final Map<ByteBuffer, Long> ids = new ConcurrentHashMap<>();

    @Override
    public String get(long id) {
        return dns.get(id);
    }

    @Override
    public void put(long id, String dn) {
        dns.put(id, dn);
    }

    @Override
    public long id(byte[] normalizedDn) {
        return ids.getOrDefault(ByteBuffer.wrap(normalizedDn), 0L);
    }

    @Override
    public void putId(byte[] normalizedDn, long id) {
        ids.put(ByteBuffer.wrap(normalizedDn), id);
    }
}
