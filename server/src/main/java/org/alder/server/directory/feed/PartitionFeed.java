package org.alder.server.directory.feed;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.alder.partition.entry.Csn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.id.IdSet;
import org.alder.partition.request.Patience;
import org.alder.partition.store.Commit;
import org.alder.partition.store.CommitFeed;
import org.alder.partition.store.CommitFollower;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.alder.server.directory.ChangeFeed;
import org.alder.server.directory.ContentChange;
import org.alder.server.directory.ContentState;
import org.alder.server.directory.EntryCursor.Step;
import org.alder.server.resource.Lag;
import org.roaringbitmap.RoaringBitmap;

/**
 * The changes of a search's content in one partition. Commits wait here until the client takes them; what a commit means to the
 * search is worked out then, from the states before and after it. Commits come from the store's writer thread, all else from one
 * thread at a time.
 */
final class PartitionFeed implements ChangeFeed, CommitFollower {
    /** Changed entries that may wait. With them wait the states of the store that they are read in. */
    private static final int MOST_WAITING = 16_384;
    /** As a part of the heap, what the changes of the commits that wait may take of it: all that wait in all partitions share it. */
    private static final int WAITING_PART = 32;
    /** What a commit that waits takes of this search alone, how many may wait without being counted, and how many are counted at a time. */
    private static final long PLACE_BYTES = 120;
    private static final int FREE_PLACES = 128;
    private static final int PLACES = 512;

    private final SearchContent content;
    private final boolean wholeContent;
    private final int mostWaiting;
    private final long mostWaitingBytes;
    private final Patience patience;
    private final long baseId;
    private final CommitFeed.Following following;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private int waitingChanges;
    private long waitingBytes;
    /** For how many commits that wait there is memory. */
    private int heldPlaces = FREE_PLACES;
    /** Why not all could wait; null if they could. */
    private String overrun;
    /** What then ends it. */
    private ResultCode code = ResultCode.ADMIN_LIMIT_EXCEEDED;
    private boolean closed;
    private Runnable waiter;
    private Csn position;
    private Commit commit;
    private final Map<Long, Commit.Kind> kinds = new HashMap<>();
    private IdSet foundBefore = IdSet.EMPTY;
    /** What is left to tell of the commit: entries that are gone, then others. */
    private ContentCursor gone;
    private ContentCursor found;
    /** Changed by whoever takes the changes, read by others. */
    private volatile long left;
    private volatile long commitNanos;

    /** @param nanos when it came, as System.nanoTime says it */
    private record Waiting(Commit commit, long nanos) {
    }

    /**
     * @param wholeContent whether an entry that is found no longer counts as deleted, and one that was not found before as added,
     *     also if its superior was moved; else each change is what the operation was, and counts if the search finds the entry
     *     after it, or before its deletion
     * @param mostWaiting changed entries that may wait, but for those of one commit
     * @param mostWaitingBytes what the commits that wait may take of the heap, but for one
     * @param patience grants the memory for their places in the queue
     */
    PartitionFeed(SearchContent content, boolean wholeContent, int mostWaiting, long mostWaitingBytes, Patience patience)
            throws DirectoryException {
        this.content = content;
        this.wholeContent = wholeContent;
        this.mostWaiting = mostWaiting;
        this.mostWaitingBytes = mostWaitingBytes;
        this.patience = patience;
        this.following = content.partition().store().feed().follow(this);
        boolean opened = false;
        try (Snapshot snapshot = content.partition().snapshot()) {
            this.position = snapshot.csn();
            this.baseId = content.partition().resolve(snapshot, content.base());
            if (baseId == HierarchyKeys.NO_PARENT || content.isBaseHidden(snapshot)) {
                throw noBase(content.partition().matchedDn(snapshot, content.base()));
            }
            opened = true;
        } finally {
            if (!opened) {
                close();
            }
        }
    }

    private DirectoryException noBase(String matchedDn) {
        return DirectoryException.noSuchObject(content.base().text(), matchedDn);
    }

