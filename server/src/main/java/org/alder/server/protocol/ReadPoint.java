package org.alder.server.protocol;

import java.util.Map;
import java.util.TreeMap;

/**
 * A state that a read has to show at least. Immutable.
 *
 * @param sequences the last transaction of it, by the suffix of the partition as it is stored
 */
public record ReadPoint(Map<String, Long> sequences) {
    /** Any state does. */
    public static final ReadPoint ANY = new ReadPoint(Map.of());

    public ReadPoint {
        sequences = Map.copyOf(sequences);
    }

    /** A state that is neither before this one nor before the other one. */
    public ReadPoint and(ReadPoint other) {
        Map<String, Long> all = new TreeMap<>(sequences);
        other.sequences.forEach((suffix, sequence) -> all.merge(suffix, sequence, Math::max));
        return new ReadPoint(all);
    }
}
