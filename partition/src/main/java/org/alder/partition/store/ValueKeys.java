package org.alder.partition.store;

import java.util.Arrays;
import org.alder.partition.entry.Varints;
import org.alder.partition.error.StoreException;

/**
 * The keys of index 1, the value table: the values of large attributes, which are not in the entry's record. Part of the on-disk
 * format, version {@value #VERSION} (docs/format/values.md): do not change without a new version.
 *
 * <pre>
 *   entry ID      8 bytes, big endian
 *   slot          1 byte, of the entry's large attribute
 *   form length   varint
 *   form          the value's normal form by the attribute's equality rule
 *   same          1 byte: 0 = the value is its normal form, 1 = the value follows
 *   value         up to the end
 * </pre>
 *
 * <p>The key's set is the one entry. Its beginning up to the form is the same for all equal values, and no other value's key
 * begins so: one seek tells whether the entry has a value.
 */
public final class ValueKeys {
    /** The number of the value table among the indexes. */
    public static final int INDEX = 1;
    /** The name of the value table among the indexes, also its file's. */
    public static final String NAME = "values";
    public static final int VERSION = 1;
    /** A longer key is not made: an attribute with such a value stays in its record. */
    public static final int MAX_BYTES = 8192;

    private static final int ID_BYTES = Long.BYTES;
    private static final int PREFIX_BYTES = ID_BYTES + 1;
    private static final byte SAME = 0;
    private static final byte VALUE_FOLLOWS = 1;

    private ValueKeys() {
    }

    /** How long the key of this value is. */
    public static int length(byte[] form, byte[] value) {
        return PREFIX_BYTES + lengthBytes(form.length) + form.length + 1 + (Arrays.equals(form, value) ? 0 : value.length);
    }

    public static byte[] key(long entryId, int slot, byte[] form, byte[] value) {
        byte[] key = new byte[length(form, value)];
        int at = putForm(key, entryId, slot, form);
        boolean same = Arrays.equals(form, value);
        key[at++] = same ? SAME : VALUE_FOLLOWS;
        if (!same) {
            System.arraycopy(value, 0, key, at, value.length);
        }
        return key;
    }

    /** How the keys of all of an entry's values begin. */
    public static byte[] ofEntry(long entryId) {
        byte[] prefix = new byte[ID_BYTES];
        setEntryId(prefix, 0, entryId);
        return prefix;
    }

    /** How the keys of all values of an entry's large attribute begin. */
    public static byte[] ofAttribute(long entryId, int slot) {
        byte[] prefix = Arrays.copyOf(ofEntry(entryId), PREFIX_BYTES);
        prefix[ID_BYTES] = (byte) slot;
        return prefix;
    }

    /** How the key of the value with this normal form begins, and no other key. */
    public static byte[] ofForm(long entryId, int slot, byte[] form) {
        byte[] prefix = new byte[PREFIX_BYTES + lengthBytes(form.length) + form.length];
        putForm(prefix, entryId, slot, form);
        return prefix;
    }

    private static int putForm(byte[] target, long entryId, int slot, byte[] form) {
        setEntryId(target, 0, entryId);
        target[ID_BYTES] = (byte) slot;
        int at = Varints.put(target, PREFIX_BYTES, form.length);
        System.arraycopy(form, 0, target, at, form.length);
        return at + form.length;
    }

    private static int lengthBytes(int length) {
        return length < 1 << 7 ? 1 : length < 1 << 14 ? 2 : length < 1 << 21 ? 3 : length < 1 << 28 ? 4 : 5;
    }

    /** Puts the entry's ID into the key that starts at the offset. */
    public static void setEntryId(byte[] keys, int offset, long entryId) {
        for (int i = 0; i < ID_BYTES; i++) {
            keys[offset + i] = (byte) (entryId >>> 8 * (ID_BYTES - 1 - i));
        }
    }

    public static boolean startsWith(byte[] key, byte[] prefix) {
        return key.length >= prefix.length && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
    }

    /** Whether this is a key of the value table. */
    public static boolean isKey(byte[] key) {
        try {
            formEnd(key);
            return true;
        } catch (StoreException e) {
            return false;
        }
    }

    /** @throws StoreException CORRUPT if this is no key of the value table; so do the methods below */
    public static long entryId(byte[] key) {
        if (key.length <= PREFIX_BYTES) {
            throw malformed(key);
        }
        return entryIdOf(key);
    }

    /** That of bytes which begin as {@link #ofEntry} gives them. */
    public static long entryIdOf(byte[] prefix) {
        long id = 0;
        for (int i = 0; i < ID_BYTES; i++) {
            id = id << 8 | prefix[i] & 0xFF;
        }
        return id;
    }

    public static int slot(byte[] key) {
        return key[ID_BYTES] & 0xFF;
    }

    /** The value's normal form. */
    public static byte[] form(byte[] key) {
        int end = formEnd(key);
        return Arrays.copyOfRange(key, end - formLength(key), end);
    }

    /** The value. */
    public static byte[] value(byte[] key) {
        int from = valueOffset(key);
        return Arrays.copyOfRange(key, from, from + valueLength(key));
    }

    /** Where the value starts in the key. */
    public static int valueOffset(byte[] key) {
        int end = formEnd(key);
        return key[end] == SAME ? end - formLength(key) : end + 1;
    }

    /** How many bytes of the key, from {@link #valueOffset} on, are the value. */
    public static int valueLength(byte[] key) {
        int end = formEnd(key);
        return key[end] == SAME ? formLength(key) : key.length - end - 1;
    }

    private static int formLength(byte[] key) {
        return new Varints(key, PREFIX_BYTES).nextLength();
    }

    /** Where the byte behind the form is. */
    private static int formEnd(byte[] key) {
        if (key.length <= PREFIX_BYTES) {
            throw malformed(key);
        }
        Varints in = new Varints(key, PREFIX_BYTES);
        int length = in.nextLength();
        int end = in.position() + length;
        boolean known = end < key.length && (key[end] == SAME ? key.length == end + 1 : key[end] == VALUE_FOLLOWS);
        if (!known) {
            throw malformed(key);
        }
        return end;
    }

    private static StoreException malformed(byte[] key) {
        return new StoreException(StoreException.Kind.CORRUPT, "a key of " + key.length
                + " bytes in the value table that is not an entry ID, a slot, a normal form and a value");
    }
}
