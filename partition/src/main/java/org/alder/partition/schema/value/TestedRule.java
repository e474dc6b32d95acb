package org.alder.partition.schema.value;

import org.alder.partition.error.DirectoryException;

/**
 * A matching rule for extensible matches that asks something else of a value than to have the assertion's normal form: made of a
 * function to normal forms and a match.
 */
public record TestedRule(String oid, String name, String syntaxOid, NormalForm form, Match match) implements MatchingRule {
    /** Immutable. */
    public interface Match {
        /** As {@link MatchingRule#matches}. */
        boolean matches(byte[] value, byte[] assertion) throws DirectoryException;
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
