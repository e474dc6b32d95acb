package org.alder.partition.jdbm.log;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.alder.partition.error.StoreException;

/**
 * A log in the heap that several stores of a test share, as bytes. How appends end is scripted; what became of one that ended without an
 * answer is settled when somebody takes the log over, as with a log that machines hold. Thread safe.
 */
public final class MemorySharedLog {
    /** How an append ends: IN and OUT say whether the group turns out to be in the log. */
    public enum Script { DONE, REFUSED_NOW, REFUSED, UNKNOWN_IN, UNKNOWN_OUT, FENCED_IN, FENCED_OUT }

    private final UUID storeId = UUID.randomUUID();
    private final List<Part> parts = new ArrayList<>();
    private final Map<Member, Long> flushed = new LinkedHashMap<>();
    private final List<String> faults = new ArrayList<>();
    /** The last transaction of each epoch that is over. */
    private final TreeMap<Long, Long> ends = new TreeMap<>();
    private long epoch;
    private long generation = 1;
    private volatile Supplier<Script> script = () -> Script.DONE;
    private volatile LongSupplier delayNanos = () -> 0;
    private volatile boolean isDown;
    private volatile boolean refusesReplacements;
    private boolean hidesLast;
    private boolean trims;

    /** Groups of one epoch. */
    private static final class Part {
        private final long first;
        private final long timeBefore;
        private final List<byte[]> groups = new ArrayList<>();
        private long last;
        private boolean isOpen = true;
        /** In the log when the part is settled; null if nothing is. */
        private LogGroup unsettled;

        Part(long first, long timeBefore) {
            this.first = first;
            this.last = first - 1;
            this.timeBefore = timeBefore;
        }

        void add(LogGroup group) {
            GrowingBuffer out = new GrowingBuffer();
            GroupCodec.encode(group, 0, out);
            groups.add(Arrays.copyOf(out.bytes(), out.size()));
            last = group.lastSequence();
        }

        void settle() {
            if (unsettled != null) {
                add(unsettled);
                unsettled = null;
            }
            isOpen = false;
        }
    }

    /** How each append from now on ends. */
    public void script(Supplier<Script> endings) {
        script = endings;
    }

    /** How long each append takes. */
    public void delay(LongSupplier nanos) {
        delayNanos = nanos;
    }

    /** Whether nobody can reach it. */
    public void setDown(boolean down) {
        isDown = down;
    }

    /** Data of another generation are not taken. */
    public void refuseReplacements() {
        refusesReplacements = true;
    }

    /** Readers get a group when another follows it, or when its part has ended. */
    public synchronized void hideLast() {
        hidesLast = true;
    }

    /** Gives up what all members have flushed. */
    public synchronized void trim() {
        trims = true;
    }

    /** What writers did that they may not. */
    public synchronized List<String> faults() {
        return List.copyOf(faults);
    }

    /** The last transaction that is certain. */
    public synchronized long last() {
        return parts.isEmpty() ? 0 : parts.get(parts.size() - 1).last;
    }

    public synchronized long first() {
        return parts.isEmpty() ? 1 : parts.get(0).first;
    }

    public synchronized long epoch() {
        return epoch;
    }

    /** The log as one store has it. */
    public synchronized SharedLog member() {
        Member member = new Member();
        flushed.put(member, 0L);
        return member;
    }

    private synchronized void nextEpoch() {
        parts.forEach(Part::settle);
        ends.put(epoch++, last());
    }

    private synchronized List<LogGroup> behind(long sequence, boolean all) {
        List<LogGroup> found = new ArrayList<>();
        for (Part part : parts) {
            int count = part.isOpen && hidesLast && !all ? Math.max(0, part.groups.size() - 1) : part.groups.size();
            if (part.last > sequence) {
                part.groups.subList(0, count).stream().map(bytes -> GroupCodec.decode(bytes).group())
                        .filter(group -> group.lastSequence() > sequence).forEach(found::add);
            }
        }
        return found;
    }

