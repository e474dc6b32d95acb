package org.alder.partition.bookkeeper.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongConsumer;
import org.alder.partition.bookkeeper.compare.Round.Ask;
import org.alder.partition.check.StateAt;
import org.alder.partition.check.StoreDigest.Slice;
import org.alder.partition.check.StoreDigest.Sum;
import org.alder.partition.check.StoreDigest.Table;
import org.alder.partition.check.StoreDigest;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;

/**
 * Answers what a member is asked about its store. It keeps the state of the transaction that was asked about last, so that what differs
 * there can be asked about more closely, until it is released. One thread.
 */
final class Answerer {
    /** So many items are listed, at most. */
    static final int MOST_ITEMS = 64;
    private static final byte[] START = {};
    private static final int TEXT_CHARACTERS = 1000;

    private final Store store;
    private final String suffix;
    private final LongConsumer read;
    private final Limits limits;
    private final Pause pause;
    private long heldSequence;
    private StateAt held;

    /** @param read told what is read; may wait, or throw to end it */
    Answerer(Store store, String suffix, LongConsumer read, Limits limits, Pause pause) {
        this.store = store;
        this.suffix = suffix;
        this.read = read;
        this.limits = limits;
        this.pause = pause;
    }

    Answer answer(Round round) throws InterruptedException {
        try {
            return new Answer(round.pass(), round.by(), round.step(), null, false, lines(round));
        } catch (StoreException e) {
            String problem = e.kind() == StoreException.Kind.SNAPSHOT_EXPIRED && held == null ? Answer.PASSED : text(e);
            return failed(round, problem, e.kind() == StoreException.Kind.CORRUPT);
        } catch (TimeoutException e) {
            return failed(round, Answer.LATE, false);
        } catch (CancellationException e) {
            throw e;
        } catch (RuntimeException e) {
            return failed(round, text(e), false);
        }
    }

    private static String text(RuntimeException e) {
        String text = e.toString();
        return text.length() > TEXT_CHARACTERS ? text.substring(0, TEXT_CHARACTERS) : text;
    }

    private static Answer failed(Round round, String problem, boolean isDamaged) {
        return new Answer(round.pass(), round.by(), round.step(), problem, isDamaged, List.of());
    }

    private List<Answer.Line> lines(Round round) throws InterruptedException, TimeoutException {
        if (round.sequence() == 0) {
            try (Snapshot now = store.snapshot()) {
                return StoreDigest.tables(now, store.indexer()).stream().map(table -> new Answer.Line(table.name(), null, 0, Sum.NOTHING, null)).toList();
            }
        }
        hold(round.sequence());
        Snapshot snapshot = held.snapshot();
        List<Table> tables = StoreDigest.tables(snapshot, store.indexer());
        List<Answer.Line> lines = new ArrayList<>();
        long bytes = 0;
        for (Ask ask : round.asks()) {
            if (bytes >= limits.sliceBytes()) {
                break;
            }
            Table table = tables.stream().filter(each -> each.name().equals(ask.table())).findFirst().orElseThrow(() -> new StoreException(
                    StoreException.Kind.REFUSED, "the index " + ask.table() + " is not there, or is being built"));
            bytes += add(lines, ask, snapshot, table, limits.sliceBytes() - bytes);
        }
        return lines;
    }

    /** The bytes of a slice. */
    private long add(List<Answer.Line> lines, Ask ask, Snapshot snapshot, Table table, long mostBytes) {
        byte[] from = ask.from() == null ? START : ask.from();
        if (ask.kind() == Round.Kind.SLICE) {
            Slice slice = StoreDigest.slice(snapshot, table, from, mostBytes, read);
            lines.add(new Answer.Line(table.name(), slice.next(), 0, slice.sum(), null));
            return slice.bytes();
        } else if (ask.kind() == Round.Kind.BUCKETS) {
            StoreDigest.buckets(snapshot, table, from, ask.to(), ask.within(), read)
                    .forEach((bucket, sum) -> lines.add(new Answer.Line(table.name(), null, bucket, sum, null)));
        } else if (ask.kind() == Round.Kind.ITEMS) {
            StoreDigest.items(snapshot, table, from, ask.to(), ask.within(), MOST_ITEMS, suffix, read)
                    .forEach((hash, item) -> lines.add(new Answer.Line(table.name(), null, hash, item.sum(), item.text())));
        } else {
            throw new StoreException(StoreException.Kind.REFUSED, "a question that this version of the program does not know");
        }
        return 0;
    }

    private void hold(long sequence) throws InterruptedException, TimeoutException {
        if (held != null && heldSequence == sequence) {
            return;
        }
        release();
        CompletableFuture<StateAt> state = StateAt.of(store, sequence);
        boolean done = false;
        try {
            long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limits.awaitMillis());
            while (!state.isDone() && System.nanoTime() - endNanos < 0) {
                pause.forMillis(Math.max(1, limits.pollMillis() / 10));
            }
            held = state.get(0, TimeUnit.MILLISECONDS);
            heldSequence = sequence;
            done = true;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof StoreException store ? store : new IllegalStateException(e.getCause());
        } finally {
            if (!done && !state.cancel(false) && !state.isCompletedExceptionally()) {
                state.join().close();
            }
        }
    }

    /** Of the state, if there is one: what it takes in memory and on disk is given back. */
    void release() {
        StateAt state = held;
        held = null;
        if (state != null) {
            state.close();
        }
    }
}
