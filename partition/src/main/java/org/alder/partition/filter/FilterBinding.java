package org.alder.partition.filter;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.ObjectClass;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.value.MatchingRule;

/** Binds one filter to a schema. What RFC 4511 4.5.1.7 makes Undefined becomes a constant here. Used once, by one thread. */
final class FilterBinding {
    private static final String OBJECT_CLASS_OID = "2.5.4.0";
    /** hasSubordinates and numSubordinates: what they say of the entries that somebody knows may be anything. */
    private static final Set<String> COUNTS = Set.of(CandidateEntry.HAS_SUBORDINATES, CandidateEntry.NUM_SUBORDINATES);
    /** memberOf, collectiveAttributeSubentries, and member of dynamic groups: who knows fewer entries sees fewer values. */
    private static final Set<String> NAMES = Set.of(CandidateEntry.MEMBER_OF, CandidateEntry.COLLECTIVE_ATTRIBUTE_SUBENTRIES, "2.5.4.31");
    private static final FilterNode TRUE = new FilterNode.Constant(Truth.TRUE);
    private static final FilterNode FALSE = new FilterNode.Constant(Truth.FALSE);
    private static final FilterNode UNDEFINED = new FilterNode.Constant(Truth.UNDEFINED);

    private final Schema schema;
    private final AttributeAccess access;
    /** A filter may ask for a class of many subclasses many times. */
    private final Map<ObjectClass, List<byte[]>> formsOfClasses = new HashMap<>(2);
    private int nodes;
    private boolean restricted;
    private boolean aboutOthers;
    private final boolean forAnybody;

    /** @param access what may be searched: what may not makes an item Undefined; null if that depends on the entry */
    FilterBinding(Schema schema, AttributeAccess access) {
        this.schema = schema;
        this.forAnybody = access == null;
        this.access = forAnybody ? AttributeAccess.ALL : access;
    }

    /** @throws DirectoryException adminLimitExceeded if the filter is over the limits of {@link Filters} */
    FilterNode bind(Filter filter, int depth) throws DirectoryException {
        if (depth > FilterLimits.MOST_DEPTH) {
            throw Filters.tooLarge("more levels", FilterLimits.MOST_DEPTH);
        }
        if (++nodes > FilterLimits.MOST_ITEMS) {
            throw Filters.tooLarge("more items and operators", FilterLimits.MOST_ITEMS);
        }
        if (filter instanceof Filter.And and) {
            return new FilterNode.And(bindAll(and.parts(), depth));
        } else if (filter instanceof Filter.Or or) {
            return new FilterNode.Or(bindAll(or.parts(), depth));
        } else if (filter instanceof Filter.Not not) {
            return new FilterNode.Not(bind(not.part(), depth + 1));
        }
        Filter.Item item = (Filter.Item) filter;
        AttributeDescription description = item.description() == null ? null : schema.descriptionOrNull(item.description());
        if (item instanceof Filter.Present && description != null && isAlways(description)) {
            return TRUE;
        }
        boolean readable = description == null ? item.description() != null || access == AttributeAccess.ALL
                : AttributeSelector.isSearchable(description, access);
        FilterNode bound = readable ? bindOrUndefined(() -> item(item)) : restricted(item, description);
        return description == null ? bound : marked(bound, description);
    }

    private FilterNode marked(FilterNode bound, AttributeDescription description) {
        boolean counts = COUNTS.contains(description.type().oid());
        if (counts || NAMES.contains(description.type().oid()) || bound instanceof FilterTest.InChain) {
            aboutOthers = true;
            return forAnybody && bound instanceof FilterTest test ? new FilterTest.Around(test, !counts) : bound;
        }
        return bound;
    }

    /** Whether something of the filter, so far, is worked out of other entries. */
    boolean isAboutOthers() {
        return aboutOthers;
    }

    /** Whether the filter, so far, can mean less than it does for somebody who may read everything. */
    boolean isRestricted() {
        return restricted;
    }

    /**
     * True of what matches by values that may be searched. Of all else Undefined: whether it matches by others cannot be told, and
     * neither can the contrary. Indexes do not tell apart by which attribute an entry matches.
     *
     * @param description null for all attributes
     */
    private FilterNode restricted(Filter.Item item, AttributeDescription description) throws DirectoryException {
        restricted = true;
        if (description != null && AttributeSelector.of(description, access) == null) {
            return UNDEFINED;
        }
        FilterNode bound = bindOrUndefined(() -> item(item));
        if (bound instanceof FilterTest seen && description != null) {
            FilterNode all = bindOrUndefined(() -> new FilterBinding(schema, AttributeAccess.ALL).item(item));
            bound = new FilterNode.And(List.of(all, new FilterTest.Restricted(seen)));
        }
        return new FilterNode.Or(List.of(bound, UNDEFINED));
    }

    private List<FilterNode> bindAll(List<Filter> parts, int depth) throws DirectoryException {
        List<FilterNode> bound = new ArrayList<>(parts.size());
        for (Filter part : parts) {
            bound.add(bind(part, depth + 1));
        }
        return List.copyOf(bound);
    }

    private interface Binding {
        FilterNode bind() throws DirectoryException;
    }

    /** An assertion value that the rule cannot read makes the item Undefined. */
    private static FilterNode bindOrUndefined(Binding binding) throws DirectoryException {
        try {
            return binding.bind();
        } catch (DirectoryException e) {
            if (e.resultCode() == ResultCode.ADMIN_LIMIT_EXCEEDED) {
                throw e;
            }
            return UNDEFINED;
        }
    }

