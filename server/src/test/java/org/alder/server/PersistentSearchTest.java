package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.sdk.AsyncRequestID;
import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.AssertionRequestControl;
import com.unboundid.ldap.sdk.controls.EntryChangeNotificationControl;
import com.unboundid.ldap.sdk.controls.PersistentSearchChangeType;
import com.unboundid.ldap.sdk.controls.PersistentSearchRequestControl;
import com.unboundid.ldap.sdk.extensions.CancelExtendedRequest;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.alder.partition.testing.Await;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Persistent search (draft-ietf-ldapext-psearch-03) through an independent client. */
public class PersistentSearchTest {
    private static final String OID = "2.16.840.1.113730.3.4.3";
    private static final String USERS = "ou=users," + TestServer.SUFFIX;

    private TestServer server;
    private LDAPConnection admin;
    private LDAPConnection follower;
    private final FollowingListener told = new FollowingListener();

    @Before
    public void start() throws LDAPException {
        server = new TestServer();
        admin = server.admin();
        follower = server.admin();
    }

    @After
    public void stop() {
        follower.close();
        admin.close();
        server.close();
    }

    private AsyncRequestID follow(String base, String filter, Set<PersistentSearchChangeType> types, boolean changesOnly)
            throws LDAPException {
        SearchRequest request = new SearchRequest(told, base, SearchScope.SUB, filter, "cn", "sn", "entryUSN");
        request.setControls(new PersistentSearchRequestControl(types, changesOnly, true));
        return follower.asyncSearch(request);
    }

    private SearchResultEntry change(PersistentSearchChangeType type, String dn) throws Exception {
        SearchResultEntry entry = told.next(SearchResultEntry.class);
        EntryChangeNotificationControl change = EntryChangeNotificationControl.get(entry);
        assertNotNull(entry.toString(), change);
        assertEquals(type, change.getChangeType());
        assertEquals(dn, entry.getDN());
        assertTrue(change.getChangeNumber() > 0);
        return entry;
    }

    private void add(String name) throws LDAPException {
        admin.add("cn=" + name + "," + USERS, new Attribute("objectClass", "device"), new Attribute("cn", name));
    }

    /** Told when all that was committed before has been told. */
    private void mark(String name) throws Exception {
        add(name);
        change(PersistentSearchChangeType.ADD, "cn=" + name + "," + USERS);
    }

    @Test
    @Proves(OID)
    public void eachChangeIsTold() throws Exception {
        AsyncRequestID id = follow(USERS, "(objectClass=device)", EnumSet.allOf(PersistentSearchChangeType.class), true);
        follower.getEntry("");
        add("a");
        admin.modify("cn=a," + USERS, new Modification(ModificationType.ADD, "description", "x"));
        admin.modifyDN("cn=a," + USERS, "cn=b", true);
        admin.modify(TestServer.userDn(1), new Modification(ModificationType.REPLACE, "sn", "not a device"));
        admin.delete("cn=b," + USERS);
        SearchResultEntry added = change(PersistentSearchChangeType.ADD, "cn=a," + USERS);
        assertEquals("a", added.getAttributeValue("cn"));
        assertEquals(EntryChangeNotificationControl.get(added).getChangeNumber(),
                added.getAttributeValueAsInteger("entryUSN").intValue());
        change(PersistentSearchChangeType.MODIFY, "cn=a," + USERS);
        SearchResultEntry renamed = change(PersistentSearchChangeType.MODIFY_DN, "cn=b," + USERS);
        assertEquals("cn=a," + USERS, EntryChangeNotificationControl.get(renamed).getPreviousDN());
        assertEquals("as it was", "b", change(PersistentSearchChangeType.DELETE, "cn=b," + USERS).getAttributeValue("cn"));
        follower.abandon(id);
        told.isEmpty();
    }

    @Test
    public void firstWhatIsThereThenChangesOfTheWantedTypes() throws Exception {
        add("old");
        follow(USERS, "(objectClass=device)", EnumSet.of(PersistentSearchChangeType.ADD), false);
        SearchResultEntry old = told.next(SearchResultEntry.class);
        assertEquals("cn=old," + USERS, old.getDN());
        assertNull(EntryChangeNotificationControl.get(old));
        admin.modify(old.getDN(), new Modification(ModificationType.ADD, "description", "x"));
        admin.delete(old.getDN());
        mark("new");
        told.isEmpty();
    }

