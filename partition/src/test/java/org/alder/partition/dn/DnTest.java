package org.alder.partition.dn;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.schema.Schema;
import org.alder.partition.testing.Requirement;
import org.junit.Test;

public class DnTest {
    private static final Schema SCHEMA = Schema.load(List.of());

    private static Dn dn(String text) throws DirectoryException {
        return Dn.parse(SCHEMA, text);
    }

    private static void assertInvalid(String text, String expectedInMessage) {
        DirectoryException e = assertThrows(text, DirectoryException.class, () -> dn(text));
        assertEquals(ResultCode.INVALID_DN_SYNTAX, e.resultCode());
        assertTrue(e.getMessage(), e.getMessage().contains(expectedInMessage));
    }

    private static String value(String text) throws DirectoryException {
        return new String(dn(text).rdn().avas().get(0).value(), StandardCharsets.UTF_8);
    }

    @Test
    public void partsAsSpelt() throws DirectoryException {
        Dn dn = dn(" CN = Ann  Lee , ou=People;O=X");
        assertEquals(" CN = Ann  Lee , ou=People;O=X", dn.text());
        assertEquals(3, dn.size());
        assertEquals("CN = Ann  Lee", dn.rdn().text());
        assertEquals("CN", dn.rdn().avas().get(0).typeText());
        assertEquals("Ann  Lee", value(dn.text()));
        assertEquals("ou=People,O=X", dn.parent().text());
        assertEquals("O=X", dn.rdn(2).text());
        assertEquals(dn("commonName=ann lee,2.5.4.11=people,oid.2.5.4.10=x"), dn);
    }

    @Test
    @Requirement(rfc = 4514, section = "2.1", text = "The empty string is the empty sequence")
    public void theEmptyNameIsTheRoot() throws DirectoryException {
        assertSame(Dn.ROOT, dn(""));
        assertSame(Dn.ROOT, dn("  "));
        assertSame(Dn.ROOT, dn("o=x").parent());
        assertThrows(IllegalStateException.class, Dn.ROOT::parent);
        assertEquals(0, Dn.ROOT.normalized().length);
    }

    @Test
    @Requirement(rfc = 4514, section = "2.4, 3", text = "Escaped and hexadecimal characters")
    public void escapes() throws DirectoryException {
        assertEquals("James \"Jim\" Smith, III", value("CN=James \\\"Jim\\\" Smith\\, III,DC=example"));
        assertEquals("Before\rAfter", value("CN=Before\\0dAfter,DC=example"));
        assertEquals("Lu\u010di\u0107", value("CN=Lu\\C4\\8Di\\C4\\87"));
        assertEquals("Lu\u010di\u0107", value("CN=Lu\u010di\u0107"));
        assertEquals(" # x ", value("cn=\\ # x\\ ,o=x"));
        assertEquals("#x", value("cn=\\#x"));
        assertEquals("a ", value("cn=a\\  ,o=x"));
        assertEquals("cn=a\\ ", dn("cn=a\\  ,o=x").rdn().text());
        assertEquals("a\\", value("cn=a\\\\ ,o=x"));
        assertEquals("cn=a\\\\", dn("cn=a\\\\ ,o=x").rdn().text());
        assertEquals("a=b", value("cn=a=b"));
        assertEquals("", value("cn=,o=x"));
    }

    @Test
    public void aLineHasNoControlCharactersAndNamesTheSame() throws DirectoryException {
        Dn dn = dn("cn=J\u00f6rg\n2,o=\u0085x");
        assertEquals("cn=J\u00f6rg\\0a2,o=\\c2\\85x", dn.line());
        assertEquals(dn, dn(dn.line()));
    }

    @Test
    @Requirement(rfc = 4514, section = "2.4", text = "#hex values; RFC 2253's quoted ones are read too")
    public void quotedAndHexValues() throws DirectoryException {
        assertEquals("a, b+c ", value("cn=\"a, b+c \",o=x"));
        assertEquals("a\"b", value("cn=\"a\\\"b\""));
        assertEquals("Hi", value("1.3.6.1.4.1.250.1.57=#04024869"));
        assertEquals(dn("cn=Hi"), dn("cn=#0C024869 "));
        assertInvalid("cn=#04034869", "3 bytes");
        assertInvalid("cn=#", "BER");
        assertInvalid("cn=#048", "hexadecimal");
        assertInvalid("cn=#0480486900", "tag or length");
        assertInvalid("cn=#0488ffffffffffffffff", "tag or length");
        assertInvalid("cn=\"a", "closing quote");
        assertInvalid("cn=\"a\"b", "offset 6");
    }

