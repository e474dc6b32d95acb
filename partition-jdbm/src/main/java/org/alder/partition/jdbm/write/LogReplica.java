package org.alder.partition.jdbm.write;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.log.GroupLog;
import org.alder.partition.jdbm.log.GroupLog.Ending;
import org.alder.partition.jdbm.log.GroupLog.Outcome;
import org.alder.partition.jdbm.log.LogGroup;
import org.alder.partition.jdbm.log.Operation;
import org.alder.partition.jdbm.log.ReplicaLog;
import org.alder.partition.jdbm.log.SharedLog;
import org.alder.partition.jdbm.memory.ChangeBuilder;
import org.alder.partition.jdbm.state.EntryIds;
import org.alder.partition.jdbm.state.LiveState;
import org.alder.partition.jdbm.task.Tasks;
import org.alder.partition.store.ClusterService;
import org.alder.partition.store.Replica;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part that a store takes among those that share its log. A thread reads the log while the store does not lead, and hands group
 * after group to the writer's thread, which applies it: so the memory layers have one thread that changes them, whoever leads.
 *
 * <p>A leader that loses the log has one group whose members wait. Nothing of it was shown, and the memory layer it was applied to is
 * made anew from the log, so the store has nothing that the log has not. Its members are told what the log tells: when the next group
 * is read, it is this one, and they are acknowledged, or another, and it was never made. Where the log tells nothing for a while, they
 * are told that nobody knows.
 */
public final class LogReplica implements Replica {
    private static final Logger LOG = LoggerFactory.getLogger(LogReplica.class);
    /** How long one reading waits for something; for longer from one to the next while nothing comes, so that a store at rest costs little. */
    private static final long LEAST_WAIT_MILLIS = 100;
    private static final long MOST_WAIT_MILLIS = 1000;
    /** How often a leader that writes nothing looks whether another leads. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    /** How long the members of a group wait for the log to tell whether it is there: longer than it takes another one to lead. */
    private static final long UNDECIDED_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final SharedLog shared;
    private final GroupWriter writer;
    private final LiveState live;
    private final EntryIds ids;
    private final Tasks tasks;
    private final String name;
    private final GroupLog readOnly;
    private Tasks.Task task;
    private volatile Role role = Role.REPLICA;
    private volatile StoreException problem;
    private volatile boolean closing;
    /** Reading thread. */
    private long waitMillis = LEAST_WAIT_MILLIS;
    /** Null where no group waits. Writer's thread, but that others may look whether there is one. */
    private volatile Undecided undecided;
    private Consumer<StoreException> onLost;
    /** While it leads. Writer's thread. */
    private long ownEpoch;
    /** What it writes as the leader, from when it shows all that others wrote before; null where it does not lead. */
    private volatile GroupLog led;

    /**
     * @param epoch  under which it was written
     * @param reason what the members are told where nobody knows
     */
    private record Undecided(LogGroup group, List<PendingTransaction<?>> members, long epoch, StoreException reason, long deadlineNanos) {
        /** Whether the log was settled without it, as far as it is applied. @param end -1 where that is not known */
        boolean isMissing(long end, long applied) {
            return end >= 0 && end < group.lastSequence() && applied >= end;
        }

        void complete() {
            members.forEach(PendingTransaction::complete);
        }

        void fail(StoreException why) {
            members.forEach(member -> member.fail(why));
        }
    }

    public LogReplica(String name, SharedLog shared, GroupWriter writer, LiveState live, EntryIds ids, Tasks tasks) {
        this.name = name;
        this.shared = shared;
        this.writer = writer;
        this.live = live;
        this.ids = ids;
        this.tasks = tasks;
        this.readOnly = new ReplicaLog(shared.source());
    }

    /** When the writer runs. */
    public void start() {
        task = tasks.start(name + "-replica", this::run);
    }

    @Override
    public Role role() {
        return role;
    }

    boolean leads() {
        return role == Role.LEADER;
    }

    @Override
    public long epoch() {
        return shared.epoch();
    }

    @Override
    public long behind() {
        long last = leads() ? live.current().sequence() : shared.leaderSequence();
        return last < 0 ? -1 : Math.max(0, last - live.current().sequence());
    }

    @Override
    public long behindMillis() {
        return leads() ? 0 : shared.behindMillis(live.current().sequence());
    }

    /** Read after it was certain: what is published later does no harm, what was published by then is there. */
    @Override
    public long certainSequence() {
        GroupLog log = led;
        return log != null && log.lost() == null ? live.current().sequence() : -1;
    }

    @Override
    public ClusterService.Status cluster() {
        return shared.cluster();
    }

    @Override
    public StoreException refusal() {
        return leads() ? null : notLeader();
    }

    /** What those are told who want to change anything. */
    StoreException notLeader() {
        return shared.notLeader();
    }

    @Override
    public StoreException problem() {
        return problem;
    }

