package org.alder.partition.bookkeeper.compare;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.Comparison;
import org.alder.partition.store.Replica;
import org.alder.partition.store.Store;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a store compared with those of the other members again and again: one thread answers what is asked about it, another one asks while
 * it leads. Thread safe; whoever starts it closes it. It ends by itself when the store is closed, or has failed.
 */
public final class Comparing implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(Comparing.class);
    /** How often one looks for what is asked while nothing is. */
    private static final int IDLE_POLLS = 20;
    private static final long RESULT_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** Whoever asked is gone, or has other things to do: the state is given back. */
    private static final long KEEP_NANOS = TimeUnit.MINUTES.toNanos(2);
    private static final long RETRY_MILLIS = 10_000;
    /** What is read between two waits. */
    private static final int READ_BYTES = 64 << 10;

    private final Board board;
    private final String name;
    private final Store store;
    private final Limits limits;
    private final LongConsumer pace;
    private final Answerer answerer;
    private final Consumer<String> whenDiffers;
    private final Thread answering;
    private final Thread asking;
    private final CountDownLatch closing = new CountDownLatch(1);
    private long unpacedBytes;

    /**
     * @param name        of this member
     * @param suffix      of the partition
     * @param pace        told what is read; waits where that is too much
     * @param whenDiffers told once why, where the store was found to differ; on a thread of its own, which must not close this
     */
    public Comparing(Board board, String name, String suffix, Store store, Limits limits, LongConsumer pace, Consumer<String> whenDiffers) {
        this.board = board;
        this.name = name;
        this.store = store;
        this.limits = limits;
        this.pace = pace;
        this.answerer = new Answerer(store, suffix, this::read, limits, this::pause);
        this.whenDiffers = whenDiffers;
        this.answering = new Thread(this::answer, "compare-" + name);
        this.asking = new Thread(this::ask, "comparing-" + name);
        answering.setDaemon(true);
        asking.setDaemon(true);
        answering.start();
        asking.start();
    }

    private void read(long bytes) {
        if (isOver()) {
            throw new CancellationException();
        }
        unpacedBytes += bytes;
        if (unpacedBytes >= READ_BYTES) {
            pace.accept(unpacedBytes);
            unpacedBytes = 0;
        }
    }

    /** Also where the store was closed while its member runs on, or applies nothing any more. */
    private boolean isOver() {
        return closing.getCount() == 0 || store.replica().role() == Replica.Role.FAILED;
    }

    private void pause(long millis) throws InterruptedException {
        if (closing.await(millis, TimeUnit.MILLISECONDS) || isOver()) {
            throw new InterruptedException("nothing more is compared");
        }
    }

    /** What may go wrong between members, and is tried again. */
    @FunctionalInterface
    private interface Step {
        void run() throws IOException, InterruptedException;
    }

    private void untilClosed(Step step, long pauseMillis) {
        try {
            while (!isOver()) {
                try {
                    step.run();
                } catch (IOException | StoreException e) {
                    LOG.debug("{} is compared with the others later: {}", name, e.toString());
                    pause(pauseMillis);
                }
            }
        } catch (InterruptedException | CancellationException e) {
            LOG.debug("{} is compared no more", name);
        }
    }

    private void answer() {
        try {
            untilClosed(this::answerAll, IDLE_POLLS * limits.pollMillis());
        } finally {
            answerer.release();
        }
    }

    /** What was found before this store was opened says nothing of it. */
    private void answerAll() throws IOException, InterruptedException {
        long known = lastPass();
        long lookedNanos = System.nanoTime();
        long answeredNanos = System.nanoTime();
        Round answered = null;
        while (true) {
            Round round = Round.parse(board.read(Round.NAME));
            boolean isNew = round != null && round.members().contains(name) && !isSame(round, answered);
            if (isNew) {
                board.write(Answer.name(name), answerer.answer(round).bytes());
                answered = round;
                answeredNanos = System.nanoTime();
            } else if (round == null || round.isOver() || System.nanoTime() - answeredNanos > KEEP_NANOS) {
                answerer.release();
            }
            if (System.nanoTime() - lookedNanos > RESULT_NANOS) {
                lookedNanos = System.nanoTime();
                known = look(known);
            }
            pause(round == null || round.isOver() ? IDLE_POLLS * limits.pollMillis() : limits.pollMillis());
        }
    }

    private static boolean isSame(Round round, Round answered) {
        return answered != null && round.pass() == answered.pass() && round.step() == answered.step() && round.by().equals(answered.by());
    }

    private long lastPass() throws IOException {
        Comparison last = Results.last(board);
        return last == null ? 0 : last.pass();
    }

    private long look(long known) throws IOException {
        Comparison last = Results.last(board);
        if (last == null || last.pass() <= known) {
            return known;
        }
        if (last.differs(name)) {
            String what = last.differences().stream().filter(each -> each.members().contains(name)).map(Comparison.Difference::text).findFirst().orElse("");
            whenDiffers.accept("as of transaction " + last.sequence() + " it does not hold what most members hold: " + what);
        }
        return last.pass();
    }

    private void ask() {
        untilClosed(() -> {
            while (!isDue()) {
                pause(Math.min(1000, IDLE_POLLS * limits.pollMillis()));
            }
            compare();
        }, IDLE_POLLS * limits.pollMillis());
    }

    private boolean isDue() throws IOException {
        if (store.replica().role() != Replica.Role.LEADER) {
            return false;
        }
        if (Results.isAsked(board)) {
            return true;
        }
        Comparison last = limits.everyMillis() == 0 ? null : Results.last(board);
        long ago = last == null ? Long.MAX_VALUE : System.currentTimeMillis() - last.endedMillis();
        // One that ended in the future was told by a clock that is wrong.
        return limits.everyMillis() > 0 && (ago >= limits.everyMillis() || ago < 0);
    }

    private void compare() throws IOException, InterruptedException {
        Round before = Round.parse(board.read(Round.NAME));
        boolean isAsked = Results.isAsked(board);
        if (isAsked) {
            Results.begun(board);
        }
        boolean done = false;
        try {
            Comparison found = new Pass(board, name, store, limits, this::pause, Math.max(lastPass(), before == null ? 0 : before.pass()) + 1).run();
            done = found != null;
            if (done) {
                tell(found);
            }
        } finally {
            if (!done) {
                if (isAsked) {
                    Results.ask(board);
                }
                pause(Math.min(RETRY_MILLIS, 100 * limits.pollMillis()));
            }
        }
    }

    private void tell(Comparison found) {
        if (found.isEqual()) {
            LOG.info("{} members hold the same at {} as of transaction {}: {} tables, in {} s", found.members().size(), name, found.sequence(),
                    found.tables(), found.tookMillis() / 1000);
        } else {
            found.differences().forEach(each -> LOG.error("The members do not hold the same as of transaction {}: {}", found.sequence(), each.text()));
        }
    }

    /** Neither thread reads the store when this returns. */
    @Override
    public void close() throws IOException {
        closing.countDown();
        try {
            answering.join();
            asking.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the comparison ended", e);
        }
    }
}
