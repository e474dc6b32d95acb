package org.alder.partition.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.alder.partition.error.DirectoryException;
import org.apache.directory.api.ldap.model.schema.syntaxCheckers.AttributeTypeDescriptionSyntaxChecker;
import org.apache.directory.api.ldap.model.schema.syntaxCheckers.DeliveryMethodSyntaxChecker;
import org.apache.directory.api.ldap.model.schema.syntaxCheckers.DitContentRuleDescriptionSyntaxChecker;
import org.apache.directory.api.ldap.model.schema.syntaxCheckers.DitStructureRuleDescriptionSyntaxChecker;
import org.apache.directory.api.ldap.model.schema.syntaxCheckers.FacsimileTelephoneNumberSyntaxChecker;
import org.apache.directory.api.ldap.model.schema.syntaxCheckers.LdapSyntaxDescriptionSyntaxChecker;
import org.apache.directory.api.ldap.model.schema.syntaxCheckers.MatchingRuleDescriptionSyntaxChecker;
import org.apache.directory.api.ldap.model.schema.syntaxCheckers.MatchingRuleUseDescriptionSyntaxChecker;
import org.apache.directory.api.ldap.model.schema.syntaxCheckers.NameFormDescriptionSyntaxChecker;
import org.apache.directory.api.ldap.model.schema.syntaxCheckers.ObjectClassDescriptionSyntaxChecker;
import org.apache.directory.api.ldap.model.schema.syntaxCheckers.OtherMailboxSyntaxChecker;
import org.apache.directory.api.ldap.model.schema.syntaxCheckers.SubtreeSpecificationSyntaxChecker;
import org.apache.directory.api.ldap.model.schema.syntaxCheckers.TelexNumberSyntaxChecker;
import org.apache.directory.api.ldap.model.schema.syntaxCheckers.UtcTimeSyntaxChecker;

/**
 * The syntaxes the server knows (RFC 4517 3.3, RFC 4523, RFC 4530, and RFC 2252's for the attributes of RFC 1274). Frequent ones
 * are checked here, rare ones by the LDAP API's checkers, whose classes are loaded only when such a value comes; those without a
 * rule that can be broken take any value.
 */
final class Syntaxes {
    private static final String SYNTAX = "1.3.6.1.4.1.1466.115.121.1.";

    private final List<Syntax> syntaxes = new ArrayList<>();

    private Syntaxes() {
    }

    /** The syntaxes of a schema whose DN rules may be used once it is built. */
    static List<Syntax> of(Schema schema) {
        Syntaxes table = new Syntaxes();
        table.frequent(schema);
        table.rare();
        table.descriptions();
        table.binary();
        return List.copyOf(table.syntaxes);
    }

    private void frequent(Schema schema) {
        text("6", "Bit String", Syntax::isBitString);
        text("7", "Boolean", Syntax::isBoolean);
        text("11", "Country String", Syntax::isCountry);
        text("12", "DN", value -> matches(schema.matchingRule("2.5.13.1"), value));
        text("15", "Directory String", Syntax::isDirectoryString);
        text("24", "Generalized Time", Syntax::isGeneralizedTime);
        text("26", "IA5 String", Syntax::isIa5);
        text("27", "INTEGER", Syntax::isInteger);
        text("34", "Name And Optional UID", value -> matches(schema.matchingRule("2.5.13.23"), value));
        text("36", "Numeric String", Syntax::isNumericString);
        text("38", "OID", Syntax::isOid);
        text("41", "Postal Address", Syntax::isDirectoryString);
        text("44", "Printable String", Syntax::isPrintable);
        text("50", "Telephone Number", Syntax::isPrintable);
        text("58", "Substring Assertion", Syntax::isDirectoryString);
        add(Syntax.UUID, "UUID", true, Syntax::isUuid);
        add(Syntax.CSN, "CSN", true, Syntax::isCsn);
    }

