package org.alder.partition.rule;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;

/**
 * What holds between the entries of one partition beyond the schema. Immutable, thread safe.
 *
 * @param memberOf the attributes whose values name members, from which {@code memberOf} is worked out
 */
public record EntryRules(List<AttributeType> memberOf) {
    public EntryRules {
        memberOf = List.copyOf(memberOf);
    }

    /** Groups by member and uniqueMember, and nothing else. */
    public static EntryRules standard(Schema schema) {
        return new EntryRules(Stream.of("member", "uniqueMember").map(schema::attributeType).filter(Objects::nonNull).toList());
    }
}
