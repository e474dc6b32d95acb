package org.alder.partition.schema.value;

import org.alder.partition.error.DirectoryException;

/**
 * A matching rule made of a function from values to normal forms, and one for assertions where theirs differs.
 *
 * @param orderOf as {@link MatchingRule#orderOf}
 * @param foldsPlainText as {@link MatchingRule#foldsPlainText}
 */
record ValueRule(String oid, String name, String syntaxOid, NormalForm value, NormalForm assertion, MatchingRule orderOf,
        boolean foldsPlainText) implements MatchingRule {
    ValueRule(String oid, String name, String syntaxOid, NormalForm form) {
        this(oid, name, syntaxOid, form, form, null, false);
    }

    /** With a form of its own for assertions. */
    ValueRule withAssertion(NormalForm form) {
        return new ValueRule(oid, name, syntaxOid, value, form, orderOf, foldsPlainText);
    }

    /** The same rule, for text in lower case. */
    ValueRule folding() {
        return new ValueRule(oid, name, syntaxOid, value, assertion, orderOf, true);
    }

    /** The ordering rule that goes with this equality rule. */
    ValueRule ordering(String orderingOid, String orderingName) {
        return new ValueRule(orderingOid, orderingName, syntaxOid, value, assertion, this, false);
    }

    @Override
    public byte[] normalize(byte[] stored) throws DirectoryException {
        return value.of(stored);
    }

    @Override
    public byte[] normalizeAssertion(byte[] asserted) throws DirectoryException {
        return assertion.of(asserted);
    }
}
