package org.alder.partition.tree;

import java.util.zip.CRC32C;
import org.alder.partition.dn.Dn;

/**
 * Which names of a naming context a partition holds: all of them, or, as one of several shards, those at and below some of the entries
 * directly below the suffix, by the hash of these entries' RDNs (docs/format/shards.md). The suffix entry is that of shard 0; the others have a
 * copy of it, which nobody sees. Immutable, thread safe.
 *
 * @param number from 0 on
 * @param count  of all shards; 1 for a partition that holds all names
 */
public record Shard(int number, int count) {
    /** The most there may be of one naming context. */
    public static final int MOST = 64;
    /** A partition that holds all names of its naming context. */
    public static final Shard WHOLE = new Shard(0, 1);

    public Shard {
        if (count < 1 || count > MOST || number < 0 || number >= count) {
            throw new IllegalArgumentException("shard " + number + " of " + count + ", expected one of 1 to " + MOST);
        }
    }

    /** Whether other partitions hold other names of the naming context. */
    public boolean isPart() {
        return count > 1;
    }

    /** Whether the suffix entry of this partition is but a copy. */
    public boolean hasCopyOfSuffix() {
        return number > 0;
    }

    /** Which of so many shards holds the entry of this name. @param dn at or below the suffix */
    public static int numberOf(Dn suffix, Dn dn, int count) {
        int below = dn.size() - suffix.size();
        return count == 1 || below == 0 ? 0 : numberOf(dn.rdn(below - 1).normalized(), count);
    }

    /** Which of so many shards holds what is at and below an entry directly below the suffix. */
    public static int numberOf(byte[] normalizedRdn, int count) {
        CRC32C hash = new CRC32C();
        hash.update(normalizedRdn, 0, normalizedRdn.length);
        return (int) (hash.getValue() % count);
    }

    /** Whether this one holds the entry of this name. @param dn at or below the suffix */
    public boolean holds(Dn suffix, Dn dn) {
        return numberOf(suffix, dn, count) == number;
    }

    /** What tells it from the others; empty for a partition that holds all names. */
    public String text() {
        return isPart() ? "shard " + number + " of " + count : "";
    }
}
