package org.alder.partition.entry;

import java.util.List;

/**
 * An attribute as it is stored or returned: its description as it is spelt (type and options, RFC 4512 2.5) and its values in
 * order. Immutable; the byte arrays are not to be changed.
 */
public record Attribute(String description, List<byte[]> values) {
    public Attribute {
        values = List.copyOf(values);
    }
}