    @Override
    public CompletableFuture<Long> promote(Consumer<StoreException> whenLost) {
        return writer.call(() -> {
            try {
                return promoteNow(whenLost);
            } catch (IOException e) {
                throw new StoreException(StoreException.Kind.IO, "the log of " + name + " cannot be taken over now: " + e, e);
            }
        });
    }

    private long promoteNow(Consumer<StoreException> whenLost) throws IOException, InterruptedException {
        if (leads()) {
            onLost = whenLost;
            return ownEpoch;
        }
        if (role == Role.FAILED) {
            throw problem;
        }
        writer.requireRoom();
        GroupLog log = shared.takeOver();
        ownEpoch = shared.epoch();
        boolean done = false;
        try {
            applyToEnd();
            settle();
            shared.requireReady();
            writer.lead(log);
            done = true;
        } finally {
            if (!done) {
                log.close();
            }
        }
        onLost = whenLost;
        synchronized (this) {
            problem = null;
            led = log;
            role = Role.LEADER;
        }
        LOG.info("{} leads from sequence {} on, epoch {}", name, live.current().sequence() + 1, ownEpoch);
        return ownEpoch;
    }

    private void applyToEnd() throws IOException, InterruptedException {
        writer.makeActiveAnew();
        long before = -1;
        while (live.current().sequence() > before) {
            before = live.current().sequence();
            shared.readBehind(before, 0, this::applyUnchecked);
        }
    }

