package org.alder.partition.index;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import org.alder.partition.store.KeyRange;

/**
 * The keys of attribute indexes, made of the normal forms that matching rules give. Part of the on-disk format, version
 * {@value #VERSION} (docs/format/index-keys.md): do not change without a new version.
 *
 * <pre>
 *   'p'                       the attribute is present
 *   'e' form                  equality form of at most 512 bytes
 *   'E' form[0..480) SHA-256  equality form of more than 512 bytes: its first 480 bytes and the hash of all of it
 *   's' 'b' bytes             substring form: its first 3 bytes, or all if it is shorter
 *   's' 'f' bytes             substring form: its last 3 bytes, or all if it is shorter, last byte first
 *   's' 'i' bytes             substring form: any 3 bytes in a row
 *   'i' length key n key      both: the first key is an equality key of this index's attribute, its length in two bytes, the
 *                             second one of the n-th inline attribute, n one byte from 0
 *   'i' length key FF         the equality key of an entry with too many values for keys of the line before
 *   'i' FF FF                 the entry has keys of the line before
 * </pre>
 *
 * <p>The composite keys of one value are side by side, ordered by the inline value, and away from the equality keys: there they
 * would stand among the values that a range walks over.
 *
 * <p>What is asked of a key by its beginning (ranges of values, pieces shorter than 3 bytes) is a range of keys.
 */
public final class IndexKeys {
    public static final int VERSION = 1;
    /** The longest equality form that is its own key. */
    public static final int MAX_FORM_BYTES = 512;
    /** How many bytes of a longer form are in its key, before the hash. */
    public static final int LONG_PREFIX_BYTES = 480;
    /** The bytes of the piece in a substring key. */
    public static final int GRAM_BYTES = 3;
    /** How many pieces of so many bytes there are. */
    static final int GRAMS = 1 << GRAM_BYTES * Byte.SIZE;
    /** The most inline attributes of one index. */
    public static final int MAX_INLINE_ATTRIBUTES = 16;

    private static final byte PRESENCE = 'p';
    private static final byte EQUALITY = 'e';
    private static final byte LONG_EQUALITY = 'E';
    private static final byte SUBSTRING = 's';
    private static final byte BEGIN = 'b';
    private static final byte FINAL = 'f';
    private static final byte INNER = 'i';
    private static final byte INLINE = 'i';
    private static final byte TOO_MANY = (byte) 0xFF;

    private IndexKeys() {
    }

    public static byte[] presence() {
        return new byte[] {PRESENCE};
    }

    public static byte[] equality(byte[] form) {
        if (!isLong(form)) {
            return tagged(EQUALITY, form, form.length);
        }
        byte[] hash = sha256(form);
        byte[] key = Arrays.copyOf(tagged(LONG_EQUALITY, form, LONG_PREFIX_BYTES), 1 + LONG_PREFIX_BYTES + hash.length);
        System.arraycopy(hash, 0, key, 1 + LONG_PREFIX_BYTES, hash.length);
        return key;
    }

    /** Whether the key of this form stands for it without being it, so that what is found needs a test on the entry. */
    public static boolean isLong(byte[] form) {
        return form.length > MAX_FORM_BYTES;
    }

    /** The keys of forms from one up to another, both included; null stands for no bound. Longer forms have other keys. */
    public static KeyRange equalityRange(byte[] lowestForm, byte[] highestForm) {
        byte[] from = lowestForm == null ? new byte[] {EQUALITY} : tagged(EQUALITY, lowestForm, lowestForm.length);
        byte[] to = highestForm == null ? new byte[] {EQUALITY + 1}
                : Arrays.copyOf(tagged(EQUALITY, highestForm, highestForm.length), highestForm.length + 2);
        return new KeyRange(from, to);
    }

    /** As {@link #equalityRange} for the longer forms; holds also some keys just outside the bounds. */
    public static KeyRange longEqualityRange(byte[] lowestForm, byte[] highestForm) {
        byte[] from = lowestForm == null ? new byte[] {LONG_EQUALITY}
                : tagged(LONG_EQUALITY, lowestForm, Math.min(lowestForm.length, LONG_PREFIX_BYTES));
        byte[] to = highestForm == null ? new byte[] {LONG_EQUALITY + 1}
                : KeyRange.successor(tagged(LONG_EQUALITY, highestForm, Math.min(highestForm.length, LONG_PREFIX_BYTES)));
        return new KeyRange(from, to);
    }

    /** The form in a key of {@link #equalityRange}. */
    public static byte[] form(byte[] equalityKey) {
        return Arrays.copyOfRange(equalityKey, 1, equalityKey.length);
    }

    /** Whether {@link #equality} made this key. */
    static boolean isEquality(byte[] key) {
        return key[0] == EQUALITY || key[0] == LONG_EQUALITY;
    }

    /**
     * The key of entries that have both values.
     *
     * @param equalityKey of the index's attribute
     * @param position of the inline attribute in the definition
     * @param inlineKey the equality key of the inline attribute's value
     */
    public static byte[] inline(byte[] equalityKey, int position, byte[] inlineKey) {
        return followed(inlinePrefix(equalityKey, (byte) position), inlineKey);
    }

    /** The key of entries that have this value, but no key of {@link #inline} in this index, because they had too many. */
    public static byte[] inlineTooMany(byte[] equalityKey) {
        return inlinePrefix(equalityKey, TOO_MANY);
    }

