package org.alder.partition.schema.value;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.schema.Schema;
import org.alder.partition.testing.Requirement;
import org.alder.partition.testing.Seed;
import org.junit.Test;

public class MatchingRulesTest {
    private static final Schema SCHEMA = Schema.load(List.of());
    private static final List<String> IDEMPOTENT = List.of("caseIgnoreMatch", "caseExactMatch", "caseIgnoreIA5Match",
            "caseExactIA5Match", "numericStringMatch", "telephoneNumberMatch", "booleanMatch", "objectIdentifierMatch",
            "octetStringMatch", "bitStringMatch");

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String form(String rule, String value) throws DirectoryException {
        return new String(SCHEMA.matchingRule(rule).normalize(bytes(value)), StandardCharsets.UTF_8);
    }

    private static void assertInvalid(String rule, String value) {
        DirectoryException e = assertThrows(rule + " " + value, DirectoryException.class, () -> form(rule, value));
        assertEquals(ResultCode.INVALID_ATTRIBUTE_SYNTAX, e.resultCode());
    }

    /** What the evaluator does with normal forms: initial, any, final, in order and without overlap. */
    private static boolean matches(String rule, String value, String... pieces) throws DirectoryException {
        MatchingRule substrings = SCHEMA.matchingRule(rule);
        String text = new String(substrings.normalize(bytes(value)), StandardCharsets.ISO_8859_1);
        int from = 0;
        for (int i = 0; i < pieces.length; i++) {
            SubstringPosition position = i == 0 ? SubstringPosition.INITIAL
                    : i == pieces.length - 1 ? SubstringPosition.FINAL : SubstringPosition.ANY;
            if (pieces[i].isEmpty()) {
                continue;
            }
            String piece = new String(substrings.normalizeSubstring(bytes(pieces[i]), position), StandardCharsets.ISO_8859_1);
            int at = position == SubstringPosition.INITIAL ? text.startsWith(piece) ? 0 : -1
                    : position == SubstringPosition.FINAL ? text.endsWith(piece) ? text.length() - piece.length() : -1
                    : text.indexOf(piece, from);
            if (at < from) {
                return false;
            }
            from = at + piece.length();
        }
        return true;
    }

    @Test
    @Requirement(rfc = 4518, section = "2.2, 2.6.1", text = "Mapping, and insignificant space")
    public void textIsFoldedAndSqueezed() throws DirectoryException {
        assertEquals("foo bar", form("caseIgnoreMatch", " Foo   BAR "));
        assertEquals("Foo BAR", form("caseExactMatch", " Foo   BAR "));
        assertEquals(" ", form("caseIgnoreMatch", ""));
        assertEquals(" ", form("caseIgnoreMatch", "   "));
        assertEquals("a b", form("caseIgnoreMatch", "a\t\r\nb\0"));
        byte[] compact = bytes("foo bar");
        assertSame(compact, SCHEMA.matchingRule("caseIgnoreMatch").normalize(compact));
    }

    @Test
    @Requirement(rfc = 4518, section = "2", text = "Preparation of non-ASCII text")
    public void nonAsciiFollowsRfc4518() throws DirectoryException {
        assertEquals("strasse", form("caseIgnoreMatch", "Stra\u00dfe"));
        assertEquals("strasse", form("caseIgnoreMatch", "STRA\u1e9eE"));
        assertEquals(form("caseIgnoreMatch", "\u03a3\u0391\u03a3"), form("caseIgnoreMatch", "\u03c3\u03b1\u03c2"));
        assertEquals("\u00e9", form("caseIgnoreMatch", "E\u0301"));
        assertEquals("a b", form("caseIgnoreMatch", "\u3000\uff21\u00a0B\u2003"));
        assertEquals("ab", form("caseExactMatch", "a\u00ad\u200b\ufe0fb"));
        assertEquals("\u0131", form("caseIgnoreMatch", "\u0131"));
        assertEquals("i\u0307", form("caseIgnoreMatch", "\u0130"));
        assertEquals("\ud83d\ude00", form("caseIgnoreMatch", "\ud83d\ude00"));
        assertEquals("a  \u0301", form("caseIgnoreMatch", "a   \u0301"));
        assertInvalid("caseIgnoreMatch", "\uffff");
        assertThrows(DirectoryException.class, () -> SCHEMA.matchingRule("caseIgnoreMatch").normalize(new byte[] {(byte) 0xC3}));
    }

