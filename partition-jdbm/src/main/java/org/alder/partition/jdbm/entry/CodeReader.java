package org.alder.partition.jdbm.entry;

import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.StoreException;

/**
 * Reads the numbers and values of a coded entry ({@link EntryDecoder} has the format), never beyond its end. One thread; one object for many
 * entries. Damaged bytes give a {@link StoreException} of kind CORRUPT.
 */
final class CodeReader {
    private final Vocabulary vocabulary;
    private byte[] bytes;
    /** The next number. */
    private int at;
    private int numbersEnd;
    /** The next octets of values. */
    private int octets;
    private int limit;
    private long parent;
    /** The attribute that the RDN is made of; negative where its text is here. */
    private int named;
    private int rdnOffset;
    private int rdnLength;

    CodeReader(Vocabulary vocabulary) {
        this.vocabulary = vocabulary;
    }

    /**
     * Begins with other bytes.
     *
     * @param coded goes on for {@link Word#SLACK} bytes
     */
    void start(byte[] coded, int from, int end) {
        bytes = coded;
        at = from;
        numbersEnd = end;
        limit = end;
    }

    /** Reads what comes before the codes. */
    void readName() {
        parent = longNumber();
        named = number() - 1;
        if (named < 0) {
            rdnLength = part("an RDN");
            rdnOffset = at;
            at += rdnLength;
        }
        int codes = part("codes");
        numbersEnd = at + codes;
        octets = numbersEnd;
    }

    /** The length of something that comes next. */
    private int part(String what) {
        int length = number();
        if (length > limit - at) {
            throw corrupt(what + " of " + length + " bytes where " + (limit - at) + " are left");
        }
        return length;
    }

    byte[] bytes() {
        return bytes;
    }

    /** Where the next number is. */
    int position() {
        return at;
    }

    /** Goes back to where {@link #position} was. */
    void back(int position) {
        at = position;
    }

    int limit() {
        return limit;
    }

    /** Where the octets of the next value are. */
    int octets() {
        return octets;
    }

    long parent() {
        return parent;
    }

    int named() {
        return named;
    }

    int rdnOffset() {
        return rdnOffset;
    }

    int rdnLength() {
        return rdnLength;
    }

    int number() {
        if (at < numbersEnd && bytes[at] >= 0) {
            return bytes[at++];
        }
        long number = longNumber();
        if (number > Integer.MAX_VALUE) {
            throw corrupt("the number " + number);
        }
        return (int) number;
    }

    private long longNumber() {
        long number = 0;
        for (int shift = 0; shift < Long.SIZE - 1; shift += 7) {
            if (at >= numbersEnd) {
                throw corrupt("it ends in a number");
            }
            byte next = bytes[at++];
            number |= (long) (next & 0x7F) << shift;
            if (next >= 0) {
                return number;
            }
        }
        throw corrupt("a number over 2^63");
    }

    /** How many octets the value has whose code was just read; goes on behind that. */
    int length(int code) {
        int number = code >>> EntryDecoder.KIND_BITS;
        int kind = code & EntryDecoder.KIND;
        if (kind == EntryDecoder.OCTETS) {
            return number;
        }
        if (kind == EntryDecoder.PACKED) {
            int length = PackedValue.length(number);
            if (length < 0) {
                throw corrupt("a value of the make " + number);
            }
            return length;
        }
        if (kind == EntryDecoder.ATTRIBUTE) {
            throw corrupt("a whole attribute in place of a value");
        }
        long length = (long) number() + vocabulary.ending(number).length();
        if (length > EntryRecord.MAX_BYTES) {
            throw corrupt("a value of " + length + " bytes");
        }
        return (int) length;
    }

    /** Goes on behind the octets of a value, and returns how many it has stored. @param length as {@link #length} said */
    int skip(int code, int length) {
        int number = code >>> EntryDecoder.KIND_BITS;
        int stored = switch (code & EntryDecoder.KIND) {
            case EntryDecoder.OCTETS -> length;
            case EntryDecoder.PACKED -> PackedValue.packedLength(number);
            default -> length - vocabulary.ending(number).length();
        };
        if (stored > limit - octets) {
            throw corrupt("a value of " + stored + " bytes where " + (limit - octets) + " are left");
        }
        octets += stored;
        return stored;
    }

    /**
     * Writes a value, and goes on behind its octets.
     *
     * @param length as {@link #length} said
     * @param target has room for it and {@link Word#SLACK} more
     */
    void write(int code, int length, byte[] target, int position) {
        int from = octets;
        int stored = skip(code, length);
        int kind = code & EntryDecoder.KIND;
        if (kind == EntryDecoder.PACKED) {
            if (!PackedValue.unpack(code >>> EntryDecoder.KIND_BITS, bytes, from, target, position)) {
                throw corrupt("a value that is not of the make " + (code >>> EntryDecoder.KIND_BITS));
            }
            return;
        }
        Word.copy(bytes, from, target, position, stored);
        if (kind == EntryDecoder.ENDING) {
            vocabulary.ending(code >>> EntryDecoder.KIND_BITS).copyTo(target, position + stored);
        }
    }

    /** All has to be read in the end. */
    void requireEnd() {
        if (at != numbersEnd || octets != limit) {
            throw corrupt((numbersEnd - at) + " bytes of codes and " + (limit - octets) + " of values are left");
        }
    }

    static StoreException corrupt(String found) {
        return new StoreException(StoreException.Kind.CORRUPT, "a malformed coded entry: " + found);
    }
}
