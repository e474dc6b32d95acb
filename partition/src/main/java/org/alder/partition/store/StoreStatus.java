package org.alder.partition.store;

/**
 * Figures of a store, taken at one moment.
 *
 * @param entries the number of live entries
 * @param givenIds how many entry IDs were given: more than {@link org.alder.partition.id.IdSet#MAX_ID} where some were given again
 * @param sequence the newest acknowledged commit sequence number
 * @param parts in how many parts the flushed data lie, each of which a read may have to look at
 * @param diskBytes what the store takes on the disk
 * @param journalBytes how much of that are changes that are kept one by one, for a restart and for the feed
 * @param freeDiskBytes what is free there; -1 for a store that is not on a disk, or where that cannot be asked
 * @param unflushedBytes the heap held by changes that are not flushed
 * @param heldBytes the heap held by changes that are flushed, because somebody reads an earlier state
 * @param syncs how often the changes were made durable since the store was opened, several transactions at once
 * @param transactions how many transactions were acknowledged since the store was opened
 * @param readOnlyReason why writes are refused, or null while they are accepted
 * @param background flushes and merges
 */
public record StoreStatus(long entries, long givenIds, long sequence, int parts, long diskBytes, long journalBytes, long freeDiskBytes,
        long unflushedBytes, long heldBytes, long syncs, long transactions, String readOnlyReason, BackgroundStatus background) {
}
