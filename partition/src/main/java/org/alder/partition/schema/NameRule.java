package org.alder.partition.schema;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.entry.DnForm;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.schema.value.MatchingRule;
import org.alder.partition.schema.value.StringPreparation;
import org.alder.partition.schema.value.TestedRule;

/**
 * distinguishedNameMatch and uniqueMemberMatch (RFC 4517 4.2.15, 4.2.31). Normal form, version 1 (docs/format/normal-forms.md):
 * the RDNs' forms from the top down, each after its length as a varint, so that an ancestor is a prefix; then, if the value has
 * a UID, a zero byte and its bits as text.
 *
 * @param withUid whether values may end in one
 * @param schema knows the types in names, once it is built
 */
record NameRule(String oid, String name, String syntaxOid, boolean withUid, Schema schema) implements MatchingRule {
    /** distinguishedNameMatch, and then all others that compare names. */
    static List<MatchingRule> all(Schema schema) {
        String syntax = "1.3.6.1.4.1.1466.115.121.1.";
        NameRule names = new NameRule("2.5.13.1", "distinguishedNameMatch", syntax + "12", false, schema);
        return List.of(names, new NameRule("2.5.13.23", "uniqueMemberMatch", syntax + "34", true, schema),
                new NameRule(MatchingRule.IN_CHAIN, "inChainMatch", syntax + "12", false, schema),
                names.relation("8", "dnOneLevelMatch", NameRelation.Where.DIRECTLY_BELOW),
                names.relation("9", "dnSubtreeMatch", NameRelation.Where.AT_OR_BELOW),
                names.relation("10", "dnSubordinateMatch", NameRelation.Where.BELOW),
                names.relation("11", "dnSuperiorMatch", NameRelation.Where.ABOVE));
    }

    private MatchingRule relation(String oidEnd, String relationName, NameRelation.Where where) {
        return new TestedRule("1.3.6.1.4.1.4203.666.4." + oidEnd, relationName, syntaxOid, this::normalize,
                new NameRelation(where, this));
    }

    @Override
    public byte[] normalize(byte[] value) throws DirectoryException {
        return normalize(value, 0);
    }

    byte[] normalize(byte[] value, int nesting) throws DirectoryException {
        String text = text(value);
        int uid = withUid ? NameParser.uidStart(text) : text.length();
        try {
            byte[] form = normalize(text.substring(0, uid), nesting);
            return uid == text.length() ? form : DnForm.withUid(form, text.substring(uid + 1));
        } catch (DirectoryException e) {
            throw new DirectoryException(ResultCode.INVALID_ATTRIBUTE_SYNTAX, e.getMessage());
        }
    }

    private byte[] normalize(String dn, int nesting) throws DirectoryException {
        List<byte[]> rdns = new ArrayList<>(8);
        NameParser.parseDn(schema, dn, new NameSink() {
            @Override
            public void ava(AttributeType type, String typeText, byte[] avaValue) {
                // Only the RDNs' forms are wanted.
            }

            @Override
            public void rdn(int start, int end, byte[] normalized) {
                rdns.add(normalized);
            }
        }, nesting);
        return DnForm.of(rdns.size(), rdns::get);
    }

    private static String text(byte[] value) throws DirectoryException {
        boolean isPlain = StringPreparation.isPlain(value);
        return isPlain ? new String(value, StandardCharsets.ISO_8859_1) : StringPreparation.decode(value);
    }
}
