package org.alder.server.follow;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.alder.partition.ber.BerException;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryUuid;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.filter.Filter;
import org.alder.partition.filter.FilterParser;
import org.alder.partition.request.Modification;
import org.alder.partition.request.SearchScope;
import org.alder.partition.schema.Schema;
import org.alder.partition.text.Counted;
import org.alder.partition.update.copy.CopiedChange;
import org.alder.partition.update.copy.CopiedEntries;
import org.alder.partition.update.copy.NamedEntries;
import org.alder.server.client.LdapAnswer;
import org.alder.server.client.LdapCall;
import org.alder.server.client.LdapMessage;
import org.alder.server.client.LdapTransport;
import org.alder.server.control.search.ContentSync;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One search of a followed server that brings the copy up to date and then keeps it so (refreshAndPersist, RFC 4533 3.4). Changes are
 * gathered into transactions. A cookie is noted with the changes that lead to it, and in the course of a refresh none is: whoever begins again
 * begins before. One thread.
 */
final class ProviderSession {
    private static final Logger LOG = LoggerFactory.getLogger(ProviderSession.class);
    private static final int REFRESH_REQUIRED = 4096;
    private static final int BATCH_CHANGES = 500;
    private static final long BATCH_BYTES = 4 << 20;
    /** So many entries may go in any case, however few there are. */
    private static final int FEW_DELETIONS = 10;
    private static final long REPORT_NANOS = TimeUnit.SECONDS.toNanos(10);
    /** So long an entry may stand aside before it is taken for one that the server has forgotten to tell of. */
    private static final long ASIDE_NANOS = TimeUnit.SECONDS.toNanos(LdapTransport.LIMIT_SECONDS);

    private final FollowSettings settings;
    private final Schema schema;
    private final CopiedEntries copy;
    private final ProviderSchema definitions;
    private final FollowProgress progress;
    private final FollowOrders orders;
    private final ProviderConnection connection;
    /** What the search began with; null for none. */
    private final byte[] begin;
    private final Source source;
    /** Of a refresh that goes on from a cookie: what others leave out of it is nothing that they have. */
    private final EntriesReadAgain again;
    private final NamedEntries named = new NamedEntries();
    /** Whether some may be below another entry than they were told to be. */
    private boolean misplaced;
    private boolean presentPhase;
    private boolean following;
    private List<CopiedChange> batch = new ArrayList<>();
    private long batchBytes;
    /** The newest that came; null for none. */
    private byte[] cookie;
    private long aside;
    private long asideSinceNanos = System.nanoTime();
    private long reportedNanos = System.nanoTime();
    /** Null if there is none. */
    private CompletableFuture<CopiedEntries.Outcome> running;
    private byte[] runningCookie;

    /** What is searched, to begin with, and afterwards. */
    enum Source {
        /** The entries that are followed. */
        ENTRIES,
        /** Those, and as soon as the copy is up to date the session ends, so that the log is followed. */
        ENTRIES_THEN_LOG,
        /** The log of what was changed in them. */
        LOG
    }

    /** @param begin the cookie to begin with; null for everything */
    ProviderSession(FollowSettings settings, Schema schema, CopiedEntries copy, ProviderSchema definitions, FollowProgress progress,
            FollowOrders orders, ProviderConnection connection, byte[] begin, Source source) {
        this.settings = settings;
        this.schema = schema;
        this.copy = copy;
        this.definitions = definitions;
        this.progress = progress;
        this.orders = orders;
        this.connection = connection;
        this.begin = begin;
        this.source = source;
        this.again = new EntriesReadAgain(settings);
        // An earlier session may have been cut off before it told their names.
        this.aside = copy.aside();
    }

    /** Whether the refresh has ended. */
    boolean isFollowing() {
        return following;
    }

    /** Never ends but by throwing what ended it. */
    void run() throws IOException, BerException, DirectoryException, FollowException, InterruptedException {
        try (again) {
            follow();
        }
    }

