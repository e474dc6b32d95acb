package org.alder.server.cluster;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.alder.partition.DaemonThreads;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.Cause;
import org.alder.partition.error.NotLeaderException;
import org.alder.partition.error.StoreException;
import org.alder.server.policy.LoginEvent;
import org.alder.server.resource.Counters;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the leader which logins this member has seen, so that it counts them: a replica cannot write what comes of them. No login waits for it.
 * One question of some logins is on its way at a time, and of those that wait there are {@value #MOST_EVENTS} at most: what is more, what is
 * older than {@value #MOST_MILLIS} ms, and what had no answer is not told, which is counted, as it might be counted twice. Thread safe.
 */
final class HandedLogins {
    private static final Logger LOG = LoggerFactory.getLogger(HandedLogins.class);
    static final int MOST_EVENTS = 10_000;
    static final int MOST_AT_ONCE = 64;
    static final long MOST_MILLIS = 10_000;
    private static final long MOST_CHARACTERS = 2 << 20;
    private static final long ANSWER_MILLIS = 3000;
    private static final long PAUSE_MILLIS = 200;
    private static final long TELL_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Function<Dn, StoreException> refusal;
    private final BiFunction<String, byte[], CompletableFuture<byte[]>> cluster;
    private final LongAdder told;
    private final LongAdder dropped;
    /** Guarded by this object, as is all below. */
    private final Deque<Waiting> queue = new ArrayDeque<>();
    private long characters;
    private boolean isAsking;
    private long warnedNanos = System.nanoTime() - TELL_NANOS;

    private record Waiting(LoginEvent event, long beganNanos) {
        boolean isOld(long nowNanos) {
            return nowNanos - beganNanos > TimeUnit.MILLISECONDS.toNanos(MOST_MILLIS);
        }
    }

    /** Logins that are told in one question. */
    private record Batch(String leader, List<Waiting> logins) {
        byte[] question() {
            return MemberQuestions.logins(logins.stream().map(Waiting::event).toList());
        }
    }

    /**
     * @param refusal why updates of a name are not taken here; null where they are
     * @param cluster asks a member
     */
    HandedLogins(Function<Dn, StoreException> refusal, BiFunction<String, byte[], CompletableFuture<byte[]>> cluster, Counters counters) {
        this.refusal = refusal;
        this.cluster = cluster;
        this.told = counters.counter("passwords", "alderLoginsHandedOn");
        this.dropped = counters.counter("passwords", "alderLoginsNotHandedOn");
    }

    /** Does not wait. */
    void add(LoginEvent event) {
        synchronized (this) {
            int length = event.dn().text().length();
            if (queue.size() >= MOST_EVENTS || characters + length > MOST_CHARACTERS) {
                drop(1, "as many wait as may");
                return;
            }
            queue.add(new Waiting(event, System.nanoTime()));
            characters += length;
            if (isAsking) {
                return;
            }
            isAsking = true;
        }
        DaemonThreads.MOMENTS.execute(this::tell);
    }

    private void tell() {
        Batch batch;
        synchronized (this) {
            batch = next();
            isAsking = batch != null;
        }
        if (batch == null) {
            return;
        } else if (batch.leader == null) {
            again(batch);
            return;
        }
        cluster.apply(batch.leader, batch.question()).orTimeout(ANSWER_MILLIS, TimeUnit.MILLISECONDS)
                .whenCompleteAsync((answer, failure) -> end(batch, failure), DaemonThreads.MOMENTS);
    }

    /** With the lock; null where nothing is left. Without a leader it is what waits for one. */
    private Batch next() {
        while (!queue.isEmpty()) {
            Waiting first = queue.peek();
            StoreException why = refusal.apply(first.event.dn());
            if (why instanceof NotLeaderException elsewhere && elsewhere.handsOn() && !first.isOld(System.nanoTime())) {
                return new Batch(elsewhere.leader(), elsewhere.leader() == null ? List.of() : take(elsewhere.leader()));
            }
            poll();
            if (why != null) {
                drop(1, "nobody takes them: " + why.getMessage());
            }
        }
        return null;
    }

    private Waiting poll() {
        Waiting first = queue.poll();
        characters -= first.event.dn().text().length();
        return first;
    }

    private List<Waiting> take(String leader) {
        List<Waiting> taken = new ArrayList<>();
        while (!queue.isEmpty() && taken.size() < MOST_AT_ONCE
                && refusal.apply(queue.peek().event.dn()) instanceof NotLeaderException elsewhere && leader.equals(elsewhere.leader())) {
            taken.add(poll());
        }
        return taken;
    }

    private void end(Batch batch, Throwable failure) {
        Throwable cause = Cause.of(failure);
        if (cause instanceof StoreException store && store.kind() == StoreException.Kind.NOT_LEADER) {
            again(batch);
            return;
        } else if (cause == null) {
            told.add(batch.logins.size());
        } else {
            synchronized (this) {
                drop(batch.logins.size(), batch.leader + " has not answered: " + cause);
            }
        }
        tell();
    }

    /** Nothing was done: in their order, before those that have come since. */
    private void again(Batch batch) {
        synchronized (this) {
            for (int i = batch.logins.size() - 1; i >= 0; i--) {
                queue.addFirst(batch.logins.get(i));
                characters += batch.logins.get(i).event.dn().text().length();
            }
        }
        CompletableFuture.delayedExecutor(PAUSE_MILLIS, TimeUnit.MILLISECONDS, DaemonThreads.MOMENTS).execute(this::tell);
    }

    /** With the lock. */
    private void drop(int count, String why) {
        dropped.add(count);
        long now = System.nanoTime();
        if (now - warnedNanos >= TELL_NANOS) {
            warnedNanos = now;
            LOG.warn("Logins cannot be told to the leader, so that it does not count them, {} up to now; this member does: {}", dropped.sum(), why);
        }
    }
}
