package org.alder.partition.jdbm.entry;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.entry.AttributeCursor;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.Varints;
import org.alder.partition.error.StoreException;

/**
 * Codes the entries of a file one after the other, and learns its vocabulary from them; the format is at the head of {@link EntryDecoder}.
 * What is rare stays as it is: no entry is larger by more than some bytes than its record. One thread.
 */
final class EntryEncoder {
    private static final int MAX_SHAPES = 1 << 12;
    private static final int MAX_SHAPE_BYTES = 1 << 20;
    private static final int MAX_ATTRIBUTES = 1 << 15;
    private static final int MAX_ATTRIBUTE_BYTES = 1 << 20;
    private static final int MAX_ENDINGS = 1 << 12;
    private static final int MAX_ENDING_BYTES = 1 << 18;
    /** A shorter ending saves too little. */
    private static final int LEAST_ENDING_BYTES = 4;
    /** Endings are looked for in values up to this length. */
    private static final int MOST_ENDED_BYTES = 512;
    /** Shorter ones do not get shorter. */
    private static final int LEAST_COMPRESSED_BYTES = 512;
    /** An attribute whose values were new so often in a row is looked up now and then only. */
    private static final int MANY_STRANGERS = 64;
    private static final int NOW_AND_THEN = 16;
    private static final int USUAL_NUMBER = 64;

    private final LZ4Compressor lz4 = LZ4Factory.fastestInstance().fastCompressor();
    private final Lexicon attributes;
    private final Lexicon endings;
    private final List<Shape> shapes = new ArrayList<>();
    private final Map<Long, Integer> shapesByHash = new HashMap<>();
    /** By shape and attribute, how often in a row it was in neither lexicon. */
    private final List<int[]> strangers = new ArrayList<>();
    private int shapeBytes;
    private int lastShape = -1;

    private final EntryCodec codec;
    private byte[] record;
    /** By attribute: where it begins, its description begins and ends, and the first of its values; behind the last one where all end. */
    private int[] starts = new int[USUAL_NUMBER];
    private int[] names = new int[USUAL_NUMBER];
    private int[] nameEnds = new int[USUAL_NUMBER];
    private int[] firstValues = new int[USUAL_NUMBER];
    private int attributeCount;
    private int userCount;
    /** By value: where it begins and ends. */
    private int[] values = new int[USUAL_NUMBER];
    private int[] valueEnds = new int[USUAL_NUMBER];
    private int valueCount;

    private byte[] coded = new byte[1 << 12];
    private int size;
    private byte[] codes = new byte[1 << 10];
    private int codeCount;
    private byte[] octets = new byte[1 << 12];
    private int octetCount;

    EntryEncoder(EntryCodec codec) {
        this(codec, ThreadLocalRandom.current().nextLong());
    }

    /** @param seed of the lexicons' hashes: the same entries are coded the same with it */
    EntryEncoder(EntryCodec codec, long seed) {
        this.codec = codec;
        this.attributes = new Lexicon(MAX_ATTRIBUTES, MAX_ATTRIBUTE_BYTES, seed);
        this.endings = new Lexicon(MAX_ENDINGS, MAX_ENDING_BYTES, seed);
    }

    /** What was learnt; the vocabulary of all entries so far. */
    Vocabulary vocabulary() {
        return new Vocabulary(shapes.toArray(new Shape[0]), attributes.words(), endings.words());
    }

    /** The bytes of the last entry that was coded, up to what {@link #encode} returned; until the next one. */
    byte[] coded() {
        return coded;
    }

    /** Codes an entry, and returns how many bytes {@link #coded} has of it. */
    int encode(EntryRecord entry) {
        size = 0;
        codeCount = 0;
        octetCount = 0;
        record = entry.buffer();
        int shape = codec == EntryCodec.NONE || entry.hasLarge() || !parse(entry) ? -1 : shape();
        number((long) shape + 1 << 1);
        int content = size;
        if (shape < 0) {
            append(record, entry.offset(), entry.length());
        } else {
            putContent(entry);
        }
        return codec == EntryCodec.NONE || size - content < LEAST_COMPRESSED_BYTES ? size : compressed(content, shape + 1);
    }

    /** Compresses all from there on, where that saves an eighth. */
    private int compressed(int content, int shape) {
        int length = size - content;
        byte[] target = new byte[2 * Varints.MAX_BYTES + lz4.maxCompressedLength(length)];
        int at = Varints.put(target, Varints.put(target, 0, (long) shape << 1 | EntryDecoder.COMPRESSED), length);
        int end = at + lz4.compress(coded, content, length, target, at);
        if (end < size - length / 8) {
            coded = target;
            size = end;
        }
        return size;
    }

