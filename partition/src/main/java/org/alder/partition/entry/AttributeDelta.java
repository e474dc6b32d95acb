package org.alder.partition.entry;

import java.util.List;

/**
 * What one change does to one attribute of an entry record, resolved to exact bytes so that replaying it needs no schema: the
 * listed values are taken out (compared byte by byte; each must be there), then the others are appended. An attribute without
 * values disappears. An engine logs changes in this form.
 *
 * @param description the attribute description as it is, or will be, spelt in the record
 * @param operational whether it belongs to the record's operational part
 */
public record AttributeDelta(String description, boolean operational, List<byte[]> removed, List<byte[]> added) {
    public AttributeDelta {
        removed = List.copyOf(removed);
        added = List.copyOf(added);
    }
}
