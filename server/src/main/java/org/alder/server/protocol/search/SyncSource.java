package org.alder.server.protocol.search;

import java.util.List;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.entry.EntryUuid;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.server.control.ResponseControl;
import org.alder.server.control.search.ContentSync;
import org.alder.server.control.search.ContentSync.State;
import org.alder.server.control.search.SyncCookie;
import org.alder.server.directory.ChangeFeed;
import org.alder.server.directory.ContentChange;
import org.alder.server.directory.ContentRefresh;
import org.alder.server.directory.ContentState;
import org.alder.server.directory.EntryCursor;
import org.alder.server.directory.EntryCursor.Step;
import org.alder.server.protocol.Faults;
import org.alder.server.protocol.LdapResult;
import org.alder.server.protocol.Responses;
import org.alder.server.protocol.encode.ContentEncoder;
import org.alder.server.protocol.encode.LongEntrySending;
import org.alder.server.resource.Lag;

/**
 * What a content synchronization tells (RFC 4533): a present or a delete phase, for a client that stays what was changed meanwhile, and
 * then changes. These are followed before what was changed meanwhile is looked up, so that none is missed. A delete phase goes on with
 * that. A present phase ends the refresh before it: consumers of OpenLDAP to 2.6 take all that a delete phase behind it does not name for
 * deleted. Of a phase what was deleted comes first: its names may be those of others by now, which copies that know one entry by a name
 * cannot take before. One thread at a time.
 */
final class SyncSource implements FollowedSearch.Source {
    private static final int STEP = 256;
    private static final int UUIDS_IN_MESSAGE = 10_000;
    /** So many commits that do not concern the client are told by a cookie, so that its state does not get too old. */
    private static final int COMMITS_IN_COOKIE = 256;

    private final int messageId;
    private final ContentEncoder encoder;
    private final String replica;
    private final String content;
    private final Directory directory;
    /** Where the client's copy was; it may be null where the first phase is of all entries. */
    private final ContentState begin;
    /** The phase that is told now; null when the refresh is over. */
    private volatile ContentRefresh phase;
    private int deletedTold;
    /** Whether what the refresh does not name stays in the copy. */
    private final boolean deletes;
    /** Whether the client was told that the refresh has ended. */
    private boolean refreshed;
    private volatile ChangeFeed feed;
    /** Up to where the client's copy is; null in the first phase. */
    private ContentState told;

    /** The two questions about the content. */
    interface Directory {
        /** Null if the client does not stay. */
        ChangeFeed follow() throws DirectoryException;

        ContentRefresh refresh(ContentState since) throws DirectoryException;
    }

    /**
     * @param cookie  the client's
     * @param content what its search makes it
     * @param phase   the first
     */
    SyncSource(int messageId, ContentEncoder encoder, SyncCookie cookie, String content, Directory directory, ContentRefresh phase) {
        this.messageId = messageId;
        this.encoder = encoder;
        this.replica = cookie.replica();
        this.content = content;
        this.directory = directory;
        this.begin = cookie.state();
        this.phase = phase;
        this.deletes = phase.kind() == ContentRefresh.Kind.CHANGES;
    }

    @Override
    public Progress write(BerWriter out, LongEntrySending longEntry) throws DirectoryException {
        if (phase == null) {
            return writeChange(out, longEntry);
        }
        if (deletedTold < phase.deleted().size()) {
            int end = Math.min(deletedTold + UUIDS_IN_MESSAGE, phase.deleted().size());
            writeInfo(out, ContentSync.deleted(phase.deleted().subList(deletedTold, end),
                    cookie(told == null ? begin : told).bytesOfDeletions()));
            deletedTold = end;
            return Progress.MORE;
        }
        Step step = phase.entries().step(STEP);
        if (step == Step.MATCH) {
            longEntry.set(encoder.write(out, messageId, phase.entries(), control(State.ADD, phase.entries(), null)));
        } else if (step == Step.END) {
            return endPhase(out);
        }
        return Progress.MORE;
    }