    private void requireUp() throws IOException {
        if (isDown) {
            throw new IOException("the log is down");
        }
    }

    private final class Source implements LogSource {
        private final boolean all;

        Source(boolean all) {
            this.all = all;
        }

        @Override
        public long timeBefore(long firstSequence) throws IOException {
            requireUp();
            synchronized (MemorySharedLog.this) {
                return parts.stream().filter(part -> part.first == firstSequence).mapToLong(part -> part.timeBefore).findFirst().orElse(0);
            }
        }

        @Override
        public long replay(long firstSequence, boolean cut, Consumer<LogGroup> groups) throws IOException {
            requireUp();
            long last = firstSequence - 1;
            for (LogGroup group : behind(firstSequence - 1, all)) {
                groups.accept(group);
                last = group.lastSequence();
            }
            return last;
        }

        @Override
        public long partOf(long sequence) throws IOException {
            requireUp();
            synchronized (MemorySharedLog.this) {
                return parts.stream().mapToLong(part -> part.first).filter(first -> first <= sequence).max().orElse(sequence);
            }
        }

        @Override
        public Since readSince(long sequence, long upTo, Consumer<LogGroup> groups) throws IOException {
            Since found = readAsFarAs(sequence, upTo, groups);
            return found.lastSequence() < upTo ? Since.MISSING : found;
        }

        @Override
        public Since readAsFarAs(long sequence, long upTo, Consumer<LogGroup> groups) throws IOException {
            requireUp();
            long time = -1;
            long last = -1;
            for (LogGroup group : behind(sequence - 1, all)) {
                time = group.firstSequence() <= sequence ? group.timeMillis() : time;
                if (group.lastSequence() > sequence && group.firstSequence() <= upTo) {
                    groups.accept(group);
                    last = group.lastSequence();
                }
            }
            return time < 0 ? Since.MISSING : new Since(time, last);
        }
    }

    private final class Member implements SharedLog {
        private boolean closed;

        @Override
        public UUID storeId() {
            return storeId;
        }

        @Override
        public long generation() {
            synchronized (MemorySharedLog.this) {
                return generation;
            }
        }

        @Override
        public long epoch() {
            synchronized (MemorySharedLog.this) {
                return epoch;
            }
        }

        @Override
        public long endOf(long writerEpoch) {
            synchronized (MemorySharedLog.this) {
                Map.Entry<Long, Long> end = ends.ceilingEntry(writerEpoch);
                return end == null ? -1 : end.getValue();
            }
        }

        @Override
        public long firstSequence() throws IOException {
            requireUp();
            return first();
        }

        @Override
        public LogSource source() {
            return new Source(false);
        }

        @Override
        public long readBehind(long sequence, long waitMillis, Consumer<LogGroup> groups) throws IOException, InterruptedException {
            requireUp();
            if (first() > sequence + 1) {
                throw new StoreException(StoreException.Kind.OUTDATED, "the log begins with " + first());
            }
            List<LogGroup> found = behind(sequence, false);
            synchronized (MemorySharedLog.this) {
                if (found.isEmpty() && waitMillis > 0 && !closed) {
                    TimeUnit.MILLISECONDS.timedWait(MemorySharedLog.this, waitMillis);
                }
            }
            long last = sequence;
            for (LogGroup group : found.isEmpty() ? behind(sequence, false) : found) {
                groups.accept(group);
                last = group.lastSequence();
            }
            return last;
        }

        @Override
        public void wake() {
            synchronized (MemorySharedLog.this) {
                MemorySharedLog.this.notifyAll();
            }
        }

        @Override
        public GroupLog takeOver() throws IOException {
            requireUp();
            synchronized (MemorySharedLog.this) {
                nextEpoch();
                MemorySharedLog.this.notifyAll();
                return new Writer(epoch);
            }
        }

