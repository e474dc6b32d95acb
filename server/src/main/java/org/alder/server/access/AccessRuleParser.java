package org.alder.server.access;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.CompiledFilter;
import org.alder.partition.filter.Filter;
import org.alder.partition.filter.FilterNode;
import org.alder.partition.filter.FilterParser;
import org.alder.partition.filter.Truth;
import org.alder.partition.filter.ValuesFilter;
import org.alder.partition.request.SearchScope;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.ObjectClass;
import org.alder.partition.schema.Schema;

/** Reads rules as docs/access-rules.md has them, and binds them to a schema. Used once for each rule. */
public final class AccessRuleParser {
    private static final String SCOPES = "base, one, subtree, children";

    private final Schema schema;
    private final RuleText text;
    private Place place;
    private CompiledFilter filter;
    private Attributes attributes;
    private ValuesFilter values;

    /** What stands behind {@code of}. */
    private static final class Attributes {
        private boolean user;
        private boolean operational;
        private final Set<AttributeType> named = new HashSet<>();
        private final Set<AttributeType> ofClasses = new HashSet<>();
        private final List<AttributeType> except = new ArrayList<>();
    }

    private AccessRuleParser(Schema schema, String text) throws AccessRuleException {
        this.schema = schema;
        this.text = new RuleText(text);
    }

    /**
     * @param origin where the rule stands, for messages and explanations; may be empty
     * @throws AccessRuleException if it is no rule, or names what the schema has not
     */
    public static AccessRule parse(Schema schema, String text, String origin) throws AccessRuleException {
        return new AccessRuleParser(schema, text).rule(text, origin);
    }

    private AccessRule rule(String whole, String origin) throws AccessRuleException {
        boolean grant = text.take("grant");
        if (!grant && !text.take("deny")) {
            throw text.expected("grant or deny");
        }
        boolean only = grant && text.take("only");
        int rightsAt = text.position();
        Set<Right> named = EnumSet.noneOf(Right.class);
        boolean[] all = new boolean[1];
        text.list(() -> named.addAll(rights(all)));
        readClauses();
        if (attributes != null) {
            requireOfAttributes(named, rightsAt);
        }
        Set<Right> rights = EnumSet.copyOf(named);
        Set<Right> whatAll = EnumSet.copyOf(Right.ALL);
        whatAll.removeIf(right -> attributes != null && !right.isOfAttributes());
        if (all[0]) {
            rights.addAll(whatAll);
        }
        Subject subject = new SubjectParser(schema, text).subject();
        if (!text.isAtEnd()) {
            throw text.expected("and, or, or the end");
        }
        Set<Right> none = EnumSet.noneOf(Right.class);
        return new AccessRule(whole, origin, grant ? rights : none, !grant ? rights : only ? whatAll : none, place, filter,
                target(), subject);
    }

    private AttributeTarget target() {
        return attributes == null ? AttributeTarget.ALL : new AttributeTarget(attributes.user, attributes.operational,
                Set.copyOf(attributes.named), Set.copyOf(attributes.ofClasses), List.copyOf(attributes.except), values);
    }

    /** @param all set for {@code all} */
    private Set<Right> rights(boolean[] all) throws AccessRuleException {
        if (text.take("all")) {
            all[0] = true;
            return Set.of();
        } else if (text.take("view")) {
            return Right.VIEW;
        } else if (text.take("rename")) {
            return Right.RENAME;
        }
        for (Right right : Right.values()) {
            if (text.take(right.word())) {
                return Set.of(right);
            }
        }
        throw text.expected("a right, one of all, view, rename, "
                + Arrays.stream(Right.values()).map(Right::word).collect(Collectors.joining(", ")));
    }

    private static void requireOfAttributes(Set<Right> rights, int position) throws AccessRuleException {
        for (Right right : rights) {
            if (!right.isOfAttributes()) {
                throw new AccessRuleException(position, right.word() + " is a right to whole entries, expected no \"of\"", null);
            }
        }
    }

    private void readClauses() throws AccessRuleException {
        int valuesAt = -1;
        while (!text.take("to")) {
            if (attributes == null && text.take("of")) {
                attributes = new Attributes();
                text.list(this::attribute);
                if (text.take("except")) {
                    attributes.except.addAll(text.list(() -> attributeType(schema, text)));
                }
            } else if (values == null && text.take("values")) {
                valuesAt = text.position();
                values = values();
            } else if (place == null && text.take("in")) {
                place = place(schema, text, SearchScope.SUBTREE);
            } else if (filter == null && text.take("where")) {
                filter = filter();
            } else {
                throw text.expected("of, values, in or where, each at most once, or to");
            }
        }
        if (values != null && (attributes == null || attributes.named.isEmpty())) {
            throw new AccessRuleException(valuesAt, "expected \"of\" with the attributes whose values are meant", null);
        }
    }

