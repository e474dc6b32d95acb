package org.alder.partition.jdbm.layer;

import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;

/** A layer in two plain maps, for tests: the simplest thing that keeps the contract. It has one index, 0, and ignores the sequence. */
public final class MapLayer implements Layer {
    public final TreeMap<Long, EntryVersion> entries = new TreeMap<>();
    public final TreeMap<byte[], IdSetDelta> keys = new TreeMap<>(Arrays::compareUnsigned);

    @Override
    public EntryVersion entry(long id, long sequence) {
        return entries.get(id);
    }

    @Override
    public IdSetDelta ids(int index, byte[] key, long sequence) {
        return keys.getOrDefault(key, IdSetDelta.EMPTY);
    }

    @Override
    public long netCardinality(int index, byte[] key, long sequence) {
        return ids(index, key, sequence).netCardinality();
    }

    @Override
    public KeyDeltaCursor keys(int index, byte[] fromKey, long sequence) {
        Iterator<Map.Entry<byte[], IdSetDelta>> rest = keys.tailMap(fromKey, true).entrySet().iterator();
        return new KeyDeltaCursor() {
            private Map.Entry<byte[], IdSetDelta> current;

            @Override
            public boolean next() {
                current = rest.hasNext() ? rest.next() : null;
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
