package org.alder.partition.jdbm.log;

import java.util.List;

/**
 * What an operation did to the values outside of its entry's record, as it was decided when the change was made: which
 * attributes are large, and by which normal forms their values are found. It is logged with the operation, because at the time
 * of a replay the schema may say something else. Immutable; the arrays are not to be changed.
 *
 * @param madeWhole whether all large attributes went back into the record first
 * @param moved     the attributes that went out of the record in the end
 * @param forms     normal forms of values in the order in which they are needed: of the deltas that change a large attribute
 *                  without emptying it, each the removed values' and then the added ones', and then those of each moved
 *                  attribute's values in the order of the record
 */
public record Outside(boolean madeWhole, List<Moved> moved, List<byte[]> forms) {
    /** Nothing at all. */
    public static final Outside NONE = new Outside(false, List.of(), List.of());

    /** An attribute with the slot it got in the keys of the value table. */
    public record Moved(int slot, String description) {
    }

    public Outside {
        moved = List.copyOf(moved);
        forms = List.copyOf(forms);
    }

    public boolean isNone() {
        return !madeWhole && moved.isEmpty() && forms.isEmpty();
    }

    /** What it takes in the log, at most. */
    public long sizeBytes() {
        long bytes = 16;
        for (Moved attribute : moved) {
            bytes += 10 + 3L * attribute.description().length();
        }
        for (byte[] form : forms) {
            bytes += 5 + form.length;
        }
        return bytes;
    }
}
