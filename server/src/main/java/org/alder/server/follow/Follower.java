package org.alder.server.follow;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.alder.partition.Partition;
import org.alder.partition.ber.BerException;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.Replica;
import org.alder.partition.update.copy.CopiedEntries;
import org.alder.server.directory.FollowedContexts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A partition that follows another server, on a thread of its own, from {@link #start} to {@link #close}. In a cluster the member that leads it does, and the others wait
 * until they do.
 */
final class Follower implements FollowedContexts.Copy, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Follower.class);
    private static final long FIRST_RETRY_MILLIS = 500;
    /** Whether this member has come to lead is looked at so often. */
    private static final long LOOK_MILLIS = 250;
    private static final long STOP_MILLIS = TimeUnit.SECONDS.toMillis(30);

    private final FollowSettings settings;
    private final Partition partition;
    private final ProviderSchema definitions;
    private final FollowOrders orders;
    private final FollowProgress progress = new FollowProgress();
    private final Thread thread;
    private ProviderConnection connection;
    /** The thread's own. */
    private LogTrust logTrust = LogTrust.WHOLE;
    private boolean closed;
    private boolean woken;
    private boolean anew;
    /** Whether somebody wants that, and it has not begun. */
    private boolean ordered;
    /** What the log said last of why it does not go on: it says it once. */
    private String logged;

    /** How far the server's log of changes is relied on, if one is followed: from the cookie on, after a refresh, straight after one, or not. */
    private enum LogTrust { WHOLE, AFTER_ENTRIES, JUST_AFTER, NONE }

    Follower(FollowSettings settings, Partition partition, ProviderSchema definitions, FollowOrders orders) {
        this.settings = settings;
        this.partition = partition;
        this.definitions = definitions;
        this.orders = orders;
        this.thread = new Thread(this::run, "alder-follow-" + settings.suffix().text());
        thread.setDaemon(true);
    }

    FollowSettings settings() {
        return settings;
    }

    Partition partition() {
        return partition;
    }

    void start() {
        orders.follow(settings.suffix(), this::wake);
        thread.start();
    }

    @Override
    public String provider() {
        return settings.provider();
    }

    @Override
    public boolean refers() {
        return settings.refers();
    }

    @Override
    public Map<String, String> figures() {
        Map<String, String> figures = new LinkedHashMap<>();
        figures.put("alderFollowProvider", settings.provider());
        figures.putAll(progress.figures());
        return figures;
    }

    /** Why it is no copy yet; null if it is one. */
    String missing() {
        String reason = progress.reason();
        return progress.isRefreshed() ? null : "no copy yet of " + settings.suffix().line() + " from " + settings.provider() + ": "
                + progress.state().text() + (reason == null ? "" : ", " + reason);
    }

    private void run() {
        long retryMillis = FIRST_RETRY_MILLIS;
        boolean begun = false;
        while (!isClosed()) {
            ProviderSession session = null;
            try {
                StoreException elsewhere = elsewhere();
                if (elsewhere != null) {
                    progress.startFrom(CopiedEntries.cookie(partition));
                    progress.become(FollowProgress.State.WAITING, elsewhere.getMessage());
                    begun = false;
                    sleep(LOOK_MILLIS);
                    continue;
                }
                CopiedEntries copy = new CopiedEntries(partition);
                ProviderSession.await(copy.begin());
                byte[] cookie = copy.cookie();
                if (!begun) {
                    progress.startFrom(cookie);
                    begun = true;
                }
                progress.become(FollowProgress.State.CONNECTING, progress.reason());
                try (ProviderConnection opened = ProviderConnection.open(settings)) {
                    if (!hold(opened)) {
                        return;
                    }
                    session = new ProviderSession(settings, partition.schema(), copy, definitions, progress, orders, opened, isAnew() ? null : cookie, source(cookie));
                    session.run();
                }
            } catch (FollowException | IOException | BerException | DirectoryException | StoreException e) {
                choose(e, session);
                if (session != null && session.isFollowing()) {
                    retryMillis = FIRST_RETRY_MILLIS;
                    logged = null;
                    setAnew(false);
                }
                retryMillis = goOn(e, retryMillis);
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException | Error e) {
                LOG.error("{} does not follow {} any more, by a fault of this server", settings.suffix().line(), settings.provider(), e);
                progress.become(FollowProgress.State.HALTED, "a fault of this server: " + e);
                return;
            } finally {
                hold(null);
            }
        }
    }

    /** Why another member of the cluster follows; null where this one does. */
    private StoreException elsewhere() {
        Replica replica = partition.store().replica();
        StoreException refusal = replica == null ? null : replica.refusal();
        return refusal != null && refusal.kind() == StoreException.Kind.NOT_LEADER ? refusal : null;
    }

    private ProviderSession.Source source(byte[] cookie) {
        if (settings.log() == null || logTrust == LogTrust.NONE) {
            return ProviderSession.Source.ENTRIES;
        }
        return cookie == null || isAnew() || logTrust == LogTrust.AFTER_ENTRIES ? ProviderSession.Source.ENTRIES_THEN_LOG : ProviderSession.Source.LOG;
    }

    /** What is searched the next time: a log that says too little of what was before, and of what comes from now on, is left alone until the next interruption. */
    private void choose(Exception ended, ProviderSession session) {
        FollowException.Next next = ended instanceof FollowException known ? known.next() : FollowException.Next.RETRY;
        boolean wasUpToDate = logTrust == LogTrust.JUST_AFTER && (session == null || !session.isFollowing());
        if (next == FollowException.Next.LOG) {
            logTrust = LogTrust.JUST_AFTER;
        } else if (next == FollowException.Next.ENTRIES) {
            logTrust = wasUpToDate ? LogTrust.NONE : LogTrust.AFTER_ENTRIES;
        } else if (session != null && session.isFollowing()) {
            logTrust = LogTrust.WHOLE;
        }
    }

    /** @return how long to wait the next time */
    private long goOn(Exception failure, long retryMillis) {
        if (isClosed()) {
            return retryMillis;
        }
        String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
        FollowException.Next next = failure instanceof FollowException known ? known.next() : FollowException.Next.RETRY;
        if (next == FollowException.Next.LOG) {
            return retryMillis;
        }
        boolean halts = next == FollowException.Next.HALT;
        progress.become(halts ? FollowProgress.State.HALTED : FollowProgress.State.WAITING, message);
        boolean isSame = message.equals(logged);
        logged = message;
        if (halts) {
            LOG.warn("{} does not follow {} any more: {}", settings.suffix().line(), settings.provider(), message);
        } else if (!isSame) {
            LOG.warn("{} cannot follow {} now, and tries again in {} ms: {}", settings.suffix().line(), settings.provider(), retryMillis, message);
        }
        if (next == FollowException.Next.REFRESH) {
            setAnew(true);
        }
        sleep(halts ? 0 : retryMillis);
        return Math.min(2 * retryMillis, TimeUnit.SECONDS.toMillis(settings.retrySeconds()));
    }

    /** @param millis 0 for as long as nobody gives an order */
    private synchronized void sleep(long millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        try {
            while (!closed && !woken && (millis == 0 || System.nanoTime() < end)) {
                wait(millis == 0 ? 0 : TimeUnit.NANOSECONDS.toMillis(Math.max(0, end - System.nanoTime())) + 1);
            }
        } catch (InterruptedException e) {
            closed = true;
        }
        woken = false;
    }

    /** There is an order: one for a new refresh ends what is going on. */
    private void wake() {
        boolean refresh = orders.take(settings.suffix(), FollowOrders.Order.REFRESH);
        synchronized (this) {
            ordered |= refresh;
            woken = true;
            notifyAll();
        }
        if (refresh) {
            endConnection();
        }
    }

    /** Whether the next refresh is of everything; that holds until one has ended. */
    private synchronized boolean isAnew() {
        anew |= ordered;
        ordered = false;
        return anew;
    }

    private synchronized void setAnew(boolean now) {
        anew = now;
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /** @return false if it is closed already */
    private synchronized boolean hold(ProviderConnection opened) {
        connection = opened;
        return !closed;
    }

    private void endConnection() {
        ProviderConnection open;
        synchronized (this) {
            open = connection;
        }
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                LOG.debug("a connection that could not be closed", e);
            }
        }
    }

    /** Returns when nothing is changed any more. */
    @Override
    public void close() {
        orders.follow(settings.suffix(), null);
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        endConnection();
        boolean interrupted = false;
        try {
            thread.join(STOP_MILLIS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (thread.isAlive()) {
            LOG.warn("{} still waits for {}", settings.suffix().line(), settings.provider());
            thread.interrupt();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
