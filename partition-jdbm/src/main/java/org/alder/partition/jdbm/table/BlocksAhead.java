package org.alder.partition.jdbm.table;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.alder.partition.jdbm.block.BigEndian;
import org.alder.partition.jdbm.block.TableBlock;
import org.alder.partition.jdbm.task.HelperThreads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The blocks that follow the one a tree cursor stands on, decoded by helping threads while the cursor's owner works on those
 * before. Helpers are daemons, shared by the whole process, one less than there are processors; blocks that no helper has begun
 * when they are needed are decoded by the owner, so it never waits for a helper that has other work. One thread uses it.
 *
 * <p>At most {@link #RUNS_AHEAD} runs of {@link #RUN_BLOCKS} blocks are held, and of each no more than {@link #RUN_BYTES} and one
 * block; all cursors of the process share one {@link AheadBudget}. What is too much, or was given up for others, the owner
 * decodes when it gets there.
 */
final class BlocksAhead {

    static final int RUN_BLOCKS = 16;
    static final int RUNS_AHEAD = 3;
    static final int RUN_BYTES = 256 << 10;

    private static final Logger LOG = LoggerFactory.getLogger(BlocksAhead.class);
    private static final int HELPERS = Runtime.getRuntime().availableProcessors() - 1;
    private static final int QUEUED_RUNS = 64;
    private static final Executor POOL = HelperThreads.start("blocks-ahead", HELPERS, QUEUED_RUNS);

    private final Table table;
    private final TreeCursor tree;
    private final boolean keepBlocks;
    private final Executor helpers;
    private final AheadBudget budget;
    private final Deque<Run> runs = new ArrayDeque<>(RUNS_AHEAD);
    private boolean more = true;
    private Run run;
    private int at;

    /** @param tree stands on a block; from now on it belongs to this object */
    BlocksAhead(Table table, TreeCursor tree, boolean keepBlocks) {
        this(table, tree, keepBlocks, POOL, AheadBudget.OF_PROCESS);
    }

    /** @param helpers may leave undone what it is given */
    BlocksAhead(Table table, TreeCursor tree, boolean keepBlocks, Executor helpers, AheadBudget budget) {
        this.table = table;
        this.tree = tree;
        this.keepBlocks = keepBlocks;
        this.helpers = helpers;
        this.budget = budget;
    }

    /** The next block, its keys known to ascend, or null at the end. */
    TableBlock next() {
        if (run == null || at + 1 == run.recordIds.size()) {
            fill();
            if (run != null) {
                budget.release(run.decoded);
            }
            run = runs.poll();
            at = -1;
            if (run == null) {
                return null;
            }
            fill();
        }
        at++;
        return run.block(at);
    }

    /** Where the block that {@link #next} returned last is stored. */
    long recordId() {
        return BigEndian.getLong(run.recordIds.get(at), 0);
    }

    private void fill() {
        while (more && runs.size() < RUNS_AHEAD) {
            Run next = new Run();
            while (next.recordIds.size() < RUN_BLOCKS && (more = tree.next())) {
                next.lastKeys.add(tree.key());
                next.recordIds.add(tree.value());
            }
            if (!next.recordIds.isEmpty()) {
                runs.add(next);
                helpers.execute(next);
            }
        }
    }

    /**
     * What a helper decoded of a run. It knows nothing but blocks: what the budget holds of a cursor that was left where it is must
     * not keep the table's file mapped, and so its disk space, when the table is no more.
     */
    private static final class Decoded implements AheadBudget.Held {
        private volatile List<TableBlock> blocks = List.of();

        @Override
        public void giveUp() {
            blocks = List.of();
        }
    }

    /** Some blocks in a row. */
    private final class Run implements Runnable {
        private final List<byte[]> lastKeys = new ArrayList<>(RUN_BLOCKS);
        private final List<byte[]> recordIds = new ArrayList<>(RUN_BLOCKS);
        private final AtomicBoolean begun = new AtomicBoolean();
        private final CountDownLatch done = new CountDownLatch(1);
        /** The first of them. */
        private final Decoded decoded = new Decoded();

        /** By a helper. What goes wrong here goes wrong again for the owner, at the right place. */
        @Override
        public void run() {
            if (begun.compareAndSet(false, true)) {
                try {
                    decode();
                } catch (RuntimeException | Error e) {
                    LOG.debug("decoding ahead in {} failed", table.file(), e);
                } finally {
                    done.countDown();
                }
            }
        }

        private void decode() {
            List<TableBlock> blocks = new ArrayList<>(recordIds.size());
            long bytes = 0;
            for (int i = 0; i < recordIds.size() && bytes < RUN_BYTES; i++) {
                TableBlock block = orderedBlock(i);
                blocks.add(block);
                bytes += block.weightBytes();
            }
            decoded.blocks = blocks;
            budget.hold(decoded, bytes);
        }

        private TableBlock orderedBlock(int i) {
            return table.orderedBlock(lastKeys.get(i), recordIds.get(i), keepBlocks);
        }

        /** By the owner. */
        TableBlock block(int i) {
            if (!begun.compareAndSet(false, true)) {
                awaitHelper();
            } else {
                done.countDown();
            }
            List<TableBlock> blocks = decoded.blocks;
            return i < blocks.size() ? blocks.get(i) : orderedBlock(i);
        }

        private void awaitHelper() {
            boolean interrupted = false;
            while (done.getCount() > 0) {
                try {
                    done.await();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
