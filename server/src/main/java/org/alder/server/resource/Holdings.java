package org.alder.server.resource;

import java.util.EnumMap;
import java.util.Map;

/** What of the heap is held for a client, or for several, by what it is. One thread. */
public final class Holdings {
    private final Map<Holding, Long> bytes = new EnumMap<>(Holding.class);

    public void add(Holding what, long more) {
        if (more > 0) {
            bytes.merge(what, more, Long::sum);
        }
    }

    public void add(MemoryBudget.Share share) {
        add(share.what(), share.bytes());
    }

    public void add(Holdings others) {
        others.bytes.forEach(this::add);
    }

    /** Of each kind of which there is something. */
    public Map<Holding, Long> bytes() {
        return bytes;
    }

    public long allBytes() {
        return bytes.values().stream().mapToLong(Long::longValue).sum();
    }
}
