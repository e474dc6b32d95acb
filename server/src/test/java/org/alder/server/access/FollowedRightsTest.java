package org.alder.server.access;

import static org.alder.server.access.HiddenEntriesTest.rules;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertThrows;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPSearchException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.ContentSyncDoneControl;
import com.unboundid.ldap.sdk.controls.ContentSyncRequestControl;
import com.unboundid.ldap.sdk.controls.ContentSyncRequestMode;
import org.alder.server.TestServer;
import org.junit.Test;

/** Copies of what a search finds, when a group makes another of who has them. */
public class FollowedRightsTest {
    private static final String GROUP = "cn=clerks," + TestServer.SUFFIX;

    private static SearchResult synchronize(LDAPConnection connection, ASN1OctetString cookie) throws LDAPException {
        SearchRequest request = new SearchRequest(TestServer.SUFFIX, SearchScope.SUB, "(objectClass=person)", "sn");
        request.addControl(new ContentSyncRequestControl(ContentSyncRequestMode.REFRESH_ONLY, cookie, false));
        return connection.search(request);
    }

    @Test
    public void aCopyIsMadeAnewWhenItsReaderHasOtherRights() throws LDAPException {
        try (TestServer server = new TestServer(settings -> settings.withAccessRules(rules(
                "grant view in \"ou=users," + TestServer.SUFFIX + "\" to group \"" + GROUP + "\"",
                "grant view in base \"" + TestServer.SUFFIX + "\" to users", "grant view to self", "grant authenticate to anyone")))) {
            server.add(GROUP, "objectClass: groupOfNames", "cn: clerks", "member: " + TestServer.userDn(1), "member: " + TestServer.userDn(2));
            try (LDAPConnection user = server.user(2); LDAPConnection admin = server.admin()) {
                SearchResult all = synchronize(user, null);
                assertEquals(TestServer.USERS, all.getEntryCount());
                ASN1OctetString cookie = ContentSyncDoneControl.get(all).getCookie();
                assertEquals("nothing new", 0, synchronize(user, cookie).getEntryCount());
                admin.modify(GROUP, new Modification(ModificationType.DELETE, "member", TestServer.userDn(2)));
                LDAPSearchException refused = assertThrows(LDAPSearchException.class, () -> synchronize(user, cookie));
                assertEquals(4096, refused.getResultCode().intValue());
                SearchResult own = synchronize(user, null);
                assertEquals(1, own.getEntryCount());
                assertNotEquals(cookie, ContentSyncDoneControl.get(own).getCookie());
            }
        }
    }
}
