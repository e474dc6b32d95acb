package org.alder.server.protocol.search;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.request.OrderedList;
import org.alder.partition.request.SortOrder;
import org.alder.server.directory.EntryCursor;
import org.alder.server.directory.SearchPosition;
import org.alder.server.directory.ValueCursor;
import org.alder.server.protocol.encode.EntryEncoder;
import org.alder.server.protocol.encode.LongEntry;
import org.alder.server.resource.MemoryBudget;

/**
 * The entries of a search, encoded, in the order the client wants; of those behind a place the first so many. Memory is bounded:
 * what does not fit is not taken. One thread at a time.
 */
final class SortedEntries {
    private static final long MOST_BYTES = 16L << 20;
    private static final int OVERHEAD_BYTES = 128;
    private static final int POSITION_BYTES = Integer.BYTES + Long.BYTES;

    private final SortOrder order;
    private final byte[] after;
    private final long most;
    private final MemoryBudget.Share memory;
    private final TreeMap<byte[], byte[]> messages = new TreeMap<>(Arrays::compareUnsigned);
    private long bytes;
    private boolean more;

    /** The place of the entry that the cursor stands on; no other entry has the same. */
    static byte[] place(SortOrder order, EntryCursor cursor) {
        byte[] key = order.readableBy(cursor.access()::maySearchAll).key(cursor.attributes(), (attribute, consumer) -> {
            try (ValueCursor values = cursor.openValues(attribute)) {
                while (values.next()) {
                    consumer.accept(values.value());
                }
            }
        });
        SearchPosition position = cursor.position();
        return ByteBuffer.allocate(key.length + POSITION_BYTES).put(key).putInt(position.partition()).putLong(position.id())
                .array();
    }

    /** The list of entries behind a place, empty for the start. */
    static OrderedList behind(SortOrder order, byte[] place) {
        int keyBytes = place.length - POSITION_BYTES;
        if (keyBytes < 0) {
            return OrderedList.whole(order);
        }
        ByteBuffer position = ByteBuffer.wrap(place, keyBytes, POSITION_BYTES);
        return new OrderedList(order, Arrays.copyOf(place, keyBytes), position.getInt(), position.getLong(), null);
    }

    /** @param after entries up to this place are left out  @param memory counts what is kept */
    SortedEntries(SortOrder order, byte[] after, long most, MemoryBudget.Share memory) {
        this.memory = memory;
        this.order = order;
        this.after = after;
        this.most = most;
    }

    /**
     * @return false if this search may not have so much memory: the entry is not among these
     * @throws DirectoryException busy if all together have it
     */
    boolean add(EntryCursor cursor, EntryEncoder encoder, int messageId) throws DirectoryException {
        byte[] key = place(order, cursor);
        if (Arrays.compareUnsigned(key, after) <= 0) {
            return true;
        }
        if (messages.size() >= most) {
            more = true;
            if (most == 0 || Arrays.compareUnsigned(key, messages.lastKey()) > 0) {
                return true;
            }
            Map.Entry<byte[], byte[]> last = messages.pollLastEntry();
            give(size(last.getKey(), last.getValue().length));
        }
        BerWriter out = new BerWriter(cursor.attributes().length() + 64);
        LongEntry rest = encoder.write(out, messageId, cursor);
        long size = size(key, rest == null ? out.size() : rest.length());
        if (bytes + size > MOST_BYTES) {
            return false;
        }
        memory.grow(size);
        bytes += size;
        if (rest != null) {
            rest.writeTo(out);
        }
        messages.put(key, out.toByteArray());
        return true;
    }

    private void give(long size) {
        bytes -= size;
        memory.shrink(size);
    }

    /** Takes the first message out; null if there are no more. */
    byte[] poll() {
        Map.Entry<byte[], byte[]> first = messages.pollFirstEntry();
        if (first == null) {
            return null;
        }
        give(size(first.getKey(), first.getValue().length));
        return first.getValue();
    }

    private static long size(byte[] key, long messageBytes) {
        return OVERHEAD_BYTES + key.length + messageBytes;
    }

    int count() {
        return messages.size();
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