    private void applyUnchecked(LogGroup group) {
        try {
            apply(group);
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    /** All that was ever in the log is applied. */
    private void settle() {
        if (undecided != null) {
            Undecided settled = undecided;
            undecided = null;
            settled.fail(notLeader());
        }
    }

    @Override
    public CompletableFuture<Void> demote() {
        return writer.call(() -> {
            if (leads()) {
                follow();
                LOG.info("{} leads no more: it was asked to hand over at sequence {}", name, live.current().sequence());
            }
            return null;
        });
    }

    @Override
    public CompletableFuture<Void> resign(StoreException why) {
        return writer.call(() -> {
            if (leads()) {
                lost(why);
            }
            return null;
        });
    }

    private void follow() {
        writer.leadNoMore(readOnly);
        led = null;
        role = Role.REPLICA;
        onLost = null;
        wake();
    }

    private void wake() {
        shared.wake();
        synchronized (this) {
            tasks.wake(this);
        }
    }

    /** The writer has lost the log with this group, nothing of which was shown. */
    void lost(TransactionGroup group, Ending ending) {
        Undecided waiting = new Undecided(group.logGroup(), List.copyOf(group.members()), ownEpoch, ending.reason(), tasks.nanoTime() + UNDECIDED_NANOS);
        if (group.size() == 0) {
            waiting.fail(notLeader());
        } else if (ending.outcome() == Outcome.REFUSED) {
            waiting.fail(ending.reason());
        } else {
            undecided = waiting;
        }
        lost(ending.reason());
    }

    /** The writer has lost the log, between groups. */
    void lost(StoreException reason) {
        Consumer<StoreException> told = onLost;
        LOG.warn("{} leads no more, at sequence {}: {}", name, live.current().sequence(), reason.getMessage());
        follow();
        try {
            if (told != null) {
                told.accept(reason);
            }
        } catch (RuntimeException e) {
            LOG.error("Who had {} lead could not be told that it does no more", name, e);
        }
    }

    private void run() {
        try {
            while (!closing) {
                if (role == Role.REPLICA) {
                    followLog();
                } else if (leads()) {
                    await(LOOK_NANOS);
                    writer.call(this::followIfFenced);
                } else {
                    await(Long.MAX_VALUE);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (CancellationException e) {
            LOG.debug("{} reads no more, because it is closed", name);
        }
    }

    private synchronized void await(long nanos) throws InterruptedException {
        if (!closing) {
            tasks.waitOn(this, nanos);
        }
    }

    private Void followIfFenced() {
        if (leads() && shared.epoch() > ownEpoch) {
            lost(new StoreException(StoreException.Kind.FENCED, "epoch " + shared.epoch() + " of the log has begun"));
        }
        return null;
    }

    private void followLog() throws InterruptedException {
        long sequence = live.current().sequence();
        try {
            long millis = undecided == null ? waitMillis : LEAST_WAIT_MILLIS;
            boolean isAtRest = shared.readBehind(sequence, millis, this::hand) == sequence;
            waitMillis = isAtRest ? Math.min(2 * millis, MOST_WAIT_MILLIS) : LEAST_WAIT_MILLIS;
            hinderedBy(null);
        } catch (IOException | RuntimeException e) {
            Throwable cause = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
            if (closing) {
                throw new CancellationException();
            }
            hinder(cause, sequence);
            await(RETRY_NANOS);
        }
        if (undecided != null) {
            writer.call(this::giveUpUndecided);
        }
    }

    /**
     * What may pass is tried again; anything else ends it, unless the store was made the leader meanwhile, or has more than when the reading
     * began: then what could not be read is not needed any more, or it shows again.
     */
    private void hinder(Throwable cause, long sequence) {
        StoreException now = cause instanceof StoreException store ? store
                : new StoreException(StoreException.Kind.IO, "the log cannot be read: " + cause, cause);
        boolean mayPass = cause instanceof IOException || now.kind() == StoreException.Kind.IO && cause instanceof StoreException
                || now.kind() == StoreException.Kind.DISK_FULL;
        if (!mayPass) {
            tasks.join(writer.call(() -> failBehind(sequence, now)));
        } else if (hinderedBy(now)) {
            LOG.warn("{} applies nothing now, and tries again: {}", name, now.getMessage());
            LOG.debug("{} was kept from applying", name, now);
        }
    }

    /** Of a replica that goes on: what ended it stays what ended it. @return whether nothing hindered it before */
    private synchronized boolean hinderedBy(StoreException now) {
        boolean isNew = role == Role.REPLICA && problem == null;
        if (role != Role.FAILED) {
            problem = role == Role.REPLICA ? now : null;
        }
        return isNew;
    }

    private synchronized void endedBy(StoreException now) {
        problem = now;
        role = Role.FAILED;
    }

    @Override
    public CompletableFuture<Void> fail(StoreException why) {
        return writer.call(() -> {
            if (leads()) {
                lost(why);
            }
            if (role == Role.FAILED) {
                endedBy(why);
            }
            return failBehind(live.current().sequence(), why);
        });
    }

    private Void failBehind(long sequence, StoreException now) {
        if (role == Role.REPLICA && live.current().sequence() == sequence) {
            LOG.warn("{} applies nothing any more: {}", name, now.getMessage(), now);
            endedBy(now);
            // Nobody reads the log any more.
            failUndecided();
        }
        return null;
    }

    private void hand(LogGroup group) {
        if (closing) {
            throw new CancellationException();
        }
        tasks.join(writer.call(() -> {
            apply(group);
            return null;
        }));
    }

    /** Of what the store has already nothing is done again. */
    private void apply(LogGroup group) throws IOException {
        long last = live.current().sequence();
        if (leads() || group.lastSequence() <= last) {
            return;
        }
        if (group.firstSequence() > last + 1) {
            throw new StoreException(StoreException.Kind.CORRUPT, "the log goes on with sequence " + group.firstSequence() + " behind " + last);
        }
        writer.requireRoom();
        writer.makeActiveAnew();
        try (AppliedTransactions applied = new AppliedTransactions(live, ids, group.timeMillis())) {
            long heapBytes = apply(group.between(last, Long.MAX_VALUE), applied);
            applied.publish();
            writer.applied(applied, heapBytes);
        }
        decide(group);
    }

    private long apply(LogGroup group, AppliedTransactions applied) {
        long before = applied.layers().active().sizeBytes();
        boolean done = false;
        try {
            for (List<Operation> operations : group.transactions()) {
                applied.apply(operations, ChangeBuilder.build(operations, applied.newest(), applied.layers().indexer()));
            }
            done = true;
        } catch (IllegalStateException e) {
            throw new StoreException(StoreException.Kind.CORRUPT, "the log's transaction " + (applied.lastSequence() + 1)
                    + " does not fit what is before it: " + e.getMessage(), e);
        } finally {
            if (!done) {
                writer.spoilActive();
            }
        }
        return applied.layers().active().sizeBytes() - before;
    }

    /** The log has told what became of the group. */
    private void decide(LogGroup found) {
        Undecided waiting = undecided;
        if (waiting == null || found.lastSequence() < waiting.group.firstSequence()) {
            return;
        }
        undecided = null;
        if (found.isSame(waiting.group)) {
            waiting.complete();
        } else {
            waiting.fail(notLeader());
        }
    }

    private Void giveUpUndecided() {
        Undecided waiting = undecided;
        if (waiting != null && waiting.isMissing(shared.endOf(waiting.epoch), live.current().sequence())) {
            settle();
            return null;
        }
        return waiting != null && tasks.nanoTime() - waiting.deadlineNanos > 0 ? failUndecided() : null;
    }

    private Void failUndecided() {
        Undecided waiting = undecided;
        undecided = null;
        if (waiting != null) {
            waiting.fail(nobodyKnows(waiting.reason));
        }
        return null;
    }

    private static StoreException nobodyKnows(StoreException reason) {
        return new StoreException(StoreException.Kind.OUTCOME_UNKNOWN, "whether the update was made is not known here: read what it was to "
                + "change, from the leader: " + reason.getMessage(), reason);
    }

    /** Whoever has it lead finds that it does no more. */
    private Void end() {
        led = null;
        if (role != Role.FAILED) {
            endedBy(new StoreException(StoreException.Kind.CLOSED, "the store is closed"));
        }
        return null;
    }

    /** Before the writer is closed: reads no more. */
    public void close() throws InterruptedException {
        closing = true;
        wake();
        writer.call(this::failUndecided);
        writer.call(this::end);
        task.join();
    }
}
