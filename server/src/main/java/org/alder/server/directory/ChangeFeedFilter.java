package org.alder.server.directory;

import org.alder.partition.error.DirectoryException;
import org.alder.server.resource.Lag;

/** A feed that passes on another's changes, for decorators to change one aspect of it. */
public class ChangeFeedFilter implements ChangeFeed {
    private final ChangeFeed inner;

    public ChangeFeedFilter(ChangeFeed inner) {
        this.inner = inner;
    }

    @Override
    public void skipTo(ContentState state) {
        inner.skipTo(state);
    }

    @Override
    public ContentChange next() throws DirectoryException {
        return inner.next();
    }

    @Override
    public ContentState position() {
        return inner.position();
    }

    @Override
    public Lag lag() {
        return inner.lag();
    }

    @Override
    public void whenReady(Runnable continuation) {
        inner.whenReady(continuation);
    }

    @Override
    public void close() {
        inner.close();
    }
}
