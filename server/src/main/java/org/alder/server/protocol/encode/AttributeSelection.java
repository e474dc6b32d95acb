package org.alder.server.protocol.encode;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.ObjectClass;
import org.alder.partition.schema.Schema;

/**
 * Which attributes a search returns and under which spelling (RFC 4511 4.5.1.8; {@code +} RFC 3673; {@code @class} RFC 4529).
 * Names the schema does not know are compared as text. One thread.
 */
public final class AttributeSelection {
    private static final int MOST_REMEMBERED = 4096;
    private static final byte[] SKIPPED = {};

    private final boolean allUser;
    private final boolean allOperational;
    /** Whether all operational attributes are those that are stored. */
    private final boolean storedOnly;
    private final List<AttributeDescription> named = new ArrayList<>();
    private final Set<String> unknown = new HashSet<>();
    /** Made when the first is: most searches name no attributes. */
    private Map<AttributeDescription, byte[]> remembered = Map.of();

    public AttributeSelection(Schema schema, List<String> requested) {
        this(schema, requested, false);
    }

    /** For copies: what is worked out is only for those who name it. */
    public static AttributeSelection ofStored(Schema schema, List<String> requested) {
        return new AttributeSelection(schema, requested, true);
    }

    private AttributeSelection(Schema schema, List<String> requested, boolean storedOnly) {
        this.storedOnly = storedOnly;
        boolean everyUser = requested.isEmpty() || requested.contains("*");
        allOperational = requested.contains("+");
        for (String item : requested) {
            if (item.startsWith("@")) {
                ObjectClass objectClass = schema.objectClass(item.substring(1));
                addClass(schema, objectClass);
                everyUser |= objectClass != null && objectClass.allowsAllUserAttributes();
            } else if (!item.equals("*") && !item.equals("+") && !item.equals("1.1")) {
                addName(schema, item);
            }
        }
        allUser = everyUser;
    }

    /** Whether attributes are asked for that are worked out for each entry, under whatever name. */
    public static boolean mayBeVirtual(Schema schema, List<String> requested) {
        for (String item : requested) {
            AttributeDescription known = item.equals("*") ? null : schema.descriptionOrNull(item);
            if (item.equals("+") || known != null && isVirtual(known.type())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isVirtual(AttributeType named) {
        for (AttributeType type : named.withSubtypes()) {
            if (type.isVirtual()) {
                return true;
            }
        }
        return false;
    }

    private void addClass(Schema schema, ObjectClass objectClass) {
        if (objectClass != null) {
            objectClass.must().forEach(type -> named.add(schema.descriptionOrNull(type.name())));
            objectClass.may().forEach(type -> named.add(schema.descriptionOrNull(type.name())));
        }
    }

    private void addName(Schema schema, String name) {
        AttributeDescription description = schema.descriptionOrNull(name);
        if (description != null) {
            named.add(description);
        } else {
            unknown.add(name.toLowerCase(Locale.ROOT));
        }
    }

    boolean isNothing() {
        return !allUser && !allOperational && named.isEmpty() && unknown.isEmpty();
    }

    /** Whether all user attributes are returned as they are spelt, so that their bytes can be copied. */
    boolean isAllUserAsStored() {
        return isAllAsStored(false);
    }

    /** Whether all attributes of this kind are returned as they are spelt, without a need to ask for each. */
    boolean isAllAsStored(boolean operational) {
        return (operational ? allOperational : allUser) && named.isEmpty() && unknown.isEmpty();
    }

    /** Whether an operational attribute can be among those selected. */
    boolean reachesOperational() {
        return allOperational || !unknown.isEmpty()
                || !named.isEmpty() && named.stream().anyMatch(item -> item.type().withSubtypes().stream().anyMatch(AttributeType::isOperational));
    }

    /**
     * The name to return a stored attribute under: the client's if it differs in case only, else the stored one.
     *
     * @return null if the attribute is not selected
     */
    byte[] nameFor(AttributeDescription stored, boolean operational) {
        byte[] name = remembered.get(stored);
        if (name == null) {
            if (remembered.isEmpty() || remembered.size() >= MOST_REMEMBERED) {
                remembered = new IdentityHashMap<>();
            }
            name = selectedName(stored, operational);
            remembered.put(stored, name);
        }
        return name == SKIPPED ? null : name;
    }

    private byte[] selectedName(AttributeDescription stored, boolean operational) {
        boolean selected = operational ? allOperational : allUser;
        for (AttributeDescription item : named) {
            if (stored.isSubtypeOf(item)) {
                selected = true;
                if (item.text().equalsIgnoreCase(stored.text())) {
                    return item.text().getBytes(StandardCharsets.UTF_8);
                }
            }
        }
        return selected ? stored.text().getBytes(StandardCharsets.UTF_8) : SKIPPED;
    }

    /** Whether an attribute whose type the schema does not know is selected. */
    boolean selectsUnknown(String stored, boolean operational) {
        return (operational ? allOperational : allUser) || unknown.contains(stored.toLowerCase(Locale.ROOT));
    }

    /** Whether an attribute that is worked out, and has no options, is selected. */
    boolean selectsVirtual(AttributeType type) {
        return allOperational && !storedOnly || named.stream().anyMatch(item -> item.options().isEmpty() && type.isSubtypeOf(item.type()));
    }
}
