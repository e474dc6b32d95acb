package org.alder.partition.filter;

import org.alder.partition.dn.Ava;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.AttributeCursor;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.value.MatchingRule;

/**
 * An extensible match (RFC 4511 4.5.1.7.7): the values of one attribute, or of all attributes the rule is for, and if asked
 * the values in the entry's DN. Immutable, thread safe.
 */
final class ExtensibleMatch {
    private final Schema schema;
    private final MatchingRule rule;
    private final AttributeSelector selector;
    private final boolean dnAttributes;
    private final ValueTest values;
    private final AttributeAccess access;

    /** @param selector null for all attributes that may be searched */
    ExtensibleMatch(Schema schema, MatchingRule rule, AttributeSelector selector, boolean dnAttributes, ValueTest values,
            AttributeAccess access) {
        this.access = access;
        this.schema = schema;
        this.rule = rule;
        this.selector = selector;
        this.dnAttributes = dnAttributes;
        this.values = values;
    }

    /** @return null if the match is about all attributes, or about the DN too */
    AttributeDescription description() {
        return selector == null ? null : selector.description();
    }

    /** What values of an attribute have to pass; null if the match is not about it. @param stored null if it is unknown */
    ValueTest test(AttributeDescription stored, byte[] bytes, int offset, int length) {
        boolean asked = selector == null ? stored != null && isAsked(stored.type())
                : selector.selects(bytes, offset, length);
        return asked ? values : null;
    }

    boolean matches(CandidateEntry entry) {
        boolean found = selector == null ? anyAttribute(entry) : selector.anyValue(entry, values);
        return found || dnAttributes && anyInDn(entry.dn());
    }

    private boolean anyAttribute(CandidateEntry entry) {
        AttributeCursor cursor = entry.record().cursor(true);
        while (cursor.next()) {
            AttributeDescription stored = schema.descriptionOrNull(cursor.bytes(), cursor.nameOffset(), cursor.nameLength());
            if (stored != null && isAsked(stored.type()) && AttributeSelector.anyValue(cursor, limited(stored.type()))) {
                return true;
            }
        }
        for (LargeAttribute attribute : entry.record().largeAttributes()) {
            AttributeDescription stored = schema.descriptionOrNull(attribute.description());
            if (stored != null && isAsked(stored.type())
                    && AttributeSelector.anyValue(entry.largeValues(), attribute, limited(stored.type()))) {
                return true;
            }
        }
        return false;
    }

    private ValueTest limited(AttributeType type) {
        ValueTest limit = access.searchable(type);
        return limit == null ? values : (bytes, offset, length) -> limit.matches(bytes, offset, length)
                && values.matches(bytes, offset, length);
    }

    private boolean anyInDn(String text) {
        Dn dn = Dn.stored(schema, text);
        for (int i = 0; i < dn.size(); i++) {
            for (Ava ava : dn.rdn(i).avas()) {
                if (isAsked(ava.type()) && limited(ava.type()).matches(ava.value(), 0, ava.value().length)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isAsked(AttributeType type) {
        if (!access.maySearch(type)) {
            return false;
        }
        if (selector == null) {
            return RuleUse.applies(rule, type);
        }
        return selector.description().options().isEmpty() && type.isSubtypeOf(selector.description().type());
    }
}
