package org.alder.server.directory.guard;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.alder.server.directory.ChangeFeed;
import org.alder.server.directory.ChangeFeedFilter;

/** A feed that counts while it is open. */
final class CountedFeed extends ChangeFeedFilter {
    private final AtomicInteger open;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** @param open already counts it */
    CountedFeed(ChangeFeed inner, AtomicInteger open) {
        super(inner);
        this.open = open;
    }

    @Override
    public void close() {
        super.close();
        if (closed.compareAndSet(false, true)) {
            open.decrementAndGet();
        }
    }
}
