package org.alder.server.directory.feed;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.alder.partition.entry.Csn;
import org.alder.partition.error.DirectoryException;
import org.alder.server.directory.ChangeFeed;
import org.alder.server.directory.ContentChange;
import org.alder.server.resource.Lag;

/** The changes of all shards of a naming context: those of each in the order of its commits, and none before or after those of others. */
final class ShardsFeed implements ChangeFeed {
    private final List<PartitionFeed> feeds;
    /** Whose turn it is to be asked first. */
    private int next;

    /** @param feeds closed with this one */
    ShardsFeed(List<PartitionFeed> feeds) {
        this.feeds = List.copyOf(feeds);
    }

    @Override
    public boolean isOfOneStore() {
        return false;
    }

    @Override
    public void skipTo(Csn csn) {
        throw new UnsupportedOperationException("each shard has commits of its own");
    }

    @Override
    public Csn position() {
        throw new UnsupportedOperationException("each shard has commits of its own");
    }

    /** One of each shard in turn, so that none waits for another that changes all the time. */
    @Override
    public ContentChange next() throws DirectoryException {
        for (int asked = 0; asked < feeds.size(); asked++) {
            ContentChange change = feeds.get(next).next();
            next = (next + 1) % feeds.size();
            if (change != null) {
                return change;
            }
        }
        return null;
    }

    @Override
    public Lag lag() {
        long changes = 0;
        long nanos = 0;
        for (PartitionFeed each : feeds) {
            Lag its = each.lag();
            changes += its.changes();
            nanos = Math.max(nanos, its.nanos());
        }
        return new Lag(changes, nanos);
    }

    /** One call at a time: what it leads to may ask anew, and each shard remembers the last one who asked. */
    @Override
    public synchronized void whenReady(Runnable continuation) {
        AtomicBoolean told = new AtomicBoolean();
        for (PartitionFeed each : feeds) {
            each.whenReady(() -> {
                if (told.compareAndSet(false, true)) {
                    continuation.run();
                }
            });
        }
    }

    @Override
    public void close() {
        feeds.forEach(PartitionFeed::close);
    }
}
