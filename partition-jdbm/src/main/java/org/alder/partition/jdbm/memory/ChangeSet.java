package org.alder.partition.jdbm.memory;

import java.util.List;
import org.alder.partition.jdbm.log.Operation;

/**
 * A transaction's whole effect, computed before any of it is applied, so that it is applied whole or not at all. Immutable.
 *
 * @param operations those of the transaction, with what was decided about values outside of records, as they are logged
 * @param renames whether an entry got another parent or RDN, so that DNs known before may be wrong
 */
public record ChangeSet(List<Operation> operations, List<EntryChange> entries,
        List<KeyChange> keys, boolean renames) {
    /** By how much the number of live entries changes. */
    public int netEntries() {
        int net = 0;
        for (EntryChange change : entries) {
            net += (change.after() == null ? 0 : 1) - (change.before() == null ? 0 : 1);
        }
        return net;
    }

    /** What the decisions take in the log, at most. */
    public long outsideBytes() {
        long bytes = 0;
        for (Operation operation : operations) {
            bytes += operation.outside().sizeBytes();
        }
        return bytes;
    }
}