    @Test
    @Requirement(rfc = 4514, section = "2.2", text = "RDNs of several values")
    @Requirement(rfc = 4517, section = "4.2.15", text = "distinguishedNameMatch: the order in an RDN does not matter")
    public void multiValuedRdnsAreSets() throws DirectoryException {
        assertEquals(dn("cn=a+sn=b,o=x"), dn("SN=B + CN=A,o=x"));
        assertNotEquals(dn("cn=a+sn=b"), dn("cn=a"));
        assertNotEquals(dn("cn=a+sn=b"), dn("cn=a+sn=c"));
        assertEquals(2, dn("cn=a+sn=b").rdn().avas().size());
        assertInvalid("cn=a+commonName=b", "twice");
    }

    @Test
    @Requirement(rfc = 4514, section = "3", text = "What is no DN is refused")
    public void refusals() {
        assertInvalid("cn", "\"=\" expected");
        assertInvalid("nonsense", "offset 8: \"=\" expected");
        assertInvalid("no name", "offset 3: \"=\" expected");
        assertInvalid("=x", "offset 0: an attribute type expected");
        assertInvalid("cn=x,", "offset 5");
        assertInvalid("cn=x+", "offset 5");
        assertInvalid(",cn=x", "offset 0");
        assertInvalid("nonsense=x", "offset 0: unknown attribute type \"nonsense\"");
        assertInvalid("cn=a<b", "offset 4");
        assertInvalid("cn=a\\", "hexadecimal");
        assertInvalid("cn=a\\4", "hexadecimal");
        assertInvalid("cn=a\\zz", "hexadecimal");
        assertInvalid("cn=\\FF", "UTF-8");
        assertInvalid("cn=\uD800x", "surrogate");
        assertInvalid("o=x,krb5MaxLife=1x", "offset 16: the value of krb5MaxLife");
        assertInvalid("mailPreferenceOption=x,member=nope=y", "unknown attribute type");
        assertThrows(DirectoryException.class, () -> Rdn.parse(SCHEMA, "cn=a,o=x"));
        assertThrows(DirectoryException.class, () -> Rdn.parse(SCHEMA, ""));
    }

    @Test
    public void namesInNamesAreComparedAsNamesAndBounded() throws DirectoryException {
        assertEquals(dn("member=CN=A\\,O=B"), dn("member=cn=a\\, o=b"));
        assertInvalid("member=".repeat(5000) + "cn=a", "nested");
    }

    @Test
    public void treeOperations() throws DirectoryException {
        Dn base = dn("ou=People,o=X");
        Dn entry = base.child(Rdn.parse(SCHEMA, "uid=Ann"));
        assertEquals("uid=Ann,ou=People,o=X", entry.text());
        assertTrue(entry.isDescendantOrSelf(base));
        assertTrue(entry.isDescendantOrSelf(entry));
        assertTrue(entry.isDescendantOrSelf(Dn.ROOT));
        assertFalse(base.isDescendantOrSelf(entry));
        assertFalse(entry.isDescendantOrSelf(dn("ou=Groups,o=X")));
        assertEquals("uid=Ann,o=Y", entry.rebase(base, dn("o=Y")).text());
        assertThrows(IllegalArgumentException.class, () -> base.rebase(entry, Dn.ROOT));
        byte[] prefix = Arrays.copyOf(entry.normalized(), base.normalized().length);
        assertArrayEquals(base.normalized(), prefix);
    }

    @Test
    public void theNormalFormIsTheOneOnDisk() throws DirectoryException {
        assertArrayEquals("cn=\3a b".getBytes(StandardCharsets.US_ASCII), dn("CommonName= A  B ").rdn().normalized());
        assertArrayEquals("cn=\1asn=\1b".getBytes(StandardCharsets.US_ASCII), dn("sn=b+cn=a").rdn().normalized());
        assertArrayEquals("\5dc=\1c\5cn=\1a".getBytes(StandardCharsets.US_ASCII), dn("cn=a,dc=C").normalized());
        assertArrayEquals(dn("cn=a,dc=C").normalized(),
                SCHEMA.matchingRule("distinguishedNameMatch").normalize("cn=a,dc=C".getBytes(StandardCharsets.US_ASCII)));
    }

    /** Five million RDNs of 16 MiB took more than a GiB. */
    @Test
    public void aNameHasTenThousandRdnsAtMost() throws DirectoryException {
        assertEquals(10_000, Dn.parse(SCHEMA, "ou=x" + ",ou=x".repeat(9_999)).size());
        DirectoryException refusal = assertThrows(DirectoryException.class, () -> Dn.parse(SCHEMA, "ou=x" + ",ou=x".repeat(1_000_000)));
        assertEquals(ResultCode.INVALID_DN_SYNTAX, refusal.resultCode());
        assertEquals("a name of more than 10000 RDNs, the limit", refusal.getMessage());
    }
}
