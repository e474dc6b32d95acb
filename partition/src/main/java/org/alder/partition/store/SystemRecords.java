package org.alder.partition.store;

import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * What a store keeps for the program itself, beside entries and indexes: a few small records by their keys, which transactions change as they
 * change entries, and which are as durable. Readers of entries never see them. Immutable, thread safe; the arrays are shared and not to be changed.
 *
 * <p>All of them are held in memory, and written with every manifest: whoever keeps some bounds how many there are.
 */
public final class SystemRecords {
    public static final SystemRecords NONE = new SystemRecords(Collections.emptySortedMap(), 0);
    /** Of a key, which consists of the characters from {@code !} to {@code ~}. */
    public static final int MOST_KEY_CHARACTERS = 100;
    /** Of all keys and records of a store: more are refused. */
    public static final int MOST_BYTES = 2 << 20;

    private final SortedMap<String, byte[]> records;
    private final long bytes;

    private SystemRecords(SortedMap<String, byte[]> records, long bytes) {
        this.records = records;
        this.bytes = bytes;
    }

    /** @throws IllegalArgumentException for a key that cannot be one, or more than {@value #MOST_BYTES} bytes */
    public static SystemRecords of(Map<String, byte[]> records) {
        long bytes = 0;
        for (Map.Entry<String, byte[]> each : records.entrySet()) {
            requireKey(each.getKey());
            bytes += each.getKey().length() + (long) each.getValue().length;
        }
        if (bytes > MOST_BYTES) {
            throw new IllegalArgumentException(bytes + " bytes of system records, expected at most " + MOST_BYTES);
        }
        return records.isEmpty() ? NONE : new SystemRecords(Collections.unmodifiableSortedMap(new TreeMap<>(records)), bytes);
    }

    /**
     * With another record in the place of the one with this key.
     *
     * @param record kept; null for none
     * @throws IllegalArgumentException for a key that cannot be one
     */
    public SystemRecords with(String key, byte[] record) {
        requireKey(key);
        TreeMap<String, byte[]> changed = new TreeMap<>(records);
        byte[] before = record == null ? changed.remove(key) : changed.put(key, record);
        long more = record == null ? 0 : key.length() + (long) record.length;
        long less = before == null ? 0 : key.length() + (long) before.length;
        return changed.isEmpty() ? NONE : new SystemRecords(Collections.unmodifiableSortedMap(changed), bytes + more - less);
    }

    /** Whether a record can have this key. */
    public static boolean isKey(String key) {
        return !key.isEmpty() && key.length() <= MOST_KEY_CHARACTERS && key.chars().allMatch(c -> c > ' ' && c <= '~');
    }

    private static void requireKey(String key) {
        if (!isKey(key)) {
            throw new IllegalArgumentException("\"" + key + "\" is no key of a system record: expected 1 to " + MOST_KEY_CHARACTERS
                    + " printable characters of ASCII without spaces");
        }
    }

    /** Null for none. */
    public byte[] get(String key) {
        return records.get(key);
    }

    public boolean isEmpty() {
        return records.isEmpty();
    }

    /** In the order of their keys. */
    public void forEach(BiConsumer<String, byte[]> consumer) {
        records.forEach(consumer);
    }

    /** What all keys and records have. */
    public long bytes() {
        return bytes;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SystemRecords same && records.keySet().equals(same.records.keySet())
                && records.entrySet().stream().allMatch(each -> Arrays.equals(each.getValue(), same.records.get(each.getKey())));
    }

    @Override
    public int hashCode() {
        return records.keySet().hashCode();
    }

    @Override
    public String toString() {
        return records.keySet().toString();
    }
}