    private FilterNode item(Filter.Item filter) throws DirectoryException {
        if (filter instanceof Filter.Extensible item) {
            return extensible(item);
        } else if (filter instanceof Filter.Equality item) {
            return equality(item, item.description(), item.value());
        } else if (filter instanceof Filter.Approximate item) {
            return equality(item, item.description(), item.value());
        } else if (filter instanceof Filter.GreaterOrEqual item) {
            return ordering(item, item.description(), item.value(), true);
        } else if (filter instanceof Filter.LessOrEqual item) {
            return ordering(item, item.description(), item.value(), false);
        } else if (filter instanceof Filter.Substring item) {
            return substring(item);
        } else if (filter instanceof Filter.Present item) {
            return presence(item);
        }
        throw new IllegalArgumentException("no filter item: " + filter);
    }

    private AttributeSelector selector(AttributeDescription description) {
        return AttributeSelector.of(description, access);
    }

    /** All entries have an object class: that tells nothing of one, so that anybody may ask for it. */
    private static boolean isAlways(AttributeDescription description) {
        return description.type().oid().equals(OBJECT_CLASS_OID) && description.options().isEmpty();
    }

    /** Presence of an attribute that is not known is false, not Undefined. */
    private FilterNode presence(Filter.Present item) {
        AttributeDescription description = schema.descriptionOrNull(item.description());
        if (description == null) {
            return FALSE;
        }
        return new FilterTest.Presence(item, selector(description));
    }

    private FilterNode equality(Filter source, String name, byte[] value) throws DirectoryException {
        AttributeDescription description = schema.description(name);
        MatchingRule rule = description.type().equality();
        if (rule == null) {
            return UNDEFINED;
        }
        List<byte[]> forms = forms(description.type(), rule, value);
        return new FilterTest.Equality(source, selector(description), forms);
    }

    /** An entry is of a class also if it is of a subclass (RFC 4512 3.3), whether or not it lists the class. */
    private List<byte[]> forms(AttributeType type, MatchingRule rule, byte[] value) throws DirectoryException {
        byte[] form = rule.normalizeAssertion(value);
        ObjectClass asked = type.oid().equals(OBJECT_CLASS_OID) ? schema.objectClass(form) : null;
        if (asked == null) {
            return List.of(form);
        }
        List<byte[]> known = formsOfClasses.get(asked);
        if (known == null) {
            known = withSubclasses(rule, asked);
            formsOfClasses.put(asked, known);
        }
        return known;
    }

    private List<byte[]> withSubclasses(MatchingRule rule, ObjectClass asked) throws DirectoryException {
        List<byte[]> forms = new ArrayList<>(1);
        forms.add(form(rule, asked));
        for (ObjectClass objectClass : schema.objectClasses()) {
            if (objectClass != asked && objectClass.isSubclassOf(asked)) {
                forms.add(form(rule, objectClass));
            }
        }
        return List.copyOf(forms);
    }

    private static byte[] form(MatchingRule rule, ObjectClass objectClass) throws DirectoryException {
        return rule.normalizeAssertion(objectClass.oid().getBytes(StandardCharsets.US_ASCII));
    }

    private FilterNode ordering(Filter source, String name, byte[] value, boolean atLeast) throws DirectoryException {
        AttributeDescription description = schema.description(name);
        MatchingRule rule = description.type().ordering();
        if (rule == null) {
            return UNDEFINED;
        }
        byte[] form = rule.normalizeAssertion(value);
        return new FilterTest.Ordering(source, selector(description), form, atLeast,
                ValueTests.ordered(rule, form, atLeast));
    }

    private FilterNode substring(Filter.Substring item) throws DirectoryException {
        AttributeDescription description = schema.description(item.description());
        MatchingRule rule = description.type().substring();
        if (rule == null) {
            return UNDEFINED;
        }
        SubstringPieces pieces = SubstringPieces.of(rule, item);
        return new FilterTest.Substring(item, selector(description), pieces,
                ValueTests.substring(rule, pieces));
    }

    private FilterNode extensible(Filter.Extensible item) throws DirectoryException {
        if (item.description() == null && item.rule() == null) {
            return UNDEFINED;
        }
        AttributeDescription description = item.description() == null ? null : schema.description(item.description());
        MatchingRule rule = item.rule() == null ? description.type().equality() : schema.matchingRule(item.rule());
        if (rule != null && rule.oid().equals(MatchingRule.IN_CHAIN)) {
            return inChain(item, description);
        }
        if (rule == null || description != null && !RuleUse.applies(rule, description.type())) {
            return UNDEFINED;
        }
        if (description != null && !item.dnAttributes() && rule == description.type().equality()) {
            return equality(item, item.description(), item.value());
        }
        AttributeSelector selector = description == null ? null : selector(description);
        return new FilterTest.Extensible(item,
                new ExtensibleMatch(schema, rule, selector, item.dnAttributes(), values(rule, item.value()), access));
    }

    private static ValueTest values(MatchingRule rule, byte[] value) throws DirectoryException {
        if (rule.supportsSubstring()) {
            return ValueTests.substring(rule, SubstringPieces.of(rule, SubstringAssertion.parse(value)));
        }
        byte[] form = rule.normalizeAssertion(value);
        return rule.isOrdering() ? ValueTests.before(rule, form) : ValueTests.equal(rule, List.of(form));
    }

    private FilterNode inChain(Filter.Extensible item, AttributeDescription description) throws DirectoryException {
        if (description == null || !description.type().holdsNames()) {
            return UNDEFINED;
        }
        Dn target = Dn.parse(schema, item.value());
        return new FilterTest.InChain(item, new ChainWalk(schema, selector(description),
                target));
    }
}
