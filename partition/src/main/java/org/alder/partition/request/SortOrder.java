package org.alder.partition.request;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.alder.partition.entry.AttributeCursor;
import org.alder.partition.entry.EntryAttributes;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.value.MatchingRule;

/**
 * The order a client wants entries in (RFC 2891), as bytes to be compared without sign: of several values the least counts, and
 * an entry without one is behind all others. What may not be read counts as missing. Immutable, thread safe.
 */
public final class SortOrder {
    private static final byte PRESENT = 1;
    private static final byte MISSING = (byte) 0xFF;

    private final Schema schema;
    private final List<Part> parts;
    private final Predicate<AttributeType> readable;

    /** Entries that are equal by the parts before are ordered by this attribute. */
    public record Part(AttributeDescription attribute, MatchingRule rule, boolean reverse) {
    }

    /** Gives the values of a large attribute, which are outside of the record, to the consumer. */
    @FunctionalInterface
    public interface LargeAttributes extends BiConsumer<LargeAttribute, Consumer<byte[]>> {
    }

    /** @param parts at least one, the most important first */
    public SortOrder(Schema schema, List<Part> parts) {
        this(schema, parts, type -> true);
    }

    private SortOrder(Schema schema, List<Part> parts, Predicate<AttributeType> readable) {
        this.schema = schema;
        this.parts = List.copyOf(parts);
        this.readable = readable;
    }

    /** The same order as seen by somebody who may read these attributes only. */
    public SortOrder readableBy(Predicate<AttributeType> reader) {
        return new SortOrder(schema, parts, reader);
    }

    public List<Part> parts() {
        return parts;
    }

    /** The one part of an order by one attribute that may be read, with all its options; else null. */
    public Part only() {
        Part first = parts.get(0);
        boolean whole = parts.size() == 1 && first.attribute().options().isEmpty();
        return whole && first.attribute().type().withSubtypes().stream().allMatch(readable) ? first : null;
    }

    /** The entry's place in the order; equal entries have the same. */
    public byte[] key(EntryAttributes entry, LargeAttributes large) {
        ByteArrayOutputStream key = new ByteArrayOutputStream(64);
        for (Part part : parts) {
            append(key, part, least(entry, large, part));
        }
        return key.toByteArray();
    }

    /** The beginning of the places of entries whose least value in the first part has this form; null for those without one. */
    public byte[] keyOf(byte[] form) {
        ByteArrayOutputStream key = new ByteArrayOutputStream(64);
        append(key, parts.get(0), form);
        return key.toByteArray();
    }

    private static void append(ByteArrayOutputStream key, Part part, byte[] least) {
        int flip = part.reverse() ? 0xFF : 0;
        if (least == null) {
            key.write(MISSING ^ flip);
        } else {
            key.write(PRESENT ^ flip);
            append(key, least, flip);
        }
    }

    /** Ends with two zeros, and no zero before them stands alone, so that what follows does not count among different values. */
    private static void append(ByteArrayOutputStream key, byte[] value, int flip) {
        for (byte b : value) {
            key.write(b ^ flip);
            if (b == 0) {
                key.write(1 ^ flip);
            }
        }
        key.write(flip);
        key.write(flip);
    }

    private byte[] least(EntryAttributes entry, LargeAttributes large, Part part) {
        Least least = new Least(part.rule());
        AttributeCursor stored = entry.cursor(true);
        while (stored.next()) {
            if (counts(schema.descriptionOrNull(stored.bytes(), stored.nameOffset(), stored.nameLength()), part)) {
                stored.values().forEach(least);
            }
        }
        for (LargeAttribute attribute : entry.largeAttributes()) {
            if (counts(schema.descriptionOrNull(attribute.description()), part)) {
                large.accept(attribute, least);
            }
        }
        return least.form;
    }

    private boolean counts(AttributeDescription stored, Part part) {
        return stored != null && stored.isSubtypeOf(part.attribute()) && readable.test(stored.type());
    }

    /** The least form of the values it is given; values that the rule cannot read do not count. */
    private static final class Least implements Consumer<byte[]> {
        private final MatchingRule rule;
        private byte[] form;

        Least(MatchingRule rule) {
            this.rule = rule;
        }

        @Override
        public void accept(byte[] value) {
            try {
                byte[] other = rule.normalize(value);
                form = form != null && Arrays.compareUnsigned(form, other) <= 0 ? form : other;
            } catch (DirectoryException e) {
                // It has no place in the order, as it has no key in an index.
                return;
            }
        }
    }
}