    /** Finds where all is; false where the record has other bytes than would be made of it again, as with lengths that are not the shortest. */
    private boolean parse(EntryRecord entry) {
        attributeCount = 0;
        userCount = 0;
        valueCount = 0;
        int userBytes = 0;
        int operationalBytes = 0;
        AttributeCursor cursor = entry.cursor(true);
        while (cursor.next()) {
            if (attributeCount + 1 >= starts.length) {
                moreAttributes();
            }
            starts[attributeCount] = cursor.offset();
            names[attributeCount] = cursor.nameOffset();
            nameEnds[attributeCount] = cursor.nameOffset() + cursor.nameLength();
            firstValues[attributeCount] = valueCount;
            int set = parseValues(cursor.valueReader());
            if (valueCount == firstValues[attributeCount]) {
                return false;
            }
            int content = withHeader(cursor.nameLength()) + withHeader(set);
            if (cursor.isOperational()) {
                operationalBytes += withHeader(content);
            } else {
                userBytes += withHeader(content);
                userCount++;
            }
            attributeCount++;
            starts[attributeCount] = cursor.offset() + cursor.length();
        }
        firstValues[attributeCount] = valueCount;
        return entry.length() == 1 + Varints.bytes(entry.parentId()) + Varints.bytes(entry.rdnLength()) + entry.rdnLength()
                + Varints.bytes(userBytes) + userBytes + operationalBytes;
    }

    private static int withHeader(int length) {
        return BerWriter.headerBytes(length) + length;
    }

    /** Returns the bytes that the values take at least. */
    private int parseValues(BerReader reader) {
        int bytes = 0;
        try {
            while (reader.hasMore()) {
                int end = reader.readHeader(BerWriter.OCTET_STRING);
                if (valueCount == values.length) {
                    values = Arrays.copyOf(values, 2 * valueCount);
                    valueEnds = Arrays.copyOf(valueEnds, 2 * valueCount);
                }
                values[valueCount] = reader.position();
                valueEnds[valueCount++] = end;
                bytes += withHeader(end - reader.position());
                reader.skipTo(end);
            }
        } catch (BerException e) {
            throw new StoreException(StoreException.Kind.CORRUPT, "an entry record that is not BER: " + e.getMessage(), e);
        }
        return bytes;
    }

    private void moreAttributes() {
        starts = Arrays.copyOf(starts, 2 * starts.length);
        names = Arrays.copyOf(names, 2 * names.length);
        nameEnds = Arrays.copyOf(nameEnds, 2 * nameEnds.length);
        firstValues = Arrays.copyOf(firstValues, 2 * firstValues.length);
    }

    private int counted(int attribute) {
        return Shape.counted(firstValues[attribute + 1] - firstValues[attribute]);
    }

    /** The number of the entry's shape, which may be a new one; -1 where there are too many. */
    private int shape() {
        if (lastShape >= 0 && isOf(shapes.get(lastShape))) {
            return lastShape;
        }
        long hash = userCount;
        for (int attribute = 0; attribute < attributeCount; attribute++) {
            for (int i = names[attribute]; i < nameEnds[attribute]; i++) {
                hash = hash * 31 + record[i];
            }
            hash = (hash * 31 + counted(attribute)) * 0x9E3779B97F4A7C15L;
        }
        Integer known = shapesByHash.get(hash);
        if (known == null) {
            lastShape = newShape(hash);
        } else {
            lastShape = isOf(shapes.get(known)) ? known : -1;
        }
        return lastShape;
    }

    private boolean isOf(Shape shape) {
        if (shape.size() != attributeCount || shape.userCount() != userCount) {
            return false;
        }
        for (int attribute = 0; attribute < attributeCount; attribute++) {
            if (shape.count(attribute) != counted(attribute)
                    || !shape.isSpelt(attribute, record, names[attribute], nameEnds[attribute])) {
                return false;
            }
        }
        return true;
    }

    private int newShape(long hash) {
        List<byte[]> descriptions = new ArrayList<>(attributeCount);
        List<Integer> counts = new ArrayList<>(attributeCount);
        int bytes = 0;
        for (int attribute = 0; attribute < attributeCount; attribute++) {
            byte[] description = Arrays.copyOfRange(record, names[attribute], nameEnds[attribute]);
            descriptions.add(description);
            counts.add(counted(attribute));
            bytes += description.length;
        }
        if (shapes.size() == MAX_SHAPES || shapeBytes + bytes > MAX_SHAPE_BYTES) {
            return -1;
        }
        shapeBytes += bytes;
        shapes.add(Shape.of(descriptions, counts, userCount));
        strangers.add(new int[attributeCount]);
        shapesByHash.put(hash, shapes.size() - 1);
        return shapes.size() - 1;
    }

