package org.alder.server.access;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.alder.partition.request.SearchScope;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.server.wire.AddressRange;

/** Reads to whom a rule speaks: "not" binds closest, then "and", then "or". Used once. */
final class SubjectParser {
    private static final int MOST_LEVELS = 50;
    private static final int MOST_BITS = 1024;

    private final Schema schema;
    private final RuleText text;
    private int level;

    SubjectParser(Schema schema, RuleText text) {
        this.schema = schema;
        this.text = text;
    }

    Subject subject() throws AccessRuleException {
        if (++level > MOST_LEVELS) {
            throw text.expected("no more than " + MOST_LEVELS + " levels");
        }
        List<Subject> parts = new ArrayList<>();
        do {
            parts.add(conjunction());
        } while (text.take("or"));
        level--;
        return parts.size() == 1 ? parts.get(0) : new Subject.Or(parts);
    }

    private Subject conjunction() throws AccessRuleException {
        List<Subject> parts = new ArrayList<>();
        do {
            parts.add(condition());
        } while (text.take("and"));
        return parts.size() == 1 ? parts.get(0) : new Subject.And(parts);
    }

    private Subject condition() throws AccessRuleException {
        boolean negated = text.take("not");
        Subject one = text.take("(") ? inParentheses() : simple();
        return negated ? new Subject.Not(one) : one;
    }

    private Subject inParentheses() throws AccessRuleException {
        Subject inner = subject();
        if (!text.take(")")) {
            throw text.expected("and, or, or a closing parenthesis");
        }
        return inner;
    }

    private Subject simple() throws AccessRuleException {
        String word = text.peek().toLowerCase(Locale.ROOT);
        Subject one = switch (word) {
            case "anyone" -> Subject.ANYONE;
            case "anonymous" -> new Subject.Authenticated(true);
            case "users" -> new Subject.Authenticated(false);
            case "self" -> new Subject.Self();
            case "tls" -> new Subject.Tls();
            default -> null;
        };
        if (one != null) {
            text.next();
            return one;
        } else if (text.take("dn")) {
            return new Subject.Named(AccessRuleParser.place(schema, text, SearchScope.BASE));
        } else if (text.take("group")) {
            return new Subject.Group(AccessRuleParser.dn(schema, text, "the DN of a group"));
        } else if (text.take("namedBy")) {
            return namedBy();
        } else if (text.take("address")) {
            return address();
        } else if (text.take("ssf")) {
            return strength();
        } else if (text.take("mechanism")) {
            return new Subject.Mechanism(Set.copyOf(text.list(this::mechanism)));
        }
        throw text.expected("anyone, anonymous, users, self, dn, group, namedBy, address, ssf, tls, mechanism, not,"
                + " or an opening parenthesis");
    }

    private Subject namedBy() throws AccessRuleException {
        int at = text.position();
        AttributeType type = AccessRuleParser.attributeType(schema, text);
        if (!type.holdsNames() || type.equality() == null) {
            throw new AccessRuleException(at, "the values of " + type.name() + " are no DNs", null);
        }
        return new Subject.NamedBy(type);
    }

    private Subject address() throws AccessRuleException {
        Set<AddressRange> ranges = new HashSet<>();
        boolean[] unix = new boolean[1];
        text.list(() -> {
            if (text.take("unix")) {
                unix[0] = true;
                return true;
            }
            try {
                ranges.add(AddressRange.parse(text.peek()));
            } catch (IllegalArgumentException e) {
                throw text.expected("an address, a range such as 10.0.0.0/8, or unix");
            }
            text.next();
            return true;
        });
        return new Subject.Address(List.copyOf(ranges), unix[0]);
    }

    private Subject strength() throws AccessRuleException {
        if (!text.peek().matches("\\d{1,4}") || Integer.parseInt(text.peek()) > MOST_BITS) {
            throw text.expected("the least number of key bits, from 0 to " + MOST_BITS);
        }
        return new Subject.Strength(Integer.parseInt(text.next()));
    }

    private String mechanism() throws AccessRuleException {
        if (!text.peek().matches("[A-Za-z0-9_-]{1,20}")) {
            throw text.expected("SIMPLE or the name of a SASL mechanism");
        }
        return text.next().toUpperCase(Locale.ROOT);
    }
}
