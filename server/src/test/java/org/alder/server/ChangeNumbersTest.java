package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** entryCSN, contextCSN, entryUSN and lastUSN, as monitoring scripts, syncrepl consumers and SSSD read them. */
public class ChangeNumbersTest {
    private static final String FORM = "\\d{14}\\.\\d{6}Z#[0-9a-f]{6}#000#[0-9a-f]{6}";
    private static final String USER = TestServer.userDn(1);

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

    private String entryCsn(String dn) throws LDAPException {
        return admin.getEntry(dn, "entryCSN").getAttributeValue("entryCSN");
    }

    private String contextCsn() throws LDAPException {
        return admin.getEntry(TestServer.SUFFIX, "contextCSN").getAttributeValue("contextCSN");
    }

    private long lastUsn() throws LDAPException {
        return admin.getEntry("", "lastUSN").getAttributeValueAsLong("lastUSN");
    }

    @Test
    public void theChangedEntryHasTheContextsNumber() throws LDAPException {
        assertTrue(contextCsn(), contextCsn().matches(FORM));
        String before = contextCsn();
        admin.add("uid=new,ou=users," + TestServer.SUFFIX, new Attribute("objectClass", "inetOrgPerson"),
                new Attribute("cn", "x"), new Attribute("sn", "x"));
        assertTrue(before.compareTo(contextCsn()) < 0);
        assertEquals(contextCsn(), entryCsn("uid=new,ou=users," + TestServer.SUFFIX));
        String added = contextCsn();
        admin.modify(USER, new Modification(ModificationType.REPLACE, "sn", "other"));
        assertTrue(added.compareTo(contextCsn()) < 0);
        assertEquals(contextCsn(), entryCsn(USER));
        admin.modifyDN(USER, "uid=renamed", true);
        assertEquals(contextCsn(), entryCsn("uid=renamed,ou=users," + TestServer.SUFFIX));
        String renamed = contextCsn();
        admin.delete("uid=new,ou=users," + TestServer.SUFFIX);
        assertTrue("a delete is a change too", renamed.compareTo(contextCsn()) < 0);
        assertEquals(renamed, entryCsn("uid=renamed,ou=users," + TestServer.SUFFIX));
        assertNull("of the suffix entry only", admin.getEntry("ou=users," + TestServer.SUFFIX, "contextCSN")
                .getAttributeValue("contextCSN"));
    }

    @Test
    public void numbersAreSearchedByOrder() throws LDAPException {
        String before = contextCsn();
        admin.modify(USER, new Modification(ModificationType.REPLACE, "sn", "other"));
        SearchResult changed = admin.search(TestServer.SUFFIX, SearchScope.SUB,
                "(&(entryCSN>=" + before + ")(!(entryCSN=" + before + ")))", "1.1");
        assertEquals(1, changed.getEntryCount());
        assertEquals(USER, changed.getSearchEntries().get(0).getDN());
        assertEquals(1, admin.search(TestServer.SUFFIX, SearchScope.SUB, "(contextCSN=" + contextCsn() + ")", "1.1")
                .getEntryCount());
        assertEquals("not a number", 0, admin.search(TestServer.SUFFIX, SearchScope.SUB, "(entryCSN>=20261121)", "1.1")
                .getEntryCount());
    }

    @Test
    public void sssdFindsWhatChangedSince() throws LDAPException {
        long last = lastUsn();
        assertEquals(0, admin.search(TestServer.SUFFIX, SearchScope.SUB,
                "(&(objectClass=person)(entryUSN>=" + (last + 1) + "))", "entryUSN").getEntryCount());
        admin.modify(USER, new Modification(ModificationType.REPLACE, "sn", "other"));
        SearchResult changed = admin.search(TestServer.SUFFIX, SearchScope.SUB,
                "(&(objectClass=person)(entryUSN>=" + (last + 1) + ")(!(entryUSN=" + last + ")))", "entryUSN");
        assertEquals(1, changed.getEntryCount());
        SearchResultEntry entry = changed.getSearchEntries().get(0);
        assertEquals(lastUsn(), entry.getAttributeValueAsLong("entryUSN").longValue());
        assertTrue(last < lastUsn());
    }

    @Test
    public void clientsCannotGiveThem() throws LDAPException {
        Entry entry = new Entry("cn=x," + TestServer.SUFFIX, new Attribute("objectClass", "device"), new Attribute("cn", "x"),
                new Attribute("entryCSN", "20261121142243.000000Z#000000#000#000000"));
        LDAPException failure = assertThrows(LDAPException.class, () -> admin.add(entry));
        assertEquals(ResultCode.CONSTRAINT_VIOLATION, failure.getResultCode());
        assertFalse(admin.getEntry("", "lastUSN").hasAttribute("contextCSN"));
    }
}