    @Test
    @Requirement(rfc = 4518, section = "2", text = "Every character prepares to a fixed point")
    public void everyCharacterPreparesToAFixedPoint() throws DirectoryException {
        for (int c = 1; c <= Character.MAX_CODE_POINT; c++) {
            if (c >= 0xD800 && c <= 0xDFFF || (c & 0xFFFE) == 0xFFFE || c >= 0xFDD0 && c <= 0xFDEF) {
                continue;
            }
            byte[] once = StringPreparation.prepare(bytes(Character.toString(c)), true);
            assertArrayEquals("U+" + Integer.toHexString(c), once, StringPreparation.prepare(once, true));
        }
    }

    @Test
    @Requirement(rfc = 4518, section = "2.6.1", text = "Spaces in substring assertions")
    public void piecesKeepTheSpacesThatMatter() throws DirectoryException {
        String rule = "caseIgnoreSubstringsMatch";
        assertTrue(matches(rule, "foo bar", "foo ", "bar"));
        assertTrue(matches(rule, "Foo  BAR", "foo ", " bar"));
        assertTrue(matches(rule, "foo bar", "foo", "bar"));
        assertTrue(matches(rule, "foo bar", "", "o b", ""));
        assertTrue(matches(rule, "foo   bar", "", "O  b", ""));
        assertFalse(matches(rule, "foobar", "foo ", "bar"));
        assertFalse(matches(rule, "foobar", "", "o b", ""));
        assertFalse(matches(rule, "foo", "fo", "oo"));
        assertTrue(matches(rule, "foo", "foo ", ""));
        assertTrue(matches(rule, "stra\u00dfe", "STRAS", "e"));
        assertFalse(matches("caseExactSubstringsMatch", "Foo", "f", ""));
        assertTrue(matches("telephoneNumberSubstringsMatch", "+1 408-555 01", "+1408", "55-5", "01"));
        assertTrue(matches("numericStringSubstringsMatch", "12 34", "1", "2 3", "4"));
        assertFalse(matches("octetStringSubstringsMatch", "A", "a", ""));
        assertThrows(UnsupportedOperationException.class,
                () -> SCHEMA.matchingRule("caseIgnoreMatch").normalizeSubstring(bytes("a"), SubstringPosition.ANY));
    }

    @Test
    @Requirement(rfc = 4517, section = "4.2.12", text = "caseIgnoreListMatch")
    public void listsAreComparedLineByLine() throws DirectoryException {
        assertEquals(form("caseIgnoreListMatch", "1 Main St$ Town "), form("caseIgnoreListMatch", "1  main st$town"));
        assertNotEquals(form("caseIgnoreListMatch", "a$b"), form("caseIgnoreListMatch", "a\\24b"));
        assertTrue(matches("caseIgnoreListSubstringsMatch", "1 Main St$Big Town", "1 main", "town"));
        assertTrue(matches("caseIgnoreListSubstringsMatch", "cash \\24 5C", "", "$ 5", ""));
        assertFalse(matches("caseIgnoreListSubstringsMatch", "ab$cd", "", "bc", ""));
    }

