package org.alder.server.warmup;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which pages of the files that this process has mapped it has read, and are still in memory, as Linux tells it (proc(5): maps, pagemap, auxv): a page is
 * taken out of the mapping when the system takes it out of memory. Stateless, thread safe.
 */
final class MappedPages {
    private static final Path SELF = Path.of("/proc/self");
    /** start-end permissions offset device inode path */
    private static final Pattern MAPPING = Pattern.compile("([0-9a-f]+)-([0-9a-f]+) r..s ([0-9a-f]+) \\S+ \\d+ +(/.*)");
    private static final long PRESENT = 1L << 63;
    private static final int READ_ENTRIES = 1 << 13;
    private static final long PAGE_SIZE_KEY = 6;
    /** Units of which less is in memory, as of a file much larger than that, are not noted: to read all of them would take more memory than they had. */
    private static final int SHARE_OF_UNIT = 4;

    private MappedPages() {
    }

    /** Whether the system tells it. */
    static boolean isTold() {
        return Files.isReadable(SELF.resolve("maps")) && Files.isReadable(SELF.resolve("pagemap")) && Files.isReadable(SELF.resolve("auxv"));
    }

    /** Those of the files in a folder, by their paths from there. */
    static HotPages in(Path folder) throws IOException {
        String prefix = folder.toRealPath() + "/";
        List<String> mappings = Files.readAllLines(SELF.resolve("maps"));
        int pageBytes = pageBytes();
        Map<String, BitSet> units = new TreeMap<>();
        try (FileChannel pages = FileChannel.open(SELF.resolve("pagemap"))) {
            for (String mapping : mappings) {
                Matcher matcher = MAPPING.matcher(mapping);
                if (matcher.matches() && matcher.group(4).startsWith(prefix) && !matcher.group(4).endsWith(" (deleted)")) {
                    long start = Long.parseUnsignedLong(matcher.group(1), 16);
                    long count = (Long.parseUnsignedLong(matcher.group(2), 16) - start) / pageBytes;
                    long offset = Long.parseUnsignedLong(matcher.group(3), 16);
                    BitSet set = units.computeIfAbsent(matcher.group(4).substring(prefix.length()), none -> new BitSet());
                    addPresent(pages, start / pageBytes, count, offset, pageBytes, set);
                }
            }
        }
        units.values().removeIf(BitSet::isEmpty);
        return new HotPages(units);
    }

    private static void addPresent(FileChannel pages, long firstPage, long count, long offset, int pageBytes, BitSet set) throws IOException {
        ByteBuffer entries = ByteBuffer.allocate(READ_ENTRIES * Long.BYTES).order(ByteOrder.nativeOrder());
        int enough = Math.max(1, HotPages.UNIT_BYTES / pageBytes / SHARE_OF_UNIT);
        int unit = -1;
        int present = 0;
        long done = 0;
        while (done < count) {
            entries.clear().limit((int) Math.min(READ_ENTRIES, count - done) * Long.BYTES);
            if (pages.read(entries, (firstPage + done) * Long.BYTES) <= 0) {
                return;
            }
            entries.flip();
            for (; entries.remaining() >= Long.BYTES; done++) {
                int home = (int) ((offset + done * pageBytes) / HotPages.UNIT_BYTES);
                present = home == unit ? present : 0;
                unit = home;
                if ((entries.getLong() & PRESENT) != 0 && ++present >= enough) {
                    set.set(home);
                }
            }
        }
    }

    /** Pairs of a key and a value, of which one is the size of a page. */
    private static int pageBytes() throws IOException {
        ByteBuffer told = ByteBuffer.wrap(Files.readAllBytes(SELF.resolve("auxv"))).order(ByteOrder.nativeOrder());
        while (told.remaining() >= 2 * Long.BYTES) {
            long key = told.getLong();
            long value = told.getLong();
            if (key == PAGE_SIZE_KEY) {
                return Math.toIntExact(value);
            }
        }
        throw new IOException(SELF.resolve("auxv") + " does not tell the size of a page");
    }
}
