package org.alder.partition.filter;

import java.util.List;
import java.util.Locale;

/**
 * A filter bound to a schema. Immutable, thread safe.
 *
 * <p>Whether an item is Undefined (RFC 4511 4.5.1.7) depends on schema and assertion alone, so each item is either a constant
 * or a {@link FilterTest} that is true or false. A stored value that the rule cannot read matches no assertion.
 */
public sealed interface FilterNode permits FilterNode.And, FilterNode.Or, FilterNode.Not, FilterNode.Constant, FilterTest {
    Truth evaluate(CandidateEntry entry);

    /** Items and operators in it. */
    default int size() {
        return 1;
    }

    /** As RFC 4515 text, as far as it still is a filter. */
    String text();

    /** False if a part is, else undefined if a part is. Without parts true (RFC 4526). */
    record And(List<FilterNode> parts) implements FilterNode {
        @Override
        public Truth evaluate(CandidateEntry entry) {
            Truth truth = Truth.TRUE;
            for (FilterNode part : parts) {
                Truth one = part.evaluate(entry);
                if (one == Truth.FALSE) {
                    return Truth.FALSE;
                }
                truth = one == Truth.UNDEFINED ? one : truth;
            }
            return truth;
        }

        @Override
        public int size() {
            return 1 + parts.stream().mapToInt(FilterNode::size).sum();
        }

        @Override
        public String text() {
            return joined('&', parts);
        }
    }

    /** True if a part is, else undefined if a part is. Without parts false (RFC 4526). */
    record Or(List<FilterNode> parts) implements FilterNode {
        @Override
        public Truth evaluate(CandidateEntry entry) {
            Truth truth = Truth.FALSE;
            for (FilterNode part : parts) {
                Truth one = part.evaluate(entry);
                if (one == Truth.TRUE) {
                    return Truth.TRUE;
                }
                truth = one == Truth.UNDEFINED ? one : truth;
            }
            return truth;
        }

        @Override
        public int size() {
            return 1 + parts.stream().mapToInt(FilterNode::size).sum();
        }

        @Override
        public String text() {
            return joined('|', parts);
        }
    }

    /** The opposite; of undefined, undefined. */
    record Not(FilterNode part) implements FilterNode {
        @Override
        public Truth evaluate(CandidateEntry entry) {
            return part.evaluate(entry).not();
        }

        @Override
        public int size() {
            return 1 + part.size();
        }

        @Override
        public String text() {
            return "(!" + part.text() + ")";
        }
    }

    /** An item whose truth no entry changes. */
    record Constant(Truth truth) implements FilterNode {
        @Override
        public Truth evaluate(CandidateEntry entry) {
            return truth;
        }

        @Override
        public String text() {
            return "(" + truth.name().toLowerCase(Locale.ROOT) + ")";
        }
    }

    private static String joined(char operator, List<FilterNode> parts) {
        StringBuilder text = new StringBuilder("(").append(operator);
        parts.forEach(part -> text.append(part.text()));
        return text.append(')').toString();
    }
}
