package org.alder.server.cluster;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.alder.partition.DaemonThreads;
import org.alder.partition.Partition;
import org.alder.partition.ber.BerException;
import org.alder.partition.error.Cause;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.NotLeaderException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.ClusterService;
import org.alder.partition.store.Replica;
import org.alder.server.control.ReadPoint;

/**
 * How far the leaders were when they were asked last, so that a read can be held against a moment: what was acknowledged before a leader was
 * asked is in the state that it names, if it is certain then that nobody else leads. So no two clocks are compared, and nobody is asked while no
 * read names a bound. One question at a time is on its way to each leader, however many reads wait for it. Thread safe.
 */
final class LeaderStates {
    /** A leader that has not answered by then is asked again: another one may lead. */
    private static final long ANSWER_MILLIS = 700;
    private static final long PAUSE_MILLIS = 50;

    private final ClusterService.Cluster cluster;
    private final Supplier<List<Partition>> partitions;
    /** What was heard last; null before. */
    private volatile Heard heard;
    /** Guarded by this object, as is the one behind it; null where nobody is being asked. */
    private Round running;
    private Round next;

    /** @param askedNanos when the first leader was asked, as {@link System#nanoTime} says */
    private record Heard(long askedNanos, ReadPoint point) {
    }

    LeaderStates(ClusterService.Cluster cluster, Supplier<List<Partition>> partitions) {
        this.cluster = cluster;
        this.partitions = partitions;
    }

    /** One asking of all leaders. */
    private static final class Round {
        private long askedNanos;
        private final CompletableFuture<Heard> answer = new CompletableFuture<>();
    }

    /** Of the partitions that this member leads for certain, how far they are. */
    ReadPoint own() {
        Map<String, Long> sequences = new TreeMap<>();
        for (Partition each : partitions.get()) {
            Replica replica = each.store().replica();
            long sequence = replica == null ? -1 : replica.certainSequence();
            if (sequence >= 0) {
                sequences.put(each.label(), sequence);
            }
        }
        return new ReadPoint(sequences);
    }

