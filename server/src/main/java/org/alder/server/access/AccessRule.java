package org.alder.server.access;

import java.util.Set;
import org.alder.partition.filter.CompiledFilter;
import org.alder.partition.filter.ValueTest;
import org.alder.partition.schema.AttributeType;

/**
 * One rule, bound to a schema (docs/access-rules.md). Immutable, thread safe.
 *
 * @param text as it was written
 * @param origin where it was written, such as a file and a line
 * @param granted the rights it grants
 * @param denied those it denies; one that is granted and denied is granted where both mean an attribute
 * @param place null for everywhere
 * @param filter which entries it is about; null for all
 * @param attributes which attributes the rights to attributes are about
 * @param subject to whom it speaks
 */
public record AccessRule(String text, String origin, Set<Right> granted, Set<Right> denied, Place place, CompiledFilter filter,
                         AttributeTarget attributes, Subject subject) {
    /** What it says of a right to whole entries, or of one to all values of an attribute: TRUE, FALSE, or null for nothing. */
    Boolean says(Right right, AttributeType type) {
        if (granted.contains(right) && (type == null || attributes.includes(type, true) && mayGrant(right, type))) {
            return true;
        }
        return denied.contains(right) && (type == null || attributes.includes(type, false)) ? false : null;
    }

    /** Who may write rules and limits may grant himself what he likes: that has to be said by name. */
    private boolean mayGrant(Right right, AttributeType type) {
        return right != Right.WRITE && right != Right.ADD || !DelegatedRules.isRule(type) && !LimitKind.isSaidBy(type) || attributes.names(type);
    }

    /** Whether it says something of the right at all. */
    boolean isAbout(Right right) {
        return granted.contains(right) || denied.contains(right);
    }

    /** The values it means of an attribute that it {@link #says} something of; null for all. */
    ValueTest values(AttributeType type) {
        if (attributes.values() == null) {
            return null;
        }
        ValueTest test = attributes.values(type);
        return test == null ? (value, offset, length) -> false : test;
    }

    /** Whether it means the value of an attribute that it {@link #says} something of. */
    boolean means(AttributeType type, byte[] value) {
        ValueTest test = values(type);
        return test == null || test.matches(value, 0, value.length);
    }

    /** The same about other entries. */
    AccessRule in(Place other) {
        return new AccessRule(text, origin, granted, denied, other, filter, attributes, subject);
    }

    /** The same speaking to others. */
    AccessRule to(Subject other) {
        return new AccessRule(text, origin, granted, denied, place, filter, attributes, other);
    }

    @Override
    public String toString() {
        return origin.isEmpty() ? text : text + " (" + origin + ")";
    }
}
