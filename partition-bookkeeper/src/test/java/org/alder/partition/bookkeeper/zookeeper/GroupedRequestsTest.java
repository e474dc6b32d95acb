package org.alder.partition.bookkeeper.zookeeper;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.alder.partition.bookkeeper.TestCluster;
import org.alder.partition.testing.Await;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What several ask at the same time goes together, and each has an answer of its own. */
public final class GroupedRequestsTest {
    private static final int ASKING = 100;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private EmbeddedZooKeeper server;
    private Counted client;

    /** Its first request waits until it may go. */
    private static final class Counted extends ZooKeeper {
        private final CountDownLatch mayGo = new CountDownLatch(1);
        private final List<Integer> sizes = Collections.synchronizedList(new ArrayList<>());

        Counted(String servers) throws IOException {
            super(servers, TestCluster.SESSION_MILLIS, event -> { });
        }

        @Override
        public List<OpResult> multi(Iterable<Op> ops) throws InterruptedException, KeeperException {
            List<Op> all = new ArrayList<>();
            ops.forEach(all::add);
            sizes.add(all.size());
            assertTrue(mayGo.await(Await.MILLIS, TimeUnit.MILLISECONDS));
            return super.multi(all);
        }
    }

    @Before
    public void start() throws Exception {
        server = TestCluster.onFreePort(port -> {
            EmbeddedZooKeeper started = EmbeddedZooKeeper.start(folder.getRoot().toPath().resolve("" + port), 1,
                    List.of(new EmbeddedZooKeeper.Server(TestCluster.HOST, port, 0, 0)), 500, true);
            client = new Counted(TestCluster.HOST + ":" + port);
            return started;
        });
        for (int i = 0; i < ASKING; i++) {
            client.create(node(i), new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        }
    }

    @After
    public void stop() throws Exception {
        client.close();
        server.close();
    }

    private static String node(int number) {
        return "/n" + number;
    }

    private static byte[] bytes(int number) {
        return ("" + number).getBytes(StandardCharsets.US_ASCII);
    }

    private interface Asking {
        void ask(int number) throws KeeperException, InterruptedException;
    }

    /** All but the first one come while that one is on its way. @return the numbers of those for which there is no znode */
    private Set<Integer> askAtOnce(Asking asking) throws Exception {
        Set<Integer> refused = ConcurrentHashMap.newKeySet();
        List<CompletableFuture<Void>> asked = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < ASKING; i++) {
            int number = i;
            CompletableFuture<Void> over = new CompletableFuture<>();
            asked.add(over);
            Thread thread = new Thread(() -> {
                try {
                    asking.ask(number);
                    over.complete(null);
                } catch (KeeperException.NoNodeException e) {
                    assertEquals(node(number), e.getPath());
                    refused.add(number);
                    over.complete(null);
                } catch (KeeperException | InterruptedException | AssertionError e) {
                    over.completeExceptionally(e);
                }
            });
            threads.add(thread);
            thread.start();
        }
        Await.until("that all have asked", () -> threads.stream().allMatch(each -> each.getState() == Thread.State.WAITING
                || each.getState() == Thread.State.TIMED_WAITING));
        client.mayGo.countDown();
        Await.result("their answers", CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new)));
        return refused;
    }

    @Test(timeout = Await.MILLIS)
    public void whatIsWrittenGoesTogetherWithoutWhatIsRefused() throws Exception {
        client.delete(node(7), -1);
        client.delete(node(70), -1);
        GroupedRequests requests = new GroupedRequests(client);
        assertEquals(Set.of(7, 70), askAtOnce(number -> requests.ask(Op.setData(node(number), bytes(number), -1))));
        for (int i = 0; i < ASKING; i++) {
            if (i % 63 != 7) {
                assertArrayEquals(bytes(i), client.getData(node(i), false, null));
            }
        }
        assertTrue("" + client.sizes, client.sizes.size() <= 5);
    }

    @Test(timeout = Await.MILLIS)
    public void eachReadsItsOwn() throws Exception {
        for (int i = 0; i < ASKING; i++) {
            client.setData(node(i), bytes(i), -1);
        }
        client.delete(node(0), -1);
        GroupedRequests requests = new GroupedRequests(client);
        assertEquals(Set.of(0), askAtOnce(number -> assertArrayEquals(bytes(number),
                ((OpResult.GetDataResult) requests.ask(Op.getData(node(number)))).getData())));
        assertTrue("" + client.sizes, client.sizes.size() <= 3);
    }

    @Test(timeout = Await.MILLIS)
    public void aSessionThatIsOverIsSaidToAll() throws Exception {
        GroupedRequests requests = new GroupedRequests(client);
        client.mayGo.countDown();
        requests.ask(Op.getData(node(0)));
        client.close();
        for (int i = 0; i < 2; i++) {
            assertThrows(KeeperException.SessionExpiredException.class, () -> requests.ask(Op.getData(node(1))));
        }
    }

    @Test(timeout = Await.MILLIS)
    public void oneThatIsInterruptedHoldsNobodyUp() throws Exception {
        GroupedRequests requests = new GroupedRequests(client);
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        Thread first = new Thread(() -> ended.complete(assertThrows(InterruptedException.class, () -> requests.ask(Op.getData(node(0))))));
        first.start();
        Await.until("that it waits", () -> client.sizes.size() == 1);
        first.interrupt();
        Await.result("its end", ended);
        client.mayGo.countDown();
        requests.ask(Op.getData(node(1)));
    }
}
