package org.alder.partition.filter;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.Schema;

/** A filter bound to a schema, ready to be planned and evaluated. Immutable, thread safe. */
public final class CompiledFilter {
    private static final FilterNode TRUE = new FilterNode.Constant(Truth.TRUE);
    private static final FilterNode FALSE = new FilterNode.Constant(Truth.FALSE);

    private final FilterNode root;
    private final boolean restricted;
    private final boolean aboutOthers;

    private CompiledFilter(FilterNode root, boolean restricted, boolean aboutOthers) {
        this.root = root;
        this.restricted = restricted;
        this.aboutOthers = aboutOthers;
    }

    /** @throws DirectoryException adminLimitExceeded if the filter is over the limits of {@link Filters} */
    public static CompiledFilter compile(Schema schema, Filter filter) throws DirectoryException {
        return compile(schema, filter, AttributeAccess.ALL);
    }

    /**
     * The filter as it is for somebody who may not read everything: an item about what he may not read is Undefined, as RFC 4511
     * 4.5.1.7 wants of what cannot be told. It is true of no entry that the filter is not true of.
     */
    public static CompiledFilter compile(Schema schema, Filter filter, AttributeAccess access) throws DirectoryException {
        FilterBinding binding = new FilterBinding(schema, access);
        FilterNode root = binding.bind(filter, 1);
        return new CompiledFilter(root, binding.isRestricted(), binding.isAboutOthers());
    }

    /** Whether it can be true of fewer entries than it would be for somebody who may read everything. */
    public boolean isRestricted() {
        return restricted;
    }

    /**
     * Whether something of it is worked out of other entries, so that it means something else for somebody who may not know all of
     * them.
     */
    public boolean isAboutOthers() {
        return aboutOthers;
    }

    /**
     * The filter as a plan may take it that finds entries for somebody of whom it depends on the entry what he may know: it is true
     * of all that the filter is true of for anybody. Not to be evaluated but by what {@link #whereTrue} gives.
     *
     * @throws DirectoryException as {@link #compile}
     */
    public static CompiledFilter forAnybody(Schema schema, Filter filter) throws DirectoryException {
        FilterBinding binding = new FilterBinding(schema, null);
        FilterNode root = binding.bind(filter, 1);
        return new CompiledFilter(root, binding.isRestricted(), binding.isAboutOthers());
    }

    public Truth evaluate(CandidateEntry entry) {
        return root.evaluate(entry);
    }

    /**
     * A simpler filter that is true of the same entries: negations stand before items only, Undefined has become false
     * (without negations above it that is the same to who asks for true), constants and nested groups of one kind are folded
     * away. What remains is two-valued: the complement of an item's entries is where its negation is true.
     */
    public FilterNode whereTrue() {
        return positive(root, false);
    }

    private static FilterNode positive(FilterNode node, boolean negated) {
        if (node instanceof FilterNode.Not not) {
            return positive(not.part(), !negated);
        } else if (node instanceof FilterNode.And and) {
            return group(and.parts(), negated, !negated);
        } else if (node instanceof FilterNode.Or or) {
            return group(or.parts(), negated, negated);
        } else if (node instanceof FilterTest.Around around) {
            return !around.shrinks() || negated ? TRUE : around.test();
        } else if (node instanceof FilterNode.Constant constant) {
            return constant.truth() == (negated ? Truth.FALSE : Truth.TRUE) ? TRUE : FALSE;
        }
        return negated ? new FilterNode.Not(node) : node;
    }

    private static FilterNode group(List<FilterNode> parts, boolean negated, boolean conjunction) {
        FilterNode deciding = conjunction ? FALSE : TRUE;
        FilterNode neutral = conjunction ? TRUE : FALSE;
        List<FilterNode> kept = new ArrayList<>(parts.size());
        for (FilterNode part : parts) {
            FilterNode simple = positive(part, negated);
            if (simple.equals(deciding)) {
                return deciding;
            }
            if (conjunction && simple instanceof FilterNode.And inner) {
                kept.addAll(inner.parts());
            } else if (!conjunction && simple instanceof FilterNode.Or inner) {
                kept.addAll(inner.parts());
            } else if (!simple.equals(neutral)) {
                kept.add(simple);
            }
        }
        if (kept.isEmpty()) {
            return neutral;
        }
        if (kept.size() == 1) {
            return kept.get(0);
        }
        return conjunction ? new FilterNode.And(List.copyOf(kept)) : new FilterNode.Or(List.copyOf(kept));
    }
}
