package org.alder.partition.jdbm.memory;

import java.util.Set;

/**
 * Which entries a memory layer may have: a bit for each ID, which IDs far apart share. A search asks for each entry that it looks at, and of
 * nearly all of them the newest changes know nothing: one look here says so, where the map of the entries takes one for each of its levels.
 *
 * <p>One thread adds; any number of threads ask, without locks, for what was published to them after it was added.
 */
final class ChangedIds {
    private static final int FIRST_WORDS = 16;
    /** 256 KiB. */
    private static final int MOST_WORDS = 1 << 15;
    /** Bits for each ID: at most one in so many that are not there seems to be, as long as there may be more words. */
    private static final int SPARSE = 16;

    /** As many as a power of two. */
    private volatile long[] words = new long[FIRST_WORDS];
    /** Bits that are set. */
    private int set;

    /** @param all what was added, this one, too */
    void add(long id, Set<Long> all) {
        long[] now = words;
        if ((now[word(now, id)] & bit(id)) != 0) {
            return;
        }
        now[word(now, id)] |= bit(id);
        set++;
        if (set > now.length * (Long.SIZE / SPARSE) && now.length < MOST_WORDS) {
            spread(all, 2 * now.length);
        }
    }

    private void spread(Set<Long> all, int length) {
        long[] wider = new long[length];
        for (long id : all) {
            wider[word(wider, id)] |= bit(id);
        }
        set = 0;
        for (long word : wider) {
            set += Long.bitCount(word);
        }
        words = wider;
    }

    /** False only where it was not added. */
    boolean mayHave(long id) {
        long[] now = words;
        return (now[word(now, id)] & bit(id)) != 0;
    }

    private static int word(long[] words, long id) {
        return (int) (id >>> 6) & words.length - 1;
    }

    private static long bit(long id) {
        return 1L << id;
    }
}
