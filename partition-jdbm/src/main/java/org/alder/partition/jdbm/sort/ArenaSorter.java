package org.alder.partition.jdbm.sort;

import java.util.Arrays;

/**
 * Sorts an arena by index and key; triples of the same index and key stay in the order they came in, which is that of their IDs.
 * Reuses its arrays from one arena to the next. One thread.
 *
 * <p>First the triples are distributed to their indexes. Then each index is sorted seven key bytes at a time: the bytes are
 * packed into a long, with how many of them there are in its lowest byte (so that a key comes before what it is a prefix of), the
 * longs are sorted by a stable radix sort, and the triples that agree in all seven and go on are sorted by the next seven. The
 * bytes all keys share cost one pass.
 */
final class ArenaSorter {
    /** What a triple takes in the arrays: twice its number and twice the bytes looked at. */
    static final int TRIPLE_BYTES = 2 * (Integer.BYTES + Long.BYTES);

    private static final int WORD_KEY_BYTES = 7;
    /** In the lowest byte of a word: the key goes on behind it. */
    private static final int GOES_ON = WORD_KEY_BYTES + 1;
    private static final int INSERTION_SORT_MAX = 48;
    private static final int RADIX = 256;
    /** To move so many takes a fraction of a millisecond. */
    private static final int PACED_TRIPLES = 1 << 14;

    private final int[] starts;
    private final int[][] histograms = new int[Long.BYTES][RADIX];
    private KeyArena arena;
    private SortPace pace;
    private int unpaced;
    private int[] order = {};
    private int[] otherOrder = {};
    private long[] words = {};
    private long[] otherWords = {};

    ArenaSorter(int indexCount) {
        starts = new int[indexCount + 1];
    }

    /** Sorts; the result is read with {@link #order} and {@link #start} until the next sort. */
    void sort(KeyArena unsorted, SortPace how) {
        arena = unsorted;
        pace = how;
        reserve(unsorted.count());
        distribute();
        worked(unsorted.count());
        for (int index = 0; index + 1 < starts.length; index++) {
            sortRange(starts[index], starts[index + 1], 0);
        }
    }

    /** The arena's triples in their order; each is read with {@link #triple} and {@link #startsKey}. */
    int[] order() {
        return order;
    }

    static int triple(int ordered) {
        return ordered ^ ordered >> 31;
    }

    /** Whether the triple has another key than the one before it: known from sorting, so keys need not be compared again. */
    static boolean startsKey(int ordered) {
        return ordered < 0;
    }

    /** Where the triples of the index start in {@link #order}; they end where the next index starts. */
    int start(int index) {
        return starts[index];
    }

    private void reserve(int count) {
        if (order.length < count) {
            order = new int[count];
            otherOrder = new int[count];
            words = new long[count];
            otherWords = new long[count];
        }
    }

    private void distribute() {
        Arrays.fill(starts, 0);
        for (int triple = 0; triple < arena.count(); triple++) {
            starts[arena.index(triple) + 1]++;
        }
        for (int index = 1; index < starts.length; index++) {
            starts[index] += starts[index - 1];
        }
        int[] next = starts.clone();
        for (int triple = 0; triple < arena.count(); triple++) {
            order[next[arena.index(triple)]++] = triple;
        }
    }

    /** Tells the pace after so many triples that were moved or looked at. */
    private void worked(int triples) {
        unpaced += triples;
        if (unpaced >= PACED_TRIPLES) {
            unpaced = 0;
            pace.worked();
        }
    }

    private void sortRange(int from, int to, int firstDepth) {
        int depth = firstDepth;
        boolean allGoOn = to - from > 1;
        while (allGoOn) {
            load(from, to, depth);
            worked(to - from);
            sortWords(from, to);
            depth += WORD_KEY_BYTES;
            allGoOn = words[from] == words[to - 1] && goesOn(words[from]);
        }
        if (to - from > 1) {
            sortGroups(from, to, depth);
        } else if (to > from) {
            markKeyStart(from);
        }
    }

    private void markKeyStart(int at) {
        order[at] = ~order[at];
    }

    private void sortGroups(int from, int to, int depth) {
        int start = from;
        while (start < to) {
            long word = words[start];
            int end = start + 1;
            while (end < to && words[end] == word) {
                end++;
            }
            if (goesOn(word)) {
                sortRange(start, end, depth);
            } else {
                markKeyStart(start);
            }
            start = end;
        }
    }

    private static boolean goesOn(long word) {
        return (word & 0xFF) == GOES_ON;
    }

    private void load(int from, int to, int depth) {
        byte[] keys = arena.keys();
        for (int i = from; i < to; i++) {
            int offset = arena.keyOffset(order[i]) + depth;
            int left = Math.min(GOES_ON, arena.keyEnd(order[i]) - offset);
            long word = 0;
            for (int b = 0; b < WORD_KEY_BYTES; b++) {
                word = word << 8 | (b < left ? keys[offset + b] & 0xFF : 0);
            }
            words[i] = word << 8 | left;
        }
    }

    private void sortWords(int from, int to) {
        if (to - from <= INSERTION_SORT_MAX) {
            insertionSort(from, to);
        } else {
            radixSort(from, to);
        }
    }

    private void insertionSort(int from, int to) {
        for (int i = from + 1; i < to; i++) {
            long word = words[i];
            int triple = order[i];
            int at = i;
            while (at > from && Long.compareUnsigned(words[at - 1], word) > 0) {
                words[at] = words[at - 1];
                order[at] = order[at - 1];
                at--;
            }
            words[at] = word;
            order[at] = triple;
        }
    }

    private void radixSort(int from, int to) {
        count(from, to);
        boolean inOther = false;
        for (int b = 0; b < Long.BYTES; b++) {
            int[] histogram = histograms[b];
            if (histogram[(int) (words[from] >>> b * 8) & 0xFF] < to - from) {
                if (inOther) {
                    scatter(otherWords, otherOrder, words, order, from, to, b * 8, histogram);
                } else {
                    scatter(words, order, otherWords, otherOrder, from, to, b * 8, histogram);
                }
                inOther = !inOther;
                worked(to - from);
            }
        }
        if (inOther) {
            System.arraycopy(otherWords, from, words, from, to - from);
            System.arraycopy(otherOrder, from, order, from, to - from);
        }
    }

    private void count(int from, int to) {
        for (int[] histogram : histograms) {
            Arrays.fill(histogram, 0);
        }
        for (int i = from; i < to; i++) {
            long word = words[i];
            for (int b = 0; b < Long.BYTES; b++) {
                histograms[b][(int) (word >>> b * 8) & 0xFF]++;
            }
        }
    }

    private static void scatter(long[] words, int[] order, long[] toWords, int[] toOrder, int from, int to, int shift,
            int[] histogram) {
        int next = from;
        for (int digit = 0; digit < RADIX; digit++) {
            int size = histogram[digit];
            histogram[digit] = next;
            next += size;
        }
        for (int i = from; i < to; i++) {
            int at = histogram[(int) (words[i] >>> shift) & 0xFF]++;
            toWords[at] = words[i];
            toOrder[at] = order[i];
        }
    }
}
