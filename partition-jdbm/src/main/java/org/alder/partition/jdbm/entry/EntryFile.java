package org.alder.partition.jdbm.entry;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.CRC32C;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.block.IdGroups;
import org.alder.partition.jdbm.block.TableCorruptException;
import org.alder.partition.jdbm.block.TableSummary;
import org.alder.partition.jdbm.disk.PageAdvice;
import org.alder.partition.jdbm.disk.PageFetcher;
import org.alder.partition.jdbm.layer.EntryFinder;
import org.alder.partition.jdbm.layer.EntryVersion;
import org.alder.partition.jdbm.layer.EntryVersionCursor;
import org.alder.partition.jdbm.layer.StoredEntries;

/**
 * The entries of a segment, read: each is found by its ID with two looks, and decoded alone, in less time than a cache would take to find it
 * (docs/format/entry-file.md). So there is none: what is asked for often is in the page cache of the operating system.
 *
 * <p>Thread safe, memory-mapped. Each entry has a checksum of its own, which is compared whenever it is read. After {@link #close} every
 * read throws IllegalStateException; the mappings are given back when nobody refers to them any more.
 */
public final class EntryFile implements StoredEntries, IdGroups {
    /** File suffix of entry files. */
    public static final String FILE_SUFFIX = ".entries";

    /** Fewer are there before anything read ahead is. */
    private static final int READ_AHEAD_IDS = 8;

    private final Path file;
    private final Mapping mapping;
    private final EntryFormat format;
    private final Vocabulary vocabulary;
    private final PageFetcher fetcher;
    /** Looks single entries up, when nobody else does; null while it does, and before the first one. */
    private final AtomicReference<EntryReader> idle = new AtomicReference<>();
    private volatile boolean closed;

    private EntryFile(Path file, Mapping mapping, PageFetcher fetcher, EntryFormat format, Vocabulary vocabulary) {
        this.file = file;
        this.mapping = mapping;
        this.fetcher = fetcher;
        this.format = format;
        this.vocabulary = vocabulary;
    }

    /**
     * Opens a file whose length has been compared, and compares the part that says where each entry is, and what they have in common.
     *
     * @throws TableCorruptException where it is no entry file of exactly this many entries
     */
    public static EntryFile open(Path file, TableSummary expected) throws IOException {
        return open(file, expected, Mapping.WINDOW_BITS, PageAdvice.isLarge(expected.fileBytes()));
    }

