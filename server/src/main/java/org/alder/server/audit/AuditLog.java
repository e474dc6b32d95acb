package org.alder.server.audit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.alder.server.resource.Counters;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The audit log: one line of JSON for each event, written by a thread of its own from a queue that is bounded in bytes. When the queue
 * is full, because the disk is slow or full, whoever tells an event waits, or the event is lost, as the settings say; what is lost
 * is counted, shown in {@code cn=Monitor}, logged, and told in the audit log itself as soon as it can be written again. Lines are
 * handed to the operating system within a moment, and synced when a file is full and at the end. Thread safe.
 */
public final class AuditLog implements AuditTrail, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);
    /** A 64th of the heap at most. */
    static final long QUEUE_BYTES = Math.min(8L << 20, Runtime.getRuntime().maxMemory() / 64);
    private static final int WRITE_BYTES = 64 << 10;
    private static final long RETRY_MILLIS = 1000;
    private static final long STOP_SECONDS = 10;

    private final AuditSettings settings;
    private final AuditLevel level;
    private final Predicate<String> isSecret;
    private final AuditFile file;
    private final LongAdder written;
    private final LongAdder lost;
    private final Thread thread;
    /** Guards what follows. */
    private final Object lock = new Object();
    private final Queue<AuditEvent> queue = new ArrayDeque<>();
    private long queuedBytes;
    private boolean idle;
    private boolean closing;
    /** Of the thread alone: since lines were lost last, and whether the file can be written. */
    private long lostBefore;
    private boolean failing;

    private AuditLog(AuditSettings settings, Predicate<String> isSecret, AuditFile file, Counters counters) {
        this.settings = settings;
        this.level = settings.level();
        this.isSecret = isSecret;
        this.file = file;
        this.written = counters.counter("audit", "alderAuditEvents");
        this.lost = counters.counter("audit", "alderAuditEventsLost");
        this.thread = new Thread(this::run, "alder-audit");
        thread.setDaemon(true);
    }

    /**
     * @param isSecret whether the values of an attribute description must not be written
     * @param counters gets what is written and what is lost
     * @return null if the settings say that there is none
     * @throws IOException naming the file, if it cannot be written
     */
    public static AuditLog open(AuditSettings settings, Predicate<String> isSecret, Counters counters) throws IOException {
        if (settings.level() == AuditLevel.OFF) {
            return null;
        }
        AuditLog log;
        try {
            log = new AuditLog(settings, isSecret, AuditFile.open(settings), counters);
        } catch (IOException e) {
            throw new IOException("the audit log " + settings.file() + " cannot be written: " + e, e);
        }
        log.thread.start();
        return log;
    }

    /** Whether what is told from this level on is written. */
    public boolean isTold(AuditLevel from) {
        return from.compareTo(level) <= 0;
    }

    /** Tells what no request stands for. */
    @Override
    public void tell(Kind kind, String event, String target, String detail) {
        tell(AuditEvent.of(kind.name().toLowerCase(Locale.ROOT), event, target, detail));
    }

    /** Tells an event; waits only where the settings say so. */
    public void tell(AuditEvent event) {
        synchronized (lock) {
            boolean interrupted = false;
            while (settings.block() && !closing && isFull(event)) {
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
            if (closing || isFull(event)) {
                lost.increment();
                return;
            }
            queue.add(event);
            queuedBytes += event.bytes();
            if (idle) {
                idle = false;
                lock.notifyAll();
            }
        }
    }

    /** One that is larger than all may be has its place alone. */
    private boolean isFull(AuditEvent event) {
        return !queue.isEmpty() && queuedBytes + event.bytes() > QUEUE_BYTES;
    }

    private void run() {
        List<AuditEvent> batch = new ArrayList<>();
        while (take(batch)) {
            writeAll(batch);
            batch.clear();
        }
        try {
            file.close();
        } catch (IOException e) {
            LOG.error("the audit log {} could not be ended: {}", settings.file(), e.toString());
        }
    }

    /** @return false at the end */
    private boolean take(List<AuditEvent> batch) {
        synchronized (lock) {
            while (queue.isEmpty() && !closing) {
                idle = true;
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    // Only a stop that takes too long interrupts.
                    closing = true;
                }
            }
            batch.addAll(queue);
            queue.clear();
            queuedBytes = 0;
            lock.notifyAll();
            return !batch.isEmpty();
        }
    }

    private void writeAll(List<AuditEvent> batch) {
        ByteArrayOutputStream lines = new ByteArrayOutputStream(WRITE_BYTES);
        int count = 0;
        for (AuditEvent event : batch) {
            lines.writeBytes(line(event));
            count++;
            if (lines.size() >= WRITE_BYTES) {
                write(lines, count);
                count = 0;
            }
        }
        if (count > 0) {
            write(lines, count);
        }
    }

    private byte[] line(AuditEvent event) {
        AuditLine line = new AuditLine(isSecret);
        try {
            event.write(line);
        } catch (RuntimeException e) {
            LOG.error("an event of the audit log cannot be told whole", e);
            line = new AuditLine(isSecret).text("time", event.time().toString()).text("kind", event.kind()).text("event", "untold");
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
                    LOG.error("the audit log {} cannot be written, {}: {}", settings.file(),
                            settings.block() ? "and requests wait for it" : "and events are lost", e.toString());
                    failing = true;
                }
                if (!settings.block() || !pause()) {
                    lost.add(count);
                    break;
                }
            }
        }
        lines.reset();
    }

    private void recovered() {
        if (failing) {
            LOG.warn("the audit log {} can be written again; {} events are lost in all", settings.file(), lost.sum());
            failing = false;
        }
    }

    private void tellLost() throws IOException {
        long now = lost.sum();
        if (now > lostBefore) {
            file.append(line(AuditEvent.of("audit", "eventsLost", null, Long.toString(now - lostBefore))));
            LOG.warn("{} events of the audit log were lost", now - lostBefore);
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