    @Test
    @Requirement(rfc = 4517, section = "4.2", text = "Equality rules of the other syntaxes")
    public void otherRules() throws DirectoryException {
        assertEquals("2.5.4.3", form("objectIdentifierMatch", "CommonName"));
        assertEquals("2.5.6.6", form("objectIdentifierMatch", " Person "));
        assertEquals("unknown-name", form("objectIdentifierMatch", "Unknown-Name"));
        assertInvalid("objectIdentifierMatch", "1..2");
        assertInvalid("objectIdentifierMatch", "no name");
        assertEquals("TRUE", form("booleanMatch", "true"));
        assertInvalid("booleanMatch", "yes");
        assertInvalid("caseIgnoreIA5Match", "\u00e9");
        assertInvalid("numericStringMatch", "12a");
        assertEquals("+14085550100", form("telephoneNumberMatch", "+1 408-555\u20110100"));
        assertInvalid("bitStringMatch", "'012'B");
        assertInvalid("UUIDMatch", "597ae2f6-16a6-1027-98f4-d28b5365dc1");
        assertArrayEquals(SCHEMA.matchingRule("UUIDMatch").normalize(bytes("597AE2F6-16A6-1027-98F4-D28B5365DC14")),
                SCHEMA.matchingRule("UUIDMatch").normalize(bytes("597ae2f6-16a6-1027-98f4-d28b5365dc14")));
    }

    @Test
    @Requirement(rfc = 4517, section = "4.2.19, 4.2.25", text = "First-component rules")
    public void firstComponentsAreAssertedByThemselves() throws DirectoryException {
        MatchingRule rule = SCHEMA.matchingRule("objectIdentifierFirstComponentMatch");
        byte[] stored = rule.normalize(bytes("( 2.5.4.3 NAME ( 'cn' 'commonName' ) SUP name )"));
        assertArrayEquals(stored, rule.normalizeAssertion(bytes("cn")));
        assertArrayEquals(stored, rule.normalizeAssertion(bytes("2.5.4.3")));
        assertThrows(DirectoryException.class, () -> rule.normalize(bytes("cn")));
        MatchingRule numbers = SCHEMA.matchingRule("integerFirstComponentMatch");
        assertArrayEquals(numbers.normalize(bytes("(2 FORM x)")), numbers.normalizeAssertion(bytes("2")));
    }

    @Test
    public void namesAndUids() throws DirectoryException {
        assertEquals(form("uniqueMemberMatch", "CN=A, O=B#'01'B"), form("uniqueMemberMatch", "cn=a,o=b#'01'B"));
        assertNotEquals(form("uniqueMemberMatch", "cn=a#'01'B"), form("uniqueMemberMatch", "cn=a"));
        assertEquals(form("distinguishedNameMatch", "cn=a,o=b"), form("uniqueMemberMatch", "cn=a,o=b"));
        assertInvalid("distinguishedNameMatch", "nonsense");
    }

    @Test
    @Requirement(rfc = 4517, section = "4.2.20", text = "integerOrderingMatch")
    public void integersSortAsNumbers() throws DirectoryException {
        long seed = Seed.of(MatchingRulesTest.class);
        Random random = new Random(seed);
        MatchingRule rule = SCHEMA.matchingRule("integerOrderingMatch");
        for (int i = 0; i < 20_000; i++) {
            BigInteger a = number(random);
            BigInteger b = random.nextInt(4) == 0 ? a.add(BigInteger.valueOf(random.nextInt(3) - 1)) : number(random);
            int order = Arrays.compareUnsigned(rule.normalize(bytes(a.toString())), rule.normalize(bytes(b.toString())));
            assertEquals(a + " and " + b, Integer.signum(a.compareTo(b)), Integer.signum(order));
        }
    }

    private static BigInteger number(Random random) {
        int[] sizes = {1, 7, 8, 9, 31, 63, 64, 1007, 1008, 1009, 3000};
        BigInteger magnitude = new BigInteger(sizes[random.nextInt(sizes.length)], random);
        return random.nextBoolean() ? magnitude : magnitude.negate();
    }

    @Test
    public void integerEdges() throws DirectoryException {
        assertEquals(form("integerMatch", "0"), form("integerMatch", "-0"));
        assertEquals(form("integerMatch", "7"), form("integerMatch", "007"));
        for (String bad : new String[] {"", "-", "+1", "1 ", "0x1", "1.0", "9".repeat(4097)}) {
            assertInvalid("integerMatch", bad);
        }
    }

