package org.alder.server.policy;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.request.Modification;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.StoredValues;
import org.alder.partition.update.EntryNotes;

/**
 * Keeps entries from becoming password policies that cannot be: one that is stored all the same is passed over
 * ({@link PasswordPolicies}), so whoever writes it is told at once. Thread safe.
 */
public final class PolicyEntries {
    private final Schema schema;
    private final AttributeType objectClass;
    private final Set<AttributeType> parts;

    public PolicyEntries(Schema schema) {
        this.schema = schema;
        this.objectClass = schema.attributeType("objectClass");
        this.parts = PolicyEntry.parts(schema);
    }

    /** Whether a value of the attribute can be a part of a policy. */
    public boolean isPart(AttributeDescription description) {
        return description != null && parts.contains(description.type());
    }

    /**
     * An entry with these attributes.
     *
     * @throws DirectoryException constraintViolation, naming DN, attribute, value and what was expected, if it is a policy that cannot be
     */
    public void require(String dn, List<Attribute> attributes) throws DirectoryException {
        // Mostly the first one, so that no others are looked at.
        Optional<Attribute> classes = attributes.stream().filter(each -> isOf(each.description(), objectClass)).findFirst();
        if (classes.isPresent() && hasPolicy(classes.get().values())) {
            PolicyEntry.read(schema, dn, type -> attributes.stream().filter(each -> isOf(each.description(), type))
                    .map(each -> PolicyEntry.first(each.values())).findFirst().orElse(null));
        }
    }

    private boolean hasPolicy(List<byte[]> classes) {
        return classes.stream().anyMatch(name -> PolicyEntry.isPolicy(schema, schema.objectClass(name)));
    }

    private boolean makesPolicy(Modification modification) {
        return isOf(modification.description(), objectClass) && hasPolicy(modification.values());
    }

    private boolean isOf(String text, AttributeType type) {
        AttributeDescription description = schema.descriptionOrNull(text);
        return description != null && description.type() == type;
    }

    /** Whether a modify can make an entry a policy or another one. */
    public boolean concern(List<Modification> modifications) {
        for (Modification each : modifications) {
            AttributeDescription description = schema.descriptionOrNull(each.description());
            if (description != null && (parts.contains(description.type())
                    || description.type() == objectClass && hasPolicy(each.values()))) {
                return true;
            }
        }
        return false;
    }

    /**
     * What goes with such a modify: it is refused in its transaction, where it is known what else the entry says, as {@link #require}
     * refuses it.
     *
     * @param notes what goes with it too, or null
     */
    public EntryNotes checked(EntryNotes notes, List<Modification> modifications) {
        return (state, before) -> {
            if (PolicyEntry.isOne(schema, before.record())
                    || modifications.stream().anyMatch(this::makesPolicy)) {
                PolicyEntry.read(schema, before.dn(), type -> after(type, before.record(), modifications));
            }
            return notes == null ? List.of() : notes.of(state, before);
        };
    }

    /** The value of an attribute of which an entry has one at most. */
    private byte[] after(AttributeType type, EntryRecord before, List<Modification> modifications) {
        byte[] value = PolicyEntry.first(StoredValues.of(schema, before, type));
        for (Modification each : modifications) {
            if (isOf(each.description(), type)) {
                value = switch (each.kind()) {
                    case ADD, REPLACE -> PolicyEntry.first(each.values());
                    case DELETE -> null;
                    case INCREMENT -> sum(value, PolicyEntry.first(each.values()));
                };
            }
        }
        return value;
    }

    /** What cannot be added is refused by the modify itself. */
    private static byte[] sum(byte[] value, byte[] increment) {
        try {
            return number(value).add(number(increment)).toString().getBytes(StandardCharsets.US_ASCII);
        } catch (NumberFormatException e) {
            return value;
        }
    }

    private static BigInteger number(byte[] value) {
        return value == null ? BigInteger.ZERO : new BigInteger(new String(value, StandardCharsets.ISO_8859_1));
    }
}
