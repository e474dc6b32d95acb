package org.alder.server.directory.search;

import org.alder.partition.error.DirectoryException;
import org.alder.partition.request.Patience;

/** What a search has for the entry that its cursor stands on, until it goes on to the next. One thread at a time. */
public final class EntryMemory implements Patience {
    private final Patience search;
    private long bytes;

    public EntryMemory(Patience search) {
        this.search = search;
    }

    @Override
    public void check() throws DirectoryException {
        search.check();
    }

    @Override
    public void hold(long more) throws DirectoryException {
        search.hold(more);
        bytes += more;
    }

    /** Gives back what there is for the entry. */
    public void release() {
        search.giveBack(bytes);
        bytes = 0;
    }
}
