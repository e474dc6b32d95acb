package org.alder.partition.jdbm.name;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.alder.partition.entry.StoredName;
import org.alder.partition.jdbm.block.IdGroups;
import org.alder.partition.jdbm.block.TableCorruptException;
import org.alder.partition.jdbm.block.TableSummary;

/**
 * The names of a segment's entries, read: RDN and parent by entry ID, a few bytes each, so that a search that returns names alone reads no
 * entry (docs/format/name-column.md).
 *
 * <p>Thread safe, memory-mapped. Each region's checksum is compared when the first name is read from it. After {@link #close} every
 * read throws IllegalStateException; the mapping is given back when nobody refers to it any more.
 */
public final class NameColumn implements IdGroups {
    /** File suffix of name columns. */
    public static final String FILE_SUFFIX = ".names";
    /** Stands for the name of an entry that the segment deletes. */
    public static final StoredName DELETED = StoredName.of(0, new byte[0]);
    /** Stands for a name that is too long for the column: the entry's record has it. */
    public static final StoredName ELSEWHERE = StoredName.of(0, new byte[0]);

    private static final long ID_MASK = 0xFFFF_FFFFL;

    private final Path file;
    private final ByteBuffer bytes;
    private final NameFormat format;
    private final TableSummary expected;
    /** By region; two threads may both compare one. */
    private final boolean[] sound;
    private volatile boolean closed;

    private NameColumn(Path file, ByteBuffer bytes, NameFormat format, TableSummary expected) {
        this.file = file;
        this.bytes = bytes;
        this.format = format;
        this.expected = expected;
        this.sound = new boolean[expected.regionCrc32c().length];
    }

    /**
     * Opens a file whose length has been compared, and compares the part that says where each name is.
     *
     * @throws TableCorruptException where it is no name column of exactly this many names
     */
    public static NameColumn open(Path file, TableSummary expected) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            if (channel.size() > Integer.MAX_VALUE || channel.size() != expected.fileBytes()) {
                throw new TableCorruptException(file, 0, "a name column of " + channel.size() + " bytes, expected " + expected.fileBytes());
            }
            return of(file, channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size()), expected);
        }
    }

    /** As {@link #open}, of what the file has. */
    static NameColumn of(Path file, ByteBuffer bytes, TableSummary expected) {
        NameFormat format;
        try {
            format = NameFormat.read(bytes);
        } catch (IllegalArgumentException e) {
            throw new TableCorruptException(file, 0, e.getMessage(), e);
        }
        if (format.names() != expected.pairCount()) {
            throw new TableCorruptException(file, 0, "found " + format.names() + " names, expected " + expected.pairCount());
        }
        NameColumn column = new NameColumn(file, bytes, format, expected);
        column.requireSound(format.startsOffset(), bytes.limit());
        return column;
    }

    /** Ends all reading. */
    public void close() {
        closed = true;
    }

    public Path file() {
        return file;
    }

    /** Reads names, at the least cost in ascending order of their IDs. One thread at a time; needs no closing. */
    public NameReader reader() {
        return new NameReader(this);
    }

    @Override
    public int groups() {
        return format.groups();
    }

    /** How many names the group has. */
    int names(int group) {
        return (int) Math.min(NameFormat.GROUP_NAMES, format.names() - (long) group * NameFormat.GROUP_NAMES);
    }

    @Override
    public long firstId(int group) {
        return bytes.getInt(format.startsOffset() + group * NameFormat.START_BYTES) & ID_MASK;
    }

    private int offset(int group) {
        return group == format.groups() ? format.startsOffset()
                : bytes.getInt(format.startsOffset() + group * NameFormat.START_BYTES + Integer.BYTES);
    }

    /**
     * The only group that can have the name of this entry; -1 for none.
     *
     * @param from a group that is not behind it
     */
    int groupOf(long id, int from) {
        if (closed) {
            throw new IllegalStateException("name column " + file + " is closed");
        }
        return groupOf(id, from, NameFormat.GROUP_NAMES);
    }

    /** The bytes of a group: into the array, if it is large enough, else into another one. */
    byte[] read(int group, byte[] into) {
        int start = offset(group);
        int length = length(group);
        if (start < NameFormat.HEADER_BYTES || length <= 0 || length > NameReader.MAX_GROUP_BYTES || start + length > format.startsOffset()) {
            throw corrupt(group, "it is said to be " + length + " bytes at " + start + ", before " + format.startsOffset(), null);
        }
        requireSound(start, start + length);
        byte[] target = length <= into.length ? into : new byte[2 * length];
        bytes.get(start, target, 0, length);
        return target;
    }

    int length(int group) {
        return offset(group + 1) - offset(group);
    }

    private void requireSound(int from, int to) {
        for (int region = from / expected.regionBytes(); region < sound.length && (long) region * expected.regionBytes() < to; region++) {
            if (!sound[region]) {
                compare(region);
            }
        }
    }

    private void compare(int region) {
        int start = region * expected.regionBytes();
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(start, Math.min(expected.regionBytes(), bytes.limit() - start)));
        int wanted = expected.regionCrc32c()[region];
        if ((int) crc.getValue() != wanted) {
            throw new TableCorruptException(file, start, "the region from there has the CRC32C "
                    + HexFormat.of().toHexDigits((int) crc.getValue()) + ", expected " + HexFormat.of().toHexDigits(wanted));
        }
        sound[region] = true;
    }

    TableCorruptException corrupt(int group, String found, Throwable cause) {
        return new TableCorruptException(file, offset(group), "group " + group + " of names is malformed: " + found, cause);
    }
}
