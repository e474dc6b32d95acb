package org.alder.server.policy;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.tree.EntryView;
import org.alder.partition.update.Updates;
import org.alder.server.resource.DaemonThreads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is known of accounts beyond what their entries say: failed logins are counted here and written to the entries later, many
 * with one wait for the disk and so many a second at most, so that who guesses passwords cannot keep the disk busy. A lock is
 * written at once. What is known of an account ends when its entry says something else than when it began: an administrator has
 * unlocked it, or the password was changed. Bounded: of more accounts than {@value #MOST_ACCOUNTS} the oldest are forgotten. Thread
 * safe.
 */
public final class AccountLedger implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AccountLedger.class);

    static final int MOST_ACCOUNTS = 10_000;
    private static final int LOCKS = 256;
    /** Entries that are written together. */
    private static final int MOST_AT_ONCE = 256;
    /** Between two rounds of writing. */
    private static final long PAUSE_MILLIS = 100;
    private static final long LOOK_MILLIS = 1000;
    private static final long WRITE_LIMIT_SECONDS = 30;
    /** How long what is no lock may stay here alone. */
    private static final long FAILURES_SECONDS = 10;
    private static final long LAST_SUCCESS_SECONDS = 60;

    private final AccountAttributes attributes;
    private final InstantSource clock;
    private final Map<Partition, Updates> updates = new WeakHashMap<>();
    /** One of them is held while the state of an account is read, decided upon and noted. */
    private final Object[] locks = new Object[LOCKS];
    /** Guards the map; taken last, and for a moment only. */
    private final Object mapLock = new Object();
    private final Map<Dn, Noted> accounts = new LinkedHashMap<>();
    private final DaemonThreads writer = new DaemonThreads("alder-accounts-", 1, this::work);
    private long written;
    private boolean stopping;

    AccountLedger(AccountAttributes attributes, InstantSource clock) {
        this.attributes = attributes;
        this.clock = clock;
        Arrays.setAll(locks, i -> new Object());
        writer.start();
    }

    /** Of one account; guarded by its lock. */
    static final class Noted {
        private final Partition partition;
        private final Dn dn;
        /** What the entry said when this began, or was last written. */
        private AccountState base;
        private AccountState state;
        /** What is being written, or null. */
        private AccountState writing;
        private volatile Instant due;

        private Noted(Partition partition, Dn dn, AccountState base) {
            this.partition = partition;
            this.dn = dn;
            this.base = base;
            this.due = Instant.MAX;
        }

        /** Whether the entry says what it said before, or what was written since. */
        boolean isBeyond(AccountState stored) {
            return stored.equals(base) || stored.equals(writing);
        }

        AccountState state() {
            return state;
        }
    }

    /** To be held from {@link #noted} to {@link #note}. */
    Object lock(Dn dn) {
        return locks[Math.floorMod(dn.hashCode(), LOCKS)];
    }

    /** What is known of the account; asked for before its entry is read. @return null if nothing is */
    Noted noted(Dn dn) {
        synchronized (mapLock) {
            return accounts.get(dn);
        }
    }

    /** @param stored what the entry says  @param next what holds from now on */
    void note(Partition partition, Dn dn, AccountState stored, AccountState next) {
        Noted known = noted(dn);
        boolean isBeyond = known != null && known.isBeyond(stored);
        if (next.equals(isBeyond ? known.state : stored)) {
            if (known != null && !isBeyond) {
                forget(known);
            }
            return;
        }
        Noted noted = isBeyond ? known : new Noted(partition, dn, stored);
        noted.state = next;
        if (next.equals(noted.base) && noted.writing == null) {
            forget(noted);
            return;
        }
        Instant due = clock.instant().plusSeconds(delaySeconds(noted.base, next));
        noted.due = due.isBefore(noted.due) ? due : noted.due;
        keep(noted);
    }

    private static long delaySeconds(AccountState from, AccountState to) {
        boolean isLock = to.lockedSince() != null && !to.lockedSince().equals(from.lockedSince());
        boolean isGrace = to.graceLogins().size() > from.graceLogins().size();
        boolean isUnlock = to.lockedSince() == null && from.lockedSince() != null;
        return isLock || isGrace || isUnlock ? 0 : !to.failures().equals(from.failures()) ? FAILURES_SECONDS : LAST_SUCCESS_SECONDS;
    }

    private void keep(Noted noted) {
        synchronized (mapLock) {
            accounts.put(noted.dn, noted);
            if (accounts.size() > MOST_ACCOUNTS) {
                Iterator<Noted> eldest = accounts.values().iterator();
                eldest.next();
                eldest.remove();
            }
            if (!noted.due.isAfter(clock.instant()) || isCrowded()) {
                mapLock.notifyAll();
            }
        }
    }

    private boolean isCrowded() {
        return accounts.size() > MOST_ACCOUNTS / 2;
    }

    void forget(Dn dn) {
        synchronized (mapLock) {
            accounts.remove(dn);
        }
    }

    private void forget(Noted noted) {
        synchronized (mapLock) {
            accounts.remove(noted.dn, noted);
        }
    }

    /** Accounts of which something is not written yet. */
    public int size() {
        synchronized (mapLock) {
            return accounts.size();
        }
    }

    /** Changes of entries up to now. */
    public long written() {
        synchronized (mapLock) {
            return written;
        }
    }

    private void work() {
        try {
            for (List<Noted> due = next(); !due.isEmpty(); due = next()) {
                write(due);
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
            write(rest());
        } catch (InterruptedException e) {
            LOG.debug("the last states of accounts are not written: the end took too long");
        }
    }

    /** What is to be written now, as soon as there is anything. @return nothing at the end */
    private List<Noted> next() throws InterruptedException {
        synchronized (mapLock) {
            while (!stopping) {
                List<Noted> due = due();
                if (!due.isEmpty()) {
                    return due;
                }
                mapLock.wait(LOOK_MILLIS);
            }
            return List.of();
        }
    }

    private List<Noted> rest() {
        synchronized (mapLock) {
            return List.copyOf(accounts.values());
        }
    }

    private List<Noted> due() {
        Instant now = clock.instant();
        boolean all = isCrowded();
        return accounts.values().stream().filter(noted -> all || !noted.due.isAfter(now)).limit(MOST_AT_ONCE).toList();
    }

    /** All of it together: the store waits for the disk once. */
    private void write(List<Noted> due) throws InterruptedException {
        List<CompletableFuture<EntryView>> writes = new ArrayList<>(due.size());
        for (Noted noted : due) {
            AccountState from;
            AccountState to;
            synchronized (lock(noted.dn)) {
                noted.writing = noted.state;
                from = noted.base;
                to = noted.writing;
            }
            writes.add(write(noted, from, to));
        }
        for (int i = 0; i < due.size(); i++) {
            settle(due.get(i), failure(writes.get(i)));
        }
    }

    /** If the entry still says the same. */
    private CompletableFuture<EntryView> write(Noted noted, AccountState from, AccountState to) {
        try {
            return updates.computeIfAbsent(noted.partition, Updates::new).note(noted.dn, (state, before) ->
                    attributes.of(before.record()).equals(from) ? attributes.changes(from, to) : List.of());
        } catch (StoreException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** @return null if it was written */
    private static Throwable failure(CompletableFuture<?> write) throws InterruptedException {
        try {
            write.get(WRITE_LIMIT_SECONDS, TimeUnit.SECONDS);
            return null;
        } catch (ExecutionException | CompletionException e) {
            return e.getCause();
        } catch (TimeoutException e) {
            return e;
        }
    }

    private void settle(Noted noted, Throwable failure) {
        synchronized (lock(noted.dn)) {
            AccountState wanted = noted.writing;
            if (failure == null) {
                noted.base = wanted;
                count();
            } else {
                LOG.debug("the state of the account \"{}\" is not written: {}", noted.dn.text(), failure.toString());
            }
            noted.writing = null;
            if (isGone(failure) || noted.state.equals(noted.base)) {
                forget(noted);
            } else {
                // There was another login meanwhile, or the store takes no changes now.
                noted.due = clock.instant().plusSeconds(failure == null ? delaySeconds(noted.base, noted.state) : LAST_SUCCESS_SECONDS);
            }
        }
    }

    private static boolean isGone(Throwable failure) {
        return failure instanceof DirectoryException refusal && refusal.resultCode() == ResultCode.NO_SUCH_OBJECT;
    }

    private void count() {
        synchronized (mapLock) {
            written++;
        }
    }

    /** Writes what is left, as far as that is quick. Idempotent. */
    @Override
    public void close() {
        synchronized (mapLock) {
            stopping = true;
            mapLock.notifyAll();
        }
        writer.end();
    }
}