    private void follow() throws IOException, BerException, DirectoryException, FollowException, InterruptedException {
        progress.beginRefresh();
        int id = connection.send(LdapCall.search(source == Source.LOG
                ? new LdapCall.Search(settings.log(), SearchScope.SUBTREE, FilterParser.parse(LoggedChange.FILTER), 0, 0, false, LoggedChange.ATTRIBUTES)
                : new LdapCall.Search(settings.suffix().text(), SearchScope.SUBTREE, FilterParser.parse(settings.filter()), 0, 0, false, List.of("*", "+")))
                .with(ContentSync.CONTROL.oid(), SyncMessage.request(begin)).withIfKnown(ProviderConnection.MANAGE_DSA_IT));
        int probe = 0;
        while (true) {
            LdapMessage message;
            try {
                message = connection.next();
            } catch (SocketTimeoutException e) {
                if (probe != 0) {
                    throw new EOFException("the server is silent, and answers nothing");
                }
                requireNoneAside();
                probe = connection.send(LdapCall.search(new LdapCall.Search("", SearchScope.BASE, new Filter.Present("objectClass"), 1, 0, false, List.of("1.1"))));
                continue;
            }
            if (message.id() == id) {
                take(message.answer());
            } else if (message.id() == 0 && message.answer() instanceof LdapAnswer.Result result) {
                throw ProviderConnection.refused(result, "the server ends the connection");
            }
            probe = 0;
            report();
        }
    }

    private void take(LdapAnswer answer) throws IOException, BerException, DirectoryException, FollowException, InterruptedException {
        if (answer instanceof LdapAnswer.Entry entry) {
            take(entry);
        } else if (answer instanceof LdapAnswer.Intermediate info && ContentSync.INFO_OID.equals(info.name()) && info.value() != null) {
            take(SyncMessage.ofInfo(info.value()));
        } else if (answer instanceof LdapAnswer.Result result) {
            throw ended(result);
        }
        if (batch.size() >= BATCH_CHANGES || batchBytes >= BATCH_BYTES
                || following && !connection.hasMore() && (!batch.isEmpty() || running != null || cookie != null)) {
            submit(false);
            if (following && !connection.hasMore()) {
                catchUp();
            }
        }
    }

    /** Until all that came is made; what did not fit comes once more, and then whole. */
    private void catchUp() throws IOException, BerException, DirectoryException, FollowException, InterruptedException {
        settle();
        while (!batch.isEmpty()) {
            submit(false);
            settle();
        }
        again.close();
    }

    private void take(LdapAnswer.Entry entry) throws IOException, BerException, DirectoryException, FollowException {
        byte[] value = entry.controls().get(ContentSync.STATE_OID);
        if (value == null) {
            throw new FollowException(FollowException.Next.RETRY, "the server has sent the entry \"" + ProviderConnection.shown(entry.dn())
                    + "\" without the control " + ContentSync.STATE_OID + ": it does not synchronize content (RFC 4533)");
        }
        SyncMessage.OfEntry state = SyncMessage.ofEntry(value);
        byte[] uuid = EntryUuid.text(state.uuid());
        switch (source == Source.LOG ? SyncMessage.State.ADD : state.state()) {
            case PRESENT -> add(new CopiedChange.Keep(uuid), 0);
            case DELETE -> add(new CopiedChange.Remove(uuid), 0);
            default -> {
                if (source != Source.LOG) {
                    put(begin != null && !following ? again.whole(entry, state.uuid()) : entry, uuid);
                } else if (state.state() == SyncMessage.State.ADD || state.state() == SyncMessage.State.MODIFY) {
                    take(LoggedChange.of(entry));
                }
            }
        }
        progress.told(1);
        cookie = state.cookie() == null ? cookie : state.cookie();
    }

    private void take(LoggedChange change) throws IOException, BerException, DirectoryException, FollowException {
        if (!mayBeBelow(change.dn())) {
            return;
        }
        byte[] uuid = change.uuid().getBytes(StandardCharsets.US_ASCII);
        LdapAnswer.Entry added = change.kind() == LoggedChange.Kind.ADD ? change.entry() : null;
        List<Modification> kept = change.kind() == LoggedChange.Kind.MODIFY ? change.kept() : null;
        CopiedChange.Modify modify = kept == null ? null : copy.prepare(uuid, change.csn(), kept);
        if (change.kind() == LoggedChange.Kind.DELETE) {
            add(new CopiedChange.Remove(uuid), 0);
        } else if (added != null) {
            put(added, uuid);
        } else if (modify != null) {
            add(modify, kept.stream().flatMap(each -> each.values().stream()).mapToLong(value -> value.length).sum());
        } else {
            putAsItIs(uuid);
        }
    }

    /** The log may be of other partitions, too. A name of attribute types that are not known yet may be. */
    private boolean mayBeBelow(String dn) {
        try {
            return Dn.parse(schema, dn).isDescendantOrSelf(settings.suffix());
        } catch (DirectoryException e) {
            return true;
        }
    }

    /** The log says later what became of it since. */
    private void putAsItIs(byte[] uuid) throws IOException, BerException, DirectoryException, FollowException {
        LdapAnswer.Entry entry = again.now(new String(uuid, StandardCharsets.US_ASCII));
        if (entry == null) {
            add(new CopiedChange.Remove(uuid), 0);
        } else {
            put(entry, uuid);
        }
    }

