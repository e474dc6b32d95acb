package org.alder.server.cli;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.alder.partition.store.ClusterService.Member;
import org.alder.partition.store.ClusterService.Status;
import org.alder.partition.store.Replica;
import org.alder.partition.testing.Seed;
import org.junit.Test;

/** Who is to hold which shards. */
public class CopyTargetsTest {
    private static final List<String> NAMES = List.of("a", "b", "c", "d", "e", "f");

    /** @param holders null for all members */
    private static Status held(String leader, List<String> holders, List<String> members) {
        List<Member> all = members.stream().map(name -> new Member(name, "ldap://" + name, name.equals(leader) ? Replica.Role.LEADER : Replica.Role.REPLICA, 1, 10, 0, 0,
                false, null, null, null)).toList();
        return new Status(leader, 1, 1, 1, 1, all, null, 3, holders);
    }

    @Test
    public void eachShardHasItsCopiesAndEachMemberAboutAsMany() {
        Random random = new Random(Seed.of(CopyTargetsTest.class));
        for (int round = 0; round < 300; round++) {
            List<String> here = NAMES.subList(0, 2 + random.nextInt(5));
            int copies = 2 + random.nextInt(here.size() - 1);
            Map<String, Status> statuses = new TreeMap<>();
            int shards = 1 + random.nextInt(12);
            for (int i = 0; i < shards; i++) {
                List<String> some = new ArrayList<>(here);
                Collections.shuffle(some, random);
                List<String> holders = some.subList(0, 1 + random.nextInt(some.size()));
                statuses.put("shard" + i, random.nextInt(3) == 0 ? held(some.get(0), null, here) : held(holders.get(0), holders, holders));
            }
            Map<String, List<String>> targets = CopyTargets.of(statuses, here, copies);
            Map<String, Integer> held = new TreeMap<>();
            here.forEach(name -> held.put(name, 0));
            statuses.forEach((log, status) -> {
                List<String> now = targets.getOrDefault(log, status.holders());
                assertEquals(copies, new TreeSet<>(now).size());
                now.forEach(name -> held.merge(name, 1, Integer::sum));
            });
            assertTrue(held.toString(), Collections.max(held.values()) - Collections.min(held.values()) <= 1);
            Map<String, Status> after = new TreeMap<>();
            statuses.forEach((log, status) -> {
                List<String> now = targets.getOrDefault(log, status.holders());
                after.put(log, held(now.get(0), now, now));
            });
            assertEquals("it stays so", Map.of(), CopyTargets.of(after, here, copies));
        }
    }

    @Test
    public void whoIsAwayLeavesFirstAndWhoLeadsLast() {
        Map<String, List<String>> targets = CopyTargets.of(Map.of("one", held("a", List.of("a", "b", "c"), List.of("a", "b"))), List.of("a", "b", "d"), 2);
        assertEquals(List.of("a", "b"), targets.get("one"));
        Map<String, List<String>> fewer = CopyTargets.of(Map.of("one", held("b", null, List.of("a", "b", "c"))), List.of("a", "b", "c"), 2);
        assertTrue(fewer.toString(), fewer.get("one").contains("b"));
        assertFalse("all that are here hold it, and no others that come", CopyTargets.of(Map.of("one", held("a", null, List.of("a", "b"))), List.of("a", "b"), 2).isEmpty());
    }
}
