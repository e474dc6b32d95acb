package org.alder.partition.index;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import org.alder.partition.store.EntryIndexer.KeyConsumer;

/**
 * Gathers the keys of one record and gives each once. Says how much it has gathered before it gives any, so that nobody has to
 * hold more than he wants: a value of some MiB has as many substrings as bytes. One thread.
 */
final class KeyCollector {
    /** Up to so many keys of one index, looking through those before is faster than sorting. */
    private static final int SEARCHED_KEYS = 40;
    /** More pieces of values than this of one index are marked and not listed: most come again and again. */
    private static final int MOST_LISTED_GRAMS = 1 << 16;
    /** What a listed key takes beside its bytes. */
    private static final int KEY_BYTES = 24;
    private static final long TOLD_EACH_BYTES = 1 << 20;

    private final List<List<byte[]>> byIndex;
    private final InlineAttributes inline;
    private final KeyConsumer consumer;
    /** By index, a bit for each piece of {@value IndexKeys#GRAM_BYTES} bytes; null while there are few. */
    private BitSet[] grams;
    private long gatheredBytes;
    private long toldBytes;

    /**
     * @param lists the indexes, and what is gathered beside them
     * @param inline knows for which index a list is gathered
     */
    KeyCollector(int lists, InlineAttributes inline, KeyConsumer consumer) {
        this.inline = inline;
        this.byIndex = new ArrayList<>(Collections.nCopies(lists, null));
        this.consumer = consumer;
    }

    void add(int index, byte[] key) {
        list(index).add(key);
        take(index, KEY_BYTES + key.length);
    }

    private void take(int index, long bytes) {
        gatheredBytes += bytes;
        if (gatheredBytes - toldBytes > TOLD_EACH_BYTES) {
            toldBytes = gatheredBytes;
            consumer.gathering(inline.indexOf(index), gatheredBytes);
        }
    }

    /** Adds the keys of a substring form. */
    void addSubstrings(int index, byte[] form) {
        add(index, IndexKeys.begin(form));
        add(index, IndexKeys.end(form));
        BitSet marked = marked(index, form.length);
        for (int i = 0; i + IndexKeys.GRAM_BYTES <= form.length; i++) {
            if (marked == null) {
                add(index, IndexKeys.inner(form, i));
            } else {
                marked.set(IndexKeys.gram(form, i));
            }
        }
    }

    /** @return null if so many more pieces are listed */
    private BitSet marked(int index, int more) {
        if (grams != null && grams[index] != null) {
            return grams[index];
        }
        if (list(index).size() + more <= MOST_LISTED_GRAMS) {
            return null;
        }
        if (grams == null) {
            grams = new BitSet[byIndex.size()];
        }
        grams[index] = new BitSet(IndexKeys.GRAMS);
        take(index, IndexKeys.GRAMS / Byte.SIZE);
        return grams[index];
    }

    List<byte[]> list(int index) {
        List<byte[]> keys = byIndex.get(index);
        if (keys == null) {
            keys = new ArrayList<>(4);
            byIndex.set(index, keys);
        }
        return keys;
    }

    void forEachDistinct(int indexCount) {
        for (int index = 0; index < indexCount; index++) {
            List<byte[]> keys = byIndex.get(index);
            if (keys != null) {
                giveMarked(index, keys);
                giveDistinct(index, keys);
            }
        }
    }

    /** Gives the pieces that are marked, and takes them out of the list. */
    private void giveMarked(int index, List<byte[]> keys) {
        BitSet marked = grams == null ? null : grams[index];
        if (marked == null) {
            return;
        }
        keys.removeIf(key -> {
            boolean isGram = IndexKeys.isInner(key);
            if (isGram) {
                marked.set(IndexKeys.gram(key, key.length - IndexKeys.GRAM_BYTES));
            }
            return isGram;
        });
        marked.stream().forEach(gram -> consumer.accept(index, IndexKeys.inner(gram)));
    }

    private void giveDistinct(int index, List<byte[]> keys) {
        if (keys.size() == 1) {
            consumer.accept(index, keys.get(0));
            return;
        }
        if (keys.size() > SEARCHED_KEYS) {
            giveDistinctSorted(index, keys);
            return;
        }
        int[] hashes = new int[keys.size()];
        for (int i = 0; i < hashes.length; i++) {
            byte[] key = keys.get(i);
            hashes[i] = Arrays.hashCode(key);
            if (!holds(keys, hashes, i, key)) {
                consumer.accept(index, key);
            }
        }
    }

    /** Whether one of the first keys is this one. */
    private static boolean holds(List<byte[]> keys, int[] hashes, int count, byte[] key) {
        for (int i = 0; i < count; i++) {
            if (hashes[i] == hashes[count] && Arrays.equals(keys.get(i), key)) {
                return true;
            }
        }
        return false;
    }

    private void giveDistinctSorted(int index, List<byte[]> keys) {
        keys.sort(Arrays::compareUnsigned);
        byte[] last = null;
        for (byte[] key : keys) {
            if (last == null || !Arrays.equals(last, key)) {
                consumer.accept(index, key);
            }
            last = key;
        }
    }
}
