package org.alder.partition.schema;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * An immutable map from names to definitions that ignores ASCII case and is searched by bytes or by text, without garbage. Open
 * addressing at a load of at most a half. Thread safe.
 */
final class NameTable<T> {
    private final byte[][] names;
    private final Object[] values;
    private final int mask;

    NameTable(Map<String, T> entries) {
        int size = Integer.highestOneBit(Math.max(4, entries.size() * 2)) << 1;
        names = new byte[size][];
        values = new Object[size];
        mask = size - 1;
        entries.forEach(this::put);
    }

    private void put(String name, T value) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        int slot = hash(bytes, 0, bytes.length) & mask;
        while (names[slot] != null) {
            slot = slot + 1 & mask;
        }
        names[slot] = bytes;
        values[slot] = value;
    }

    /** @return null if there is none */
    T get(byte[] name, int offset, int length) {
        for (int slot = hash(name, offset, length) & mask; names[slot] != null; slot = slot + 1 & mask) {
            if (same(names[slot], name, offset, length)) {
                return value(slot);
            }
        }
        return null;
    }

    /** @return null if there is none */
    T get(CharSequence name, int from, int to) {
        for (int slot = hash(name, from, to) & mask; names[slot] != null; slot = slot + 1 & mask) {
            if (same(names[slot], name, from, to)) {
                return value(slot);
            }
        }
        return null;
    }

    T get(CharSequence name) {
        return get(name, 0, name.length());
    }

    @SuppressWarnings("unchecked")
    private T value(int slot) {
        return (T) values[slot];
    }

    private static int hash(byte[] name, int offset, int length) {
        int hash = 0;
        for (int i = offset; i < offset + length; i++) {
            hash = hash * 31 + lower(name[i]);
        }
        return spread(hash);
    }

    private static int hash(CharSequence name, int from, int to) {
        int hash = 0;
        for (int i = from; i < to; i++) {
            hash = hash * 31 + lower(name.charAt(i));
        }
        return spread(hash);
    }

    private static int spread(int hash) {
        return hash ^ hash >>> 15;
    }

    private static boolean same(byte[] known, byte[] name, int offset, int length) {
        if (known.length != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (lower(known[i]) != lower(name[offset + i])) {
                return false;
            }
        }
        return true;
    }

    private static boolean same(byte[] known, CharSequence name, int from, int to) {
        if (known.length != to - from) {
            return false;
        }
        for (int i = from; i < to; i++) {
            if (lower(known[i - from]) != lower(name.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static int lower(int c) {
        return c >= 'A' && c <= 'Z' ? c + 32 : c;
    }
}