    private void putContent(EntryRecord entry) {
        number(entry.parentId());
        int named = named(entry);
        number(named + 1);
        if (named < 0) {
            number(entry.rdnLength());
            append(record, entry.rdnOffset(), entry.rdnLength());
        }
        int[] metBefore = strangers.get(lastShape);
        for (int attribute = 0; attribute < attributeCount; attribute++) {
            int met = metBefore[attribute]++;
            boolean known = putAttribute(attribute, attribute == named, met < MANY_STRANGERS || met % NOW_AND_THEN == 0);
            metBefore[attribute] = known ? 0 : metBefore[attribute];
        }
        number(codeCount);
        append(codes, 0, codeCount);
        append(octets, 0, octetCount);
    }

    private void append(byte[] source, int from, int length) {
        room(length);
        System.arraycopy(source, from, coded, size, length);
        size += length;
    }

    /** The attribute whose description and first value the RDN consists of; -1 where there is none. */
    private int named(EntryRecord entry) {
        int from = entry.rdnOffset();
        int end = from + entry.rdnLength();
        for (int attribute = 0; attribute < userCount; attribute++) {
            int equals = from + nameEnds[attribute] - names[attribute];
            if (equals < end && record[equals] == '='
                    && Arrays.equals(record, from, equals, record, names[attribute], nameEnds[attribute])) {
                int value = firstValues[attribute];
                return firstValues[attribute + 1] == value + 1 && entry.rdnLength() <= EntryDecoder.MAX_NAMED_BYTES && Arrays.equals(record, equals + 1, end, record, values[value], valueEnds[value]) ? attribute : -1;
            }
        }
        return -1;
    }

    /**
     * @param named  whether the RDN is made of it, so that its value is needed
     * @param lookUp whether it is looked up what has numbers
     * @return whether anything had
     */
    private boolean putAttribute(int attribute, boolean named, boolean lookUp) {
        int count = firstValues[attribute + 1] - firstValues[attribute];
        if (count > Shape.MOST_COUNTED) {
            code(count);
        }
        int whole = named || !lookUp ? -1 : attributes.number(record, starts[attribute], starts[attribute + 1]);
        if (whole >= 0) {
            code((long) whole << EntryDecoder.KIND_BITS | EntryDecoder.ATTRIBUTE);
            return true;
        }
        boolean known = false;
        for (int value = firstValues[attribute]; value < firstValues[attribute + 1]; value++) {
            known |= putValue(values[value], valueEnds[value], lookUp);
        }
        return known;
    }

    private boolean putValue(int from, int end, boolean lookUp) {
        int make = PackedValue.make(record, from, end);
        if (make != PackedValue.NONE) {
            code((long) make << EntryDecoder.KIND_BITS | EntryDecoder.PACKED);
            octetRoom(PackedValue.packedLength(make));
            octetCount = PackedValue.pack(make, record, from, octets, octetCount);
            return false;
        }
        int ending = lookUp ? ending(from, end) : end;
        int number = ending == end ? -1 : endings.number(record, ending, end);
        int own = number < 0 ? end - from : ending - from;
        if (number < 0) {
            code((long) own << EntryDecoder.KIND_BITS | EntryDecoder.OCTETS);
        } else {
            code((long) number << EntryDecoder.KIND_BITS | EntryDecoder.ENDING);
            code(own);
        }
        octetRoom(own);
        System.arraycopy(record, from, octets, octetCount, own);
        octetCount += own;
        return number >= 0;
    }

    /** Where an ending begins that others may have, too: with the rest of a DN or the domain of an address. */
    private int ending(int from, int end) {
        if (end - from <= MOST_ENDED_BYTES) {
            for (int i = from + 1; i <= end - LEAST_ENDING_BYTES; i++) {
                if (record[i] == ',' || record[i] == '@') {
                    return i;
                }
            }
        }
        return end;
    }

    private void code(long value) {
        if (Varints.MAX_BYTES > codes.length - codeCount) {
            codes = Arrays.copyOf(codes, 2 * codes.length);
        }
        codeCount = Varints.put(codes, codeCount, value);
    }

    private void number(long value) {
        room(Varints.MAX_BYTES);
        size = Varints.put(coded, size, value);
    }

    private void room(int more) {
        if (more > coded.length - size) {
            coded = Arrays.copyOf(coded, Math.max(2 * coded.length, size + more));
        }
    }

    private void octetRoom(int more) {
        if (more > octets.length - octetCount) {
            octets = Arrays.copyOf(octets, Math.max(2 * octets.length, octetCount + more));
        }
    }
}