    private void put(LdapAnswer.Entry entry, byte[] uuid) throws IOException, BerException, DirectoryException, FollowException {
        List<Attribute> attributes = new ArrayList<>(entry.attributes().size());
        for (LdapAnswer.Attribute each : entry.attributes()) {
            if (!each.values().isEmpty() && !ForeignAttributes.isLeftOut(each.description())) {
                attributes.add(new Attribute(each.description(), each.values()));
            }
        }
        try {
            definitions.complete(entry.dn(), attributes);
            Dn dn = Dn.parse(schema, entry.dn());
            CopiedChange.Put put = copy.prepare(dn, uuid, attributes);
            add(put, put.record().length());
        } catch (DirectoryException e) {
            throw new FollowException(FollowException.Next.RETRY, "the entry \"" + ProviderConnection.shown(entry.dn()) + "\" of the server cannot be stored: "
                    + e.getMessage(), e);
        }
    }

    private void add(CopiedChange change, long bytes) {
        batch.add(change);
        batchBytes += bytes;
    }

    private void take(SyncMessage message) throws IOException, BerException, DirectoryException, FollowException, InterruptedException {
        if (message instanceof SyncMessage.NewCookie alone) {
            cookie = alone.cookie();
        } else if (message instanceof SyncMessage.Ids ids && source != Source.LOG) {
            for (byte[] uuid : ids.uuids()) {
                add(ids.deleted() ? new CopiedChange.Remove(EntryUuid.text(uuid)) : new CopiedChange.Keep(EntryUuid.text(uuid)), 0);
                if (batch.size() >= BATCH_CHANGES) {
                    submit(false);
                }
            }
            progress.told(ids.uuids().size());
            cookie = ids.cookie() == null ? cookie : ids.cookie();
        } else if (message instanceof SyncMessage.EndOfPhase end && !following) {
            presentPhase |= !end.deletes();
            if (presentPhase && source == Source.LOG) {
                throw new FollowException(FollowException.Next.ENTRIES, "the log \"" + settings.log() + "\" of the server does not say any more what has changed"
                        + " since the copy was up to date, or its syncprov has not syncprov-nopresent and syncprov-reloadhint");
            }
            cookie = end.cookie() == null ? cookie : end.cookie();
            if (end.done()) {
                endRefresh();
            }
        }
    }

    /** What was not named goes now, and not before (RFC 4533 3.3.2). */
    private void endRefresh() throws IOException, BerException, DirectoryException, FollowException, InterruptedException {
        submit(false);
        catchUp();
        if (misplaced) {
            // All names that were to change have changed: the next refresh finds each one where it is.
            throw new FollowException(FollowException.Next.REFRESH, "an entry was told before the one above it had its name, and may be below another one: all are"
                    + " asked for once more");
        }
        if (presentPhase || begin == null) {
            dropRest();
        }
        recountAside();
        following = true;
        submit(true);
        catchUp();
        progress.endRefresh();
        LOG.info("{} is a copy of {} now: {}", settings.suffix().line(), settings.provider(), progress.line());
        if (source == Source.ENTRIES_THEN_LOG) {
            throw new FollowException(FollowException.Next.LOG, "the copy is up to date");
        } else if (source == Source.LOG) {
            LOG.info("{} follows the log {} of {}", settings.suffix().line(), settings.log(), settings.provider());
        }
    }

    private void dropRest() throws IOException, BerException, DirectoryException, FollowException, InterruptedException {
        CopiedEntries.Rest rest = copy.rest(named);
        long most = Math.max(FEW_DELETIONS, rest.entries() * settings.deletedPercent() / 100);
        if (rest.counted() > most && !orders.take(settings.suffix(), FollowOrders.Order.ALLOW_DELETIONS)) {
            throw new FollowException(FollowException.Next.HALT, "the refresh would delete " + rest.counted() + " of " + Counted.of(rest.entries(), "entry")
                    + ", which the server has not named, and followDeletedPercent allows " + most + ": nothing is deleted. If the server is"
                    + " right, allow it once: bin/alder follow allow-deletions --base " + settings.suffix().line());
        }
        for (long place : rest.leavesFirst()) {
            add(new CopiedChange.Drop(place), 0);
            if (batch.size() >= BATCH_CHANGES) {
                submit(false);
            }
        }
        if (rest.counted() > 0) {
            LOG.info("{}: {} entries go, which {} has not named", settings.suffix().line(), rest.counted(), settings.provider());
        }
    }

