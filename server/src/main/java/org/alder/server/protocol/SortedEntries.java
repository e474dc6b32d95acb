package org.alder.server.protocol;

import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.DirectoryException;
import org.alder.server.directory.EntryCursor;

/**
 * The entries of a search, encoded, in the order the client wants; of those behind a place the first so many. Memory is bounded:
 * what does not fit is not taken. One thread at a time.
 */
final class SortedEntries {
    private static final long MOST_BYTES = 16L << 20;
    private static final int OVERHEAD_BYTES = 128;

    private final SortOrder order;
    private final byte[] after;
    private final long most;
    private final TreeMap<byte[], byte[]> messages = new TreeMap<>(Arrays::compareUnsigned);
    private long bytes;
    private boolean more;

    /** @param after entries up to this place are left out */
    SortedEntries(SortOrder order, byte[] after, long most) {
        this.order = order;
        this.after = after;
        this.most = most;
    }

    /** @return false if there is no memory for the entry: it is not among these */
    boolean add(EntryCursor cursor, EntryEncoder encoder, int messageId) throws DirectoryException {
        byte[] key = order.key(cursor);
        if (Arrays.compareUnsigned(key, after) <= 0) {
            return true;
        }
        if (messages.size() >= most) {
            more = true;
            if (most == 0 || Arrays.compareUnsigned(key, messages.lastKey()) > 0) {
                return true;
            }
            Map.Entry<byte[], byte[]> last = messages.pollLastEntry();
            bytes -= size(last.getKey(), last.getValue().length);
        }
        BerWriter out = new BerWriter(cursor.record().length() + 64);
        LongEntry rest = encoder.write(out, messageId, cursor);
        long size = size(key, rest == null ? out.size() : rest.length());
        if (bytes + size > MOST_BYTES) {
            return false;
        }
        if (rest != null) {
            rest.writeTo(out);
        }
        messages.put(key, out.toByteArray());
        bytes += size;
        return true;
    }

    private static long size(byte[] key, long messageBytes) {
        return OVERHEAD_BYTES + key.length + messageBytes;
    }

    Collection<byte[]> messages() {
        return messages.values();
    }

    /** Whether no number of entries is too large. */
    boolean isUnlimited() {
        return most == Long.MAX_VALUE;
    }

    /** Whether there are entries behind these. */
    boolean hasMore() {
        return more;
    }

    /** The place of the last one; only if there is one. */
    byte[] lastKey() {
        return messages.lastKey();
    }
}
