package org.alder.server.directory.naming;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPURL;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.alder.partition.dn.Dn;
import org.alder.partition.request.SearchScope;
import org.alder.partition.testing.TestDirectory;

/** URIs of referral objects: clients are sent one for each, and where it is an LDAP URL, another library reads it. */
public final class ReferralFuzz {
    private static final ReferralUrls URLS = new ReferralUrls(TestDirectory.SCHEMA);
    private static final Dn REFERRAL = TestDirectory.dn("ou=elsewhere,dc=example,dc=com");
    private static final Dn BELOW = TestDirectory.dn("cn=a\\2cb,ou=elsewhere,dc=example,dc=com");

    private ReferralFuzz() {
    }

    public static void ref(byte[] input) {
        String ref = new String(input, StandardCharsets.UTF_8);
        for (SearchScope scope : new SearchScope[] {null, SearchScope.ONE_LEVEL}) {
            List<String> sent = URLS.of(List.of(ref), REFERRAL, BELOW, scope);
            assertEquals(1, sent.size());
            String url = sent.get(0);
            assertFalse(url, url.contains(" "));
            boolean same = ref.startsWith(url);
            if (!same) {
                assertTrue(url + " of " + ref, url.contains("cn=a%5C") || url.contains("cn=a\\"));
            }
            compare(ref, url, same);
        }
    }

    private static void compare(String ref, String url, boolean same) {
        int label = ref.indexOf(' ');
        try {
            new LDAPURL(label < 0 ? ref : ref.substring(0, label));
        } catch (LDAPException e) {
            return;
        }
        try {
            LDAPURL read = new LDAPURL(url);
            assertTrue(url, same || read.getBaseDN().toNormalizedString().startsWith("cn=a"));
        } catch (LDAPException e) {
            assertTrue("another library refuses " + url + " of " + ref + ": " + e.getMessage(), url.indexOf('?') >= 0);
        }
    }
}
