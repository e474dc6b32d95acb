package org.alder.partition.rule;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;

/**
 * What holds between the entries of one partition, and of their values, beyond the schema. Immutable, thread safe.
 *
 * @param memberOf the attributes whose values name members, from which {@code memberOf} is worked out
 * @param references what becomes of values that name an entry which is deleted or renamed
 * @param unique which values only one entry may have
 * @param constraints what values may be
 * @param numbers which numbers the server gives
 * @param limits how large an entry may be
 * @param trial of what does not hold yet; null for none
 */
public record EntryRules(List<AttributeType> memberOf, ReferenceRule references, List<UniqueRule> unique,
        List<ValueConstraint> constraints, List<NumberRange> numbers, EntryLimits limits, UniqueTrial trial) {
    public EntryRules(List<AttributeType> memberOf, ReferenceRule references, List<UniqueRule> unique,
            List<ValueConstraint> constraints, List<NumberRange> numbers, EntryLimits limits) {
        this(memberOf, references, unique, constraints, numbers, limits, null);
    }

    public EntryRules {
        memberOf = List.copyOf(memberOf);
        unique = List.copyOf(unique);
        constraints = List.copyOf(constraints);
        numbers = List.copyOf(numbers);
    }

    /** Groups by member and uniqueMember, and nothing else. */
    public static EntryRules standard(Schema schema) {
        return new EntryRules(Stream.of("member", "uniqueMember").map(schema::attributeType).filter(Objects::nonNull).toList(),
                ReferenceRule.NONE, List.of(), List.of(), List.of(), EntryLimits.STANDARD);
    }

    public EntryRules withReferences(ReferenceRule other) {
        return new EntryRules(memberOf, other, unique, constraints, numbers, limits);
    }

    public EntryRules withUnique(UniqueRule... others) {
        return new EntryRules(memberOf, references, List.of(others), constraints, numbers, limits);
    }

    public EntryRules withConstraints(ValueConstraint... others) {
        return new EntryRules(memberOf, references, unique, List.of(others), numbers, limits);
    }

    public EntryRules withNumbers(NumberRange... others) {
        return new EntryRules(memberOf, references, unique, constraints, List.of(others), limits);
    }

    public EntryRules withLimits(EntryLimits other) {
        return new EntryRules(memberOf, references, unique, constraints, numbers, other);
    }

    public EntryRules withTrial(UniqueTrial other) {
        return new EntryRules(memberOf, references, unique, constraints, numbers, limits, other);
    }
}
