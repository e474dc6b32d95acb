package org.alder.partition.filter;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.value.MatchingRule;

/**
 * Chooses single values of attributes: those of which one of several filter items is true (RFC 3876). Items that are Undefined
 * choose nothing. Immutable, thread safe.
 */
public final class ValuesFilter {
    private final Schema schema;
    private final List<FilterTest> items = new ArrayList<>();

    private ValuesFilter(Schema schema) {
        this.schema = schema;
    }

    /**
     * @param items no and, or, not among them
     * @throws DirectoryException adminLimitExceeded if there are more than {@link Filters} allows
     */
    public static ValuesFilter of(Schema schema, List<Filter> items) throws DirectoryException {
        ValuesFilter filter = new ValuesFilter(schema);
        FilterBinding binding = new FilterBinding(schema, AttributeAccess.ALL);
        for (Filter item : items) {
            if (item instanceof Filter.Present present) {
                AttributeDescription description = schema.descriptionOrNull(present.description());
                if (description != null) {
                    filter.items.add(new FilterTest.Presence(present, new AttributeSelector(description)));
                }
            } else if (binding.bind(item, 1) instanceof FilterTest bound) {
                filter.items.add(bound);
            }
        }
        return filter;
    }

    /** What a value of the attribute with this spelling has to pass; null if none of its values can. */
    public ValueTest test(byte[] bytes, int offset, int length) {
        List<ValueTest> tests = new ArrayList<>();
        Map<MatchingRule, List<byte[]>> equal = new LinkedHashMap<>();
        for (FilterTest item : items) {
            if (item instanceof FilterTest.Equality test && test.selector().selects(bytes, offset, length)) {
                // The value asked for, without the subclasses that an entry would be found by.
                equal.computeIfAbsent(test.description().type().equality(), none -> new ArrayList<>()).add(test.forms().get(0));
            } else {
                ValueTest test = test(item, bytes, offset, length);
                if (test != null) {
                    tests.add(test);
                }
            }
        }
        equal.forEach((rule, forms) -> tests.add(ValueTests.equal(rule, forms)));
        return switch (tests.size()) {
            case 0 -> null;
            case 1 -> tests.get(0);
            default -> (value, from, count) -> tests.stream().anyMatch(test -> test.matches(value, from, count));
        };
    }

    private ValueTest test(FilterTest item, byte[] bytes, int offset, int length) {
        if (item instanceof FilterTest.Ordering test) {
            return test.selector().selects(bytes, offset, length) ? test.values() : null;
        } else if (item instanceof FilterTest.Substring test) {
            return test.selector().selects(bytes, offset, length) ? test.values() : null;
        } else if (item instanceof FilterTest.Presence test) {
            return test.selector().selects(bytes, offset, length) ? (value, from, count) -> true : null;
        } else if (item instanceof FilterTest.Extensible test) {
            return test.match().test(schema.descriptionOrNull(bytes, offset, length), bytes, offset, length);
        }
        return null;
    }
}
