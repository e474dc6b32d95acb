package org.alder.partition.schema.value;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.text.Oids;

/**
 * The matching rules the server implements (RFC 4517 4.2, RFC 4523 2, RFC 4530 2, caseExactIA5SubstringsMatch and rules for
 * the places of names as OpenLDAP defines them, and Active Directory's rules for bits and chains). The rules of RFC 4523 for
 * others than single certificates, presentationAddressMatch and protocolInformationMatch compare the values' bytes.
 * One object makes one schema's rules.
 */
public final class MatchingRules {
    private static final String SYNTAX = "1.3.6.1.4.1.1466.115.121.1.";

    private final List<MatchingRule> rules;
    private final UnaryOperator<byte[]> oids;
    private final MatchingRule names;

    private MatchingRules(UnaryOperator<byte[]> oids, List<MatchingRule> nameRules) {
        this.rules = new ArrayList<>(nameRules);
        this.oids = oids;
        this.names = nameRules.get(0);
    }

    /**
     * All rules.
     *
     * @param oids the OID of a type, class or rule of the schema, given its name or OID; null if it is unknown. Asked once the
     *     schema is built
     * @param nameRules those that compare names, distinguishedNameMatch first
     */
    public static List<MatchingRule> of(UnaryOperator<byte[]> oids, List<MatchingRule> nameRules) {
        MatchingRules table = new MatchingRules(oids, nameRules);
        table.text();
        table.numbers();
        table.identifiers();
        table.octets();
        return List.copyOf(table.rules);
    }

    private void text() {
        ordered(value("2.5.13.2", "caseIgnoreMatch", "15", v -> TextForms.compact(v, true)).folding(),
                "2.5.13.3", "caseIgnoreOrderingMatch");
        substring("2.5.13.4", "caseIgnoreSubstringsMatch", v -> TextForms.spaced(v, true), (v, p) -> TextForms.piece(v, true, p));
        ordered(value("2.5.13.5", "caseExactMatch", "15", v -> TextForms.compact(v, false)),
                "2.5.13.6", "caseExactOrderingMatch");
        substring("2.5.13.7", "caseExactSubstringsMatch", v -> TextForms.spaced(v, false),
                (v, p) -> TextForms.piece(v, false, p));
        add("2.5.13.11", "caseIgnoreListMatch", "41", v -> TextForms.lines(v, false));
        substring("2.5.13.12", "caseIgnoreListSubstringsMatch", v -> TextForms.lines(v, true),
                (v, p) -> TextForms.piece(v, true, p));
        add("1.3.6.1.4.1.1466.109.114.1", "caseExactIA5Match", "26", v -> TextForms.compact(ia5(v), false));
        rules.add(value("1.3.6.1.4.1.1466.109.114.2", "caseIgnoreIA5Match", "26", v -> TextForms.compact(ia5(v), true)).folding());
        substring("1.3.6.1.4.1.1466.109.114.3", "caseIgnoreIA5SubstringsMatch", v -> TextForms.spaced(ia5(v), true),
                (v, p) -> TextForms.piece(ia5(v), true, p));
        substring("1.3.6.1.4.1.4203.1.2.1", "caseExactIA5SubstringsMatch", v -> TextForms.spaced(ia5(v), false),
                (v, p) -> TextForms.piece(ia5(v), false, p));
        ordered(value("2.5.13.8", "numericStringMatch", "36", TextForms::digits), "2.5.13.9", "numericStringOrderingMatch");
        substring("2.5.13.10", "numericStringSubstringsMatch", TextForms::digits, (v, p) -> TextForms.digits(v));
        add("2.5.13.20", "telephoneNumberMatch", "50", TextForms::telephone);
        substring("2.5.13.21", "telephoneNumberSubstringsMatch", TextForms::telephone, (v, p) -> TextForms.telephone(v));
        tested("2.5.13.32", "wordMatch", "15", WordMatch::form, new WordMatch(false));
        tested("2.5.13.33", "keywordMatch", "15", WordMatch::form, new WordMatch(true));
        rules.add(value("2.5.13.31", "directoryStringFirstComponentMatch", "15", v -> TextForms.compact(firstComponent(v), true))
                .withAssertion(v -> TextForms.compact(v, true)));
    }

