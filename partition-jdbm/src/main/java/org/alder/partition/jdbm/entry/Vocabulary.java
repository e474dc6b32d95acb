package org.alder.partition.jdbm.entry;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.entry.Varints;
import org.alder.partition.error.StoreException;

/**
 * What the entries of a file have in common, and name by numbers: shapes, whole attributes with their values, and endings of values, as those
 * of DNs and mail addresses. Immutable, thread safe; the arrays it gives are its own.
 *
 * <p>Format (docs/format/entry-file.md; do not change without a new version of the file):
 * <pre>
 *   vocabulary = count varint, shape*, count varint, word*, count varint, word*       shapes, attributes, endings
 *   shape      = attributes varint, user attributes varint, (description, values varint)*   values: 0 where their number is in the entry
 *   description, word = length varint, octets
 * </pre>
 */
final class Vocabulary {
    /** So much heap it may take, about. */
    static final int MAX_BYTES = 4 << 20;

    private final Shape[] shapes;
    /** PartialAttributes in BER. */
    private final Word[] attributes;
    private final Word[] endings;

    Vocabulary(Shape[] shapes, Word[] attributes, Word[] endings) {
        this.shapes = shapes;
        this.attributes = attributes;
        this.endings = endings;
    }

    /** @throws StoreException of kind CORRUPT where the bytes are none */
    static Vocabulary read(byte[] bytes) {
        Varints in = new Varints(bytes, 0);
        Shape[] shapes = new Shape[in.nextLength()];
        for (int i = 0; i < shapes.length; i++) {
            shapes[i] = readShape(in, bytes);
        }
        Vocabulary vocabulary = new Vocabulary(shapes, readWords(in, bytes), readWords(in, bytes));
        if (in.position() != bytes.length) {
            throw corrupt(bytes.length - in.position() + " bytes behind its end");
        }
        return vocabulary;
    }

    private static Shape readShape(Varints in, byte[] bytes) {
        int size = in.nextLength();
        int userCount = in.nextLength();
        if (userCount > size) {
            throw corrupt("a shape with " + userCount + " user attributes of " + size);
        }
        List<byte[]> descriptions = new ArrayList<>(size);
        List<Integer> counts = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            descriptions.add(readWord(in, bytes));
            long count = in.next();
            if (count > Shape.MOST_COUNTED) {
                throw corrupt("a shape with an attribute of " + count + " values");
            }
            counts.add((int) count);
        }
        return Shape.of(descriptions, counts, userCount);
    }

    private static byte[] readWord(Varints in, byte[] bytes) {
        int length = in.nextLength();
        int start = in.position();
        in.skip(length);
        return Arrays.copyOfRange(bytes, start, start + length);
    }

    private static Word[] readWords(Varints in, byte[] bytes) {
        Word[] words = new Word[in.nextLength()];
        for (int i = 0; i < words.length; i++) {
            words[i] = Word.of(readWord(in, bytes));
            if (words[i].length() > Lexicon.MAX_WORD_BYTES) {
                throw corrupt("a word of " + words[i].length() + " bytes");
            }
        }
        return words;
    }

    private static StoreException corrupt(String found) {
        return new StoreException(StoreException.Kind.CORRUPT, "a malformed vocabulary: " + found);
    }

    /** The bytes that {@link #read} reads. */
    byte[] bytes() {
        BerWriter out = new BerWriter(1 << 12);
        putNumber(out, shapes.length);
        for (Shape shape : shapes) {
            putNumber(out, shape.size());
            putNumber(out, shape.userCount());
            for (int i = 0; i < shape.size(); i++) {
                putWord(out, shape.description(i));
                putNumber(out, shape.count(i));
            }
        }
        putWords(out, attributes);
        putWords(out, endings);
        return out.toByteArray();
    }

    private static void putWords(BerWriter out, Word[] words) {
        putNumber(out, words.length);
        for (Word word : words) {
            putWord(out, word.copy());
        }
    }

    private static void putWord(BerWriter out, byte[] word) {
        putNumber(out, word.length);
        out.raw(word, 0, word.length);
    }

    private static void putNumber(BerWriter out, int number) {
        byte[] bytes = new byte[Varints.MAX_BYTES];
        out.raw(bytes, 0, Varints.put(bytes, 0, number));
    }

    /** How many there are. */
    int shapes() {
        return shapes.length;
    }

    /** How many there are. */
    int attributes() {
        return attributes.length;
    }

    /** @throws StoreException of kind CORRUPT where there is none of this number */
    Shape shape(int number) {
        if (number < 0 || number >= shapes.length) {
            throw new StoreException(StoreException.Kind.CORRUPT, "the shape " + number + " of " + shapes.length);
        }
        return shapes[number];
    }

    /** A whole attribute, as {@link #shape}. */
    Word attribute(int number) {
        return word(attributes, number, "attribute");
    }

    /** The end of a value, as {@link #shape}. */
    Word ending(int number) {
        return word(endings, number, "ending");
    }

    private static Word word(Word[] words, int number, String what) {
        if (number < 0 || number >= words.length) {
            throw new StoreException(StoreException.Kind.CORRUPT, "the " + what + " " + number + " of " + words.length);
        }
        return words[number];
    }
}
