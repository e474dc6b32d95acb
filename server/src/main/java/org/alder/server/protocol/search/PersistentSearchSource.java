package org.alder.server.protocol.search;

import java.util.List;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.DirectoryException;
import org.alder.server.control.ResponseControl;
import org.alder.server.control.search.PersistentSearch;
import org.alder.server.directory.ChangeFeed;
import org.alder.server.directory.ContentChange;
import org.alder.server.directory.ContentRefresh;
import org.alder.server.directory.EntryCursor.Step;
import org.alder.server.protocol.Faults;
import org.alder.server.protocol.LdapResult;
import org.alder.server.protocol.encode.ContentEncoder;
import org.alder.server.protocol.encode.LongEntrySending;
import org.alder.server.resource.Lag;

/** What a persistent search tells: the entries that are there, if wanted, and then changes. One thread at a time. */
final class PersistentSearchSource implements FollowedSearch.Source {
    private static final int STEP = 256;

    private final int messageId;
    private final PersistentSearch.Request request;
    private final ContentEncoder encoder;
    private final ChangeFeed feed;
    /** Null when all that was there is told. */
    private volatile ContentRefresh entries;

    /** @param entries null if changes only are wanted */
    PersistentSearchSource(int messageId, PersistentSearch.Request request, ContentEncoder encoder, ChangeFeed feed,
            ContentRefresh entries) {
        this.messageId = messageId;
        this.request = request;
        this.encoder = encoder;
        this.feed = feed;
        this.entries = entries;
        if (entries != null) {
            feed.skipTo(entries.state());
        }
    }

    @Override
    public Progress write(BerWriter out, LongEntrySending longEntry) throws DirectoryException {
        if (entries == null) {
            return writeChange(out, longEntry);
        }
        Step step = entries.entries().step(STEP);
        if (step == Step.MATCH) {
            longEntry.set(encoder.write(out, messageId, entries.entries(), List.of()));
        } else if (step == Step.END) {
            entries.close();
            entries = null;
        }
        return Progress.MORE;
    }

    private Progress writeChange(BerWriter out, LongEntrySending longEntry) throws DirectoryException {
        ContentChange change = feed.next();
        if (change == null) {
            return Progress.WAIT;
        }
        int type = switch (change.kind()) {
            case ADDED -> PersistentSearch.ADD;
            case DELETED -> PersistentSearch.DELETE;
            case MODIFIED -> PersistentSearch.MODIFY;
            case RENAMED -> PersistentSearch.MODIFY_DN;
        };
        if (request.wants(type)) {
            longEntry.set(encoder.write(out, messageId, change.entry(), !request.notifications() ? List.of()
                    : List.of(PersistentSearch.notification(type, change.previousDn(), change.csn().sequence()))));
        }
        return Progress.MORE;
    }

    @Override
    public Lag lag() {
        return entries != null ? null : feed.lag();
    }

    @Override
    public void whenReady(Runnable continuation) {
        feed.whenReady(continuation);
    }

    @Override
    public List<ResponseControl> controls(boolean success) {
        return List.of();
    }

    @Override
    public LdapResult result(Throwable failure) {
        return Faults.toResult(failure);
    }

    @Override
    public void close() {
        feed.close();
        if (entries != null) {
            entries.close();
        }
    }
}
