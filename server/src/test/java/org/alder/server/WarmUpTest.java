package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.alder.partition.Partition;
import org.alder.partition.error.ResultCode;
import org.alder.partition.testing.Seed;
import org.alder.server.auth.Administrator;
import org.alder.server.warmup.SampleSearches;
import org.alder.server.warmup.WarmUpClient;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** The searches that a start begins with: they are those of clients, end in time, and serve nobody else. */
public class WarmUpTest {
    private static final int LONG_SECONDS = 600;

    private TestServer server;
    private Partition partition;

    @Before
    public void start() {
        server = new TestServer();
        server.addDevices(200);
        partition = server.partitions().get(0);
    }

    @After
    public void stop() {
        server.close();
    }

    private ServerSettings settings() {
        return ServerSettings.of("127.0.0.1", 0, TestServer.SCHEMA, server.partitions(),
                new Administrator(TestServer.dn(TestServer.ADMIN), TestServer.ADMIN_PASSWORD.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    public void itsSearchesFindSomething() throws IOException {
        SampleSearches samples = new SampleSearches(partition, new SplittableRandom(Seed.of(WarmUpTest.class)));
        Map<Integer, Integer> codes = new TreeMap<>();
        try (WarmUpClient client = new WarmUpClient()) {
            client.connect(server.port());
            assertEquals(0, client.bind(TestServer.ADMIN, TestServer.ADMIN_PASSWORD.getBytes(StandardCharsets.UTF_8)));
            for (int i = 0; i < 200; i++) {
                for (byte[] search : samples.next(i % 2 == 0 ? null : TestServer.userDn(1))) {
                    codes.merge(client.ask(search), 1, Integer::sum);
                }
            }
        }
        codes.remove(ResultCode.SIZE_LIMIT_EXCEEDED.number());
        assertEquals("all succeed", List.of(0), List.copyOf(codes.keySet()));
        assertTrue("there is more than one for each entry: " + codes, codes.get(0) > 250);
    }

    @Test
    public void itEndsWhenTheServerIsToStop() {
        AtomicInteger asked = new AtomicInteger();
        int searches = new WarmUp(settings(), LONG_SECONDS, () -> asked.incrementAndGet() > 100).run();
        assertTrue(searches + " searches", searches > 0 && searches <= 100);
    }

    @Test
    public void itServesNobodyElse() throws IOException {
        AtomicInteger port = new AtomicInteger();
        AtomicInteger served = new AtomicInteger();
        AtomicInteger askedAfterwards = new AtomicInteger();
        WarmUp[] warmUp = new WarmUp[1];
        warmUp[0] = new WarmUp(settings(), LONG_SECONDS, () -> {
            if (port.compareAndSet(0, warmUp[0].port())) {
                try (WarmUpClient stranger = new WarmUpClient()) {
                    stranger.connect(port.get());
                    served.set(stranger.bind("", new byte[0]));
                } catch (IOException e) {
                    served.set(-1);
                }
            }
            return served.get() != 0 && askedAfterwards.incrementAndGet() > 100;
        });
        int searches = warmUp[0].run();
        assertTrue("the stranger is told to go, or finds the connection closed, found " + served.get(),
                served.get() == ResultCode.BUSY.number() || served.get() == -1);
        assertTrue("its own were served meanwhile, " + searches, searches > 0);
        try (WarmUpClient late = new WarmUpClient()) {
            assertThrows(ConnectException.class, () -> late.connect(port.get()));
        }
    }

    @Test
    public void itIsLeftOutWhereThereIsLittleOrNobodyWantsIt() {
        assertEquals(0, new WarmUp(settings(), 0, () -> false).run());
        try (TestServer small = new TestServer()) {
            ServerSettings few = ServerSettings.of("127.0.0.1", 0, TestServer.SCHEMA, small.partitions(),
                    Administrator.turnedOff(TestServer.dn(TestServer.ADMIN)));
            assertEquals(0, new WarmUp(few, LONG_SECONDS, () -> false).run());
        }
    }
}
