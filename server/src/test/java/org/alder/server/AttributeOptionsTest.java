package org.alder.server;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchScope;
import java.util.Base64;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.alder.partition.testing.Requirement;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Attribute options, languages and binary transfer, and under which name attributes come back. */
public class AttributeOptionsTest {
    /** Serial number 4711 of emailAddress=ca@example.com,CN=Alder CA,O=Example\, Inc. */
    private static final byte[] CERTIFICATE = Base64.getDecoder().decode(
            "MIIB1DCCAXugAwIBAgICEmcwCgYIKoZIzj0EAwIwSTEVMBMGA1UECgwMRXhhbXBsZSwgSW5jMREwDwYDVQQDDAhBbGRlciBDQTEdMBsGCSqGSIb3DQEJ"
            + "ARYOY2FAZXhhbXBsZS5jb20wHhcNMjYxMTIxMTU1MDIzWhcNMzYxMTE4MTU1MDIzWjBJMRUwEwYDVQQKDAxFeGFtcGxlLCBJbmMxETAPBgNVBAMM"
            + "CEFsZGVyIENBMR0wGwYJKoZIhvcNAQkBFg5jYUBleGFtcGxlLmNvbTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABPpAi56tBY9XRLhTQkbGaELA"
            + "9fJsKJ354s/XSQ/KX7DkwkZOTVLBatJZtHrIXjTovB3VU9L+jQNLxFCja0218kajUzBRMB0GA1UdDgQWBBQXxyl/xpWdSyaRXzPA7fLVWK4NGDAf"
            + "BgNVHSMEGDAWgBQXxyl/xpWdSyaRXzPA7fLVWK4NGDAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0cAMEQCICR3+TveOa7bSeMA/70/lP9L"
            + "RDzV0NlfdTEmQycoJAmWAiBMfY+/mRP+X+3c0mf74SR4XW0wocVZi79q6FYLjckUUQ==");
    private static final String DN = TestServer.userDn(1);

    private TestServer server;
    private LDAPConnection admin;

    @Before
    public void start() throws LDAPException {
        server = new TestServer();
        admin = server.admin();
    }

    @After
    public void stop() {
        admin.close();
        server.close();
    }

