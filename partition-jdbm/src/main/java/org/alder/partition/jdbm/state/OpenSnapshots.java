package org.alder.partition.jdbm.state;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands out snapshots of the live state and takes back those that stay open too long. Thread safe. */
public final class OpenSnapshots {
    private static final Logger LOG = LoggerFactory.getLogger(OpenSnapshots.class);

    private final LiveState live;
    private final long limitNanos;
    private final Set<StoreSnapshot> open = ConcurrentHashMap.newKeySet();
    private final LongAdder opened = new LongAdder();

    /** @param limitMillis 0 = no limit */
    public OpenSnapshots(LiveState live, long limitMillis) {
        this.live = live;
        this.limitNanos = TimeUnit.MILLISECONDS.toNanos(limitMillis);
    }

    public StoreSnapshot open() {
        StoreState state = live.acquire();
        LayerSet layers = state.layers();
        StoreSnapshot snapshot = new StoreSnapshot(state.sequence(), state.timeMillis(), layers.at(state.sequence()),
                state.dnMemo(),
                System.nanoTime(), ended -> {
                    open.remove(ended);
                    layers.release();
                });
        open.add(snapshot);
        opened.increment();
        return snapshot;
    }

    /** How many were opened so far. */
    public long opened() {
        return opened.sum();
    }

    /** Takes back what is open longer than the limit. Called now and then. */
    public void expire(long nowNanos) {
        if (limitNanos == 0) {
            return;
        }
        for (StoreSnapshot snapshot : open) {
            if (nowNanos - snapshot.openedNanos() > limitNanos) {
                LOG.warn("Taking back the snapshot of sequence {}: it was open longer than {} s", snapshot.sequence(),
                        TimeUnit.NANOSECONDS.toSeconds(limitNanos));
                snapshot.expire();
            }
        }
    }
}