    /** The keys of {@link #inline} for the equality keys of the inline attribute in a range, which has an end. */
    public static KeyRange inlineRange(byte[] equalityKey, int position, KeyRange inlineKeys) {
        return new KeyRange(inline(equalityKey, position, inlineKeys.from()), inline(equalityKey, position, inlineKeys.to()));
    }

    /** The key of all entries that have a key of {@link #inlineTooMany(byte[])}: mostly there are none. */
    public static byte[] inlineTooMany() {
        return new byte[] {INLINE, TOO_MANY, TOO_MANY};
    }

    private static byte[] inlinePrefix(byte[] equalityKey, byte last) {
        int length = equalityKey.length;
        byte[] key = new byte[length + 4];
        key[0] = INLINE;
        key[1] = (byte) (length >>> 8);
        key[2] = (byte) length;
        System.arraycopy(equalityKey, 0, key, 3, length);
        key[3 + length] = last;
        return key;
    }

    private static byte[] followed(byte[] prefix, byte[] bytes) {
        byte[] key = Arrays.copyOf(prefix, prefix.length + bytes.length);
        System.arraycopy(bytes, 0, key, prefix.length, bytes.length);
        return key;
    }

    /** The key, or the beginning of the keys, of forms that start with this piece's first {@value #GRAM_BYTES} bytes. */
    public static byte[] begin(byte[] piece) {
        return begin(piece, Math.min(piece.length, GRAM_BYTES));
    }

    /** The key, or the beginning of the keys, of forms that end with this piece's last {@value #GRAM_BYTES} bytes. */
    public static byte[] end(byte[] piece) {
        return end(piece, Math.min(piece.length, GRAM_BYTES));
    }

    /** The key of forms that hold the {@value #GRAM_BYTES} bytes of the piece at this offset. */
    public static byte[] inner(byte[] piece, int offset) {
        return new byte[] {SUBSTRING, INNER, piece[offset], piece[offset + 1], piece[offset + 2]};
    }

    /** The bytes of the piece at this offset as a number below {@link #GRAMS}. */
    static int gram(byte[] bytes, int offset) {
        return (bytes[offset] & 0xFF) << 16 | (bytes[offset + 1] & 0xFF) << 8 | bytes[offset + 2] & 0xFF;
    }

    /** The inner key of a piece that is given as a number. */
    static byte[] inner(int gram) {
        return new byte[] {SUBSTRING, INNER, (byte) (gram >>> 16), (byte) (gram >>> 8), (byte) gram};
    }

    static boolean isInner(byte[] key) {
        return key[0] == SUBSTRING && key[1] == INNER;
    }

    /** The beginning of the inner keys that begin with this piece, which is shorter than {@value #GRAM_BYTES} bytes. */
    public static byte[] innerPrefix(byte[] piece) {
        byte[] key = new byte[2 + piece.length];
        key[0] = SUBSTRING;
        key[1] = INNER;
        System.arraycopy(piece, 0, key, 2, piece.length);
        return key;
    }

    private static byte[] begin(byte[] form, int length) {
        byte[] key = new byte[2 + length];
        key[0] = SUBSTRING;
        key[1] = BEGIN;
        System.arraycopy(form, 0, key, 2, length);
        return key;
    }

    private static byte[] end(byte[] form, int length) {
        byte[] key = new byte[2 + length];
        key[0] = SUBSTRING;
        key[1] = FINAL;
        for (int i = 0; i < length; i++) {
            key[2 + i] = form[form.length - 1 - i];
        }
        return key;
    }

    private static byte[] tagged(byte tag, byte[] bytes, int length) {
        byte[] key = new byte[1 + length];
        key[0] = tag;
        System.arraycopy(bytes, 0, key, 1, length);
        return key;
    }

    private static byte[] sha256(byte[] form) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(form);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** For explain texts: printable ASCII as it is, other bytes as {@code \xx}. */
    public static String printable(byte[] key) {
        return printable(key, 0);
    }

    /** For messages and explain: the kind of index and what is asked of it, such as {@code eq "smith"} or {@code sub "*mit*"}. */
    public static String described(byte[] key) {
        return switch (key[0]) {
            case PRESENCE -> "pres";
            case EQUALITY, LONG_EQUALITY -> "eq \"" + printable(key, 1) + '"';
            case SUBSTRING -> "sub \"" + (key[1] == BEGIN ? "" : "*") + piece(key) + (key[1] == FINAL ? "" : "*") + '"';
            default -> '"' + printable(key) + '"';
        };
    }

    /** What people read of a range of keys. */
    public static String described(KeyRange range) {
        return described(range.from()) + " .. " + (range.to() == null ? "" : described(range.to()));
    }

    /** As it is in the value: that of its end is stored last byte first. */
    private static String piece(byte[] key) {
        byte[] piece = Arrays.copyOfRange(key, 2, key.length);
        if (key[1] == FINAL) {
            for (int i = 0; i < piece.length; i++) {
                piece[i] = key[key.length - 1 - i];
            }
        }
        return printable(piece);
    }

    private static String printable(byte[] key, int from) {
        StringBuilder text = new StringBuilder(key.length);
        for (int i = from; i < key.length; i++) {
            byte b = key[i];
            if (b >= ' ' && b < 0x7F && b != '\\') {
                text.append((char) b);
            } else {
                HexFormat.of().toHexDigits(text.append('\\'), b);
            }
        }
        return text.toString();
    }
}
