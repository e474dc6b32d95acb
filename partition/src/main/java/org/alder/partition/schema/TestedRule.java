package org.alder.partition.schema;

import org.alder.partition.error.DirectoryException;

/**
 * A matching rule for extensible matches that asks something else of a value than to have the assertion's normal form: made of a
 * function to normal forms and a match.
 */
final class TestedRule implements MatchingRule {
    /** Immutable. */
    interface Match {
        /** As {@link MatchingRule#matches}. */
        boolean matches(byte[] value, byte[] assertion) throws DirectoryException;
    }

    private final String oid;
    private final String name;
    private final String syntaxOid;
    private final ValueRule.Form form;
    private final Match match;

    TestedRule(String oid, String name, String syntaxOid, ValueRule.Form form, Match match) {
        this.oid = oid;
        this.name = name;
        this.syntaxOid = syntaxOid;
        this.form = form;
        this.match = match;
    }

    @Override
    public String oid() {
        return oid;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String syntaxOid() {
        return syntaxOid;
    }

    @Override
    public byte[] normalize(byte[] value) throws DirectoryException {
        return form.of(value);
    }

    @Override
    public boolean comparesForms() {
        return false;
    }

    @Override
    public boolean matches(byte[] value, byte[] assertion) throws DirectoryException {
        return match.matches(value, assertion);
    }
}