    private void numbers() {
        add("2.5.13.13", "booleanMatch", "7", MatchingRules::bool);
        ordered(value("2.5.13.14", "integerMatch", "27", IntegerForm::of), "2.5.13.15", "integerOrderingMatch");
        rules.add(value("2.5.13.29", "integerFirstComponentMatch", "27", v -> IntegerForm.of(firstComponent(v)))
                .withAssertion(IntegerForm::of));
        tested("1.2.840.113556.1.4.803", "integerBitAndMatch", "27", BitMatch::form, BitMatch.ALL);
        tested("1.2.840.113556.1.4.804", "integerBitOrMatch", "27", BitMatch::form, BitMatch.ANY);
        add("2.5.13.25", "uTCTimeMatch", "53", MatchingRules::utcTime);
        ordered(value("2.5.13.27", "generalizedTimeMatch", "24", GeneralizedTimeForm::of),
                "2.5.13.28", "generalizedTimeOrderingMatch");
        ordered(new ValueRule("1.3.6.1.1.16.2", "UUIDMatch", Syntax.UUID, MatchingRules::uuid),
                "1.3.6.1.1.16.3", "UUIDOrderingMatch");
        ordered(new ValueRule("1.3.6.1.4.1.4203.666.11.2.2", "CSNMatch", Syntax.CSN, MatchingRules::csn),
                "1.3.6.1.4.1.4203.666.11.2.3", "CSNOrderingMatch");
    }

    private static byte[] csn(byte[] value) throws DirectoryException {
        if (!Syntax.isCsn(value)) {
            throw invalid(value, "a change sequence number such as 20261121142243.123000Z#000000#000#0001a7");
        }
        return ascii(value).toLowerCase(Locale.ROOT).getBytes(StandardCharsets.US_ASCII);
    }

    private void identifiers() {
        add("2.5.13.0", "objectIdentifierMatch", "38", this::objectIdentifier);
        rules.add(value("2.5.13.30", "objectIdentifierFirstComponentMatch", "38", v -> objectIdentifier(firstComponent(v)))
                .withAssertion(this::objectIdentifier));
    }

    private void tested(String oid, String name, String syntax, NormalForm form, TestedRule.Match match) {
        rules.add(new TestedRule(oid, name, SYNTAX + syntax, form, match));
    }

    private void octets() {
        add("2.5.13.16", "bitStringMatch", "6", MatchingRules::bits);
        ordered(value("2.5.13.17", "octetStringMatch", "40", v -> v), "2.5.13.18", "octetStringOrderingMatch");
        substring("2.5.13.19", "octetStringSubstringsMatch", v -> v, (v, p) -> v);
        add("2.5.13.22", "presentationAddressMatch", "43", v -> v);
        add("2.5.13.24", "protocolInformationMatch", "42", v -> v);
        rules.add(new ValueRule("2.5.13.34", "certificateExactMatch", "1.3.6.1.1.15.1",
                v -> CertificateForm.ofValue(names, v)).withAssertion(v -> CertificateForm.ofAssertion(names, v)));
        rules.add(new ValueRule("2.5.13.36", "certificatePairExactMatch", "1.3.6.1.1.15.3", v -> v));
        rules.add(new ValueRule("2.5.13.38", "certificateListExactMatch", "1.3.6.1.1.15.5", v -> v));
        rules.add(new ValueRule("2.5.13.45", "attributeCertificateExactMatch", "1.3.6.1.4.1.4203.666.11.10.2.2", v -> v));
        rules.add(new ValueRule("2.5.13.40", "algorithmIdentifierMatch", "1.3.6.1.1.15.7", v -> v));
    }

    private static ValueRule value(String oid, String name, String syntaxNumber, NormalForm form) {
        return new ValueRule(oid, name, SYNTAX + syntaxNumber, form);
    }