    private boolean attribute() throws AccessRuleException {
        if (text.take("*")) {
            attributes.user = true;
        } else if (text.take("+")) {
            attributes.operational = true;
        } else if (text.peek().startsWith("@")) {
            ObjectClass objectClass = schema.objectClass(text.peek().substring(1));
            if (objectClass == null) {
                throw text.expected("an object class of the schema");
            }
            text.next();
            attributes.ofClasses.addAll(objectClass.must());
            attributes.ofClasses.addAll(objectClass.may());
            attributes.user |= objectClass.allowsAllUserAttributes();
        } else {
            attributes.named.add(attributeType(schema, text));
        }
        return true;
    }

    static AttributeType attributeType(Schema schema, RuleText text) throws AccessRuleException {
        AttributeType type = schema.attributeType(text.peek());
        if (type == null) {
            throw text.expected("an attribute of the schema, without options");
        }
        text.next();
        return type;
    }

    /** @param usual the scope if none is named */
    static Place place(Schema schema, RuleText text, SearchScope usual) throws AccessRuleException {
        SearchScope scope = switch (text.peek().toLowerCase(Locale.ROOT)) {
            case "base" -> SearchScope.BASE;
            case "one" -> SearchScope.ONE_LEVEL;
            case "subtree" -> SearchScope.SUBTREE;
            case "children" -> SearchScope.CHILDREN;
            default -> null;
        };
        if (scope != null) {
            text.next();
        }
        return new Place(scope == null ? usual : scope, dn(schema, text, scope == null ? SCOPES + ", or a DN" : "a DN"));
    }

    static Dn dn(Schema schema, RuleText text, String expected) throws AccessRuleException {
        int at = text.position();
        String quoted = text.quoted(expected);
        try {
            return Dn.parse(schema, quoted);
        } catch (DirectoryException e) {
            throw new AccessRuleException(at, e.getMessage(), e);
        }
    }

    private CompiledFilter filter() throws AccessRuleException {
        int at = text.position();
        Filter parsed = parsed();
        try {
            CompiledFilter compiled = CompiledFilter.compile(schema, parsed);
            if (compiled.whereTrue().equals(new FilterNode.Constant(Truth.FALSE))) {
                throw new AccessRuleException(at, "the filter is true of no entry", null);
            }
            return compiled;
        } catch (DirectoryException e) {
            throw new AccessRuleException(at, e.getMessage(), e);
        }
    }

    /** One item, or several with an "or" around them. */
    private ValuesFilter values() throws AccessRuleException {
        int at = text.position();
        Filter parsed = parsed();
        List<Filter> items = parsed instanceof Filter.Or or ? or.parts() : List.of(parsed);
        if (!items.stream().allMatch(Filter.Item.class::isInstance)) {
            throw new AccessRuleException(at, "expected one filter item, or (|...) of several", null);
        }
        try {
            return ValuesFilter.of(schema, items);
        } catch (DirectoryException e) {
            throw new AccessRuleException(at, e.getMessage(), e);
        }
    }

    private Filter parsed() throws AccessRuleException {
        int at = text.position();
        String written = text.filter();
        try {
            Filter parsed = FilterParser.parse(written);
            requireKnown(parsed, at);
            return parsed;
        } catch (DirectoryException e) {
            throw new AccessRuleException(at, e.getMessage(), e);
        }
    }

    private void requireKnown(Filter part, int at) throws AccessRuleException {
        if (part instanceof Filter.And and) {
            for (Filter each : and.parts()) {
                requireKnown(each, at);
            }
        } else if (part instanceof Filter.Or or) {
            for (Filter each : or.parts()) {
                requireKnown(each, at);
            }
        } else if (part instanceof Filter.Not not) {
            requireKnown(not.part(), at);
        } else if (part instanceof Filter.Item item && item.description() != null
                && schema.descriptionOrNull(item.description()) == null) {
            throw new AccessRuleException(at, "the filter names \"" + item.description()
                    + "\", expected an attribute of the schema", null);
        }
    }
}
