package org.alder.partition.tree;

import org.alder.partition.entry.EntryRecord;

/** An entry with what its record does not hold: its ID and its DN as it is spelt. Immutable. */
public record EntryView(long id, EntryRecord record, String dn) {
}