    /** @param isLarge whether it is read where it is asked for, and nowhere else */
    static EntryFile open(Path file, TableSummary expected, int windowBits, boolean isLarge) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            if (channel.size() != expected.fileBytes()) {
                throw new TableCorruptException(file, 0, "an entry file of " + channel.size() + " bytes, expected " + expected.fileBytes());
            }
            int reach = Math.max(EntryFormat.MAX_ENTRY_BYTES, expected.regionBytes());
            return of(file, Mapping.of(channel, windowBits, reach), isLarge, new PageFetcher(file), expected);
        }
    }

    /** As {@link #open}, of what the file has. @param fetcher null for bytes that are in memory */
    static EntryFile of(Path file, Mapping mapping, boolean isLarge, PageFetcher fetcher, TableSummary expected) {
        try {
            return read(file, mapping, isLarge, fetcher, expected);
        } catch (RuntimeException e) {
            if (fetcher != null) {
                fetcher.close();
            }
            throw e;
        }
    }

    private static EntryFile read(Path file, Mapping mapping, boolean isLarge, PageFetcher fetcher, TableSummary expected) {
        try {
            EntryFormat format = EntryFormat.read(mapping.start(), expected.fileBytes());
            if (format.entries() != expected.pairCount()) {
                throw new TableCorruptException(file, 0, "found " + format.entries() + " entries, expected " + expected.pairCount());
            }
            requireSound(file, mapping, format.vocabularyOffset(), expected);
            byte[] words = new byte[format.vocabularyLength()];
            mapping.get(format.vocabularyOffset(), words, 0, words.length);
            Mapping used = isLarge ? mapping.readAlone() : mapping;
            return new EntryFile(file, used, fetcher, format, readVocabulary(file, format, words));
        } catch (IllegalArgumentException e) {
            throw new TableCorruptException(file, 0, e.getMessage(), e);
        }
    }

    private static Vocabulary readVocabulary(Path file, EntryFormat format, byte[] words) {
        try {
            return Vocabulary.read(words);
        } catch (StoreException e) {
            throw new TableCorruptException(file, format.vocabularyOffset(), e.getMessage(), e);
        }
    }

    /** Compares the regions from there on. */
    private static void requireSound(Path file, Mapping mapping, long from, TableSummary expected) {
        byte[] bytes = new byte[(int) Math.min(expected.regionBytes(), expected.fileBytes())];
        CRC32C crc = new CRC32C();
        for (int region = (int) (from / expected.regionBytes()); region < expected.regionCrc32c().length; region++) {
            long start = (long) region * expected.regionBytes();
            int length = (int) Math.min(expected.regionBytes(), expected.fileBytes() - start);
            mapping.get(start, bytes, 0, length);
            crc.reset();
            crc.update(bytes, 0, length);
            int wanted = expected.regionCrc32c()[region];
            if ((int) crc.getValue() != wanted) {
                throw new TableCorruptException(file, start, "the region from there has the CRC32C "
                        + HexFormat.of().toHexDigits((int) crc.getValue()) + ", expected " + HexFormat.of().toHexDigits(wanted));
            }
        }
    }

    /** Ends all reading. */
    @Override
    public void close() {
        closed = true;
        if (fetcher != null) {
            fetcher.close();
        }
    }

    public Path file() {
        return file;
    }

    @Override
    public EntryVersion entry(long id) {
        EntryReader kept = idle.getAndSet(null);
        EntryReader reader = kept == null ? new EntryReader(this, null) : kept;
        EntryVersion version = reader.entry(id);
        if (reader.isSmall()) {
            idle.set(reader);
        }
        return version;
    }

    @Override
    public EntryFinder finder(IdSet expected) {
        long count = expected.cardinality();
        return count == 1 ? this::entry : new EntryReader(this, count < READ_AHEAD_IDS ? null : new ReadAhead(this, expected));
    }

    @Override
    public EntryVersionCursor entries(long fromId) {
        return new EntryReader(this, null).before(fromId);
    }

    /** Whether whoever reads on from group to group {@linkplain #bring brings} them. */
    boolean isReadAlone() {
        return mapping.isReadAlone();
    }

    /** Has this part of the file read, as far as it is one of entries, and does not wait for it. */
    void bring(long offset, int length) {
        mapping.bring(offset, (int) Math.min(length, Math.max(0, format.startsOffset() - offset)));
    }

    Vocabulary vocabulary() {
        return vocabulary;
    }

    @Override
    public int groups() {
        return format.groups();
    }

    /** How many entries the group has. */
    int count(int group) {
        return (int) Math.min(EntryFormat.GROUP_ENTRIES, format.entries() - (long) group * EntryFormat.GROUP_ENTRIES);
    }

    private long start(int group, int offset) {
        return mapping.getLong(format.startsOffset() + (long) group * EntryFormat.START_BYTES + offset);
    }

    @Override
    public long firstId(int group) {
        return start(group, 0);
    }

    /** Where the group's directory is in the file. */
    long directory(int group) {
        long offset = start(group, Long.BYTES);
        if (offset < EntryFormat.HEADER_BYTES || offset >= format.vocabularyOffset()) {
            throw corrupt(offset, "the directory of group " + group + " is said to be there", null);
        }
        return offset;
    }

    /**
     * Has the operating system read the group's entries and their directory, so that they are found in memory.
     *
     * @param most of entries, no more bytes than this
     * @return the bytes that were read
     */
    long fetch(int group, int most) throws IOException {
        long end = directory(group) + EntryFormat.MAX_DIRECTORY_BYTES;
        long start = Math.max(group == 0 ? 0 : directory(group - 1), end - most);
        fetcher.fetch(start, end - start);
        return end - start;
    }

    /** Reads the group's directory; returns how many bytes there are, of it and of what follows. */
    int readDirectory(long directory, byte[] into) {
        int length = (int) Math.min(into.length, format.vocabularyOffset() - directory);
        read(directory, into, 0, length);
        return length;
    }

    /**
     * The only group that can have this entry; -1 for none.
     *
     * @param from a group that is not behind it
     */
    int groupOf(long id, int from) {
        requireOpen();
        return groupOf(id, from, EntryFormat.GROUP_ENTRIES);
    }

    void requireOpen() {
        if (closed) {
            throw new IllegalStateException("entry file " + file + " is closed");
        }
    }

    void read(long offset, byte[] into, int at, int length) {
        mapping.get(offset, into, at, length);
    }

    TableCorruptException corrupt(long offset, String found, Throwable cause) {
        return new TableCorruptException(file, offset, found, cause);
    }
}
