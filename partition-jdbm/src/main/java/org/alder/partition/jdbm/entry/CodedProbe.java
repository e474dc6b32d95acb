package org.alder.partition.jdbm.entry;

import java.util.Arrays;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.entry.EntryProbe;
import org.alder.partition.error.StoreException;

/**
 * Asks a probe of coded entries where they lie, without making records of them: it reads their codes, which are few bytes, and looks at no other values than
 * those that the probe asks about. What it finds out of a shape, or of an attribute that many entries share, it remembers. One thread.
 */
final class CodedProbe {
    private static final int USUAL_BYTES = 256;

    private final Vocabulary vocabulary;
    private final EntryProbe probe;
    private final EntryProbe.Test[] tests;
    /** By shape and attribute, up to the last one that any test is about, a bit for each test that is; null as long as nobody has asked. */
    private final long[][] asked;
    /** By shared attribute a bit for each test that one of its values passes, and those that were tried. */
    private final long[] passing;
    private final long[] tried;
    private final CodeReader in;
    private byte[] value = new byte[USUAL_BYTES];

    CodedProbe(Vocabulary vocabulary, EntryProbe probe) {
        this.vocabulary = vocabulary;
        this.in = new CodeReader(vocabulary);
        this.probe = probe;
        this.tests = probe.tests().toArray(new EntryProbe.Test[0]);
        this.asked = new long[vocabulary.shapes()][];
        this.passing = new long[vocabulary.attributes()];
        this.tried = new long[vocabulary.attributes()];
    }

    EntryProbe probe() {
        return probe;
    }

    /**
     * False where the probe does not hold of the entry that is coded in these bytes.
     *
     * @param coded goes on for {@link Word#SLACK} bytes
     * @throws StoreException of kind CORRUPT where none is
     */
    boolean mayHold(byte[] coded, int from, int end) {
        in.start(coded, from, end);
        int head = in.number();
        if (head >>> 1 == 0 || (head & EntryDecoder.COMPRESSED) != 0) {
            return true;
        }
        int number = (head >>> 1) - 1;
        Shape shape = vocabulary.shape(number);
        if (asked[number] == null) {
            asked[number] = asked(shape);
        }
        in.readName();
        return probe.holds(passed(shape, asked[number]));
    }

    private long[] asked(Shape shape) {
        long[] bits = new long[shape.size()];
        int size = 0;
        for (int attribute = 0; attribute < bits.length; attribute++) {
            byte[] description = shape.description(attribute);
            for (int test = 0; test < tests.length; test++) {
                bits[attribute] |= tests[test].selects(description, 0, description.length) ? 1L << test : 0;
            }
            size = bits[attribute] == 0 ? size : attribute + 1;
        }
        return Arrays.copyOf(bits, size);
    }

    private long passed(Shape shape, long[] bits) {
        long passed = 0;
        for (int attribute = 0; attribute < bits.length; attribute++) {
            int shaped = shape.count(attribute);
            int count = shaped > 0 ? shaped : in.number();
            int code = in.number();
            if ((code & EntryDecoder.KIND) == EntryDecoder.ATTRIBUTE) {
                passed |= bits[attribute] == 0 ? 0 : passedByShared(code >>> EntryDecoder.KIND_BITS, bits[attribute]);
                continue;
            }
            for (int i = 0; i < count; i++) {
                code = i == 0 ? code : in.number();
                int length = in.length(code);
                long left = bits[attribute] & ~passed;
                if (left == 0) {
                    in.skip(code, length);
                } else {
                    passed |= passedByValue(code, length, left);
                }
            }
        }
        return passed;
    }

    private long passedByValue(int code, int length, long left) {
        if ((code & EntryDecoder.KIND) == EntryDecoder.OCTETS) {
            int at = in.octets();
            in.skip(code, length);
            return passed(in.bytes(), at, length, left);
        }
        if (length + Word.SLACK > value.length) {
            value = new byte[2 * length + Word.SLACK];
        }
        in.write(code, length, value, 0);
        return passed(value, 0, length, left);
    }

    private long passed(byte[] bytes, int offset, int length, long left) {
        long passed = 0;
        for (long rest = left; rest != 0; rest &= rest - 1) {
            int test = Long.numberOfTrailingZeros(rest);
            passed |= tests[test].matches(bytes, offset, length) ? 1L << test : 0;
        }
        return passed;
    }

    private long passedByShared(int number, long bits) {
        Word attribute = vocabulary.attribute(number);
        long left = bits & ~tried[number];
        if (left != 0) {
            tried[number] |= left;
            passing[number] |= passedByAttribute(attribute, left);
        }
        return passing[number] & bits;
    }

    private long passedByAttribute(Word attribute, long bits) {
        long passed = 0;
        try {
            BerReader values = new BerReader(attribute.bytes(), 0, attribute.length());
            values.enter(BerWriter.SEQUENCE);
            values.skip();
            values.enter(BerWriter.SET);
            while (values.hasMore()) {
                int end = values.readHeader(BerWriter.OCTET_STRING);
                passed |= passed(attribute.bytes(), values.position(), end - values.position(), bits & ~passed);
                values.skipTo(end);
            }
        } catch (BerException e) {
            throw new StoreException(StoreException.Kind.CORRUPT, "an attribute of a vocabulary that is not BER: " + e.getMessage(), e);
        }
        return passed;
    }
}