    @Test
    public void cancelAbandonAndBindEndIt() throws Exception {
        AsyncRequestID id = follow(USERS, "(cn=*)", EnumSet.allOf(PersistentSearchChangeType.class), true);
        assertEquals("other requests go on", "", follower.getEntry("").getDN());
        assertEquals(ResultCode.SUCCESS,
                follower.processExtendedOperation(new CancelExtendedRequest(id)).getResultCode());
        assertEquals(ResultCode.CANCELED, told.next(SearchResult.class).getResultCode());
        follow(USERS, "(cn=*)", EnumSet.allOf(PersistentSearchChangeType.class), true);
        follower.bind(TestServer.ADMIN, TestServer.ADMIN_PASSWORD);
        add("unseen");
        assertEquals("", follower.getEntry("").getDN());
        told.isEmpty();
    }

    @Test
    public void aConnectionHasABoundedNumber() throws Exception {
        for (int i = 0; i < 64; i++) {
            follow(USERS, "(cn=none)", EnumSet.allOf(PersistentSearchChangeType.class), true);
        }
        follow(USERS, "(cn=none)", EnumSet.allOf(PersistentSearchChangeType.class), true);
        assertEquals(ResultCode.ADMIN_LIMIT_EXCEEDED, told.next(SearchResult.class).getResultCode());
        assertEquals("", follower.getEntry("").getDN());
    }

    @Test
    public void whatMayNotBeReadIsNotTold() throws Exception {
        try (LDAPConnection user = server.user(1); LDAPConnection anonymous = server.anonymous()) {
            FollowingListener seen = new FollowingListener();
            SearchRequest request = new SearchRequest(seen, USERS, SearchScope.SUB, "(userPassword=*)", "*");
            request.setControls(new PersistentSearchRequestControl(
                    EnumSet.allOf(PersistentSearchChangeType.class), true, true));
            user.asyncSearch(request);
            SearchRequest all = new SearchRequest(seen, USERS, SearchScope.SUB, "(uid=*)", "*");
            all.setControls(request.getControls());
            user.asyncSearch(all);
            user.getEntry("");
            admin.modify(TestServer.userDn(2), new Modification(ModificationType.REPLACE, "userPassword", "changed"));
            SearchResultEntry entry = seen.next(SearchResultEntry.class);
            assertFalse(entry.hasAttribute("userPassword"));
            assertTrue(entry.hasAttribute("uid"));
            seen.isEmpty();
            SearchRequest refused = new SearchRequest(USERS, SearchScope.SUB, "(uid=*)");
            refused.setControls(request.getControls());
            LDAPException failure = assertThrows(LDAPException.class, () -> anonymous.search(refused));
            assertEquals(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, failure.getResultCode());
        }
    }

    @Test
    public void refusesWhatIsNone() {
        for (byte[] value : new byte[][] {{0x30, 0x00}, {0x30, 0x09, 0x02, 0x01, 0x10, 0x01, 0x01, 0x00, 0x01, 0x01, 0x00}}) {
            SearchRequest request = new SearchRequest(USERS, SearchScope.SUB, Filter.createPresenceFilter("cn"));
            request.setControls(new Control(OID, true, new ASN1OctetString(value)));
            LDAPException failure = assertThrows(LDAPException.class, () -> admin.search(request));
            assertEquals(ResultCode.PROTOCOL_ERROR, failure.getResultCode());
        }
        LDAPException failure = assertThrows(LDAPException.class, () -> {
            SearchRequest request = new SearchRequest("ou=none," + TestServer.SUFFIX, SearchScope.SUB, "(cn=*)");
            request.setControls(new PersistentSearchRequestControl(EnumSet.allOf(PersistentSearchChangeType.class), true, true));
            admin.search(request);
        });
        assertEquals(ResultCode.NO_SUCH_OBJECT, failure.getResultCode());
    }

    /** Who wanted changes only was followed at once, whatever he asserted (RFC 4528 4). */
    @Test
    public void whatIsAssertedHoldsForChangesOnlyToo() throws Exception {
        SearchRequest request = new SearchRequest(told, USERS, SearchScope.SUB, "(objectClass=device)");
        request.setControls(new PersistentSearchRequestControl(EnumSet.allOf(PersistentSearchChangeType.class), true, true),
                new AssertionRequestControl("(ou=nobody)"));
        follower.asyncSearch(request);
        assertEquals(ResultCode.ASSERTION_FAILED, told.next(SearchResult.class).getResultCode());
        SearchRequest held = new SearchRequest(told, USERS, SearchScope.SUB, "(objectClass=device)");
        held.setControls(request.getControls()[0], new AssertionRequestControl("(ou=users)"));
        AsyncRequestID id = follower.asyncSearch(held);
        AtomicInteger probes = new AtomicInteger();
        Await.until("the search is followed", () -> {
            add("probe." + probes.incrementAndGet());
            return !told.isQuiet();
        });
        follower.abandon(id);
    }
}
