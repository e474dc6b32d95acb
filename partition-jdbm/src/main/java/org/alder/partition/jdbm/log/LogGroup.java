package org.alder.partition.jdbm.log;

import java.util.Arrays;
import java.util.List;

/**
 * The transactions that were made durable by one sync: one record of the commit log.
 *
 * @param firstSequence the commit sequence number of the first transaction; the others follow it one by one
 * @param timeMillis    when the group was written, milliseconds since 1970-01-01 UTC
 * @param transactions  each the operations of one transaction, in order; at least one transaction
 */
public record LogGroup(long firstSequence, long timeMillis, List<List<Operation>> transactions) {
    public long lastSequence() {
        return firstSequence + transactions.size() - 1;
    }

    /** The transactions behind a sequence number and up to another; null if it has none of them. */
    public LogGroup between(long after, long upTo) {
        long first = Math.max(firstSequence, after + 1);
        long last = Math.min(lastSequence(), upTo);
        if (first > last) {
            return null;
        }
        return first == firstSequence && last == lastSequence() ? this : new LogGroup(first, timeMillis,
                transactions.subList((int) (first - firstSequence), (int) (last - firstSequence) + 1));
    }

    /** Whether both say the same, byte for byte, as two readings of one record do. */
    public boolean isSame(LogGroup other) {
        GrowingBuffer own = new GrowingBuffer();
        GrowingBuffer others = new GrowingBuffer();
        GroupCodec.encode(this, 0, own);
        GroupCodec.encode(other, 0, others);
        return Arrays.equals(own.bytes(), 0, own.size(), others.bytes(), 0, others.size());
    }
}
