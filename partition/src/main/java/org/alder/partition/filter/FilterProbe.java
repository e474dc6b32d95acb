package org.alder.partition.filter;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.entry.EntryProbe;
import org.alder.partition.schema.AttributeType;

/**
 * Makes a probe of what a filter says of stored attributes: as far as it can be told without what the entry shares with others, what is
 * worked out, and who asks. One thread, used once.
 */
public final class FilterProbe {
    private final AttributeType member;
    private final List<EntryProbe.Test> tests = new ArrayList<>();

    /** @param member the type whose values may be worked out; null for none */
    private FilterProbe(AttributeType member) {
        this.member = member;
    }

    /**
     * A probe of the filter.
     *
     * @param member the type whose values may be worked out; null where the schema has none
     * @return null where it would say nothing
     */
    public static EntryProbe of(FilterNode filter, AttributeType member) {
        FilterProbe probe = new FilterProbe(member);
        EntryProbe.Condition condition = probe.condition(filter);
        return condition == null ? null : new EntryProbe(probe.tests, condition);
    }

    /** Null where nothing can be told. */
    private EntryProbe.Condition condition(FilterNode node) {
        if (node instanceof FilterNode.And and) {
            List<EntryProbe.Condition> parts = new ArrayList<>();
            for (FilterNode part : and.parts()) {
                EntryProbe.Condition condition = condition(part);
                if (condition != null) {
                    parts.add(condition);
                }
            }
            return parts.isEmpty() ? null : passed -> areAll(parts, passed, true);
        } else if (node instanceof FilterNode.Or or) {
            List<EntryProbe.Condition> parts = new ArrayList<>();
            for (FilterNode part : or.parts()) {
                EntryProbe.Condition condition = condition(part);
                if (condition == null) {
                    return null;
                }
                parts.add(condition);
            }
            return passed -> !areAll(parts, passed, false);
        } else if (node instanceof FilterNode.Not not) {
            // Only of an item, which is told exactly: of more, "perhaps" would become "no".
            EntryProbe.Condition part = not.part() instanceof FilterTest ? condition(not.part()) : null;
            return part == null ? null : passed -> !part.holds(passed);
        }
        return node instanceof FilterTest.OfAttribute item ? item(item) : null;
    }

    private static boolean areAll(List<EntryProbe.Condition> parts, long passed, boolean expected) {
        for (EntryProbe.Condition part : parts) {
            if (part.holds(passed) != expected) {
                return false;
            }
        }
        return true;
    }

    private EntryProbe.Condition item(FilterTest.OfAttribute item) {
        AttributeSelector selector = item.selector();
        AttributeType type = selector.description().type();
        if (!selector.isOfStoredValues() || member != null && member.isSubtypeOf(type) || tests.size() == EntryProbe.MOST_TESTS) {
            return null;
        }
        long bit = 1L << tests.size();
        tests.add(test(selector, values(item)));
        return passed -> (passed & bit) != 0;
    }

    private static ValueTest values(FilterTest.OfAttribute item) {
        if (item instanceof FilterTest.Equality equality) {
            return equality.values();
        } else if (item instanceof FilterTest.Substring substring) {
            return substring.values();
        }
        return item instanceof FilterTest.Ordering ordering ? ordering.values() : AttributeSelector.ANY;
    }

    private static EntryProbe.Test test(AttributeSelector selector, ValueTest values) {
        return new EntryProbe.Test() {
            @Override
            public boolean selects(byte[] bytes, int offset, int length) {
                return selector.selects(bytes, offset, length);
            }

            @Override
            public boolean matches(byte[] bytes, int offset, int length) {
                return values.matches(bytes, offset, length);
            }
        };
    }
}
