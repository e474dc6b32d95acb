package org.alder.server.directory.naming;

import static org.junit.Assert.assertEquals;

import java.util.List;
import org.alder.partition.dn.Dn;
import org.alder.partition.testing.TestDirectory;
import org.junit.Test;

public class ReferralUrlsTest {
    private static final Dn REFERRAL = TestDirectory.dn("ou=elsewhere,dc=example,dc=com");
    private static final Dn BELOW = TestDirectory.dn("cn=b,ou=elsewhere,dc=example,dc=com");

    private final ReferralUrls urls = new ReferralUrls(TestDirectory.SCHEMA);

    @Test
    public void theNameIsThatOfTheOtherServer() {
        assertEquals("ldap://h/cn=b,ou=%C3%A9", below("ldap://h/ou=%c3%a9?cn?one?(cn=x) a label"));
        assertEquals("ldap://h/" + BELOW.text(), below("ldap://h"));
    }

    @Test
    public void whatIsNoLdapUrlStaysAsItIs() {
        for (String uri : List.of("http://h/ou=a", "ldap://h/ou=a%+1", "ldap://h/ou=%ff", "ldap://h/a", "ldap://h?x/ou=a", "ldap://h?ou=a")) {
            assertEquals(uri, below(uri));
        }
    }

    private String below(String ref) {
        return urls.of(List.of(ref), REFERRAL, BELOW, null).get(0);
    }
}
