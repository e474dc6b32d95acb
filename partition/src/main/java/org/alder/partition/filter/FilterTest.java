package org.alder.partition.filter;

import java.util.List;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;

/**
 * A filter item that is true or false of an entry, bound to attribute types and normal forms. What an index may be asked is in
 * the records' components. Immutable, thread safe; arrays are shared and must not be changed.
 */
public sealed interface FilterTest extends FilterNode {
    boolean matches(CandidateEntry entry);

    @Override
    default Truth evaluate(CandidateEntry entry) {
        return Truth.of(matches(entry));
    }

    @Override
    default String text() {
        return Filters.format(source());
    }

    /** The item as the client sent it. */
    Filter source();

    /** The attribute the item is about; null if it is about several. */
    AttributeDescription description();

    /** About the attributes that a description selects. */
    sealed interface OfAttribute extends FilterTest {
        AttributeSelector selector();

        @Override
        default AttributeDescription description() {
            return selector().description();
        }
    }

    /** Made for every search for a value, and mostly answered by an index alone: so how values are tested is made when one is. */
    final class Equality implements OfAttribute {
        private final Filter source;
        private final AttributeSelector selector;
        private final List<byte[]> forms;
        /** Threads may make it at the same time; it is immutable. */
        private ValueTest values;

        Equality(Filter source, AttributeSelector selector, List<byte[]> forms) {
            this.source = source;
            this.selector = selector;
            this.forms = forms;
        }

        @Override
        public Filter source() {
            return source;
        }

        @Override
        public AttributeSelector selector() {
            return selector;
        }

        /** The normal forms that match: one, but for an object class also those of its subclasses, behind its own. */
        public List<byte[]> forms() {
            return forms;
        }

        ValueTest values() {
            ValueTest known = values;
            if (known == null) {
                known = ValueTests.equal(selector.description().type().equality(), forms);
                values = known;
            }
            return known;
        }

        @Override
        public boolean matches(CandidateEntry entry) {
            AttributeType type = selector.description().type();
            return selector.anyValueOf(entry, type.equality(), forms, values()) || entry.hasComputedValue(type, forms.get(0));
        }
    }

    record Substring(Filter source, AttributeSelector selector, SubstringPieces pieces, ValueTest values) implements OfAttribute {
        @Override
        public boolean matches(CandidateEntry entry) {
            return selector.anyValue(entry, values);
        }
    }

    /** @param atLeast whether values from the form up match, else those up to the form */
    record Ordering(Filter source, AttributeSelector selector, byte[] form, boolean atLeast, ValueTest values)
            implements OfAttribute {
        @Override
        public boolean matches(CandidateEntry entry) {
            return selector.anyValue(entry, values);
        }
    }

    record Presence(Filter source, AttributeSelector selector) implements OfAttribute {
        @Override
        public boolean matches(CandidateEntry entry) {
            return selector.anyAttribute(entry);
        }
    }

    /** An extensible match that is not the same as another item. */
    record Extensible(Filter source, ExtensibleMatch match) implements FilterTest {
        @Override
        public boolean matches(CandidateEntry entry) {
            return match.matches(entry);
        }

        @Override
        public AttributeDescription description() {
            return match.description();
        }
    }

    /**
     * A test that looks at some of an attribute's subtypes only, because the others may not be read: no index has just these.
     */
    record Restricted(FilterTest test) implements FilterTest {
        @Override
        public boolean matches(CandidateEntry entry) {
            return test.matches(entry);
        }

        @Override
        public Filter source() {
            return test.source();
        }

        @Override
        public AttributeDescription description() {
            return null;
        }
    }

    /**
     * A test of what is worked out of other entries, so that it may come out otherwise for somebody who may not know all of these.
     *
     * @param shrinks whether it then is true of fewer entries; else it may also be of more
     */
    record Around(FilterTest test, boolean shrinks) implements FilterTest {
        @Override
        public boolean matches(CandidateEntry entry) {
            return test.matches(entry);
        }

        @Override
        public Filter source() {
            return test.source();
        }

        @Override
        public AttributeDescription description() {
            return test.description();
        }
    }

    /** Rule 1.2.840.113556.1.4.1941. */
    record InChain(Filter source, ChainWalk walk) implements FilterTest {
        @Override
        public boolean matches(CandidateEntry entry) {
            return walk.reaches(entry);
        }

        @Override
        public AttributeDescription description() {
            return walk.description();
        }
    }
}
