package org.alder.partition.jdbm.background;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

public class TiersTest {
    @Test
    public void segmentsOfAboutOneSizeAreMergedTogether() {
        assertEquals(0, Tiers.newestToMerge(List.of()));
        assertEquals(0, Tiers.newestToMerge(List.of(100L)));
        assertEquals(0, Tiers.newestToMerge(List.of(1000L, 10L, 10L, 10L)));
        assertEquals(4, Tiers.newestToMerge(List.of(1000L, 10L, 10L, 10L, 10L)));
        assertEquals(5, Tiers.newestToMerge(List.of(60L, 10L, 10L, 10L, 10L)));
    }

    @Test
    public void tooManySegmentsAreMergedWhateverTheirSizes() {
        assertEquals(0, Tiers.newestToMerge(List.of(100_000L, 10_000L, 1_000L, 100L, 10L, 1L)));
        assertEquals(2, Tiers.newestToMerge(List.of(1_000_000L, 100_000L, 10_000L, 1_000L, 100L, 10L, 1L)));
    }

    @Test
    public void anEndlessRowOfFlushesKeepsSegmentsFewAndRewritesCheap() {
        List<Long> sizes = new ArrayList<>();
        long written = 0;
        int flushes = 5000;
        for (int i = 0; i < flushes; i++) {
            sizes.add(1L);
            int count = Tiers.newestToMerge(sizes);
            if (count > 0) {
                List<Long> newest = sizes.subList(sizes.size() - count, sizes.size());
                long merged = newest.stream().mapToLong(Long::longValue).sum();
                newest.clear();
                sizes.add(merged);
                written += merged;
            }
            assertTrue(sizes.toString(), sizes.size() <= Tiers.MAX_SEGMENTS);
        }
        assertTrue("each flush was rewritten " + written / flushes + " times", written / flushes < 20);
    }
}
