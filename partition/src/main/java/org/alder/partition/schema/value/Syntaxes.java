package org.alder.partition.schema.value;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.definition.DefinitionKind;
import org.alder.partition.schema.definition.DefinitionParser;
import org.apache.directory.api.ldap.model.schema.syntaxCheckers.DeliveryMethodSyntaxChecker;
import org.apache.directory.api.ldap.model.schema.syntaxCheckers.FacsimileTelephoneNumberSyntaxChecker;
import org.apache.directory.api.ldap.model.schema.syntaxCheckers.OtherMailboxSyntaxChecker;
import org.apache.directory.api.ldap.model.schema.syntaxCheckers.TelexNumberSyntaxChecker;
import org.apache.directory.api.ldap.model.schema.syntaxCheckers.UtcTimeSyntaxChecker;

/**
 * The syntaxes the server knows (RFC 4517 3.3, RFC 4523, RFC 4530, RFC 2307, and RFC 2252's for the attributes of RFC 1274). Most
 * are checked here, some rare ones by the LDAP API's checkers, whose classes are loaded only when such a value comes; those
 * without a rule that can be broken take any value. The API's parsers of definitions are not among them: they end
 * {@code ( 1.2.3 AUX ( 1.2.3 } by filling the memory.
 */
public final class Syntaxes {
    private static final String SYNTAX = "1.3.6.1.4.1.1466.115.121.1.";

    private final List<Syntax> syntaxes = new ArrayList<>();

    private Syntaxes() {
    }

    /**
     * All syntaxes.
     *
     * @param names distinguishedNameMatch
     * @param namesWithUid uniqueMemberMatch
     * @param isSubtree whether a value is a subtree specification
     */
    public static List<Syntax> of(MatchingRule names, MatchingRule namesWithUid, Predicate<byte[]> isSubtree) {
        Syntaxes table = new Syntaxes();
        table.frequent(names, namesWithUid);
        table.rare(isSubtree);
        table.descriptions();
        table.binary();
        return List.copyOf(table.syntaxes);
    }

    private void frequent(MatchingRule names, MatchingRule namesWithUid) {
        text("6", "Bit String", Syntax::isBitString);
        text("7", "Boolean", Syntax::isBoolean);
        text("11", "Country String", Syntax::isCountry);
        text("12", "DN", value -> matches(names, value));
        text("15", "Directory String", Syntax::isDirectoryString);
        text("24", "Generalized Time", Syntax::isGeneralizedTime);
        text("26", "IA5 String", Syntax::isIa5);
        text("27", "INTEGER", Syntax::isInteger);
        text("34", "Name And Optional UID", value -> matches(namesWithUid, value));
        text("36", "Numeric String", Syntax::isNumericString);
        text("38", "OID", Syntax::isOid);
        text("41", "Postal Address", Syntax::isDirectoryString);
        text("44", "Printable String", Syntax::isPrintable);
        text("50", "Telephone Number", Syntax::isPrintable);
        text("58", "Substring Assertion", Syntax::isDirectoryString);
        add(Syntax.UUID, "UUID", true, Syntax::isUuid);
        add(Syntax.CSN, "CSN", true, Syntax::isCsn);
    }

    private void rare(Predicate<byte[]> isSubtree) {
        text("13", "Data Quality Syntax", Syntax::isDirectoryString);
        text("14", "Delivery Method", new ApiCheck(() -> DeliveryMethodSyntaxChecker.INSTANCE));
        text("19", "DSA Quality Syntax", Syntax::isDirectoryString);
        text("21", "Enhanced Guide", Syntax::isDirectoryString);
        text("22", "Facsimile Telephone Number", new ApiCheck(() -> FacsimileTelephoneNumberSyntaxChecker.INSTANCE));
        text("25", "Guide", Syntax::isDirectoryString);
        text("39", "Other Mailbox", new ApiCheck(() -> OtherMailboxSyntaxChecker.INSTANCE));
        text("42", "Protocol Information", Syntax::isDirectoryString);
        text("43", "Presentation Address", Syntax::isDirectoryString);
        text("45", "Subtree Specification", isSubtree);
        text("51", "Teletex Terminal Identifier", value -> value.length > 0);
        text("52", "Telex Number", new ApiCheck(() -> TelexNumberSyntaxChecker.INSTANCE));
        add("1.3.6.1.1.1.0.0", "RFC 2307 NIS Netgroup Triple", true, Syntax::isNetgroupTriple);
        add("1.3.6.1.1.1.0.1", "RFC 2307 Boot Parameter", true, Syntax::isBootParameter);
        text("53", "UTC Time", new ApiCheck(() -> UtcTimeSyntaxChecker.INSTANCE));
        for (String assertion : List.of("1 Certificate Exact", "3 Certificate Pair Exact", "5 Certificate List Exact")) {
            add("1.3.6.1.1.15." + assertion.charAt(0), "X.509 " + assertion.substring(2) + " Assertion", true, value -> true);
        }
        add("1.3.6.1.4.1.4203.666.11.10.2.2", "X.509 AttributeCertificate Exact Assertion", true, value -> true);
        add("1.3.6.1.1.15.7", "X.509 Algorithm Identifier", true, value -> true);
    }

    /** Values are read as definitions of the schema are. */
    private void descriptions() {
        description("3", "Attribute Type Description", DefinitionKind.ATTRIBUTE_TYPE);
        description("16", "DIT Content Rule Description", DefinitionKind.CONTENT_RULE);
        description("17", "DIT Structure Rule Description", DefinitionKind.STRUCTURE_RULE);
        description("30", "Matching Rule Description", DefinitionKind.MATCHING_RULE);
        description("31", "Matching Rule Use Description", DefinitionKind.MATCHING_RULE_USE);
        description("35", "Name Form Description", DefinitionKind.NAME_FORM);
        description("37", "Object Class Description", DefinitionKind.OBJECT_CLASS);
        description("54", "LDAP Syntax Description", DefinitionKind.SYNTAX);
    }

    private void description(String number, String name, DefinitionKind kind) {
        text(number, name, value -> DefinitionParser.isDefinition(kind, value));
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
        add("1.3.6.1.4.1.4203.666.11.10.2.1", "X.509 AttributeCertificate", false, value -> value.length > 0);
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