    /** With the bounds that hold for clients. @param partitions how many there are */
    static PartitionFeed of(SearchContent content, boolean wholeContent, int partitions, Patience patience) throws DirectoryException {
        return new PartitionFeed(content, wholeContent, MOST_WAITING, Runtime.getRuntime().maxMemory() / WAITING_PART / partitions,
                patience);
    }

    @Override
    public void committed(Commit next) {
        Runnable wake;
        synchronized (this) {
            String refusal = closed || overrun != null ? overrun : refusal(next);
            if (!closed && refusal == null) {
                waiting.add(new Waiting(next, System.nanoTime()));
                waitingChanges += next.changes().size();
                waitingBytes += next.heapBytes();
            } else {
                next.close();
                overrun(refusal);
            }
            wake = takeWaiter();
        }
        wake.run();
    }

    /** Null if one more may wait. */
    private String refusal(Commit next) {
        if (waiting.isEmpty()) {
            return null;
        } else if (waitingChanges + next.changes().size() > mostWaiting || waitingBytes + next.heapBytes() > mostWaitingBytes) {
            return tooMany();
        } else if (waiting.size() >= heldPlaces) {
            try {
                patience.hold(PLACES * PLACE_BYTES);
                heldPlaces += PLACES;
            } catch (DirectoryException e) {
                return "changes that wait for the client: " + e.getMessage();
            }
        }
        return null;
    }

    private String tooMany() {
        return "more than " + mostWaiting + " changed entries, or " + mostWaitingBytes + " bytes of changes, waited for the client to take them";
    }

    @Override
    public void missed() {
        Runnable wake;
        synchronized (this) {
            overrun(tooMany());
            wake = takeWaiter();
        }
        wake.run();
    }

    @Override
    public void ended() {
        Runnable wake;
        synchronized (this) {
            code = ResultCode.UNAVAILABLE;
            overrun("who told what is changed in \"" + content.base().text() + "\" does so no more");
            wake = takeWaiter();
        }
        wake.run();
    }

    private void overrun(String reason) {
        overrun = reason;
        forgetWaiting();
    }

    private void forgetWaiting() {
        waiting.forEach(each -> each.commit.close());
        waiting.clear();
        waitingChanges = 0;
        waitingBytes = 0;
        givePlacesBack();
    }

    private void givePlacesBack() {
        if (heldPlaces > FREE_PLACES) {
            patience.giveBack((heldPlaces - FREE_PLACES) * PLACE_BYTES);
            heldPlaces = FREE_PLACES;
        }
    }

    private Runnable takeWaiter() {
        Runnable taken = waiter == null ? () -> { } : waiter;
        waiter = null;
        return taken;
    }

    @Override
    public void whenReady(Runnable continuation) {
        synchronized (this) {
            if (waiting.isEmpty() && overrun == null && !closed) {
                waiter = continuation;
                return;
            }
        }
        continuation.run();
    }

    @Override
    public void skipTo(ContentState state) {
        skipTo(state.commits().get(0));
    }

    void skipTo(Csn csn) {
        position = csn;
    }

    @Override
    public ContentState position() {
        return ContentState.of(position);
    }

    /** The same. */
    Csn commit() {
        return position;
    }

    SearchContent content() {
        return content;
    }

    @Override
    public Lag lag() {
        long now = System.nanoTime();
        synchronized (this) {
            long untold = left;
            Waiting first = waiting.peek();
            return untold > 0 ? new Lag(untold + waitingChanges, now - commitNanos)
                    : first == null ? Lag.NONE : new Lag(waitingChanges, now - first.nanos);
        }
    }

    @Override
    public ContentChange next() throws DirectoryException {
        while (left == 0) {
            endCommit();
            Commit next = poll();
            if (next == null) {
                return null;
            }
            if (next.sequence() > position.sequence()) {
                begin(next);
            } else {
                next.close();
            }
        }
        left--;
        if (gone.step(Integer.MAX_VALUE) == Step.MATCH) {
            return new ContentChange(ContentChange.Kind.DELETED, gone, null, position, left == 0);
        }
        if (found.step(Integer.MAX_VALUE) != Step.MATCH) {
            throw new IllegalStateException("an entry of commit " + commit.sequence() + " was found, and is not found again");
        }
        return changed(found.id());
    }

