package org.alder.partition.jdbm.log;

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
}
