package org.alder.partition.filter;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.testing.Requirement;
import org.alder.partition.testing.Seed;
import org.junit.Test;

public class FilterParserTest {
    private static final long SEED = Seed.of(FilterParserTest.class);

    private static void assertSame(String text) throws DirectoryException {
        assertEquals(text, Filters.format(FilterParser.parse(text)));
    }

    private static void assertReads(String expected, String text) throws DirectoryException {
        assertEquals(expected, Filters.format(FilterParser.parse(text)));
    }

    private static void assertRefused(String text, int offset) {
        DirectoryException e = assertThrows(text, DirectoryException.class, () -> FilterParser.parse(text));
        assertEquals(ResultCode.PROTOCOL_ERROR, e.resultCode());
        assertTrue(e.getMessage(), e.getMessage().startsWith("malformed filter at offset " + offset + ": expected "));
    }

    @Test
    @Requirement(rfc = 4515, section = "4", text = "The examples")
    public void examplesOfRfc4515() throws DirectoryException {
        for (String text : List.of("(cn=Babs Jensen)", "(!(cn=Tim Howes))", "(&(objectClass=Person)(|(sn=Jensen)(cn=Babs J*)))",
                "(o=univ*of*mich*)", "(seeAlso=)", "(cn:caseExactMatch:=Fred Flintstone)", "(cn:=Betty Rubble)",
                "(sn:dn:2.4.6.8.10:=Barney Rubble)", "(o:dn:=Ace Industry)", "(:1.2.3:=Wilma Flintstone)",
                "(:dn:2.4.6.8.10:=Dino)", "(o=Parens R Us \\28for all your parenthetical needs\\29)", "(cn=*\\2a*)",
                "(filename=C:\\5cMyFile)", "(bin=\\00\\00\\00\\04)", "(a>=1)", "(a<=1)", "(a~=1)", "(a=*)", "(&)", "(|)")) {
            assertSame(text);
        }
        assertReads("(sn=Lučić)", "(sn=Lu\\c4\\8di\\c4\\87)");
        assertReads("(1.3.6.1.4.1.1466.0=\\04\\02Hi)", "(1.3.6.1.4.1.1466.0=\\04\\02\\48\\69)");
        assertArrayEquals(new byte[] {(byte) 0xFF, 0}, ((Filter.Equality) FilterParser.parse("(a=\\fF\\00)")).value());
        assertSame("(a=\\ff\\00)");
    }

    @Test
    public void whatPeopleType() throws DirectoryException {
        assertReads("(cn=a b)", "cn=a b");
        assertReads("(&(a=1)(b=2))", " ( & ( a=1) (b=2) ) ");
        assertReads("(a=*)", "(a=**)");
        assertReads("(a= x )", "(a= x )");
        assertReads("(a=*b*)", "(a=**b*)");
        assertReads("(cn;lang-en=x)", "(cn;lang-en=x)");
        assertReads("(a=b=c)", "(a=b=c)");
    }

    @Test
    @Requirement(rfc = 4515, section = "3", text = "Substring assertions")
    public void piecesOfSubstrings() throws DirectoryException {
        Filter.Substring filter = (Filter.Substring) FilterParser.parse("(a=b*c*d)");
        assertEquals("b", new String(filter.initial(), StandardCharsets.UTF_8));
        assertEquals(1, filter.any().size());
        assertEquals("d", new String(filter.last(), StandardCharsets.UTF_8));
        filter = (Filter.Substring) FilterParser.parse("(a=*c*)");
        assertTrue(filter.initial() == null && filter.last() == null && filter.any().size() == 1);
    }

    @Test
    @Requirement(rfc = 4515, section = "3", text = "What is no filter is refused")
    public void malformed() {
        assertRefused("", 0);
        assertRefused("()", 1);
        assertRefused("(", 1);
        assertRefused("(cn)", 1);
        assertRefused("(cn=a", 5);
        assertRefused("(cn=a))", 6);
        assertRefused("(cn=a)(cn=b)", 6);
        assertRefused("(&(cn=a)", 8);
        assertRefused("(&cn=a)", 2);
        assertRefused("(!)", 2);
        assertRefused("(!(a=1)(b=2))", 7);
        assertRefused("(=a)", 1);
        assertRefused("(c n=a)", 1);
        assertRefused("(cn=(a)", 4);
        assertRefused("(cn=\\2)", 4);
        assertRefused("(cn=\\zz)", 4);
        assertRefused("(cn>=a*)", 6);
        assertRefused("(:=a)", 1);
        assertRefused("(:dn:=a)", 1);
        assertRefused("(a:dn:b:c:=a)", 1);
        assertRefused("cn=a)", 4);
    }

    @Test
    public void nesting() throws DirectoryException {
        assertNotNull(FilterParser.parse("(!".repeat(99) + "(a=1)" + ")".repeat(99)));
        assertRefused("(!".repeat(100) + "(a=1)" + ")".repeat(100), 201);
        assertRefused("(".repeat(100_000), 1);
        assertRefused("(&".repeat(100_000), 201);
    }

    /** Garbage is refused in an orderly way; what is accepted keeps its meaning when it is written and read again. */
    @Test
    public void garbage() throws DirectoryException {
        Random random = new Random(SEED);
        String alphabet = "(((()))))&|!=*:;<>~\\0a2fcn dé\0";
        int accepted = 0;
        for (int i = 0; i < 200_000; i++) {
            StringBuilder text = new StringBuilder("(");
            for (int length = random.nextInt(12); length >= 0; length--) {
                text.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            String again;
            try {
                again = Filters.format(FilterParser.parse(text.append(')').toString()));
            } catch (DirectoryException e) {
                continue;
            }
            accepted++;
            assertEquals(text.toString(), again, Filters.format(FilterParser.parse(again)));
        }
        assertTrue("only " + accepted + " accepted", accepted > 100);
    }
}
