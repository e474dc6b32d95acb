package org.alder.partition.jdbm.entry;

import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.alder.partition.entry.EntryProbe;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.block.BigEndian;
import org.alder.partition.jdbm.layer.EntryFinder;
import org.alder.partition.jdbm.layer.EntryVersion;
import org.alder.partition.jdbm.layer.EntryVersionCursor;

/**
 * Reads entries from an {@link EntryFile}, and stays where it was, so that the next one is near. One thread at a time; what it returns is
 * the caller's own.
 */
final class EntryReader implements EntryFinder, EntryVersionCursor {
    private static final int USUAL_BYTES = 2048;
    private static final int MOST_KEPT_BYTES = 1 << 15;
    /** Of what comes next, so much is on its way while groups are read one after the other: the more of them were. */
    private static final int LEAST_COMING_BYTES = 64 << 10;
    private static final int MOST_COMING_BYTES = 4 << 20;

    private final EntryFile file;
    private final ReadAhead readAhead;
    private final EntryDecoder decoder;
    private final CRC32C crc = new CRC32C();
    private final byte[] directory = new byte[EntryFormat.MAX_DIRECTORY_BYTES];
    /** The entry's ID, its coded form, and the check. */
    private byte[] scratch = new byte[USUAL_BYTES];
    private int group = -1;
    private long firstId;
    private int count;
    /** Where the group's directory is in the file. */
    private long offset;
    /** Where the distances of the entries begin in the directory, and how many bytes each has. */
    private int distances;
    private int distanceBytes;
    /** The current entry of the group. */
    private int index = -1;
    /** Where its coded form ends in {@link #scratch}; 0 where it is deleted, negative as long as it has not been read. */
    private int end = -1;
    /** Up to where the file was asked for ahead, and how much at once. */
    private long broughtTo;
    private int comingBytes = LEAST_COMING_BYTES;
    /** The one that was asked last; null before the first. */
    private CodedProbe prober;

    /** @param readAhead told of each entry that is read in another group; null for none */
    EntryReader(EntryFile file, ReadAhead readAhead) {
        this.file = file;
        this.readAhead = readAhead;
        this.decoder = new EntryDecoder(file.vocabulary());
    }

    /** Whether it is worth keeping: it has not grown by a large entry. */
    boolean isSmall() {
        return scratch.length + decoder.bufferBytes() <= MOST_KEPT_BYTES;
    }

    /** What the file has of the entry, or null. */
    @Override
    public EntryVersion entry(long id) {
        return find(id) ? version() : null;
    }

    @Override
    public Answer test(long id, EntryProbe probe) {
        return !find(id) ? Answer.UNKNOWN : mayMatch(probe) ? Answer.PERHAPS : Answer.NO;
    }

    /** Goes to the entry, and reads its coded form; false where the file does not have it. */
    private boolean find(long id) {
        int wanted = file.groupOf(id, group >= 0 && firstId <= id ? group : 0);
        if (wanted >= 0 && wanted != group && readAhead != null) {
            long start = System.nanoTime();
            boolean found = find(wanted, id);
            readAhead.read(id, System.nanoTime() - start);
            return found;
        }
        return wanted >= 0 && find(wanted, id);
    }

    private boolean find(int wanted, long id) {
        if (wanted != group) {
            load(wanted);
        }
        goTo(indexOf(id));
        if (index >= 0) {
            read();
        }
        return index >= 0;
    }

    private void goTo(int newIndex) {
        index = newIndex;
        end = -1;
    }

    /** Goes to before the first entry whose ID is not less. */
    EntryReader before(long id) {
        int home = Math.max(0, file.groupOf(id, 0));
        if (home < file.groups()) {
            load(home);
            int before = -1;
            while (before + 1 < count && idAt(before + 1) < id) {
                before++;
            }
            goTo(before);
        }
        return this;
    }

    private void load(int newGroup) {
        group = -1;
        offset = file.directory(newGroup);
        int length = file.readDirectory(offset, directory);
        int entries = file.count(newGroup);
        int flags = directory[0];
        distanceBytes = (flags & EntryFormat.LONG) == 0 ? Short.BYTES : Integer.BYTES;
        distances = (flags & EntryFormat.GAPS) == 0 ? 1 : 1 + (entries - 1) * Integer.BYTES;
        if ((flags & ~(EntryFormat.GAPS | EntryFormat.LONG)) != 0 || distances + entries * distanceBytes > length) {
            throw file.corrupt(offset, "found the flags " + flags + " of a directory of " + entries + " entries with " + length + " bytes", null);
        }
        firstId = file.firstId(newGroup);
        count = entries;
        group = newGroup;
        goTo(-1);
    }

