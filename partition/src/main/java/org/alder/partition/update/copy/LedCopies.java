package org.alder.partition.update.copy;

import java.util.List;
import org.alder.partition.Partition;
import org.alder.partition.Ticks;
import org.alder.partition.error.Cause;
import org.alder.partition.error.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a member of a cluster write the copies of a suffix entry in those of its shards that it leads ({@link SuffixCopies}): shard 0 may be led by another
 * member, which cannot. It looks whenever shard 0 has changed here, and a few times a second for what it leads since. Has a thread; thread safe.
 */
public final class LedCopies implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LedCopies.class);
    /** So long after it was elected a leader may not have looked. */
    private static final long TICK_MILLIS = 200;
    /** Where shard 0 changes all the time. */
    private static final long PAUSE_MILLIS = 5;

    private final Partition first;
    private final SuffixCopies copies;
    private final Thread thread;
    private final Ticks ticks = new Ticks();
    private String complaint;

    private LedCopies(List<Partition> shards) {
        first = shards.get(0);
        copies = new SuffixCopies(shards);
        thread = new Thread(this::run, "suffix-copies");
        thread.setDaemon(true);
    }

    /** @param shards all of them, in their order; closed after this */
    public static LedCopies start(List<Partition> shards) {
        LedCopies started = new LedCopies(shards);
        started.thread.start();
        return started;
    }

    private void run() {
        boolean isDone = true;
        while (ticks.pause(isDone ? PAUSE_MILLIS : TICK_MILLIS)) {
            isDone = renew();
        }
    }

    /** Waits for a change of shard 0, too. @return whether that could be done */
    private boolean renew() {
        try {
            long shown = first.store().sequence();
            copies.renewLed().join();
            complaint = null;
            first.store().awaitSequence(shown + 1, TICK_MILLIS).join();
            return true;
        } catch (RuntimeException e) {
            tell(Cause.of(e));
            return false;
        }
    }

    /** What fails is tried again, also where a store is away for a moment, as it becomes a copy of another one. */
    private void tell(Throwable cause) {
        if (!(cause instanceof StoreException store && store.kind() == StoreException.Kind.NOT_LEADER) && !cause.toString().equals(complaint)) {
            complaint = cause.toString();
            LOG.warn("a shard does not have \"{}\" as it is now yet: {}", first.suffix().text(), complaint);
        }
    }

    @Override
    public void close() {
        ticks.close(thread);
    }
}
