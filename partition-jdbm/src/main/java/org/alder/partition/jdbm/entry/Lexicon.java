package org.alder.partition.jdbm.entry;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.alder.partition.jdbm.block.BigEndian;

/**
 * Words of one kind that turn out to be frequent while a file is written, and get numbers, the first ones the lowest. What was seen is
 * remembered in a table of a fixed size by hashes, in which what is frequent stays; a word is kept when it is met for the
 * {@value #FREQUENT}rd time. One thread.
 */
final class Lexicon {
    static final int FREQUENT = 3;
    /** Longer ones are not looked at. */
    static final int MAX_WORD_BYTES = 1024;
    private static final int SEEN = 1 << 15;
    private static final int COUNT_BITS = 2;
    /** Looks at so many places, so that nobody can choose words that take long to look for. */
    private static final int PROBES = 8;
    private static final int FIRST_PLACES = 1 << 10;

    private final int maxWords;
    private final int maxBytes;
    private final long seed;
    /** By the lowest bits of the hash: its upper bits, and how often it was met. */
    private final int[] seen = new int[SEEN];
    private final List<Word> words = new ArrayList<>();
    /** By hash: the word's number + 1, or 0. */
    private int[] places = new int[FIRST_PLACES];
    private int bytes;

    /**
     * @param maxWords no more are kept
     * @param maxBytes nor more than take so much
     * @param seed of the hashes, which nobody knows who chooses values. Two words in some ten thousand may drive each other out of what was
     *             seen: which ones depends on it
     */
    Lexicon(int maxWords, int maxBytes, long seed) {
        this.seed = seed;
        this.maxWords = maxWords;
        this.maxBytes = maxBytes;
    }

    /** The word's number, or -1 where it has none; it may get one. */
    int number(byte[] source, int from, int to) {
        if (to - from > MAX_WORD_BYTES) {
            return -1;
        }
        long hash = hash(source, from, to);
        int number = find(hash, source, from, to);
        return number >= 0 || !isFrequent(hash) ? number : add(hash, Word.of(Arrays.copyOfRange(source, from, to)));
    }

    private long hash(byte[] source, int from, int to) {
        long hash = seed + to - from;
        int i = from;
        for (; i <= to - Long.BYTES; i += Long.BYTES) {
            hash = mixed(hash ^ BigEndian.getLong(source, i));
        }
        long rest = 0;
        for (; i < to; i++) {
            rest = rest << Byte.SIZE | source[i] & 0xFF;
        }
        return mixed(mixed(hash ^ rest));
    }

    private static long mixed(long number) {
        long product = number * 0x9E3779B97F4A7C15L;
        return product ^ product >>> 32;
    }

    private boolean isFrequent(long hash) {
        int place = (int) hash & SEEN - 1;
        int tag = (int) (hash >>> Integer.SIZE) & -1 << COUNT_BITS;
        int found = seen[place];
        int count = (found & -1 << COUNT_BITS) == tag ? (found & (1 << COUNT_BITS) - 1) + 1 : 1;
        seen[place] = tag | Math.min(count, FREQUENT);
        return count >= FREQUENT;
    }

    private int find(long hash, byte[] source, int from, int to) {
        int mask = places.length - 1;
        for (int probe = 0; probe < PROBES; probe++) {
            int number = places[(int) (hash >>> 20) + probe & mask] - 1;
            if (number < 0) {
                return -1;
            }
            Word word = words.get(number);
            if (Arrays.equals(word.bytes(), 0, word.length(), source, from, to)) {
                return number;
            }
        }
        return -1;
    }

    private int add(long hash, Word word) {
        if (words.size() == maxWords || bytes + word.length() > maxBytes) {
            return -1;
        }
        if (2 * words.size() >= places.length) {
            places = new int[4 * places.length];
            for (int number = 0; number < words.size(); number++) {
                place(hash(words.get(number).bytes(), 0, words.get(number).length()), number);
            }
        }
        if (!place(hash, words.size())) {
            return -1;
        }
        words.add(word);
        bytes += word.length();
        return words.size() - 1;
    }

    private boolean place(long hash, int number) {
        int mask = places.length - 1;
        for (int probe = 0; probe < PROBES; probe++) {
            int place = (int) (hash >>> 20) + probe & mask;
            if (places[place] == 0) {
                places[place] = number + 1;
                return true;
            }
        }
        return false;
    }

    /** Those with numbers, in their order. */
    Word[] words() {
        return words.toArray(new Word[0]);
    }
}
