package org.alder.partition.jdbm.table;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Bounds the heap that blocks decoded ahead take, of all cursors together, however many stand still: what is too much is given up
 * again, the oldest first. So nothing need be told of a cursor that is left where it is. Thread safe.
 */
final class AheadBudget {
    /** The 32nd part of the heap, at most 64 MiB. */
    static final AheadBudget OF_PROCESS = new AheadBudget(Math.min(64L << 20, Runtime.getRuntime().maxMemory() / 32));

    /** Something that was made ahead, and can be made again. */
    interface Held {
        /** Any thread. */
        void giveUp();
    }

    private final long limitBytes;
    private final Map<Held, Long> held = new LinkedHashMap<>();
    private long bytes;

    AheadBudget(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** Takes account of something new, and gives up the oldest until all is within the limit. */
    void hold(Held made, long madeBytes) {
        List<Held> tooMuch = new ArrayList<>();
        synchronized (this) {
            held.put(made, madeBytes);
            bytes += madeBytes;
            Iterator<Map.Entry<Held, Long>> oldest = held.entrySet().iterator();
            while (bytes > limitBytes) {
                Map.Entry<Held, Long> entry = oldest.next();
                bytes -= entry.getValue();
                tooMuch.add(entry.getKey());
                oldest.remove();
            }
        }
        tooMuch.forEach(Held::giveUp);
    }

    /** It is not used any more; unknown where it was given up. */
    synchronized void release(Held used) {
        Long usedBytes = held.remove(used);
        if (usedBytes != null) {
            bytes -= usedBytes;
        }
    }

    /** The heap that is held now. */
    synchronized long sizeBytes() {
        return bytes;
    }
}
