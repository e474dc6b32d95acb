package org.alder.partition.schema;

import org.alder.partition.error.DirectoryException;

/** A matching rule made of a function from values to normal forms, and one for assertions where theirs differs. */
final class ValueRule implements MatchingRule {
    /** To a normal form; refuses with invalidAttributeSyntax. */
    interface Form {
        byte[] of(byte[] value) throws DirectoryException;
    }

    private final String oid;
    private final String name;
    private final String syntaxOid;
    private final Form value;
    private final Form assertion;

    ValueRule(String oid, String name, String syntaxOid, Form form) {
        this(oid, name, syntaxOid, form, form);
    }

    ValueRule(String oid, String name, String syntaxOid, Form value, Form assertion) {
        this.oid = oid;
        this.name = name;
        this.syntaxOid = syntaxOid;
        this.value = value;
        this.assertion = assertion;
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
    public byte[] normalize(byte[] stored) throws DirectoryException {
        return value.of(stored);
    }

    @Override
    public byte[] normalizeAssertion(byte[] asserted) throws DirectoryException {
        return assertion.of(asserted);
    }
}
