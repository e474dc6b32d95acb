package org.alder.partition.schema;

import java.util.List;
import java.util.Map;

/**
 * One schema definition (RFC 4512 4.1) as it was read: its fields by upper-case keyword, none resolved yet. A keyword without
 * values, such as SINGLE-VALUE, has an empty list.
 *
 * @param origin the file and line, for messages
 * @param text the definition on one line, as it is published
 */
record Definition(String origin, String text, String oid, Map<String, List<String>> fields) {
    boolean has(String keyword) {
        return fields.containsKey(keyword);
    }

    List<String> list(String keyword) {
        return fields.getOrDefault(keyword, List.of());
    }

    /** @return null if the keyword is not there */
    String single(String keyword) {
        List<String> values = list(keyword);
        return values.isEmpty() ? null : values.get(0);
    }

    List<String> names() {
        return list("NAME");
    }

    /** The first name, or the OID if there is none. */
    String primaryName() {
        return names().isEmpty() ? oid : names().get(0);
    }
}
