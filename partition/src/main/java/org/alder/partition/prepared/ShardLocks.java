package org.alder.partition.prepared;

import java.util.HashMap;
import java.util.Map;
import org.alder.partition.store.SystemRecords;

/** What undecided transactions keep from others in one state of a shard. Immutable, thread safe. */
public final class ShardLocks {
    private static final ShardLocks NONE = new ShardLocks(Map.of());

    private final Map<Lock, PreparedTransaction> holders;

    private ShardLocks(Map<Lock, PreparedTransaction> holders) {
        this.holders = holders;
    }

    private static ShardLocks of(SystemRecords records) {
        if (records.isEmpty()) {
            return NONE;
        }
        Map<Lock, PreparedTransaction> holders = new HashMap<>();
        PreparedTransaction.forEach(records, (id, each) -> each.locks().forEach(lock -> holders.put(lock, each)));
        return holders.isEmpty() ? NONE : new ShardLocks(holders);
    }

    public boolean isEmpty() {
        return holders.isEmpty();
    }

    /** Null where it is free. */
    public PreparedTransaction holder(Lock lock) {
        return holders.get(lock);
    }

    /** Remembers those of the last state that it was asked about. Thread safe. */
    public static final class Memo {
        private volatile Known known = new Known(SystemRecords.NONE, NONE);

        private record Known(SystemRecords records, ShardLocks locks) {
        }

        public ShardLocks of(SystemRecords records) {
            Known last = known;
            if (last.records != records) {
                last = new Known(records, ShardLocks.of(records));
                known = last;
            }
            return last.locks;
        }
    }
}
