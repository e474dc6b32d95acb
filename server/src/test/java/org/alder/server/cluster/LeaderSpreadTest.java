package org.alder.server.cluster;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.alder.partition.store.ClusterService;
import org.alder.partition.store.ClusterService.Member;
import org.alder.partition.store.ClusterService.Status;
import org.alder.partition.store.Replica;
import org.junit.Test;

/** When leaders hand over by themselves. */
public final class LeaderSpreadTest {
    private static final Map<String, Status> UNEVEN = new TreeMap<>(Map.of("one", led("a", "b"), "two", led("a", "b")));
    private static final Map<String, Status> EVEN = Map.of("one", led("a", "b"), "two", led("b", "a"));

    private final LeaderSpread spread = new LeaderSpread(Map.of(), null, (ClusterService.Cluster) Proxy.newProxyInstance(ClusterService.Cluster.class.getClassLoader(),
            new Class<?>[] {ClusterService.Cluster.class}, (self, method, arguments) -> {
                assertEquals("spreadMinutes", method.getName());
                return 5L;
            }));

    private static Status led(String leader, String replica) {
        return new Status(leader, 1, 1, 1, 1, List.of(new Member(leader, "ldap://" + leader, Replica.Role.LEADER, 1, 10, 0, 0, false, null, null, null),
                new Member(replica, "ldap://" + replica, Replica.Role.REPLICA, 1, 10, 0, 0, false, null, null, null)), null, 1, null);
    }

    private Rebalance.Move after(long seconds, Map<String, Status> statuses) {
        return spread.due(statuses, TimeUnit.SECONDS.toNanos(seconds) - 1_000_000);
    }

    @Test
    public void whatStaysUnevenIsEvenedOut() {
        assertNull(after(0, EVEN));
        assertNull(after(10, UNEVEN));
        assertNull("a member may be on its way back", after(309, UNEVEN));
        assertEquals("b", after(310, UNEVEN).to());
        assertEquals("where it did not come to that", "b", after(325, UNEVEN).to());
        assertNull(after(340, EVEN));
        assertNull(after(355, UNEVEN));
    }

    /** Or who leads the first shard. */
    @Test
    public void nothingIsDoneWhileNotAllIsKnown() {
        assertNull(after(0, UNEVEN));
        assertNull(after(400, null));
        assertNull(after(410, UNEVEN));
        assertEquals("one", after(710, UNEVEN).log());
    }
}