    private long idAt(int position) {
        if (position == 0 || distances == 1) {
            return firstId + position;
        }
        return firstId + (BigEndian.getInt(directory, 1 + (position - 1) * Integer.BYTES) & 0xFFFF_FFFFL);
    }

    private int indexOf(long id) {
        long distance = id - firstId;
        if (distances == 1) {
            return distance < count ? (int) distance : -1;
        }
        for (int i = 0; i < count; i++) {
            if (idAt(i) == id) {
                return i;
            }
        }
        return -1;
    }

    private long distance(int position) {
        if (position == count) {
            return 0;
        }
        int at = distances + position * distanceBytes;
        return distanceBytes == Short.BYTES ? BigEndian.getUnsignedShort(directory, at) : BigEndian.getInt(directory, at) & 0xFFFF_FFFFL;
    }

    @Override
    public boolean next() {
        file.requireOpen();
        if (group < 0) {
            return false;
        }
        if (index + 1 == count) {
            if (group + 1 >= file.groups()) {
                goTo(count);
                return false;
            }
            long last = idAt(index);
            bringNext();
            load(group + 1);
            requireAscending(last, firstId);
        } else if (index >= count) {
            return false;
        } else if (index >= 0) {
            requireAscending(idAt(index), idAt(index + 1));
        }
        goTo(index + 1);
        return true;
    }

    /** What is read on its own page by page would be waited for at each of them. */
    private void bringNext() {
        if (file.isReadAlone() && offset + comingBytes / 2 >= broughtTo) {
            long from = Math.max(offset, broughtTo);
            file.bring(from, comingBytes);
            broughtTo = from + comingBytes;
            comingBytes = Math.min(2 * comingBytes, MOST_COMING_BYTES);
        }
    }

    private void requireAscending(long last, long id) {
        if (id <= last) {
            throw file.corrupt(offset, "the entry " + id + " follows " + last, null);
        }
    }

    @Override
    public long id() {
        return idAt(index);
    }

    @Override
    public EntryVersion version() {
        read();
        if (end == 0) {
            return EntryVersion.DELETED;
        }
        try {
            return new EntryVersion(decoder.decode(scratch, Long.BYTES, end));
        } catch (StoreException e) {
            throw corrupt(e);
        }
    }

    @Override
    public boolean isDeleted() {
        return distance(index) == distance(index + 1);
    }

    @Override
    public boolean mayMatch(EntryProbe probe) {
        read();
        if (end == 0) {
            return true;
        }
        if (prober == null || prober.probe() != probe) {
            prober = new CodedProbe(file.vocabulary(), probe);
        }
        try {
            return prober.mayHold(scratch, Long.BYTES, end);
        } catch (StoreException e) {
            throw corrupt(e);
        }
    }

    private RuntimeException corrupt(StoreException e) {
        return file.corrupt(offset - distance(index), "entry " + idAt(index) + ": " + e.getMessage(), e);
    }

    /** Reads the coded form of the current entry, if that has not been done, and compares its check. */
    private void read() {
        if (end >= 0) {
            return;
        }
        long id = idAt(index);
        long start = distance(index);
        long length = start - distance(index + 1);
        if (length == 0) {
            end = 0;
            return;
        }
        if (length <= EntryFormat.CHECK_BYTES || length > EntryFormat.MAX_ENTRY_BYTES || start > offset - EntryFormat.HEADER_BYTES) {
            throw file.corrupt(offset, "entry " + id + " is said to have " + length + " bytes from " + start + " bytes before", null);
        }
        int checked = Long.BYTES + (int) length - EntryFormat.CHECK_BYTES;
        if (checked + EntryFormat.CHECK_BYTES + Word.SLACK > scratch.length) {
            scratch = new byte[2 * checked + Word.SLACK];
        }
        BigEndian.putLong(scratch, 0, id);
        file.read(offset - start, scratch, Long.BYTES, (int) length);
        crc.reset();
        crc.update(scratch, 0, checked);
        if ((int) crc.getValue() != BigEndian.getInt(scratch, checked)) {
            throw file.corrupt(offset - start, "entry " + id + " has the CRC32C " + HexFormat.of().toHexDigits((int) crc.getValue())
                    + ", expected " + HexFormat.of().toHexDigits(BigEndian.getInt(scratch, checked)), null);
        }
        end = checked;
    }
}