    /** Whether it is known, without asking, that this member shows all that was acknowledged before a moment. */
    boolean isShown(long nanos) {
        Heard last = heard;
        boolean isRecent = last != null && last.askedNanos - nanos >= 0;
        for (Partition each : partitions.get()) {
            Replica replica = each.store().replica();
            if (replica != null && replica.certainSequence() < 0) {
                Long sequence = isRecent ? last.point.sequences().get(each.label()) : null;
                if (sequence == null || each.store().sequence() < sequence) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * A state with all that was acknowledged before a moment, asking until a leader tells one.
     *
     * @return completes exceptionally with a {@link DirectoryException} where nobody is asked here, or the time is over
     */
    CompletableFuture<ReadPoint> asOf(long nanos, long millis) {
        Waiting waiting = new Waiting(nanos, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis));
        waiting.run();
        return waiting.result;
    }

    /** One read. */
    private final class Waiting implements Runnable {
        private final long nanos;
        private final long untilNanos;
        private final CompletableFuture<ReadPoint> result = new CompletableFuture<>();

        Waiting(long nanos, long untilNanos) {
            this.nanos = nanos;
            this.untilNanos = untilNanos;
        }

        @Override
        public void run() {
            heardSince(nanos).whenComplete(this::end);
        }

        private void end(Heard told, Throwable failure) {
            Throwable cause = Cause.of(failure);
            if (cause == null) {
                result.complete(told.point);
            } else if (cause instanceof DirectoryException refusal && refusal.resultCode() == ResultCode.UNWILLING_TO_PERFORM) {
                result.completeExceptionally(cause);
            } else if (System.nanoTime() - untilNanos >= 0) {
                result.completeExceptionally(new DirectoryException(ResultCode.BUSY, "no leader has told how far it is, so it is not known how old what"
                        + " this member shows is (" + why(cause) + "): try again, on another member, or without the bound"));
            } else {
                CompletableFuture.delayedExecutor(PAUSE_MILLIS, TimeUnit.MILLISECONDS, DaemonThreads.MOMENTS).execute(this);
            }
        }
    }

    private static String why(Throwable cause) {
        return cause instanceof TimeoutException ? "there was no answer for " + ANSWER_MILLIS + " ms" : String.valueOf(cause.getMessage());
    }

    /** Of a question that was sent after a moment; one that is on its way is waited for, as the next one is then that of many. */
    private CompletableFuture<Heard> heardSince(long nanos) {
        Round begun = null;
        CompletableFuture<Heard> answer;
        synchronized (this) {
            if (heard != null && heard.askedNanos - nanos >= 0 && covers(heard.point)) {
                return CompletableFuture.completedFuture(heard);
            } else if (running == null) {
                begun = new Round();
                begin(begun);
                answer = begun.answer;
            } else if (running.askedNanos - nanos >= 0) {
                answer = running.answer;
            } else {
                next = next == null ? new Round() : next;
                answer = next.answer;
            }
        }
        if (begun != null) {
            ask(begun);
        }
        return answer;
    }

    /** With the lock. */
    private void begin(Round round) {
        running = round;
        round.askedNanos = System.nanoTime();
    }

    private boolean covers(ReadPoint point) {
        return partitions.get().stream().allMatch(each -> each.store().replica() == null
                || point.sequences().containsKey(each.label()));
    }

    private void ask(Round round) {
        CompletableFuture<ReadPoint> all;
        try {
            all = askAll();
        } catch (DirectoryException | RuntimeException e) {
            all = CompletableFuture.failedFuture(e);
        }
        all.whenComplete((point, failure) -> end(round, point, failure));
    }

    private void end(Round round, ReadPoint point, Throwable failure) {
        Round following;
        Heard told = new Heard(round.askedNanos, point);
        synchronized (this) {
            if (failure == null) {
                heard = told;
            }
            following = next;
            next = null;
            running = null;
            if (following != null) {
                begin(following);
            }
        }
        if (failure == null) {
            round.answer.complete(told);
        } else {
            round.answer.completeExceptionally(failure);
        }
        if (following != null) {
            // Not on a thread of the one that has answered, and never deeper and deeper.
            DaemonThreads.MOMENTS.execute(() -> ask(following));
        }
    }

    /** Those that are led here, too, for whoever asks while that changes. */
    private CompletableFuture<ReadPoint> askAll() throws DirectoryException {
        Set<String> leaders = new HashSet<>();
        ReadPoint own = own();
        for (Partition each : partitions.get()) {
            Replica replica = each.store().replica();
            if (replica != null && !own.sequences().containsKey(each.label())) {
                leaders.add(leader(each, replica));
            }
        }
        CompletableFuture<ReadPoint> all = CompletableFuture.completedFuture(own);
        for (String each : leaders) {
            all = all.thenCombine(cluster.ask(each, MemberQuestions.STATE).thenApply(LeaderStates::decode).orTimeout(ANSWER_MILLIS,
                    TimeUnit.MILLISECONDS), ReadPoint::and);
        }
        return all.thenApply(this::requireAll);
    }

    private static String leader(Partition partition, Replica replica) throws DirectoryException {
        StoreException refusal = replica.refusal();
        if (refusal == null) {
            throw new DirectoryException(ResultCode.BUSY, "it is not certain that this member still leads \"" + partition.label() + '"');
        } else if (refusal instanceof NotLeaderException elsewhere && elsewhere.handsOn()) {
            if (elsewhere.leader() == null) {
                throw new DirectoryException(ResultCode.BUSY, "nobody leads \"" + partition.label() + "\" now, as far as is known here");
            }
            return elsewhere.leader();
        }
        throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, "how old what this member shows is cannot be bounded: it does not ask the"
                + " leader, as its cluster file says otherwise than \"updates: forward\", or the leader's line has no updates=PORT");
    }

    private static ReadPoint decode(byte[] answer) {
        try {
            return MemberQuestions.state(answer);
        } catch (BerException e) {
            throw new CompletionException("the leader's answer is none: " + e.getMessage(), e);
        }
    }

    private ReadPoint requireAll(ReadPoint point) {
        if (!covers(point)) {
            throw new StoreException(StoreException.Kind.NOT_LEADER, "a member that was asked does not lead any more, or is not certain");
        }
        return point;
    }
}
