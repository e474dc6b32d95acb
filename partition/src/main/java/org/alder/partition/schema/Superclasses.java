package org.alder.partition.schema;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The rule of RFC 4512 3.3 that an entry has the superclasses of all its object classes among them. Thread safe. */
public final class Superclasses {
    private Superclasses() {
    }

    /**
     * The names of the superclasses that are missing, in the order of the classes.
     *
     * @param values of objectClass; those that the schema does not know are passed over
     */
    public static List<byte[]> missing(Schema schema, List<byte[]> values) {
        List<ObjectClass> listed = new ArrayList<>(values.size());
        for (byte[] value : values) {
            ObjectClass objectClass = schema.objectClass(value);
            if (objectClass != null) {
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
