package org.alder.partition.jdbm.entry;

import java.util.Arrays;
import java.util.List;
import org.alder.partition.ber.BerWriter;

/**
 * Which attributes an entry has, in their order: their descriptions as they are spelt, and how many values each has. Most entries of a
 * directory have one of a few shapes, so that one number stands for all of it. Immutable; the arrays it gives are its own.
 */
final class Shape {
    /** More values are counted in the entry: else each number of values would be a shape of its own. */
    static final int MOST_COUNTED = 3;
    /** Tags and lengths in a head, of the SEQUENCE before the description and of the SET behind it. */
    static final int HEADERS_BYTES = 4;

    /** By attribute: SEQUENCE and SET in BER, with a description between them, as a short attribute begins, but for both lengths. */
    private final Word[] heads;
    private final int[] counts;
    private final int userCount;

    private Shape(Word[] heads, int[] counts, int userCount) {
        this.heads = heads;
        this.counts = counts;
        this.userCount = userCount;
    }

    /**
     * @param descriptions in the order of the record: user attributes, then operational ones
     * @param counts       of each its number of values, 0 where that stands in the entry
     * @param userCount    how many of them are user attributes
     */
    static Shape of(List<byte[]> descriptions, List<Integer> counts, int userCount) {
        return new Shape(descriptions.stream().map(Shape::head).toArray(Word[]::new), counts.stream().mapToInt(Integer::intValue).toArray(),
                userCount);
    }

    private static Word head(byte[] description) {
        BerWriter head = new BerWriter(16 + description.length);
        head.header(BerWriter.SEQUENCE, 0);
        head.octets(BerWriter.OCTET_STRING, description);
        head.header(BerWriter.SET, 0);
        return Word.of(head.toByteArray());
    }

    /** How a number of values stands in a shape. */
    static int counted(int values) {
        return values <= MOST_COUNTED ? values : 0;
    }

    int size() {
        return heads.length;
    }

    int userCount() {
        return userCount;
    }

    /** The number of values of an attribute, 0 where that stands in the entry. */
    int count(int attribute) {
        return counts[attribute];
    }

    /** The attribute from the tag of its SEQUENCE to the length of its SET, where both lengths have one byte; these bytes are 0. */
    Word head(int attribute) {
        return heads[attribute];
    }

    /** Where the description begins in {@link #head}; it ends two bytes before its end. */
    int descriptionOffset(int attribute) {
        return heads[attribute].bytes()[3] >= 0 ? 4 : 4 + (heads[attribute].bytes()[3] & 0x7F);
    }

    int descriptionLength(int attribute) {
        return heads[attribute].length() - 2 - descriptionOffset(attribute);
    }

    byte[] description(int attribute) {
        int from = descriptionOffset(attribute);
        return Arrays.copyOfRange(heads[attribute].bytes(), from, from + descriptionLength(attribute));
    }

    /** Whether the attribute is spelt so. */
    boolean isSpelt(int attribute, byte[] bytes, int from, int to) {
        Word head = heads[attribute];
        return Arrays.equals(head.bytes(), descriptionOffset(attribute), head.length() - 2, bytes, from, to);
    }
}
