package org.alder.partition.jdbm.simulation;

import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.log.GroupLog;
import org.alder.partition.jdbm.log.LogGroup;
import org.alder.partition.jdbm.log.LogSource;
import org.alder.partition.jdbm.log.MemorySharedLog;
import org.alder.partition.jdbm.log.MemorySharedLog.Script;
import org.alder.partition.jdbm.log.SharedLog;
import org.alder.partition.testing.Simulation;

/**
 * A shared log as one simulated machine has it: others may go on before each request to it, and before each answer. The machine may be cut
 * off, or hang, at each of these. One task at a time.
 */
final class SimulatedLog implements SharedLog {
    private final Simulation simulation;
    private final MemorySharedLog log;
    private final SharedLog member;
    private final Supplier<Script> endings;
    private final BooleanSupplier hasLease;
    private boolean isCutOff;
    private long hangsUntil;
    private boolean isClosed;
    private boolean isWoken;

    /**
     * @param endings  how appends of this machine end while it reaches the log
     * @param hasLease whether the machine thinks that it may lead; it may be wrong
     */
    SimulatedLog(Simulation simulation, MemorySharedLog log, Supplier<Script> endings, BooleanSupplier hasLease) {
        this.simulation = simulation;
        this.log = log;
        this.member = log.member();
        this.endings = endings;
        this.hasLease = hasLease;
    }

    void cutOff(boolean cut) {
        isCutOff = cut;
    }

    /** Requests and answers wait until then. */
    void hang(long nanos) {
        hangsUntil = simulation.now() + nanos;
    }

    /** As long as the machine hangs nothing happens on it. */
    void pass(String what) {
        simulation.step(what);
        if (simulation.now() < hangsUntil) {
            simulation.pause(hangsUntil - simulation.now());
        }
    }

    boolean isCutOff() {
        return isCutOff;
    }

    private void reach(String what) throws IOException {
        pass(what);
        if (isCutOff) {
            throw new IOException("the log is not reached: " + what);
        }
    }

    @Override
    public UUID storeId() {
        return member.storeId();
    }

    @Override
    public long generation() {
        return member.generation();
    }

    @Override
    public long epoch() {
        return isCutOff ? 0 : member.epoch();
    }

    @Override
    public long endOf(long writerEpoch) {
        return isCutOff ? -1 : member.endOf(writerEpoch);
    }

    @Override
    public long firstSequence() throws IOException {
        reach("asks where the log begins");
        return member.firstSequence();
    }

    @Override
    public LogSource source() {
        return new Source(member.source());
    }

    @Override
    public long readBehind(long sequence, long waitMillis, Consumer<LogGroup> groups) throws IOException, InterruptedException {
        reach("reads the log");
        long last = member.readBehind(sequence, 0, groups);
        if (last == sequence && waitMillis > 0) {
            isWoken = false;
            simulation.await("waits for the log", () -> isClosed || isWoken || log.last() > sequence, TimeUnit.MILLISECONDS.toNanos(waitMillis));
            reach("reads the log again");
            last = member.readBehind(sequence, 0, groups);
        }
        pass("has read the log");
        return last;
    }

    @Override
    public void wake() {
        isWoken = true;
    }

    @Override
    public GroupLog takeOver() throws IOException {
        reach("takes the log over");
        GroupLog taken = member.takeOver();
        pass("has taken the log over");
        return new Writer(taken);
    }

    @Override
    public void replace(long newGeneration, long sequence, long timeMillis) throws IOException {
        member.replace(newGeneration, sequence, timeMillis);
    }

    @Override
    public void flushed(long sequence) {
        member.flushed(sequence);
    }

    @Override
    public void close() {
        isClosed = true;
        member.close();
    }

    private final class Source implements LogSource {
        private final LogSource source;

        Source(LogSource source) {
            this.source = source;
        }

        @Override
        public long timeBefore(long firstSequence) throws IOException {
            reach("asks for a time");
            return source.timeBefore(firstSequence);
        }

        @Override
        public long replay(long firstSequence, boolean cut, Consumer<LogGroup> groups) throws IOException {
            reach("reads a part again");
            return source.replay(firstSequence, cut, groups);
        }

        @Override
        public long partOf(long sequence) throws IOException {
            reach("asks for a part");
            return source.partOf(sequence);
        }

        @Override
        public Since readSince(long sequence, long upTo, Consumer<LogGroup> groups) throws IOException {
            reach("asks what has changed");
            return source.readSince(sequence, upTo, groups);
        }

        @Override
        public Since readAsFarAs(long sequence, long upTo, Consumer<LogGroup> groups) throws IOException {
            reach("asks what there is");
            return source.readAsFarAs(sequence, upTo, groups);
        }
    }

    private final class Writer implements GroupLog {
        private final GroupLog writer;

        Writer(GroupLog writer) {
            this.writer = writer;
        }

        @Override
        public StoreException begin(long firstSequence, long timeBefore) throws IOException {
            reach("begins a part");
            StoreException refused = writer.begin(firstSequence, timeBefore);
            pass("has begun a part");
            return refused;
        }

        @Override
        public boolean isOpen() {
            return writer.isOpen();
        }

        @Override
        public Ending append(LogGroup group, boolean durable) {
            pass("appends " + group.firstSequence());
            if (!hasLease.getAsBoolean()) {
                return Ending.fenced("the lease is lost", null);
            }
            // It may have arrived before the network broke, or its answer was lost.
            Script script = isCutOff ? simulation.random().nextBoolean() ? Script.UNKNOWN_IN : Script.UNKNOWN_OUT : endings.get();
            log.script(() -> script);
            Ending ending = writer.append(group, durable);
            pass("has appended " + group.firstSequence() + ": " + ending.outcome());
            return ending;
        }

        @Override
        public StoreException lost() {
            return hasLease.getAsBoolean() ? writer.lost() : new StoreException(StoreException.Kind.FENCED, "the lease is lost");
        }

        @Override
        public LogSource source() {
            return new Source(writer.source());
        }

        @Override
        public boolean isSynced() {
            return writer.isSynced();
        }

        @Override
        public void sync() throws IOException {
            writer.sync();
        }

        @Override
        public long syncs() {
            return writer.syncs();
        }

        @Override
        public void end() throws IOException {
            writer.end();
        }

        @Override
        public void close() throws IOException {
            writer.close();
        }
    }
}
