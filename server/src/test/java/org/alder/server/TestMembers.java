package org.alder.server;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.NotLeaderException;
import org.alder.partition.error.StoreException;
import org.alder.partition.memory.MemoryStore;
import org.alder.partition.store.ClusterService;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.FeatureLevel;
import org.alder.partition.store.Replica;
import org.alder.partition.store.SharedConfiguration;
import org.alder.partition.store.SharedSchema;
import org.alder.partition.store.Store;
import org.alder.partition.store.StoreEngine;
import org.alder.server.extended.Invitations;

/**
 * Two members of a cluster in one process: a leader, and a replica of its first partition, which leads the second one itself. The replica shows
 * what the leader does at once, unless it is told to be late.
 */
public final class TestMembers implements AutoCloseable {
    private final List<Store> stores = new ArrayList<>();
    private final TestReplica following = new TestReplica();
    private final List<TestReplica> leading = new ArrayList<>();
    private final List<CompletableFuture<Boolean>> awaited = new ArrayList<>();
    private volatile Function<byte[], CompletableFuture<byte[]>> answering;
    /** What becomes of questions on their way. */
    private volatile UnaryOperator<Function<byte[], CompletableFuture<byte[]>>> way = asked -> asked;
    private volatile boolean isLate;
    private volatile boolean handsOver;
    /** What members know of invitations. */
    private volatile Invitations.Source inviting;
    public final TestServer leader;
    public final TestServer replica;

    /** A member, of which nothing is there but what is asked of others. */
    private final class Member implements ClusterService.Cluster {
        private final String name;
        private final boolean answers;

        Member(String name, boolean answers) {
            this.name = name;
            this.answers = answers;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public int level() {
            return FeatureLevel.NEWEST;
        }

        @Override
        public StoreEngine sharing(String partition, String suffix, StoreEngine engine) {
            throw new UnsupportedOperationException();
        }

        @Override
        public SharedSchema schema() {
            throw new UnsupportedOperationException();
        }

        @Override
        public SharedConfiguration configuration() {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<byte[]> ask(String member, byte[] question) {
            Function<byte[], CompletableFuture<byte[]>> now = answering;
            return way.apply(now).apply(question);
        }

        @Override
        public boolean asks() {
            return true;
        }

        @Override
        public long spreadMinutes() {
            return 0;
        }

        @Override
        public void moveLeader(String partition, String member) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void answerWith(Function<byte[], CompletableFuture<byte[]>> with) {
            if (answers) {
                answering = with;
            }
        }

        @Override
        public byte[] invitation(byte[] request) throws IOException, DirectoryException {
            return inviting.answer(request);
        }

        @Override
        public void close() {
            // There is nothing to leave.
        }
    }

    public TestMembers(UnaryOperator<ServerSettings> ofLeader, UnaryOperator<ServerSettings> ofReplica) {
        leader = new TestServer(settings -> ofLeader.apply(settings).with(draft -> draft.cluster = new Member("node1", true)), this::ofLeader, true);
        leads("node1");
        int[] next = new int[1];
        replica = new TestServer(settings -> ofReplica.apply(settings).with(draft -> draft.cluster = new Member("node2", false)),
                indexer -> ofReplica(stores.get(next[0]++)), false);
    }

    /** The replica is told who leads. @param name null for nobody */
    public void leads(String name) {
        following.refusal = NotLeaderException.handingOn("this replica takes no updates; nothing was done", name);
    }

    /** The replica leads, and hands over to the leader when the next update is about to be made. */
    public void handOver() {
        following.refusal = null;
        handsOver = true;
    }

    /** What the replica refuses updates with; null where it leads itself. */
    public void refusal(StoreException refusal) {
        following.refusal = refusal;
    }

    /** What both members say from now on to machines that have been invited. */
    public void invitations(Invitations.Source source) {
        inviting = source;
    }

    /** What the leader answers to a question. */
    public CompletableFuture<byte[]> ask(byte[] question) {
        return answering.apply(question);
    }

    /** Whether the leader knows from now on that nobody else leads. */
    public void isCertain(boolean isCertain) {
        leading.forEach(each -> each.isCertain = isCertain);
    }

    /** From now on questions go this way to the leader. */
    public void way(UnaryOperator<Function<byte[], CompletableFuture<byte[]>>> other) {
        way = other;
    }

    /** From now on the replica does not show what is committed, before {@link #catchUp}. */
    public void fallBehind() {
        isLate = true;
    }

    /** How many reads wait for it. */
    public int waiting() {
        synchronized (awaited) {
            return awaited.size();
        }
    }

    public void catchUp() {
        end(true);
    }

    /** Those that wait have waited for long enough. */
    public void giveUpWaiting() {
        end(false);
    }

    private void end(boolean shown) {
        List<CompletableFuture<Boolean>> ended;
        synchronized (awaited) {
            isLate = !shown;
            ended = List.copyOf(awaited);
            awaited.clear();
        }
        ended.forEach(each -> each.complete(shown));
    }

    private Store ofLeader(EntryIndexer indexer) {
        Store store = new MemoryStore(indexer);
        stores.add(store);
        TestReplica now = new TestReplica();
        now.role = Replica.Role.LEADER;
        leading.add(now);
        return now.in(store);
    }

    /** The first one follows, as long as the test does not say otherwise. */
    private Store ofReplica(Store store) {
        boolean isFirst = store == stores.get(0);
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
            if (isFirst && handsOver && method.getName().equals("submit")) {
                handsOver = false;
                leads("node1");
            }
            StoreException refusal = isFirst ? following.refusal : null;
            switch (method.getName()) {
                case "replica":
                    return isFirst ? following : null;
                case "submit":
                    return refusal == null ? store.submit((org.alder.partition.store.Transaction<?>) arguments[0]) : CompletableFuture.failedFuture(refusal);
                case "close":
                    return null;
                case "sequence":
                    return isFirst && isLate ? 0L : store.sequence();
                case "awaitSequence":
                    synchronized (awaited) {
                        CompletableFuture<Boolean> shown = new CompletableFuture<>();
                        if (!isFirst || !isLate) {
                            shown.complete(true);
                            return shown;
                        }
                        awaited.add(shown);
                        return shown;
                    }
                default:
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
            }
        });
    }

    @Override
    public void close() {
        replica.close();
        leader.close();
    }
}
