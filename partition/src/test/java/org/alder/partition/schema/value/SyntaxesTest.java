package org.alder.partition.schema.value;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.SubtreeForm;
import org.alder.partition.testing.Seed;
import org.junit.Test;

/** Every byte string is of a syntax or is not, and has a normal form by a rule or is refused: nothing else comes out. */
public class SyntaxesTest {
    private static final Schema SCHEMA = Schema.load(List.of());
    private static final List<Syntax> SYNTAXES = Syntaxes.of(SCHEMA.matchingRule("2.5.13.1"),
            SCHEMA.matchingRule("2.5.13.23"), SyntaxesTest::isSubtree);
    private static final int ROUNDS = 1000;
    private static final String[] SEEDS = {"#x", "( x:1 NAME q )", "( a: )", "( 1.: APPLIES a )", "( abc:1.2 NAME 'x' )",
            "+1 2$f漢", "+1 408 555 1234$twoDimensional$a4Width", "any $ mhs", "a$b", "a$b$c", "2601311200Z", "2601311200+0100",
            "( 1.2.3 NAME 'x' DESC 'y' SUP name EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15{5} X-A 'b' )",
            "( 1.2.3 NAME ( 'x' 'y' ) SUP top AUXILIARY MUST ( cn $ sn ) MAY l )", "( 1 NAME 'x' FORM y SUP ( 1 2 ) )",
            "( 1.2.3 NAME 'x' OC person MUST cn )", "( 1.2.3 NAME 'x' APPLIES ( cn $ sn ) )", "( 1.2.3 AUX a NOT b )",
            "{ base \"ou=x\", minimum 1, specificExclusions { chopBefore:\"ou=a\" }, specificationFilter and:{ item:1.2.3 } }",
            "{ serialNumber 1, issuer rdnSequence:\"cn=ca\" }", "{ serialNumber 'A0'H, issuer \"cn=\"\"ca\" }", "47$cn=ca",
            "20261122080000.5Z", "'0101'B", "cn=a+sn=b,dc=c", "cn=a#'01'B", "-12", "6c1f0b0a-27ab-4b25-9d05-0123456789ab",
            "20261122080000.000000Z#000000#000#000000", "TRUE", "(host,user,domain)", "root=server:/path"};
    private static final String MARKS = "()'$:#.{},\"\\ +=0a";