    private synchronized Commit poll() throws DirectoryException {
        if (overrun != null) {
            throw new DirectoryException(code, overrun + ": it has to ask again");
        }
        Waiting first = waiting.poll();
        if (waiting.isEmpty()) {
            givePlacesBack();
        }
        if (first == null) {
            return null;
        }
        Commit next = first.commit;
        waitingChanges -= next.changes().size();
        waitingBytes -= next.heapBytes();
        commitNanos = first.nanos;
        return next;
    }

    private ContentChange changed(long id) {
        Commit.Kind kind = kinds.getOrDefault(id, Commit.Kind.MODIFIED);
        boolean isNew = wholeContent ? !foundBefore.contains(id)
                : kind == Commit.Kind.ADDED || kind == Commit.Kind.RENAMED && !content.wasKnown(commit.before(), id);
        boolean renamed = kind == Commit.Kind.RENAMED && !isNew;
        ContentChange.Kind told = isNew ? ContentChange.Kind.ADDED
                : renamed ? ContentChange.Kind.RENAMED : ContentChange.Kind.MODIFIED;
        return new ContentChange(told, found, renamed ? content.partition().dnOf(commit.before(), id) : null, position,
                left == 0);
    }

    private void begin(Commit next) throws DirectoryException {
        commit = next;
        Snapshot before = next.before();
        Snapshot after = next.after();
        next.changes().forEach(change -> kinds.put(change.id(), change.kind()));
        requireBase(after);
        IdSet changed = ids(next.changes(), after);
        IdSet foundAfter = content.of(after, changed);
        foundBefore = wholeContent ? content.of(before, changed) : content.of(before, deleted(next.changes()));
        IdSet lost = foundBefore.andNot(foundAfter);
        position = after.csn();
        left = lost.cardinality() + foundAfter.cardinality();
        gone = new ContentCursor(content, before, lost, patience);
        found = new ContentCursor(content, after, foundAfter, patience);
    }

    /** What a copy was made from has to stay what it is (RFC 4533 3.5.1). */
    private void requireBase(Snapshot after) throws DirectoryException {
        boolean mayBeGone = kinds.containsValue(Commit.Kind.DELETED) || kinds.containsValue(Commit.Kind.RENAMED);
        if (wholeContent && (mayBeGone && content.partition().resolve(after, content.base()) != baseId
                || kinds.containsKey(baseId) && content.isBaseHidden(after))) {
            throw noBase(content.partition().matchedDn(after, content.base()));
        }
    }

    private IdSet ids(List<Commit.Change> changes, Snapshot after) {
        RoaringBitmap ids = new RoaringBitmap();
        RoaringBitmap renamed = new RoaringBitmap();
        for (Commit.Change change : changes) {
            ids.add((int) change.id());
            if (change.kind() == Commit.Kind.RENAMED) {
                renamed.add((int) change.id());
            }
        }
        return !wholeContent || renamed.isEmpty() ? IdSet.wrap(ids)
                : IdSet.wrap(ids).or(content.subtrees(after, IdSet.wrap(renamed)));
    }

    private static IdSet deleted(List<Commit.Change> changes) {
        return IdSet.of(changes.stream().filter(change -> change.kind() == Commit.Kind.DELETED)
                .mapToLong(Commit.Change::id).sorted().toArray());
    }

    private void endCommit() {
        if (commit != null) {
            for (ContentCursor told : Arrays.asList(gone, found)) {
                if (told != null) {
                    told.close();
                }
            }
            gone = null;
            found = null;
            kinds.clear();
            commit.close();
            commit = null;
        }
    }

    @Override
    public void close() {
        following.close();
        synchronized (this) {
            closed = true;
            forgetWaiting();
        }
        left = 0;
        endCommit();
    }
}
