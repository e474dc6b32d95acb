package org.alder.partition.jdbm.layer;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import org.alder.partition.store.KeyRange;

/** A layer in plain maps, for tests: the simplest thing that keeps the contract. It ignores the sequence. */
public final class MapLayer implements Layer {
    public final TreeMap<Long, EntryVersion> entries = new TreeMap<>();
    private final Map<Integer, TreeMap<byte[], IdSetDelta>> indexes = new HashMap<>();
    /** Whether it gives the number of a key's IDs, as if that were how they are stored. */
    boolean isStored;
    /** How many keys its cursors have stepped to. */
    int steps;

    public TreeMap<byte[], IdSetDelta> index(int index) {
        return indexes.computeIfAbsent(index, absent -> new TreeMap<>(Arrays::compareUnsigned));
    }

    @Override
    public EntryVersion entry(long id, long sequence) {
        return entries.get(id);
    }

    @Override
    public IdSetDelta ids(int index, byte[] key, long sequence) {
        return index(index).getOrDefault(key, IdSetDelta.EMPTY);
    }

    @Override
    public long netCardinality(int index, byte[] key, long sequence) {
        return ids(index, key, sequence).netCardinality();
    }

    @Override
    public KeyDeltaCursor keys(int index, KeyRange range, long sequence) {
        Iterator<Map.Entry<byte[], IdSetDelta>> rest = index(index).tailMap(range.from(), true).entrySet().iterator();
        return new KeyDeltaCursor() {
            private Map.Entry<byte[], IdSetDelta> current;

            @Override
            public boolean next() {
                current = rest.hasNext() ? rest.next() : null;
                steps++;
                return current != null;
            }

            @Override
            public byte[] key() {
                return current.getKey();
            }

            @Override
            public IdSetDelta delta() {
                return current.getValue();
            }

            @Override
            public byte[] stored() {
                return isStored ? new byte[] {(byte) current.getValue().netCardinality()} : null;
            }

            @Override
            public long netCardinality() {
                return current.getValue().netCardinality();
            }
        };
    }

    @Override
    public EntryVersionCursor entries(long fromId, long sequence) {
        Iterator<Map.Entry<Long, EntryVersion>> rest = entries.tailMap(fromId, true).entrySet().iterator();
        return new EntryVersionCursor() {
            private Map.Entry<Long, EntryVersion> current;

            @Override
            public boolean next() {
                current = rest.hasNext() ? rest.next() : null;
                return current != null;
            }

            @Override
            public long id() {
                return current.getKey();
            }

            @Override
            public EntryVersion version() {
                return current.getValue();
            }
        };
    }
}