    private static boolean isSubtree(byte[] value) {
        try {
            return SubtreeForm.parse(SCHEMA, value) != null;
        } catch (DirectoryException e) {
            return false;
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] value(Random random) {
        if (random.nextInt(4) == 0) {
            byte[] value = new byte[random.nextInt(40)];
            random.nextBytes(value);
            return value;
        }
        byte[] value = bytes(SEEDS[random.nextInt(SEEDS.length)]);
        for (int changes = random.nextInt(5); changes > 0 && value.length > 0; changes--) {
            value = mutated(random, value);
        }
        return value;
    }

    private static byte[] mutated(Random random, byte[] value) {
        int at = random.nextInt(value.length);
        byte[] changed = value.clone();
        switch (random.nextInt(5)) {
            case 0 -> changed[at] = (byte) random.nextInt(256);
            case 1 -> changed[at] = (byte) MARKS.charAt(random.nextInt(MARKS.length()));
            case 2 -> changed = Arrays.copyOf(value, at);
            case 3 -> {
                changed = Arrays.copyOf(value, value.length + 1);
                System.arraycopy(value, at, changed, at + 1, value.length - at);
                changed[at] = (byte) MARKS.charAt(random.nextInt(MARKS.length()));
            }
            default -> {
                byte[] other = bytes(SEEDS[random.nextInt(SEEDS.length)]);
                changed = Arrays.copyOf(value, at + other.length);
                System.arraycopy(other, 0, changed, at, other.length);
            }
        }
        return changed;
    }

    private static boolean isOf(Syntax syntax, byte[] value) {
        try {
            return syntax.check().test(value);
        } catch (Throwable e) {
            throw new AssertionError(syntax.description() + " ends " + ValueText.of(value) + " with " + e, e);
        }
    }

    private static void requireFormOrRefusal(MatchingRule rule, byte[] value) {
        try {
            rule.matches(value, rule.normalizeAssertion(value));
            if (rule.supportsSubstring()) {
                rule.normalizeSubstring(value, SubstringPosition.ANY);
            }
        } catch (DirectoryException e) {
            assertEquals(rule.name(), ResultCode.INVALID_ATTRIBUTE_SYNTAX, e.resultCode());
        } catch (Throwable e) {
            throw new AssertionError(rule.name() + " ends " + ValueText.of(value) + " with " + e, e);
        }
    }

    private static void requireNoSyntax(String attribute, String... values) {
        for (String value : values) {
            assertFalse(attribute + ": " + value, SCHEMA.attributeType(attribute).checkSyntax(bytes(value)));
        }
    }

    @Test
    public void whateverACheckerThrowsMeansThatTheValueIsWrong() {
        requireNoSyntax("facsimileTelephoneNumber", "+1 2$f漢");
        requireNoSyntax("ldapSyntaxes", "( a: )");
        requireNoSyntax("matchingRuleUse", "( 1.: APPLIES a )");
        requireNoSyntax("objectClasses", "( abc:1.2 NAME 'x' )");
        for (String attribute : List.of("attributeTypes", "objectClasses", "ldapSyntaxes", "matchingRules", "matchingRuleUse",
                "nameForms", "dITContentRules", "dITStructureRules")) {
            requireNoSyntax(attribute, "#x", "( x:1 NAME q )", "", "(", ")", "( )");
        }
        assertTrue(SCHEMA.attributeType("attributeTypes").checkSyntax(bytes("( 1.2.3 NAME 'q' SUP name )")));
    }

    @Test
    public void anyBytesAreOfASyntaxOrNot() {
        Random random = Seed.random(SyntaxesTest.class);
        for (Syntax syntax : SYNTAXES) {
            for (int i = 0; i < ROUNDS; i++) {
                isOf(syntax, value(random));
            }
        }
    }

    @Test
    public void anyBytesHaveANormalFormOrAreRefused() {
        Random random = Seed.random(SyntaxesTest.class);
        for (MatchingRule rule : SCHEMA.matchingRules()) {
            for (int i = 0; i < ROUNDS; i++) {
                requireFormOrRefusal(rule, value(random));
            }
        }
    }

    @Test
    public void longValuesEndWithoutTheStack() {
        int many = 50_000;
        for (String text : List.of("(".repeat(many), "'".repeat(many), "\"".repeat(many), "a$".repeat(many), "1.".repeat(many) + "1",
                "{ base \"" + "\"\"".repeat(many) + "\" }", "{ specificationFilter " + "not:".repeat(many) + "item:1 }",
                "{ specificationFilter " + "and:{".repeat(many), "( 1.2 NAME (" + " 'a'".repeat(many) + " ) )",
                "( 1.2 DESC '" + "\\27".repeat(many) + "' )", "{ serialNumber 1, issuer \"cn=" + "\"\"".repeat(many) + "\" }",
                "1".repeat(many) + "$cn=ca", "{ serialNumber " + "1".repeat(many) + ", issuer \"cn=ca\" }",
                "member=".repeat(many), "any $ ".repeat(many) + "any", "+1" + "$".repeat(many))) {
            SYNTAXES.forEach(syntax -> isOf(syntax, bytes(text)));
            SCHEMA.matchingRules().forEach(rule -> requireFormOrRefusal(rule, bytes(text)));
        }
    }

    @Test
    public void serialNumbersAreBounded() throws DirectoryException {
        MatchingRule rule = SCHEMA.matchingRule("certificateExactMatch");
        String digits = "9".repeat(IntegerForm.MAX_DIGITS);
        for (String serial : List.of(digits, "'" + "F".repeat(IntegerForm.MAX_DIGITS) + "'H")) {
            rule.normalizeAssertion(bytes("{ serialNumber " + serial + ", issuer rdnSequence:\"cn=ca\" }"));
        }
        rule.normalizeAssertion(bytes(digits + "$cn=ca"));
        for (String assertion : List.of(digits + "9$cn=ca", "{ serialNumber " + digits + "9, issuer rdnSequence:\"cn=ca\" }",
                "{ serialNumber '" + "F".repeat(IntegerForm.MAX_DIGITS) + "0'H, issuer rdnSequence:\"cn=ca\" }")) {
            DirectoryException e = assertThrows(DirectoryException.class, () -> rule.normalizeAssertion(bytes(assertion)));
            assertTrue(e.getMessage(), e.getMessage().contains("at most 4096 digits"));
        }
    }
}
