package org.alder.perf.faults;

import static org.junit.Assert.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.Test;

/** Where the entries are that clients change. */
public class RegistersTest {
    @Test
    public void eachShardHasSomeOfBothKinds() {
        for (int shards : new int[] {2, 4, 16}) {
            Registers registers = Registers.of(shards);
            Map<String, Integer> byName = registers.shardOfEach();
            assertEquals(3 * shards, byName.size());
            Map<Integer, Integer> exchanged = new TreeMap<>();
            registers.exchanged().forEach(name -> exchanged.merge(byName.get(name), 1, Integer::sum));
            Map<Integer, Integer> counters = new TreeMap<>();
            registers.counters().forEach(name -> counters.merge(byName.get(name), 1, Integer::sum));
            for (int shard = 0; shard < shards; shard++) {
                assertEquals("registers of shard " + shard, 2, (int) exchanged.get(shard));
                assertEquals("counters of shard " + shard, 1, (int) counters.get(shard));
            }
        }
    }

    @Test
    public void aPartitionThatIsNotDistributedHasThemAll() {
        Registers registers = Registers.of(1);
        assertEquals(List.of("r0", "r1", "r2"), registers.exchanged());
        assertEquals(List.of("c0", "c1"), registers.counters());
        assertEquals(Map.of("r0", 0, "r1", 0, "r2", 0, "c0", 0, "c1", 0), registers.shardOfEach());
    }
}
