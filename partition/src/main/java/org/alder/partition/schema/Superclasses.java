package org.alder.partition.schema;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The rule of RFC 4512 3.3 that an entry has the superclasses of all its object classes among them. Thread safe. */
public final class Superclasses {
    /** In more values a class may stand a million times. */
    private static final int MOST_FEW = 64;

    private Superclasses() {
    }

    /**
     * The names of the superclasses that are missing, in the order of the classes.
     *
     * @param values of objectClass; those that the schema does not know are passed over
     */
    public static List<byte[]> missing(Schema schema, List<byte[]> values) {
        List<ObjectClass> listed = new ArrayList<>(Math.min(values.size(), MOST_FEW));
        Set<ObjectClass> many = values.size() > MOST_FEW ? new HashSet<>() : null;
        for (byte[] value : values) {
            ObjectClass objectClass = schema.objectClass(value);
            if (objectClass != null && (many == null || many.add(objectClass))) {
                listed.add(objectClass);
            }
        }
        List<byte[]> missing = List.of();
        for (int i = 0, given = listed.size(); i < given; i++) {
            for (ObjectClass superior : listed.get(i).allSuperiors()) {
                // Few classes: to look through them costs less than to hash them.
                if (!listed.contains(superior)) {
                    missing = missing.isEmpty() ? new ArrayList<>() : missing;
                    listed.add(superior);
                    missing.add(superior.name().getBytes(StandardCharsets.UTF_8));
                }
            }
        }
        return missing;
    }
}