    private void add(String oid, String name, String syntaxNumber, NormalForm form) {
        rules.add(value(oid, name, syntaxNumber, form));
    }

    /** An equality rule, and the ordering rule of the same form. */
    private void ordered(ValueRule equality, String orderingOid, String orderingName) {
        rules.add(equality);
        rules.add(equality.ordering(orderingOid, orderingName));
    }

    private void substring(String oid, String name, NormalForm value, SubstringRule.PieceForm piece) {
        rules.add(new SubstringRule(oid, name, value, piece));
    }

    private static byte[] ia5(byte[] value) throws DirectoryException {
        for (byte b : value) {
            if (b < 0) {
                throw invalid(value, "an IA5 string (ASCII)");
            }
        }
        return value;
    }

    private static byte[] bool(byte[] value) throws DirectoryException {
        String text = ascii(value).trim().toUpperCase(Locale.ROOT);
        if (!text.equals("TRUE") && !text.equals("FALSE")) {
            throw invalid(value, "TRUE or FALSE");
        }
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** RFC 4517 3.3.34: two digits of the year, from 1950 on (X.680's century), and minutes at least. */
    private static byte[] utcTime(byte[] value) throws DirectoryException {
        String text = ascii(value);
        if (!text.matches("\\d{10}(\\d{2})?(Z|[+-]\\d{4})?")) {
            throw invalid(value, "a UTC time such as 2601311200Z");
        }
        String zoned = text.matches("\\d+") ? text + 'Z' : text;
        return GeneralizedTimeForm.of(((zoned.charAt(0) >= '5' ? "19" : "20") + zoned).getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] bits(byte[] value) throws DirectoryException {
        if (!Syntax.isBitString(value)) {
            throw invalid(value, "a bit string such as '0101'B");
        }
        return value;
    }

    /** 16 bytes, which sort as RFC 4530 2.3 says. */
    private static byte[] uuid(byte[] value) throws DirectoryException {
        if (!Syntax.isUuid(value)) {
            throw invalid(value, "a UUID such as 597ae2f6-16a6-1027-98f4-d28b5365dc14");
        }
        byte[] form = new byte[16];
        int digits = 0;
        for (byte b : value) {
            if (b != '-') {
                int digit = Character.digit(b, 16);
                form[digits / 2] |= (byte) (digits % 2 == 0 ? digit << 4 : digit);
                digits++;
            }
        }
        return form;
    }

    /** The dotted OID of a name the schema knows; a well-formed name it does not know is its own form, in lower case. */
    private byte[] objectIdentifier(byte[] value) throws DirectoryException {
        byte[] known = oids.apply(value);
        if (known != null) {
            return known;
        }
        String text = ascii(value).trim();
        byte[] trimmed = oids.apply(text.getBytes(StandardCharsets.ISO_8859_1));
        if (trimmed != null) {
            return trimmed;
        }
        if (!Oids.isNumeric(text) && !Oids.isDescriptor(text)) {
            throw invalid(value, "an OID or a name");
        }
        return text.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.US_ASCII);
    }

    /** What follows the opening parenthesis, up to a space; quotes around it are dropped. */
    private static byte[] firstComponent(byte[] value) throws DirectoryException {
        int start = 0;
        while (start < value.length && (value[start] == ' ' || value[start] == '(')) {
            start++;
        }
        int end = start;
        while (end < value.length && value[end] != ' ' && value[end] != ')') {
            end++;
        }
        if (start == 0 || start == end) {
            throw invalid(value, "a description in parentheses");
        }
        boolean quoted = value[start] == '\'' && end - start > 1 && value[end - 1] == '\'';
        return quoted ? Arrays.copyOfRange(value, start + 1, end - 1) : Arrays.copyOfRange(value, start, end);
    }

    private static String ascii(byte[] value) {
        return new String(value, StandardCharsets.ISO_8859_1);
    }

    private static DirectoryException invalid(byte[] value, String expected) {
        return new DirectoryException(ResultCode.INVALID_ATTRIBUTE_SYNTAX,
                "the value " + ValueText.of(value) + " is not " + expected);
    }
}
