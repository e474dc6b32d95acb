package org.alder.partition.jdbm.block;

/**
 * What {@code TableWriter.finish()} says about the finished, synced file. The caller keeps it (in its descriptor): the checksums
 * are not stored in the file itself.
 *
 * @param pairCount    pairs in the main tree
 * @param blockCount   blocks that hold them
 * @param fileBytes    length of the file
 * @param regionBytes  bytes covered by one checksum; the last region may be shorter
 * @param regionCrc32c CRC32C of each region of the final file, in file order. Not copied: do not change it
 */
public record TableSummary(long pairCount, long blockCount, long fileBytes, int regionBytes, int[] regionCrc32c) {
}
