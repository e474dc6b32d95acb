package org.alder.partition.jdbm.segment;

/**
 * The commit sequence numbers whose changes a segment holds, both inclusive.
 */
public record SequenceRange(long first, long last) {
    public SequenceRange {
        if (first < 0 || last < first) {
            throw new IllegalArgumentException("sequence range " + first + " to " + last);
        }
    }

    /** The range of two adjacent segments merged. */
    public SequenceRange join(SequenceRange newer) {
        return new SequenceRange(Math.min(first, newer.first), Math.max(last, newer.last));
    }
}