        @Override
        public void replace(long newGeneration, long sequence, long timeMillis) throws IOException {
            requireUp();
            if (refusesReplacements) {
                throw new IOException("the log takes no other data");
            }
            synchronized (MemorySharedLog.this) {
                if (newGeneration <= generation || sequence <= last()) {
                    faults.add("generation " + newGeneration + " at " + sequence + " in the place of " + generation + " at " + last());
                }
                generation = newGeneration;
                parts.clear();
                Part part = new Part(sequence + 1, timeMillis);
                part.isOpen = false;
                parts.add(part);
            }
        }

        @Override
        public void flushed(long sequence) {
            synchronized (MemorySharedLog.this) {
                flushed.put(this, sequence);
                long least = flushed.values().stream().mapToLong(Long::longValue).min().orElse(0);
                while (trims && parts.size() > 1 && parts.get(0).last <= least) {
                    parts.remove(0);
                }
            }
        }

        @Override
        public void close() {
            synchronized (MemorySharedLog.this) {
                closed = true;
                MemorySharedLog.this.notifyAll();
            }
        }
    }

    private final class Writer implements GroupLog {
        private final long own;
        private Part part;
        private volatile long syncs;

        Writer(long own) {
            this.own = own;
        }

        @Override
        public StoreException begin(long firstSequence, long timeBefore) throws IOException {
            requireUp();
            synchronized (MemorySharedLog.this) {
                if (own != epoch) {
                    throw new StoreException(StoreException.Kind.FENCED, "epoch " + own + " was followed by " + epoch);
                }
                if (firstSequence != last() + 1 && !parts.isEmpty()) {
                    faults.add("a part begins with " + firstSequence + " behind " + last());
                }
                if (!parts.isEmpty() && parts.get(parts.size() - 1).groups.isEmpty()) {
                    parts.remove(parts.size() - 1);
                }
                part = new Part(firstSequence, timeBefore);
                parts.add(part);
                return null;
            }
        }

        @Override
        public StoreException lost() {
            return own == epoch() ? null : new StoreException(StoreException.Kind.FENCED, "epoch " + own + " was followed by another one");
        }

        @Override
        public boolean isOpen() {
            return part != null;
        }

        @Override
        public Ending append(LogGroup group, boolean durable) {
            try {
                TimeUnit.NANOSECONDS.sleep(delayNanos.getAsLong());
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            Script next = isDown ? Script.UNKNOWN_OUT : script.get();
            synchronized (MemorySharedLog.this) {
                Ending ending = own == epoch ? append(group, next) : Ending.fenced("another epoch", null);
                part = ending.outcome() == Outcome.DONE ? part : null;
                MemorySharedLog.this.notifyAll();
                return ending;
            }
        }

        private Ending append(LogGroup group, Script next) {
            if (group.firstSequence() != part.last + 1 || part.unsettled != null) {
                faults.add("group " + group.firstSequence() + " behind " + part.last);
            }
            syncs++;
            switch (next) {
                case DONE -> {
                    part.add(group);
                    return Ending.DONE;
                }
                case REFUSED_NOW -> {
                    part.isOpen = false;
                    return Ending.refusedForNow(new StoreException(StoreException.Kind.DISK_FULL, "scripted"));
                }
                case REFUSED -> {
                    part.isOpen = false;
                    return Ending.refused(new StoreException(StoreException.Kind.READ_ONLY, "scripted"));
                }
                case UNKNOWN_IN, UNKNOWN_OUT -> {
                    part.unsettled = next == Script.UNKNOWN_IN ? group : null;
                    return Ending.unknown("scripted", null);
                }
                default -> {
                    part.unsettled = next == Script.FENCED_IN ? group : null;
                    nextEpoch();
                    return Ending.fenced("scripted", null);
                }
            }
        }

        @Override
        public LogSource source() {
            return new Source(true);
        }

        @Override
        public boolean isSynced() {
            return true;
        }

        @Override
        public void sync() {
            // Each append is.
        }

        @Override
        public long syncs() {
            return syncs;
        }

        @Override
        public void end() {
            synchronized (MemorySharedLog.this) {
                part.isOpen = false;
                part = null;
                MemorySharedLog.this.notifyAll();
            }
        }

        @Override
        public void close() {
            part = null;
        }
    }
}