    /** What stands aside after all entries were told was noted by mistake, or is told by that name. */
    private void recountAside() throws IOException, BerException, DirectoryException, FollowException, InterruptedException {
        if (begin == null && copy.aside() > 0) {
            submit(false);
            catchUp();
            await(copy.recountAside());
            aside = copy.aside();
        }
    }

    /** What was made when this has returned. */
    static <T> T await(CompletableFuture<T> change) throws DirectoryException, FollowException, InterruptedException {
        try {
            return change.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof DirectoryException refused) {
                throw refused;
            }
            throw new FollowException(FollowException.Next.RETRY, String.valueOf(e.getCause().getMessage()), e.getCause());
        }
    }

    /** Begins to make the changes that there are, when those before are made. @param always even if there are none */
    private void submit(boolean always) throws IOException, BerException, DirectoryException, FollowException, InterruptedException {
        settle();
        byte[] to = following && (always || aside == 0 || !batch.isEmpty()) ? cookie : null;
        if (batch.isEmpty() && to == null) {
            return;
        }
        if (!following) {
            superiorsFirst(batch);
        }
        running = copy.apply(batch, to, following ? null : named);
        runningCookie = to;
        batch = new ArrayList<>();
        batchBytes = 0;
    }

    /**
     * Of what is told in a refresh, of entries as they are now and in any order (RFC 4533 3.3.1), those above come first: one that was renamed has its name before
     * another one is put below that, and not below whoever had it. What goes makes room before that. What comes too late for
     * this is noticed: {@link CopiedEntries.Outcome#tookTold}.
     */
    private static void superiorsFirst(List<CopiedChange> changes) {
        int from = 0;
        while (from < changes.size()) {
            Set<ByteBuffer> told = new HashSet<>();
            int to = from;
            while (to < changes.size() && changes.get(to) instanceof CopiedChange.OfEntry entry && told.add(ByteBuffer.wrap(entry.uuid()))) {
                to++;
            }
            changes.subList(from, to).sort(Comparator.comparingInt(ProviderSession::turn));
            from = Math.max(to, from + 1);
        }
    }

    private static int turn(CopiedChange change) {
        return change instanceof CopiedChange.Put put ? put.dn().size() : change instanceof CopiedChange.Remove ? -1 : 0;
    }

    /** Waits until the changes are made that are being made. */
    private void settle() throws IOException, BerException, DirectoryException, FollowException, InterruptedException {
        if (running == null) {
            return;
        }
        CopiedEntries.Outcome outcome = await(running);
        running = null;
        misplaced |= outcome.tookTold();
        if (aside == 0) {
            asideSinceNanos = System.nanoTime();
        }
        aside = copy.aside();
        boolean noted = runningCookie != null && aside == 0 && outcome.unfit().isEmpty();
        cookie = noted && cookie == runningCookie ? null : cookie;
        progress.made(outcome, noted ? runningCookie : null);
        if (outcome.strange() > 0) {
            throw new FollowException(FollowException.Next.REFRESH, "the server says that nothing has changed of " + Counted.of(outcome.strange(), "entry")
                    + " that the copy does not have");
        }
        requireNoneAside();
        for (byte[] uuid : outcome.unfit()) {
            putAsItIs(uuid);
        }
    }

    private void requireNoneAside() throws FollowException {
        if (following && aside > 0 && System.nanoTime() - asideSinceNanos > ASIDE_NANOS) {
            throw new FollowException(FollowException.Next.REFRESH, "the server has given the names of " + Counted.of(aside, "entry") + " to others, and not"
                    + " said what became of them");
        }
    }

    private FollowException ended(LdapAnswer.Result result) {
        if (source == Source.LOG) {
            return new FollowException(FollowException.Next.ENTRIES, "the log \"" + settings.log() + "\" of the server cannot be followed: "
                    + (result.code() == REFRESH_REQUIRED ? "it does not reach back to where the copy is" : ProviderConnection.refused(result, "search").getMessage()));
        } else if (result.code() == REFRESH_REQUIRED && begin != null && !following) {
            return new FollowException(FollowException.Next.REFRESH, "the server cannot say any more what has changed since the copy was up to date");
        } else if (result.is(ResultCode.SUCCESS) || result.code() == REFRESH_REQUIRED) {
            return new FollowException(FollowException.Next.RETRY, "the server has ended the search");
        }
        return ProviderConnection.refused(result, "search below \"" + settings.suffix().text() + '"');
    }

    private void report() {
        if (!following && System.nanoTime() - reportedNanos > REPORT_NANOS) {
            reportedNanos = System.nanoTime();
            LOG.info("{} is being refreshed from {}: {}", settings.suffix().line(), settings.provider(), progress.line());
        }
    }
}
