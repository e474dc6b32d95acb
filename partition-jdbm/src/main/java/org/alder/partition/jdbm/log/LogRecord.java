package org.alder.partition.jdbm.log;

/**
 * A group as it was found in a log file.
 *
 * @param durableOffset up to which offset the file was synced when the record was written
 */
record LogRecord(long durableOffset, LogGroup group) {
}
