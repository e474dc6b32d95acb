package org.alder.partition.schema;

import org.alder.partition.entry.DnForm;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.value.TestedRule;

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
            case AT_OR_BELOW -> DnForm.isAtOrBelow(form, assertion);
            case BELOW -> form.length > assertion.length && DnForm.isAtOrBelow(form, assertion);
            case DIRECTLY_BELOW -> DnForm.isDirectlyBelow(form, assertion);
            case ABOVE -> assertion.length > form.length && DnForm.isAtOrBelow(assertion, form);
        };
    }
}