    private Progress endPhase(BerWriter out) throws DirectoryException {
        told = phase.state();
        phase.close();
        phase = null;
        if (feed == null) {
            feed = directory.follow();
            if (feed == null) {
                return Progress.END;
            }
            ContentRefresh since = directory.refresh(told);
            feed.skipTo(since.kind() == ContentRefresh.Kind.CHANGES ? since.state() : told);
            if (since.kind() != ContentRefresh.Kind.CHANGES) {
                since.close();
                throw refreshRequired("more was changed during the refresh than the server remembers");
            }
            if (!since.state().equals(told)) {
                phase = since;
                deletedTold = 0;
                if (deletes) {
                    return Progress.MORE;
                }
            } else {
                since.close();
            }
        }
        writeInfo(out, refreshed ? ContentSync.newCookie(cookie()) : ContentSync.endOfRefresh(cookie(), deletes));
        refreshed = true;
        return Progress.MORE;
    }

    private Progress writeChange(BerWriter out, LongEntrySending longEntry) throws DirectoryException {
        ContentChange change = feed.next();
        if (change == null) {
            if (feed.position().commitsSince(told) >= COMMITS_IN_COOKIE) {
                told = feed.position();
                writeInfo(out, ContentSync.newCookie(cookie()));
            }
            return Progress.WAIT;
        }
        told = change.last() ? feed.position() : told;
        byte[] cookie = change.last() ? cookie() : null;
        EntryCursor entry = change.entry();
        switch (change.kind()) {
            case DELETED -> ContentEncoder.writeGone(out, messageId, entry, control(State.DELETE, entry, cookie));
            case ADDED -> longEntry.set(encoder.write(out, messageId, entry, control(State.ADD, entry, cookie)));
            default -> longEntry.set(encoder.write(out, messageId, entry, control(State.MODIFY, entry, cookie)));
        }
        return Progress.MORE;
    }

    private static List<ResponseControl> control(State state, EntryCursor entry, byte[] cookie) throws DirectoryException {
        byte[] uuid = EntryUuid.in(entry.attributes());
        if (uuid == null) {
            throw new DirectoryException(ResultCode.OTHER,
                    "the entry \"" + entry.dn() + "\" has no entryUUID and cannot be synchronized");
        }
        return List.of(ContentSync.state(state, uuid, cookie));
    }

    private void writeInfo(BerWriter out, byte[] info) {
        Responses.writeIntermediate(out, messageId, ContentSync.INFO_OID, info);
    }

    private byte[] cookie() {
        return cookie(told).bytes();
    }

    private SyncCookie cookie(ContentState state) {
        return new SyncCookie(replica, false, state, content);
    }

    private static DirectoryException refreshRequired(String why) {
        return new DirectoryException(ResultCode.SYNC_REFRESH_REQUIRED, why + ": ask again");
    }

    @Override
    public Lag lag() {
        ChangeFeed followed = feed;
        return phase != null || followed == null ? null : followed.lag();
    }

    @Override
    public void whenReady(Runnable continuation) {
        feed.whenReady(continuation);
    }

    /** A cookie only for a state that the client has reached: after a refresh that did not end there is none. */
    @Override
    public List<ResponseControl> controls(boolean success) {
        return List.of(ContentSync.done(told == null ? null : cookie(), deletes));
    }

    /** Who could not follow asks again with the last cookie, and is told what he missed. */
    @Override
    public LdapResult result(Throwable failure) {
        boolean behind = phase == null && feed != null && failure instanceof DirectoryException known
                && known.resultCode() == ResultCode.ADMIN_LIMIT_EXCEEDED;
        return Faults.toResult(behind ? refreshRequired(failure.getMessage()) : failure);
    }

    @Override
    public void close() {
        if (feed != null) {
            feed.close();
        }
        if (phase != null) {
            phase.close();
        }
    }
}
