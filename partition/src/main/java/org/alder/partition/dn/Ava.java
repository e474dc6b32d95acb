package org.alder.partition.dn;

import org.alder.partition.schema.AttributeType;

/** One attribute value assertion of an RDN. Immutable; the array is shared and must not be changed. */
public record Ava(AttributeType type, String typeText, byte[] value) {
}
