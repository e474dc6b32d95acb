package org.alder.server.cluster;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.NotLeaderException;
import org.alder.partition.testing.Await;
import org.alder.server.TestServer;
import org.alder.server.policy.LoginEvent;
import org.alder.server.resource.Counters;
import org.junit.Test;

/** What waits to be told to the leader is bounded, whatever comes. */
public class HandedLoginsQueueTest {
    private final Counters counters = new Counters();
    private final List<CompletableFuture<byte[]>> asked = new ArrayList<>();
    private final AtomicInteger mostAtATime = new AtomicInteger();

    private CompletableFuture<byte[]> ask(String leader, byte[] question) {
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        synchronized (asked) {
            asked.add(answer);
            mostAtATime.accumulateAndGet((int) asked.stream().filter(each -> !each.isDone()).count(), Math::max);
        }
        return answer;
    }

    private long count(String name) {
        return counters.counter("passwords", name).sum();
    }

    @Test
    public void aFlood() throws Exception {
        HandedLogins logins = new HandedLogins(dn -> NotLeaderException.handingOn("no", "node1"), this::ask, counters);
        Dn dn = TestServer.dn(TestServer.userDn(1));
        int all = 3 * HandedLogins.MOST_EVENTS;
        for (int i = 0; i < all; i++) {
            logins.add(new LoginEvent(dn, LoginEvent.Kind.WRONG));
        }
        long dropped = count("alderLoginsNotHandedOn");
        assertTrue(dropped + " dropped", dropped >= 2L * HandedLogins.MOST_EVENTS - HandedLogins.MOST_AT_ONCE);
        long kept = all - dropped;
        Await.until("that all that was kept is told", () -> {
            synchronized (asked) {
                List.copyOf(asked).forEach(each -> each.complete(new byte[0]));
            }
            return count("alderLoginsHandedOn") + count("alderLoginsNotHandedOn") == all;
        });
        assertTrue(count("alderLoginsHandedOn") + " of " + kept, count("alderLoginsHandedOn") > 0);
        assertEquals("one question at a time", 1, mostAtATime.get());
    }
}
