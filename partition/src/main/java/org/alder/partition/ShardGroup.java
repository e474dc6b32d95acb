package org.alder.partition;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.prepared.Lock;
import org.alder.partition.prepared.LockedException;

/**
 * The shards of a naming context, and what their updates have in common in this process: values that they are about to write, and the transactions of
 * several shards that are made here. Thread safe.
 */
public final class ShardGroup {
    /** So long an update waits for others, without a thread. */
    static final long MOST_MILLIS = 10_000;
    /** What ends where this process is not told is looked at again after this. */
    private static final long LOOK_MILLIS = 250;

    private final List<Partition> shards;
    /** Null where no other process writes any of them. */
    private final ShardWriters writers;
    private final long mostMillis;
    private final Host host;
    private final Map<Lock, ShardClaims.Held> claims = new ConcurrentHashMap<>();
    /** Of transactions that somebody waits for. */
    private final Map<UUID, CompletableFuture<Void>> ends = new ConcurrentHashMap<>();
    /** Guarded by this. */
    private final Set<UUID> active = new HashSet<>();
    /** How many hold updates; guarded by this. */
    private int holders;
    /** Completes when nobody does any more; guarded by this. */
    private CompletableFuture<Void> open = CompletableFuture.completedFuture(null);

    /** @param writers null where no other process writes any of them */
    ShardGroup(List<Partition> shards, ShardWriters writers, long mostMillis, Host host) {
        this.shards = List.copyOf(shards);
        this.writers = writers;
        this.mostMillis = mostMillis;
        this.host = host;
    }

    /** In the order of their numbers; the one shard alone where it was never joined with others. */
    public List<Partition> shards() {
        return shards;
    }

    /** Whether no other process writes any of them. */
    public boolean isAlone() {
        return writers == null;
    }

    /** Whether no other process writes a partition, nor any of the shards that it is one of. */
    public static boolean isWrittenAlone(Partition partition) {
        ShardGroup group = partition.shards();
        return group == null || group.isAlone();
    }

    /** Null where no other process writes any of them. */
    public ShardWriters writers() {
        return writers;
    }

    /** How long an update waits for others. */
    public long mostMillis() {
        return mostMillis;
    }

    Map<Lock, ShardClaims.Held> claims() {
        return claims;
    }

    /**
     * Begins a transaction of several shards that this process makes.
     *
     * @return completes when it is begun, which waits as long as somebody {@linkplain #hold holds} updates; perhaps on the thread of that one
     */
    public synchronized CompletableFuture<Void> enter(UUID transaction) {
        if (holders > 0) {
            return open.thenCompose(none -> enter(transaction));
        }
        active.add(transaction);
        return CompletableFuture.completedFuture(null);
    }

    /** Nothing more is done for it here; whoever finds it undecided asks the coordinator's store. */
    public synchronized void leave(UUID transaction) {
        active.remove(transaction);
        notifyAll();
    }

    /** Whether it is being made here, so that it is not known yet what becomes of it. */
    public synchronized boolean isActive(UUID transaction) {
        return active.contains(transaction);
    }

    /**
     * Begins no more transactions of several shards, and returns when those that were begun have ended.
     *
     * @throws DirectoryException busy where they do not: then they are not held
     */
    void hold() throws DirectoryException {
        long beganNanos = System.nanoTime();
        synchronized (this) {
            if (holders++ == 0) {
                open = new CompletableFuture<>();
            }
            try {
                long leftMillis = mostMillis;
                while (!active.isEmpty() && leftMillis > 0) {
                    wait(leftMillis);
                    leftMillis = mostMillis - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos);
                }
                if (active.isEmpty()) {
                    return;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        release();
        throw new DirectoryException(ResultCode.BUSY, "a transaction of several shards is being made, and does not end: try it again");
    }

    void release() {
        CompletableFuture<Void> opened = null;
        synchronized (this) {
            if (--holders == 0) {
                opened = open;
            }
        }
        if (opened != null) {
            opened.complete(null);
        }
    }

    /** Completes when a transaction has ended in a shard here; never where it ends elsewhere. */
    CompletableFuture<Void> end(UUID transaction) {
        return ends.computeIfAbsent(transaction, none -> new CompletableFuture<>());
    }

    /** Where updates wait for each other. */
    public Host host() {
        return host;
    }

    /** Completes, on another thread, when what is locked is free, and now and then: who waits looks again, as it may end elsewhere. */
    public CompletableFuture<Void> await(LockedException locked, long mostMillis) {
        return host.await(locked.free(), Math.min(mostMillis, LOOK_MILLIS)).whenComplete((none, fault) -> {
            if (!locked.free().isDone()) {
                ends.values().remove(locked.free());
            }
        });
    }

    /** Told that a transaction has ended in a shard, and that this is shown. */
    public void ended(UUID transaction) {
        CompletableFuture<Void> end = ends.remove(transaction);
        if (end != null) {
            end.complete(null);
        }
    }
}
