package org.alder.partition.jdbm.background;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.alder.partition.jdbm.block.KeySpan;
import org.alder.partition.jdbm.block.TableBlock;
import org.alder.partition.jdbm.segment.IdSetAddress;
import org.alder.partition.jdbm.segment.Segment;
import org.alder.partition.jdbm.state.StoreCaches;

/**
 * What is cached of some segments, to be cached of the one that is to stand in their place or above them: so the caches survive a
 * merge, and the first searches after it find what those before it did. Blocks are named by their keys, because the new segment
 * has others. Used by one thread.
 */
final class Warming {
    private static final int STEP = 16;

    private final StoreCaches caches;
    private final Set<Long> segmentIds = new HashSet<>();
    private final Map<Long, Integer> tablePositions = new HashMap<>();
    private final List<List<KeySpan>> ranges = new ArrayList<>();
    private final List<TreeSet<byte[]>> keys = new ArrayList<>();

    /** Takes down what is cached of the segments now. */
    Warming(StoreCaches caches, Collection<Segment> segments) {
        this.caches = caches;
        for (Segment segment : segments) {
            segmentIds.add(segment.id());
            List<Long> tables = segment.tableIds();
            for (int i = 0; i < tables.size(); i++) {
                tablePositions.put(tables.get(i), i);
                if (ranges.size() == i) {
                    ranges.add(new ArrayList<>());
                }
            }
        }
        if (segmentIds.isEmpty()) {
            return;
        }
        caches.forEachBlock(this::addBlock);
        caches.forEachIdSet(address -> {
            if (segmentIds.contains(address.segmentId())) {
                addKey(address);
            }
        });
        ranges.forEach(list -> list.sort((left, right) -> Arrays.compareUnsigned(left.first(), right.first())));
    }

    private void addBlock(long tableId, TableBlock block) {
        Integer position = tablePositions.get(tableId);
        if (position != null) {
            ranges.get(position).add(block.keys());
        }
    }

    private void addKey(IdSetAddress address) {
        while (keys.size() <= address.index()) {
            keys.add(new TreeSet<>(Arrays::compareUnsigned));
        }
        keys.get(address.index()).add(address.key());
    }

    /**
     * Reads the same of another segment, as far as the caches have room for it, and the pages above the leaves of its trees;
     * nothing where there were no segments.
     *
     * @param goOn asked now and then whether there is still time; may take its own, and throw
     */
    void load(Segment segment, BooleanSupplier goOn) {
        if (segmentIds.isEmpty()) {
            return;
        }
        segment.loadInnerPages();
        int tables = Math.min(ranges.size(), segment.tableIds().size());
        boolean inTime = loadBlocks(segment, tables, caches.indexBlockLimitBytes(), goOn);
        for (int index = 0; inTime && index < keys.size(); index++) {
            inTime = loadSets(segment, index, goOn);
        }
    }

    private boolean loadBlocks(Segment segment, int tables, long limitBytes, BooleanSupplier goOn) {
        long left = limitBytes;
        for (int table = 0; table < tables; table++) {
            int steps = 0;
            for (KeySpan range : ranges.get(table)) {
                if (left <= 0) {
                    return true;
                }
                left -= segment.loadBlocks(table, range);
                if (++steps % STEP == 0 && !goOn.getAsBoolean()) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean loadSets(Segment segment, int index, BooleanSupplier goOn) {
        int steps = 0;
        for (byte[] key : keys.get(index)) {
            segment.ids(index, key, Long.MAX_VALUE);
            if (++steps % STEP == 0 && !goOn.getAsBoolean()) {
                return false;
            }
        }
        return true;
    }

    /** Forgets what is cached of the segments themselves, which nobody new will read. */
    void forgetSources() {
        caches.forget(tablePositions.keySet(), segmentIds);
    }
}
