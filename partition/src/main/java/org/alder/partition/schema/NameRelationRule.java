package org.alder.partition.schema;

import java.util.Arrays;
import org.alder.partition.entry.Varints;
import org.alder.partition.error.DirectoryException;

/**
 * OpenLDAP's rules for extensible matches of names by where they stand, such as {@code (entryDN:dnSubtreeMatch:=ou=people)}:
 * dnSubtreeMatch, dnOneLevelMatch, dnSubordinateMatch and dnSuperiorMatch. A normal form has its superiors' forms at its start.
 */
final class NameRelationRule implements MatchingRule {
    /** Where the value stands, seen from the asserted name. */
    enum Relation { AT_OR_BELOW, BELOW, DIRECTLY_BELOW, ABOVE }

    private final String oid;
    private final String name;
    private final Relation relation;
    private final NameRule names;

    /** @param names distinguishedNameMatch */
    NameRelationRule(String oid, String name, Relation relation, NameRule names) {
        this.oid = oid;
        this.name = name;
        this.relation = relation;
        this.names = names;
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
        return names.syntaxOid();
    }

    @Override
    public byte[] normalize(byte[] value) throws DirectoryException {
        return names.normalize(value);
    }

    @Override
    public boolean comparesForms() {
        return false;
    }

    @Override
    public boolean matches(byte[] value, byte[] assertion) throws DirectoryException {
        byte[] form = normalize(value);
        return switch (relation) {
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
