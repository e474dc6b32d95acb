package org.alder.server.protocol;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.alder.partition.entry.EntryRecord.AttributeCursor;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.MatchingRule;
import org.alder.partition.schema.Schema;
import org.alder.server.control.SortKey;
import org.alder.server.directory.EntryCursor;
import org.alder.server.directory.SearchPosition;
import org.apache.directory.api.ldap.model.message.ResultCodeEnum;

/**
 * The order a client wants entries in (RFC 2891), as bytes to be compared without sign: of several values the least counts, an
 * entry without one is behind all others, and equal entries are in the order they are stored in. What may not be read counts as
 * missing. An attribute without an ordering rule is ordered by its equality rule. Immutable, thread safe.
 */
final class SortOrder {
    private static final byte PRESENT = 1;
    private static final byte MISSING = (byte) 0xFF;
    private static final int POSITION_BYTES = 12;

    private final Schema schema;
    private final List<Part> parts = new ArrayList<>();

    private record Part(AttributeDescription attribute, MatchingRule rule, boolean reverse) {
    }

    /** Why entries cannot be sorted. @param attribute the one to blame */
    record Refusal(ResultCodeEnum code, String attribute) {
    }

    private SortOrder(Schema schema) {
        this.schema = schema;
    }

    /** @return null if {@link #refusal} says why */
    static SortOrder of(Schema schema, List<SortKey> keys) {
        SortOrder order = new SortOrder(schema);
        for (SortKey key : keys) {
            AttributeDescription attribute = schema.descriptionOrNull(key.attribute());
            MatchingRule rule = attribute == null ? null : rule(schema, attribute, key);
            if (rule == null) {
                return null;
            }
            order.parts.add(new Part(attribute, rule, key.reverse()));
        }
        return order;
    }

    static Refusal refusal(Schema schema, List<SortKey> keys) {
        for (SortKey key : keys) {
            AttributeDescription attribute = schema.descriptionOrNull(key.attribute());
            if (attribute == null) {
                return new Refusal(ResultCodeEnum.NO_SUCH_ATTRIBUTE, key.attribute());
            } else if (rule(schema, attribute, key) == null) {
                return new Refusal(ResultCodeEnum.INAPPROPRIATE_MATCHING, key.attribute());
            }
        }
        throw new IllegalArgumentException("nothing speaks against this order: " + keys);
    }

    private static MatchingRule rule(Schema schema, AttributeDescription attribute, SortKey key) {
        if (key.rule() != null) {
            MatchingRule rule = schema.matchingRule(key.rule());
            return rule == null || rule.supportsSubstring() ? null : rule;
        }
        return attribute.type().ordering() != null ? attribute.type().ordering() : attribute.type().equality();
    }

    /** The place in the order of the entry that the cursor stands on; no other entry has the same. */
    byte[] key(EntryCursor cursor) {
        ByteArrayOutputStream key = new ByteArrayOutputStream(64);
        for (Part part : parts) {
            byte[] least = least(cursor, part);
            int flip = part.reverse ? 0xFF : 0;
            if (least == null) {
                key.write(MISSING ^ flip);
            } else {
                key.write(PRESENT ^ flip);
                append(key, least, flip);
            }
        }
        SearchPosition position = cursor.position();
        key.writeBytes(ByteBuffer.allocate(POSITION_BYTES).putInt(position.partition()).putLong(position.id()).array());
        return key.toByteArray();
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

    private byte[] least(EntryCursor cursor, Part part) {
        byte[] least = null;
        AttributeCursor stored = cursor.record().cursor(true);
        while (stored.next()) {
            AttributeDescription description =
                    schema.descriptionOrNull(stored.bytes(), stored.nameOffset(), stored.nameLength());
            if (description != null && description.isSubtypeOf(part.attribute)
                    && cursor.access().mayRead(description.type())) {
                for (byte[] value : stored.values()) {
                    least = lesser(least, form(part.rule, value));
                }
            }
        }
        return least;
    }

    private static byte[] lesser(byte[] one, byte[] other) {
        return other == null || one != null && Arrays.compareUnsigned(one, other) <= 0 ? one : other;
    }

    private static byte[] form(MatchingRule rule, byte[] value) {
        try {
            return rule.normalize(value);
        } catch (DirectoryException e) {
            return null;
        }
    }
}
