package org.alder.partition.jdbm.key;

import java.util.Arrays;

/** Hashes of keys and where the keys are (block &lt;&lt; 32 | pair), in the order they came. Grows as needed. One thread. */
final class KeyPlaces {
    private long[] hashes;
    private long[] places;
    private int count;

    KeyPlaces(int capacity) {
        hashes = new long[capacity];
        places = new long[capacity];
    }

    void add(long hash, long place) {
        if (count == hashes.length) {
            hashes = Arrays.copyOf(hashes, count * 2);
            places = Arrays.copyOf(places, count * 2);
        }
        hashes[count] = hash;
        places[count] = place;
        count++;
    }

    int count() {
        return count;
    }

    long hash(int i) {
        return hashes[i];
    }

    long place(int i) {
        return places[i];
    }

    void clear() {
        count = 0;
    }
}
