package org.alder.partition.schema;

import java.util.Arrays;
import org.alder.partition.entry.Varints;
import org.alder.partition.error.DirectoryException;

/**
 * OpenLDAP's rules for extensible matches of names by where they stand, such as {@code (entryDN:dnSubtreeMatch:=ou=people)}:
 * dnSubtreeMatch, dnOneLevelMatch, dnSubordinateMatch and dnSuperiorMatch. A normal form has its superiors' forms at its start.
 *
 * @param names distinguishedNameMatch
 */
record NameRelation(Where where, NameRule names) implements TestedRule.Match {
    /** Where the value stands, seen from the asserted name. */
    enum Where { AT_OR_BELOW, BELOW, DIRECTLY_BELOW, ABOVE }

    @Override
    public boolean matches(byte[] value, byte[] assertion) throws DirectoryException {
        byte[] form = names.normalize(value);
        return switch (where) {
            case AT_OR_BELOW -> startsWith(form, assertion);
            case BELOW -> form.length > assertion.length && startsWith(form, assertion);
            case DIRECTLY_BELOW -> form.length > assertion.length && startsWith(form, assertion)
                    && isOneRdn(form, assertion.length);
            case ABOVE -> assertion.length > form.length && startsWith(assertion, form);
        };
    }

    private static boolean startsWith(byte[] form, byte[] start) {
        return form.length >= start.length && Arrays.equals(form, 0, start.length, start, 0, start.length);
    }

    private static boolean isOneRdn(byte[] form, int start) {
        Varints reader = new Varints(form, start);
        int length = reader.nextLength();
        return reader.position() + length == form.length;
    }
}
