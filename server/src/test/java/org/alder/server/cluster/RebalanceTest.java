package org.alder.server.cluster;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.alder.partition.store.ClusterService.Member;
import org.alder.partition.store.ClusterService.Status;
import org.alder.partition.store.Replica;
import org.alder.partition.testing.Seed;
import org.junit.Test;

/** Which shards get other leaders. */
public class RebalanceTest {
    private static Member member(String name, Replica.Role role, long lag, String problem) {
        return new Member(name, role == null ? null : "ldap://" + name, role, 1, 10, lag, 0, false, problem, null, null);
    }

    /** @param leader null for nobody */
    private static Status led(String leader, List<String> replicas, Member... others) {
        List<Member> members = new ArrayList<>(List.of(others));
        if (leader != null) {
            members.add(member(leader, Replica.Role.LEADER, 0, null));
        }
        replicas.forEach(each -> members.add(member(each, Replica.Role.REPLICA, 0, null)));
        return new Status(leader, 1, 1, 1, 1, members, null, 1, null);
    }

    private static Map<String, Status> moved(Map<String, Status> before, Rebalance.Move move) {
        Map<String, Status> after = new TreeMap<>(before);
        List<String> replicas = new ArrayList<>(before.get(move.log()).members().stream().map(Member::name).toList());
        replicas.remove(move.to());
        after.put(move.log(), led(move.to(), replicas));
        return after;
    }

    @Test
    public void theEndIsEvenAndReachedByAsFewMovesAsThereAreShardsTooMany() {
        Random random = new Random(Seed.of(RebalanceTest.class));
        for (int round = 0; round < 200; round++) {
            List<String> names = new ArrayList<>(List.of("a", "b", "c", "d", "e").subList(0, 1 + random.nextInt(5)));
            Map<String, Status> statuses = new TreeMap<>();
            int shards = random.nextInt(20);
            for (int i = 0; i < shards; i++) {
                Collections.shuffle(names, random);
                statuses.put("shard" + i, led(names.get(0), names.subList(1, names.size())));
            }
            int moves = 0;
            for (Rebalance.Move move = Rebalance.next(statuses); move != null; move = Rebalance.next(statuses)) {
                assertEquals(move.from(), statuses.get(move.log()).leader());
                statuses = moved(statuses, move);
                moves++;
                assertTrue("it ends", moves <= shards);
            }
            Map<String, Status> end = statuses;
            List<Long> led = names.stream().map(name -> end.values().stream().filter(each -> each.leader().equals(name)).count()).sorted().toList();
            assertTrue(led.toString(), led.get(led.size() - 1) - led.get(0) <= 1);
        }
    }

    @Test
    public void whoCannotLeadGetsNothing() {
        for (Member other : List.of(member("b", null, 0, null), member("b", Replica.Role.FAILED, 0, "outdated"), member("b", Replica.Role.REPLICA, 0, "disk full"),
                member("b", Replica.Role.REPLICA, 1_000_000, null))) {
            Map<String, Status> statuses = new TreeMap<>(Map.of("one", led("a", List.of(), other), "two", led("a", List.of(), other),
                    "three", led(null, List.of("a", "b"))));
            assertNull(Rebalance.next(statuses));
            statuses.put("two", led("a", List.of("b")));
            assertNotNull(Rebalance.next(statuses));
            assertEquals("two", Rebalance.next(statuses).log());
        }
    }
}