    private void rare() {
        text("13", "Data Quality Syntax", Syntax::isDirectoryString);
        text("14", "Delivery Method", value -> DeliveryMethodSyntaxChecker.INSTANCE.isValidSyntax(value));
        text("19", "DSA Quality Syntax", Syntax::isDirectoryString);
        text("21", "Enhanced Guide", Syntax::isDirectoryString);
        text("22", "Facsimile Telephone Number", value -> FacsimileTelephoneNumberSyntaxChecker.INSTANCE.isValidSyntax(value));
        text("25", "Guide", Syntax::isDirectoryString);
        text("39", "Other Mailbox", value -> OtherMailboxSyntaxChecker.INSTANCE.isValidSyntax(value));
        text("42", "Protocol Information", Syntax::isDirectoryString);
        text("43", "Presentation Address", Syntax::isDirectoryString);
        text("45", "Subtree Specification", value -> SubtreeSpecificationSyntaxChecker.INSTANCE.isValidSyntax(value));
        text("51", "Teletex Terminal Identifier", value -> value.length > 0);
        text("52", "Telex Number", value -> TelexNumberSyntaxChecker.INSTANCE.isValidSyntax(value));
        text("53", "UTC Time", value -> UtcTimeSyntaxChecker.INSTANCE.isValidSyntax(value));
        for (String assertion : List.of("1 Certificate Exact", "3 Certificate Pair Exact", "5 Certificate List Exact")) {
            add("1.3.6.1.1.15." + assertion.charAt(0), "X.509 " + assertion.substring(2) + " Assertion", true, value -> true);
        }
        add("1.3.6.1.1.15.7", "X.509 Algorithm Identifier", true, value -> true);
    }

    private void descriptions() {
        text("3", "Attribute Type Description", value -> AttributeTypeDescriptionSyntaxChecker.INSTANCE.isValidSyntax(value));
        text("16", "DIT Content Rule Description", value -> DitContentRuleDescriptionSyntaxChecker.INSTANCE.isValidSyntax(value));
        text("17", "DIT Structure Rule Description",
                value -> DitStructureRuleDescriptionSyntaxChecker.INSTANCE.isValidSyntax(value));
        text("30", "Matching Rule Description", value -> MatchingRuleDescriptionSyntaxChecker.INSTANCE.isValidSyntax(value));
        text("31", "Matching Rule Use Description",
                value -> MatchingRuleUseDescriptionSyntaxChecker.INSTANCE.isValidSyntax(value));
        text("35", "Name Form Description", value -> NameFormDescriptionSyntaxChecker.INSTANCE.isValidSyntax(value));
        text("37", "Object Class Description", value -> ObjectClassDescriptionSyntaxChecker.INSTANCE.isValidSyntax(value));
        text("54", "LDAP Syntax Description", value -> LdapSyntaxDescriptionSyntaxChecker.INSTANCE.isValidSyntax(value));
    }

    private void binary() {
        binary("4", "Audio", value -> true);
        binary("5", "Binary", value -> true);
        binary("8", "X.509 Certificate", value -> value.length > 0);
        binary("9", "X.509 Certificate List", value -> value.length > 0);
        binary("10", "X.509 Certificate Pair", value -> value.length > 0);
        binary("23", "Fax", value -> true);
        binary("28", "JPEG", Syntax::isJpeg);
        binary("40", "Octet String", value -> true);
        binary("49", "X.509 Supported Algorithm", value -> value.length > 0);
    }

    private void text(String number, String description, Predicate<byte[]> check) {
        add(SYNTAX + number, description, true, check);
    }

    private void binary(String number, String description, Predicate<byte[]> check) {
        add(SYNTAX + number, description, false, check);
    }

    private void add(String oid, String description, boolean humanReadable, Predicate<byte[]> check) {
        syntaxes.add(new Syntax(oid, description, humanReadable, check));
    }

    private static boolean matches(MatchingRule rule, byte[] value) {
        try {
            rule.normalize(value);
            return true;
        } catch (DirectoryException e) {
            return false;
        }
    }
}