    @Test
    @Requirement(rfc = 4517, section = "4.2.17", text = "generalizedTimeOrderingMatch")
    public void timesInUtcSortAsTime() throws DirectoryException {
        String rule = "generalizedTimeMatch";
        assertEquals("20260228235959", form(rule, "20260228235959Z"));
        assertEquals("20260101003000", form(rule, "20251231193000-0500"));
        assertEquals("20260101003000", form(rule, "20260101013000+01"));
        assertEquals("20260101120000", form(rule, "2026010112Z"));
        assertEquals("20260101123000", form(rule, "2026010112.5Z"));
        assertEquals("20260101120006.6", form(rule, "202601011200,110Z"));
        assertEquals("20260101120000.25", form(rule, "20260101120000.2500Z"));
        assertEquals("20260101120000", form(rule, "20260101120000.000Z"));
        assertEquals("20161231235960", form(rule, "20161231235960Z"));
        assertTrue(form(rule, "20260101120000Z").compareTo(form(rule, "20260101120000.1Z")) < 0);
        assertEquals("20240229000000", form(rule, "20240229000000Z"));
        for (String bad : new String[] {"", "20260229000000Z", "20260101240000Z", "20261301000000Z", "20260101000000",
            "20260101006000Z", "20260101000061Z", "20260101000000.Z",
            "00000101000000+0100", "20260101000000+2400", "\u0662026010100Z"}) {
            assertInvalid(rule, bad);
        }
    }

    /** RFC 4518 2.6.3. */
    @Test
    public void aHyphenWithAMarkIsPartOfATelephoneNumber() throws DirectoryException {
        String form = form("telephoneNumberMatch", "z-\u0301 1 - 2");
        assertEquals("z-\u030112", form);
        assertEquals(form, form("telephoneNumberMatch", form));
    }

    @Test
    public void noBytesBreakARule() {
        long seed = Seed.of(MatchingRulesTest.class);
        Random random = new Random(seed);
        String[] seeds = {"cn=a\\,b+sn=#0401", "( 2.5.4.3 NAME 'x' )", "20260101000000.5+01", "'01'B",
            " A \u00e9\u0301 \ud83d\ude00$", "-12"};
        for (int i = 0; i < 20_000; i++) {
            byte[] value = i % 2 == 0 ? bytes(seeds[random.nextInt(seeds.length)]) : new byte[random.nextInt(12)];
            for (int changes = i % 2 == 0 ? 2 : value.length; changes > 0; changes--) {
                value[random.nextInt(value.length)] = (byte) random.nextInt();
            }
            for (MatchingRule rule : SCHEMA.matchingRules()) {
                assertSafe(rule, value);
            }
        }
    }

    private static void assertSafe(MatchingRule rule, byte[] value) {
        byte[] before = value.clone();
        try {
            byte[] form = rule.normalize(value);
            if (IDEMPOTENT.contains(rule.name())) {
                assertArrayEquals(rule.name() + " of " + ValueText.of(value), form, rule.normalize(form));
            }
            if (rule.supportsSubstring()) {
                rule.normalizeSubstring(value, SubstringPosition.ANY);
            }
        } catch (DirectoryException e) {
            assertEquals(ResultCode.INVALID_ATTRIBUTE_SYNTAX, e.resultCode());
        }
        assertArrayEquals("the argument was changed by " + rule.name(), before, value);
    }

    @Test
    public void utcTimesHaveACentury() throws DirectoryException {
        assertEquals("20260228235959", form("uTCTimeMatch", "260228235959Z"));
        assertEquals("19500101120000", form("uTCTimeMatch", "5001011200"));
        assertEquals("20260101003000", form("uTCTimeMatch", "2512311930-0500"));
        for (String bad : new String[] {"", "26010112", "260101", "2601011200+01", "20260101120000Z", "2613011200Z"}) {
            assertInvalid("uTCTimeMatch", bad);
        }
    }
}
