package org.alder.server.directory.feed;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.alder.partition.entry.EntryUuid;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.request.Patience;
import org.alder.server.directory.ChangeFeed;
import org.alder.server.directory.ContentChange;
import org.alder.server.directory.ContentState;
import org.alder.server.resource.Lag;

/** The changes of all shards of a naming context: those of each in the order of its commits, and none before or after those of others. */
final class ShardsFeed implements ChangeFeed {
    private final List<PartitionFeed> feeds;
    private final boolean wholeContent;
    private final Patience patience;
    /** Whose turn it is to be asked first. */
    private int next;
    /** What was told last in the place of an entry that is gone; or null. */
    private ContentCursor moved;

    /**
     * @param feeds in the order of the shards, closed with this one
     * @param wholeContent as of the feeds
     * @param patience grants the memory for entries that were moved
     */
    ShardsFeed(List<PartitionFeed> feeds, boolean wholeContent, Patience patience) {
        this.feeds = List.copyOf(feeds);
        this.wholeContent = wholeContent;
        this.patience = patience;
    }

    @Override
    public void skipTo(ContentState state) {
        for (int i = 0; i < feeds.size(); i++) {
            feeds.get(i).skipTo(state.commits().get(i));
        }
    }

    @Override
    public ContentState position() {
        return new ContentState(feeds.stream().map(PartitionFeed::commit).toList());
    }

    /** A commit of each shard in turn, so that none waits for another that changes all the time. */
    @Override
    public ContentChange next() throws DirectoryException {
        forgetMoved();
        for (int asked = 0; asked < feeds.size(); asked++) {
            ContentChange change = feeds.get(next).next();
            if (change == null || change.last()) {
                next = (next + 1) % feeds.size();
            }
            if (change != null) {
                return wholeContent && change.kind() == ContentChange.Kind.DELETED ? orMoved(change) : change;
            }
        }
        return null;
    }

    /**
     * An entry that is gone in one shard and found in another one, to which it was moved, is not gone. It is told as it is there now, whichever of the two
     * changes is told first.
     */
    private ContentChange orMoved(ContentChange change) throws DirectoryException {
        byte[] uuid = EntryUuid.in(change.entry().attributes());
        for (PartitionFeed each : uuid == null ? List.<PartitionFeed>of() : feeds) {
            moved = each.content().find(uuid, patience);
            if (moved != null) {
                return new ContentChange(ContentChange.Kind.MODIFIED, moved, null, change.csn(), change.last());
            }
        }
        return change;
    }

    private void forgetMoved() {
        if (moved != null) {
            moved.close();
            moved = null;
        }
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
        forgetMoved();
        feeds.forEach(PartitionFeed::close);
    }
}
