package org.alder.partition.filter;

import java.util.List;

/**
 * A search filter as a client sent it (RFC 4511 4.5.1): attribute descriptions as text, assertion values as bytes, nothing
 * looked up yet. {@code CompiledFilter} binds it to a schema. Immutable; byte arrays are not to be changed.
 */
public sealed interface Filter {
    /** {@code (&...)}; without parts it is absolute true (RFC 4526). */
    record And(List<Filter> parts) implements Filter {
    }

    /** {@code (|...)}; without parts it is absolute false (RFC 4526). */
    record Or(List<Filter> parts) implements Filter {
    }

    record Not(Filter part) implements Filter {
    }

    /** What looks at values. */
    sealed interface Item extends Filter {
        /** The attribute it is about; null for an extensible match of all attributes. */
        String description();
    }

    record Equality(String description, byte[] value) implements Item {
    }

    /** @param initial or null  @param any in order, perhaps empty  @param last or null */
    record Substring(String description, byte[] initial, List<byte[]> any, byte[] last) implements Item {
    }

    record GreaterOrEqual(String description, byte[] value) implements Item {
    }

    record LessOrEqual(String description, byte[] value) implements Item {
    }

    record Present(String description) implements Item {
    }

    record Approximate(String description, byte[] value) implements Item {
    }

    /** @param rule a matching rule's name or OID, or null  @param description or null (then rule is not null) */
    record Extensible(String rule, String description, byte[] value, boolean dnAttributes) implements Item {
    }
}