    private Set<String> names(String... requested) throws LDAPException {
        return admin.getEntry(DN, requested).getAttributes().stream().map(Attribute::getName)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private int count(String filter) throws LDAPException {
        return admin.search(TestServer.SUFFIX, SearchScope.SUB, filter, "1.1").getEntryCount();
    }

    private void refused(ResultCode code, Modification modification) {
        LDAPException e = assertThrows(LDAPException.class, () -> admin.modify(DN, modification));
        assertEquals(e.getMessage(), code, e.getResultCode());
    }

    @Test
    @Proves("1.3.6.1.4.1.4203.1.5.4")
    @Requirement(rfc = 3866, section = "2.1", text = "Language tags in searches, compares and modifications")
    public void languageTags() throws LDAPException {
        admin.modify(DN, new Modification(ModificationType.ADD, "description;lang-de-CH", "Velo"),
                new Modification(ModificationType.ADD, "description;LANG-en", "bicycle"),
                new Modification(ModificationType.ADD, "description", "2-wheeler"));
        assertEquals(Set.of("description", "description;lang-de-CH", "description;LANG-en"), names("description"));
        assertEquals(Set.of("description;LANG-DE-ch"), names("description;LANG-DE-ch"));
        assertEquals("a tag stands for itself alone", Set.of(), names("description;lang-de"));
        assertEquals(1, count("(description=velo)"));
        assertEquals(1, count("(description;lang-de-ch=velo)"));
        assertEquals(0, count("(description;lang-en=velo)"));
        assertEquals(1, count("(&(description;lang-en=*)(uid=user.1))"));
        assertTrue(admin.compare(DN, "description;lang-en", "BICYCLE").compareMatched());
        assertFalse(admin.compare(DN, "description;lang-en", "velo").compareMatched());
        admin.modify(DN, new Modification(ModificationType.DELETE, "description;lang-en", "bicycle"));
        assertEquals(Set.of("description", "description;lang-de-CH"), names("description"));
    }

    @Test
    @Proves("1.3.6.1.4.1.4203.1.5.5")
    @Requirement(rfc = 3866, section = "2.2", text = "Language ranges in searches and compares")
    public void languageRanges() throws LDAPException {
        admin.modify(DN, new Modification(ModificationType.ADD, "description;lang-de-CH", "Velo"),
                new Modification(ModificationType.ADD, "description;lang-de", "Fahrrad"),
                new Modification(ModificationType.ADD, "description;lang-den", "none"),
                new Modification(ModificationType.ADD, "description;x-a", "untagged"));
        assertEquals(Set.of("description;lang-de", "description;lang-de-CH"), names("description;lang-de-"));
        assertEquals(Set.of("description;lang-de-CH"), names("description;lang-de-ch-"));
        assertEquals(Set.of("description;lang-de", "description;lang-de-CH", "description;lang-den"), names("description;lang-"));
        assertEquals(1, count("(description;lang-de-=velo)"));
        assertEquals(1, count("(description;lang-=none)"));
        assertEquals(0, count("(description;lang-=untagged)"));
        assertEquals(0, count("(description;lang-en-=*)"));
        assertTrue(admin.compare(DN, "description;lang-de-", "velo").compareMatched());
        refused(ResultCode.UNDEFINED_ATTRIBUTE_TYPE, new Modification(ModificationType.ADD, "description;lang-de-", "x"));
    }

    @Test
    @Requirement(rfc = 4522, section = "4", text = "Certificates are stored and returned with ;binary, however they are named")
    public void certificatesAreBinary() throws LDAPException {
        admin.modify(DN, new Modification(ModificationType.ADD, "userCertificate", CERTIFICATE));
        assertEquals(Set.of("userCertificate;binary"), names("userCertificate"));
        assertEquals(Set.of("USERCERTIFICATE;binary"), names("USERCERTIFICATE;binary"));
        assertArrayEquals(CERTIFICATE, admin.getEntry(DN).getAttributeValueBytes("userCertificate;binary"));
        refused(ResultCode.ATTRIBUTE_OR_VALUE_EXISTS,
                new Modification(ModificationType.ADD, "userCertificate;binary", CERTIFICATE));
        assertEquals(1, count("(userCertificate=*)"));
        assertEquals(1, count("(userCertificate;binary=*)"));
        admin.modify(DN, new Modification(ModificationType.DELETE, "userCertificate;binary", CERTIFICATE));
        assertEquals(Set.of(), names("userCertificate"));
        admin.modify(DN, new Modification(ModificationType.ADD, "userSMIMECertificate;binary", CERTIFICATE));
        assertEquals(Set.of("userSMIMECertificate;binary"), names("userSMIMECertificate"));
        refused(ResultCode.UNDEFINED_ATTRIBUTE_TYPE, new Modification(ModificationType.ADD, "description;binary", "x"));
        assertEquals("unknown names are passed over", Set.of(), names("description;binary"));
    }

    @Test
    @Requirement(rfc = 4523, section = "2.5", text = "certificateExactMatch by serial number and issuer")
    public void certificatesAreFoundBySerialNumberAndIssuer() throws LDAPException {
        admin.modify(DN, new Modification(ModificationType.ADD, "userCertificate;binary", CERTIFICATE));
        String issuer = "EMAIL=CA@example.com,CN=alder ca,O=Example\\5c2c Inc";
        assertEquals(1, count("(userCertificate={ serialNumber 4711, issuer rdnSequence:\"" + issuer + "\" })"));
        assertEquals(1, count("(userCertificate;binary={issuer rdnSequence:\"" + issuer + "\",serialNumber '1267'H})"));
        assertEquals(1, count("(userCertificate:certificateExactMatch:=4711$" + issuer + ")"));
        assertEquals(0, count("(userCertificate={ serialNumber 4712, issuer rdnSequence:\"" + issuer + "\" })"));
        assertEquals(0, count("(userCertificate={ serialNumber 4711, issuer rdnSequence:\"cn=other\" })"));
        assertEquals(0, count("(!(userCertificate=nonsense))"));
        assertTrue(admin.compare(DN, "userCertificate;binary", "4711$" + issuer.replace("\\5c2c", "\\,")).compareMatched());
    }

    @Test
    @Requirement(rfc = 4511, section = "4.5.2", text = "Attributes come back as the client spells them, or as they are stored")
    public void namesAreReturnedAsTheyAreAskedFor() throws LDAPException {
        assertEquals(Set.of("GIVENNAME"), names("GIVENNAME"));
        assertEquals("another name is not another spelling", Set.of("sn"), names("surname"));
        assertEquals(Set.of("givenName"), names("2.5.4.42"));
        assertTrue(names("*", "GivenName").contains("GivenName"));
        admin.modify(DN, new Modification(ModificationType.REPLACE, "TITLE", "x"));
        assertTrue(names().contains("TITLE"));
        assertEquals(Set.of("title"), names("title"));
        assertEquals(Set.of("title"), names("Title".toLowerCase(Locale.ROOT)));
    }

    @Test
    @Requirement(rfc = 4517, section = "4.2.32", text = "wordMatch, keywordMatch")
    public void words() throws LDAPException {
        admin.modify(DN, new Modification(ModificationType.ADD, "description", "An old-fashioned M\u00fcller's bicycle, red"));
        for (String word : new String[] {"old-fashioned", "BICYCLE", "red", "m\u00fcller's"}) {
            assertEquals(word, 1, count("(description:wordMatch:=" + word + ")"));
            assertEquals(word, 1, count("(description:2.5.13.33:=" + word + ")"));
        }
        for (String none : new String[] {"old", "bicycle,", "red bicycle", "fashioned", "re"}) {
            assertEquals(none, 0, count("(description:wordMatch:=" + none + ")"));
        }
        assertEquals(0, count("(description:wordMatch:=an old-fashioned m\u00fcller's bicycle, red)"));
        assertEquals(1, count("(description:keywordMatch:=an old-fashioned  M\u00fcller's bicycle, red)"));
        assertEquals(TestServer.USERS, count("(cn:wordMatch:=user)"));
    }
}
