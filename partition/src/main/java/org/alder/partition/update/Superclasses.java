package org.alder.partition.update;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.alder.partition.schema.ObjectClass;
import org.alder.partition.schema.Schema;

/** The rule of RFC 4512 3.3 that an entry has the superclasses of all its object classes among them. Thread safe. */
final class Superclasses {
    private Superclasses() {
    }

    /**
     * The names of the superclasses that are missing, in the order of the classes.
     *
     * @param values of objectClass; those that the schema does not know are passed over
     */
    static List<byte[]> missing(Schema schema, List<byte[]> values) {
        Set<ObjectClass> listed = new HashSet<>(values.size() * 2);
        for (byte[] value : values) {
            listed.add(schema.objectClass(value));
        }
        List<byte[]> missing = List.of();
        for (byte[] value : values) {
            ObjectClass objectClass = schema.objectClass(value);
            if (objectClass != null && !listed.containsAll(objectClass.allSuperiors())) {
                missing = missing.isEmpty() ? new ArrayList<>() : missing;
                for (ObjectClass superior : objectClass.allSuperiors()) {
                    if (listed.add(superior)) {
                        missing.add(superior.name().getBytes(StandardCharsets.UTF_8));
                    }
                }
            }
        }
        return missing;
    }
}
