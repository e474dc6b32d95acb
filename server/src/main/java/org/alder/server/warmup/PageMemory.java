package org.alder.server.warmup;

import com.sun.management.OperatingSystemMXBean;
import java.io.Closeable;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.alder.partition.file.FileReplacement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a server that starts find in memory what the last one had there: which parts of the mapped files were in use is noted now and then, and in the end, and
 * is read when the next one starts, beside all else, so that a machine that was started anew is not slow for as long as clients bring in page after page.
 * What is noted is advice: where it is missing, damaged or of other files, nothing is read. Only Linux tells which pages are in use. Thread safe.
 */
public final class PageMemory implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(PageMemory.class);
    private static final long NOTE_MINUTES = 10;
    /** Who runs for a shorter time has not seen what is needed all day, and keeps what he was told. */
    private static final long SHORT_RUN_NANOS = TimeUnit.HOURS.toNanos(1);
    private static final long MOST_LIST_BYTES = 64 << 20;
    /** Of the memory that is free for it. */
    private static final int SHARE = 2;
    private static final int READ_BYTES = 1 << 20;
    private static final Path MEMORY = Path.of("/proc/meminfo");

    private final Path folder;
    private final Path list;
    private final FileReplacement files;
    private final long startNanos = System.nanoTime();
    /** What was noted before; null until it is asked for, which a start does not wait for. */
    private HotPages told;
    private Thread thread;
    private volatile boolean closed;

    private PageMemory(Path folder, Path list, FileReplacement files) {
        this.folder = folder;
        this.list = list;
        this.files = files;
    }

    /**
     * Begins to read what was noted, in a thread of its own, which then notes now and then.
     *
     * @param folder where the files are
     * @param list   where it is noted
     * @param on     whether any of this is wanted
     */
    public static PageMemory start(Path folder, Path list, FileReplacement files, boolean on) {
        PageMemory memory = new PageMemory(folder, list, files);
        if (on && MappedPages.isTold()) {
            memory.thread = new Thread(memory::run, "page-memory");
            memory.thread.setDaemon(true);
            memory.thread.start();
        }
        return memory;
    }

    private synchronized HotPages told() {
        told = told == null ? read(list) : told;
        return told;
    }

    private static HotPages read(Path list) {
        try {
            if (!Files.isRegularFile(list, LinkOption.NOFOLLOW_LINKS)) {
                return HotPages.NONE;
            }
            if (Files.size(list) > MOST_LIST_BYTES) {
                throw new IllegalArgumentException("more than " + MOST_LIST_BYTES + " bytes");
            }
            return HotPages.parse(Files.readString(list));
        } catch (IOException | IllegalArgumentException e) {
            LOG.warn("{} is not used, and will be written anew: {}", list, e.toString());
            return HotPages.NONE;
        }
    }

    private void run() {
        try {
            readAhead();
            while (!awaitClose()) {
                note();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean awaitClose() throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(NOTE_MINUTES);
        while (!closed && end - System.nanoTime() > 0) {
            TimeUnit.NANOSECONDS.timedWait(this, end - System.nanoTime());
        }
        return closed;
    }

    /** Small files first: of these all searches need something. @return how many bytes were read */
    long readAhead() {
        long begin = System.nanoTime();
        List<Map.Entry<String, BitSet>> wanted = new ArrayList<>(told().in(folder).units().entrySet());
        wanted.sort(Comparator.comparingInt(each -> each.getValue().cardinality()));
        long left = wanted.isEmpty() ? 0 : Math.min(availableBytes(), limitBytes()) / SHARE;
        long bytes = 0;
        for (Map.Entry<String, BitSet> each : wanted) {
            bytes += readAhead(folder.resolve(each.getKey()), each.getValue(), left - bytes);
        }
        if (bytes > 0) {
            LOG.info("Read {} KiB of what was in use when it was noted last, in {} ms", bytes >> 10, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
        }
        return bytes;
    }

    /** @return how many bytes were read; of a file that a merge takes away meanwhile not all */
    private long readAhead(Path file, BitSet units, long most) {
        long bytes = 0;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(READ_BYTES);
            for (int first = units.nextSetBit(0); first >= 0 && bytes < most && !closed;) {
                int end = Math.min(units.nextClearBit(first), first + READ_BYTES / HotPages.UNIT_BYTES);
                buffer.clear().limit((end - first) * HotPages.UNIT_BYTES);
                int read = channel.read(buffer, (long) first * HotPages.UNIT_BYTES);
                if (read <= 0) {
                    return bytes;
                }
                bytes += read;
                first = units.nextSetBit(end);
            }
        } catch (IOException e) {
            LOG.debug("cannot read {} ahead", file, e);
        }
        return bytes;
    }

    /** All memory of the machine, or what the container may take. */
    private static long limitBytes() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    }

    /** What programs can have without any other one's being taken out of memory; 0 where nobody tells. */
    private static long availableBytes() {
        try {
            for (String line : Files.readAllLines(MEMORY)) {
                if (line.startsWith("MemAvailable:")) {
                    return Long.parseLong(line.replaceAll("\\D", "")) << 10;
                }
            }
        } catch (IOException | NumberFormatException e) {
            LOG.debug("{} does not tell how much memory is free", MEMORY, e);
        }
        return 0;
    }

    /** Notes what is in use now. Where that cannot be, the next start reads what was noted before. */
    public synchronized void note() {
        if (thread == null) {
            return;
        }
        try {
            HotPages now = MappedPages.in(folder);
            boolean isShort = System.nanoTime() - startNanos < SHORT_RUN_NANOS;
            files.replace(list, (isShort ? now.plus(told().in(folder)) : now).encode().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            LOG.warn("Which pages are in use could not be noted in {}: {}", list, e.toString());
        }
    }

    /** Reads and notes no more. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        boolean interrupted = false;
        while (thread != null && thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
