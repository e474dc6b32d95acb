package org.alder.server.audit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lines of JSON, one for each event, written by a thread of their own from a queue that is bounded in bytes. When the queue is full,
 * because the disk is slow or full, whoever tells an event waits, or the event is lost, as is asked for; what is lost is counted, shown
 * in {@code cn=Monitor}, logged, and told in the file itself as soon as it can be written again. Lines are handed to the operating
 * system within a moment, and synced when a file is full and at the end. Thread safe.
 */
final class LineLog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LineLog.class);
    /** What may wait for a log: a 64th of the heap at most. */
    private static final long QUEUE_BYTES = Math.min(8L << 20, Runtime.getRuntime().maxMemory() / 64);
    private static final int WRITE_BYTES = 64 << 10;
    /** How long it gathers lines: to be woken and to write for each one costs several times as much as the line. */
    private static final long GATHER_MILLIS = 10;
    private static final long RETRY_MILLIS = 1000;
    private static final long STOP_SECONDS = 10;

    /** "audit", as threads and messages have it. */
    private final String name;
    private volatile LogFiles files;
    private final boolean block;
    private final Predicate<String> isSecret;
    private final LogFile file;
    private final LongAdder written;
    private final LongAdder lost;
    private final Thread thread;
    /** Guards what follows. */
    private final Object lock = new Object();
    private final Queue<LoggedEvent> queue = new ArrayDeque<>();
    private long queuedBytes;
    private boolean idle;
    private boolean closing;
    /** Of the thread alone: since lines were lost last, whether the file can be written, and what is to be written at once. */
    private long lostBefore;
    private boolean failing;
    private final ByteArrayOutputStream buffer = new ByteArrayOutputStream(WRITE_BYTES);

    private LineLog(String name, LogFiles files, boolean block, Predicate<String> isSecret, LogFile file, LongAdder written,
            LongAdder lost) {
        this.name = name;
        this.files = files;
        this.block = block;
        this.isSecret = isSecret;
        this.file = file;
        this.written = written;
        this.lost = lost;
        this.thread = new Thread(this::run, "alder-" + name);
        thread.setDaemon(true);
    }

    /**
     * @param name such as {@code audit}, for messages
     * @param block whether whoever tells waits while there is no room; else events are lost
     * @param isSecret whether the values of an attribute description must not be written
     * @param written counts the lines  @param lost counts the events that the file lacks
     * @throws IOException naming the file, if it cannot be written
     */
    static LineLog open(String name, LogFiles files, boolean block, Predicate<String> isSecret, LongAdder written, LongAdder lost)
            throws IOException {
        LineLog log;
        try {
            log = new LineLog(name, files, block, isSecret, LogFile.open(files), written, lost);
        } catch (IOException e) {
            throw new IOException("the " + name + " log " + files.file() + " cannot be written: " + e, e);
        }
        log.thread.start();
        return log;
    }

    /** How large its files may be, and how many there are, from now on. @param other of the same file */
    void bound(LogFiles other) {
        files = other;
        file.bound(other);
    }

    /** Counts an event that nobody takes any more. */
    void lose() {
        lost.increment();
    }

    /** Tells an event; waits only where the settings say so. @return false if it ends, or has ended, and takes none any more */
    boolean tell(LoggedEvent event) {
        synchronized (lock) {
            boolean interrupted = false;
            while (block && !closing && isFull(event)) {
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                    break;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            if (closing) {
                return false;
            }
            if (isFull(event)) {
                lost.increment();
                return true;
            }
            queue.add(event);
            queuedBytes += event.bytes();
            if (idle || isHalfFull()) {
                idle = false;
                lock.notifyAll();
            }
            return true;
        }
    }

    private boolean isHalfFull() {
        return queuedBytes >= QUEUE_BYTES / 2;
    }

    /** One that is larger than all may be has its place alone. */
    private boolean isFull(LoggedEvent event) {
        return !queue.isEmpty() && queuedBytes + event.bytes() > QUEUE_BYTES;
    }

    private void run() {
        List<LoggedEvent> batch = new ArrayList<>();
        while (take(batch)) {
            writeAll(batch);
            batch.clear();
        }
        try {
            file.close();
        } catch (IOException e) {
            LOG.error("the {} log {} could not be ended: {}", name, files.file(), e.toString());
        }
    }

    /** @return false at the end */
    private boolean take(List<LoggedEvent> batch) {
        synchronized (lock) {
            try {
                while (queue.isEmpty() && !closing) {
                    idle = true;
                    lock.wait();
                }
                gather();
            } catch (InterruptedException e) {
                // Only a stop that takes too long interrupts.
                closing = true;
            }
            batch.addAll(queue);
            queue.clear();
            queuedBytes = 0;
            lock.notifyAll();
            return !batch.isEmpty();
        }
    }

    private void gather() throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(GATHER_MILLIS);
        long left = GATHER_MILLIS;
        while (left > 0 && !closing && !isHalfFull()) {
            lock.wait(left);
            left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        }
    }

    private void writeAll(List<LoggedEvent> batch) {
        int count = 0;
        for (LoggedEvent event : batch) {
            buffer.writeBytes(line(event));
            count++;
            if (buffer.size() >= WRITE_BYTES) {
                write(buffer, count);
                count = 0;
            }
        }
        if (count > 0) {
            write(buffer, count);
        }
    }

    private byte[] line(LoggedEvent event) {
        AuditLine line = new AuditLine(isSecret, event.values());
        try {
            event.write(line);
        } catch (RuntimeException e) {
            LOG.error("an event of the {} log cannot be told whole", name, e);
            line = new AuditLine(isSecret, event.values()).text("time", event.time().toString()).text("kind", event.kind()).text("event", "untold");
        }
        return (line.end() + '\n').getBytes(StandardCharsets.UTF_8);
    }

    /** Writes lines, or loses them; with a setting that says so tries again and again. */
    private void write(ByteArrayOutputStream lines, int count) {
        for (;;) {
            try {
                tellLost();
                file.append(lines.toByteArray());
                written.add(count);
                recovered();
                break;
            } catch (IOException e) {
                if (!failing) {
                    LOG.error("the {} log {} cannot be written, {}: {}", name, files.file(),
                            block ? "and requests wait for it" : "and events are lost", e.toString());
                    failing = true;
                }
                if (!block || !pause()) {
                    lost.add(count);
                    break;
                }
            }
        }
        lines.reset();
    }

    private void recovered() {
        if (failing) {
            LOG.warn("the {} log {} can be written again; {} events are lost in all", name, files.file(), lost.sum());
            failing = false;
        }
    }

    private void tellLost() throws IOException {
        long now = lost.sum();
        if (now > lostBefore) {
            file.append(line(AuditEvent.of(name, "eventsLost", null, Long.toString(now - lostBefore))));
            LOG.warn("{} events of the {} log were lost", now - lostBefore, name);
            lostBefore = now;
        }
    }

    /** @return false if there is no time left */
    private boolean pause() {
        synchronized (lock) {
            try {
                if (!closing) {
                    lock.wait(RETRY_MILLIS);
                }
            } catch (InterruptedException e) {
                closing = true;
            }
            return !closing;
        }
    }

    /** Writes what was told, and ends. Idempotent. */
    @Override
    public void close() {
        synchronized (lock) {
            closing = true;
            lock.notifyAll();
        }
        try {
            thread.join(TimeUnit.SECONDS.toMillis(STOP_SECONDS));
            thread.interrupt();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
