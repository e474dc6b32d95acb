package org.alder.partition.jdbm.memory;

import org.alder.partition.entry.EntryRecord;

/**
 * What a transaction does to one entry.
 *
 * @param before the entry in the state below, or null where it is new
 * @param after  the entry afterwards, or null where it is deleted
 */
public record EntryChange(long id, EntryRecord before, EntryRecord after) {
}
