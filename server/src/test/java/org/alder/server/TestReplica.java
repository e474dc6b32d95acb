package org.alder.server;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.ClusterService;
import org.alder.partition.store.Comparison;
import org.alder.partition.store.Replica;
import org.alder.partition.store.Store;

/** A member of a cluster that is not there: what it tells of itself a test sets. It follows, and applies nothing. */
public final class TestReplica implements Replica {
    public volatile Role role = Role.REPLICA;
    public volatile long behind;
    public volatile long behindMillis = 250;
    public volatile StoreException problem;
    public volatile StoreException refusal;
    /** Of one that leads: whether it knows that nobody else does. */
    public volatile boolean isCertain = true;
    private volatile Store store;
    public volatile ClusterService.Status cluster = new ClusterService.Status("node1", 7, 100, 2, 4096, List.of(
            new ClusterService.Member("node1", "ldap://one", Role.LEADER, 7, 140, 0, 120, false, null, null, new ClusterService.Build("two", 1, 3)),
            new ClusterService.Member("node2", "ldap://two", Role.REPLICA, 7, 138, 2, 99, false, null, null, new ClusterService.Build("one", 1, 2)),
            new ClusterService.Member("node3", null, null, 0, 0, 0, 12, true, null, null, new ClusterService.Build("two", 1, 3))), new Comparison(3, 130, 1_000, 20, List.of(new Comparison.Member("node1", "aa", false),
            new Comparison.Member("node2", "aa", false), new Comparison.Member("node3", "bb", true)), 4, List.of(), List.of(
            new Comparison.Difference("mail", "ann@example.com", List.of("node3")))), 1, null);

    /** A store that says it is this replica, and is otherwise as it was. */
    public Store in(Store store) {
        this.store = store;
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
            if (method.getName().equals("replica")) {
                return this;
            }
            try {
                return method.invoke(store, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }

    @Override
    public Role role() {
        return role;
    }

    @Override
    public StoreException refusal() {
        return refusal;
    }

    @Override
    public long epoch() {
        return cluster.epoch();
    }

    @Override
    public long behind() {
        return behind;
    }

    @Override
    public long behindMillis() {
        return behindMillis;
    }

    @Override
    public long certainSequence() {
        return role == Role.LEADER && isCertain ? store.sequence() : -1;
    }

    @Override
    public CompletableFuture<Void> fail(StoreException why) {
        throw new UnsupportedOperationException("it does not fail");
    }

    @Override
    public ClusterService.Status cluster() {
        return cluster;
    }

    @Override
    public StoreException problem() {
        return problem;
    }

    @Override
    public CompletableFuture<Long> promote(Consumer<StoreException> onLost) {
        throw new UnsupportedOperationException("promote");
    }

    @Override
    public CompletableFuture<Void> resign(StoreException why) {
        role = Role.REPLICA;
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> demote() {
        throw new UnsupportedOperationException("demote");
    }
}
