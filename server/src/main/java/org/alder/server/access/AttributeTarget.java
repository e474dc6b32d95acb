package org.alder.server.access;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.alder.partition.filter.ValueTest;
import org.alder.partition.filter.ValuesFilter;
import org.alder.partition.schema.AttributeType;

/**
 * Which attributes a rule is about, and which of their values. What is not named itself means no secret where it grants: passwords
 * and keys have to be named. Immutable, thread safe.
 *
 * @param user whether all user attributes are meant
 * @param operational whether all operational ones are
 * @param named with their subtypes
 * @param ofClasses those of object classes
 * @param except with their subtypes
 * @param values which of the values are meant; null for all
 */
record AttributeTarget(boolean user, boolean operational, Set<AttributeType> named, Set<AttributeType> ofClasses,
                       List<AttributeType> except, ValuesFilter values) {
    static final AttributeTarget ALL = new AttributeTarget(true, true, Set.of(), Set.of(), List.of(), null);

    boolean includes(AttributeType type, boolean grants) {
        if (isOf(type, except)) {
            return false;
        }
        if (named.stream().anyMatch(each -> type.isSubtypeOf(each) && (!grants || !type.isSecret() || each.isSecret()))) {
            return true;
        }
        boolean together = ofClasses.contains(type) || (type.isOperational() ? operational : user);
        return together && !(grants && type.isSecret());
    }

    private static boolean isOf(AttributeType type, Iterable<AttributeType> types) {
        for (AttributeType each : types) {
            if (type.isSubtypeOf(each)) {
                return true;
            }
        }
        return false;
    }

    /** Whether every attribute that is no secret is meant, with all its values. */
    boolean isEverything() {
        return user && operational && except.isEmpty() && values == null;
    }

    /** Whether it may grant what has to be named: secrets, and the writing of rules. */
    boolean namesSecrets() {
        return named.stream().flatMap(each -> each.withSubtypes().stream())
                .anyMatch(type -> type.isSecret() || DelegatedRules.isRule(type));
    }

    /** Whether the attribute is named itself. */
    boolean names(AttributeType type) {
        return named.contains(type);
    }

    /** Which values of an attribute that is included are meant; null for none. Only if there are values. */
    ValueTest values(AttributeType type) {
        byte[] name = type.name().getBytes(StandardCharsets.UTF_8);
        return values.test(name, 0, name.length);
    }
}
