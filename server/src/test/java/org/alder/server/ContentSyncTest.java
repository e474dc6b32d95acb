package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.AddRequest;
import com.unboundid.ldap.sdk.AsyncRequestID;
import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.DereferencePolicy;
import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.ContentSyncRequestControl;
import com.unboundid.ldap.sdk.controls.ContentSyncRequestMode;
import com.unboundid.ldap.sdk.controls.ContentSyncState;
import com.unboundid.ldap.sdk.extensions.CancelExtendedRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.store.JdbmStore;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.Requirement;
import org.alder.partition.testing.Seed;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Content synchronization (RFC 4533) through an independent client that keeps a copy. */
public class ContentSyncTest {
    private static final String OID = "1.3.6.1.4.1.4203.1.9.1.1";
    private static final String USERS = "ou=users," + TestServer.SUFFIX;
    private static final String DEVICES = "(objectClass=device)";

    private static final int WRITERS = 4;
    private static final int WRITES = 600;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private int opened;
    private TestServer server;
    private LDAPConnection admin;
    private SyncedCopy copy;

    @Before
    public void start() throws LDAPException {
        start(new TestServer());
    }

    private void start(TestServer started) throws LDAPException {
        server = started;
        admin = server.admin();
        copy = new SyncedCopy(server.admin(), USERS, DEVICES);
    }

    @After
    public void stop() {
        copy.close();
        admin.close();
        server.close();
    }

    private void add(String name, String parent) throws LDAPException {
        admin.add("cn=" + name + "," + parent, new Attribute("objectClass", "device"), new Attribute("cn", name));
    }

    private void isExact() throws LDAPException {
        assertEquals(copy.history(), SyncedCopy.content(admin, USERS, DEVICES), copy.content());
    }

    @Test
    @Proves(OID)
    @Requirement(rfc = 4533, section = "3.3, 3.5",
            text = "refreshOnly: a poll with a cookie gets what has changed since, deletes too")
    public void pollsGetWhatChangedSince() throws Exception {
        add("a", USERS);
        add("b", USERS);
        add("c", USERS);
        assertEquals(3, copy.poll());
        isExact();
        assertEquals("nothing changed", 0, copy.poll());
        admin.modify("cn=a," + USERS, new Modification(ModificationType.ADD, "description", "x"));
        admin.delete("cn=b," + USERS);
        admin.modifyDN("cn=c," + USERS, "cn=renamed", true);
        add("d", USERS);
        assertEquals(3, copy.poll());
        isExact();
        admin.modifyDN("cn=d," + USERS, "cn=d", true, TestServer.SUFFIX);
        assertEquals("moved out of scope", 0, copy.poll());
        isExact();
        assertEquals(2, copy.content().size());
    }

    /**
     * A name that was given up is another entry's by then. OpenLDAP notes deletions under the number that comes with them, and tells them to others by that: it
     * is greater than that of the copy, and smaller than that of what follows. A copy that was interrupted behind them goes on from where it was.
     */
    @Test
    @Requirement(rfc = 4533, section = "2.5", text = "syncIdSet comes before the entries that may have the names, with the cookie of the state before")
    public void deletionsComeFirst() throws Exception {
        add("a", USERS);
        add("b", USERS);
        copy.poll();
        String before = copy.cookie();
        admin.delete("cn=a," + USERS);
        admin.modifyDN("cn=b," + USERS, "cn=a", true);
        assertEquals(1, copy.poll());
        isExact();
        String withDeletions = copy.cookieOfDeletions();
        assertTrue(withDeletions, withDeletions.startsWith(before + ",delcsn="));
        assertTrue("entries come behind them", copy.tellsDeletionsFirst());
        String number = withDeletions.substring(withDeletions.indexOf("delcsn=") + "delcsn=".length());
        String known = before.substring(before.indexOf("csn=") + "csn=".length());
        String newest = copy.cookie().substring(copy.cookie().indexOf("csn=") + "csn=".length());
        assertTrue(known + " " + number, known.compareTo(number) < 0);
        assertTrue(number + " " + newest, number.substring(0, 18).compareTo(newest.substring(0, 18)) <= 0);
        assertEquals("by that cookie all of it comes again", 1, copy.poll(withDeletions, false));
        isExact();
        assertEquals("and by that number", 1, copy.poll(before.replace(known, number), false));
        isExact();
    }

    /** An OpenLDAP consumer asks for all attributes, and stops at the first whose type it does not know. */
    @Test
    public void copiesGetWhatIsStoredAndWhatTheyName() throws Exception {
        add("a", USERS);
        SearchResultEntry all = synchronizedEntry("*", "+");
        assertNotNull(all.getAttribute("entryUUID"));
        assertNotNull(all.getAttribute("modifyTimestamp"));
        for (String virtual : List.of("entryUSN", "numSubordinates", "hasSubordinates", "entryDN", "subschemaSubentry")) {
            assertNull(virtual, all.getAttribute(virtual));
            assertNotNull(virtual, synchronizedEntry("*", "+", virtual).getAttribute(virtual));
        }
    }

    private SearchResultEntry synchronizedEntry(String... attributes) throws LDAPException {
        SearchRequest request = new SearchRequest(USERS, SearchScope.SUB, DEVICES, attributes);
        request.addControl(new ContentSyncRequestControl(ContentSyncRequestMode.REFRESH_ONLY));
        request.setIntermediateResponseListener(response -> { });
        return admin.search(request).getSearchEntries().get(0);
    }

    @Test
    public void movedSuperiorsTakeTheirSubordinatesAlong() throws Exception {
        admin.add(new Entry("ou=inner," + USERS, new Attribute("objectClass", "organizationalUnit"),
                new Attribute("ou", "inner")));
        add("a", "ou=inner," + USERS);
        add("b", "ou=inner," + USERS);
        copy.poll();
        isExact();
        admin.modifyDN("ou=inner," + USERS, "ou=other", true);
        copy.poll();
        isExact();
        admin.modifyDN("ou=other," + USERS, "ou=other", true, TestServer.SUFFIX);
        copy.poll();
        isExact();
        assertEquals(0, copy.content().size());
        admin.modifyDN("ou=other," + TestServer.SUFFIX, "ou=back", true, USERS);
        copy.poll();
        isExact();
        assertEquals(2, copy.content().size());
    }

    @Test
    @Requirement(rfc = 4533, section = "3.4", text = "refreshAndPersist")
    public void changesAreToldAsTheyAreMade() throws Exception {
        add("a", USERS);
        AsyncRequestID id = copy.follow();
        copy.awaitRefreshed();
        isExact();
        add("b", USERS);
        assertEquals(ContentSyncState.ADD, copy.next());
        admin.modify("cn=a," + USERS, new Modification(ModificationType.ADD, "description", "x"));
        assertEquals(ContentSyncState.MODIFY, copy.next());
        admin.modifyDN("cn=a," + USERS, "cn=z", true);
        assertEquals(ContentSyncState.MODIFY, copy.next());
        isExact();
        admin.modifyDN("cn=z," + USERS, "cn=z", true, TestServer.SUFFIX);
        assertEquals("out of scope", ContentSyncState.DELETE, copy.next());
        admin.modifyDN("cn=z," + TestServer.SUFFIX, "cn=z", true, USERS);
        assertEquals("into scope", ContentSyncState.ADD, copy.next());
        admin.delete("cn=b," + USERS);
        assertEquals(ContentSyncState.DELETE, copy.next());
        isExact();
        assertEquals(ResultCode.SUCCESS,
                copy.connection().processExtendedOperation(new CancelExtendedRequest(id)).getResultCode());
        assertEquals(ResultCode.CANCELED, copy.awaitResult().getResultCode());
        add("later", USERS);
        assertEquals("goes on from the last cookie", 1, copy.poll());
        isExact();
    }

    @Test
    @Requirement(rfc = 4533, section = "3.4.1", text = "Entries that leave the content are told as deletes")
    public void aFilterThatIsNoLongerTrueIsADelete() throws Exception {
        copy = copy.of(USERS, "(sn=here)");
        copy.follow();
        copy.awaitRefreshed();
        admin.modify(TestServer.userDn(1), new Modification(ModificationType.REPLACE, "sn", "here"));
        assertEquals(ContentSyncState.ADD, copy.next());
        admin.modify(TestServer.userDn(1), new Modification(ModificationType.REPLACE, "sn", "gone"));
        assertEquals(ContentSyncState.DELETE, copy.next());
        assertEquals(0, copy.content().size());
    }

    @Test
    public void aFollowedSubtreeMovesWhole() throws Exception {
        admin.add(new Entry("ou=inner," + TestServer.SUFFIX, new Attribute("objectClass", "organizationalUnit"),
                new Attribute("ou", "inner")));
        add("a", "ou=inner," + TestServer.SUFFIX);
        add("b", "ou=inner," + TestServer.SUFFIX);
        copy.follow();
        copy.awaitRefreshed();
        assertEquals(0, copy.content().size());
        admin.modifyDN("ou=inner," + TestServer.SUFFIX, "ou=inner", true, USERS);
        assertEquals(ContentSyncState.ADD, copy.next());
        assertEquals(ContentSyncState.ADD, copy.next());
        isExact();
        admin.modifyDN("ou=inner," + USERS, "ou=inner", true, TestServer.SUFFIX);
        assertEquals(ContentSyncState.DELETE, copy.next());
        assertEquals(ContentSyncState.DELETE, copy.next());
        assertEquals(0, copy.content().size());
    }

    @Test
    @Requirement(rfc = 4533, section = "3.3.2, 3.6", text = "Cookies that are too old get all entries, or e-syncRefreshRequired")
    public void forgottenChangesCostAllEntries() throws Exception {
        add("a", USERS);
        add("b", USERS);
        copy.poll();
        admin.delete("cn=b," + USERS);
        add("c", USERS);
        server.forgetChanges();
        assertEquals("all entries, and what is not among them is gone", 2, copy.poll());
        isExact();
    }

    @Test
    @Requirement(rfc = 4533, section = "2.2, 3.6", text = "Cookies of other searches")
    public void cookiesOfSomethingElseAreOfNoUse() throws Exception {
        add("a", USERS);
        copy.poll();
        String own = copy.cookie();
        for (String cookie : new String[] {own.replaceAll("content=[0-9a-f]+", "content=00000000"), "x",
            "rid=001,csn=20200101000000.000000Z#000000#000#000001", "rid=001,csn=20200101000000.000000Z#000000#001#000000"}) {
            LDAPException failure = assertThrows(cookie, LDAPException.class, () -> copy.poll(cookie, false));
            assertEquals(4096, failure.getResultCode().intValue());
            assertEquals(cookie, 1, copy.poll(cookie, true));
        }
        assertEquals("a consumer that keeps the number only", 0, copy.poll(own.replaceAll("content=[0-9a-f]+,", ""), false));
        assertEquals("no state yet", 1, copy.poll("rid=123", false));
        assertTrue(copy.cookie(), copy.cookie().matches(
                "rid=123,content=[0-9a-f]{8},csn=\\d{14}\\.\\d{6}Z#[0-9a-f]{6}#000#[0-9a-f]{6}"));
    }

    /** It was told as deleted after it was told as it is now. */
    @Test
    public void whatIsAddedAnewUnderItsUuidIsNotDeleted() throws Exception {
        add("a", USERS);
        copy.poll();
        String uuid = admin.getEntry("cn=a," + USERS, "entryUUID").getAttributeValue("entryUUID");
        admin.delete("cn=a," + USERS);
        AddRequest anew = new AddRequest("cn=b," + USERS, new Attribute("objectClass", "device"), new Attribute("entryUUID", uuid));
        anew.addControl(new Control("1.3.6.1.4.1.4203.666.5.12", true));
        admin.add(anew);
        assertEquals(1, copy.poll());
        isExact();
        assertEquals(1, copy.content().size());
    }

    /** Copies that are made and followed while another writes end as what is there, whenever they began. */
    @Test
    public void nothingIsMissedBesideWrites() throws Exception {
        isExactBesideWriters(1);
    }

    /** The same where the store writes what several clients change as one group, and reads what was changed in its logs. */
    @Test
    public void nothingIsMissedBesideGroupsOfWrites() throws Exception {
        stop();
        start(new TestServer(settings -> settings, indexer -> JdbmStore.open(folder.getRoot().toPath().resolve("store" + opened++),
                StoreSettings.defaults(), indexer), true));
        isExactBesideWriters(WRITERS);
    }

    private void isExactBesideWriters(int writers) throws Exception {
        long seed = Seed.of(ContentSyncTest.class);
        admin.add(new Entry("ou=away," + TestServer.SUFFIX, new Attribute("objectClass", "organizationalUnit"),
                new Attribute("ou", "away")));
        CountDownLatch halfWay = new CountDownLatch(writers);
        List<CompletableFuture<Void>> writing = new ArrayList<>();
        for (int i = 0; i < writers; i++) {
            Random random = new Random(seed + i);
            writing.add(CompletableFuture.runAsync(() -> write(random, halfWay), each -> new Thread(each).start()));
        }
        List<SyncedCopy> others = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            copy.poll();
            SyncedCopy other = new SyncedCopy(server.admin(), USERS, DEVICES);
            other.follow();
            assertNull("one that begins meanwhile, with all that is there", other.awaitRefreshedOrEnd());
            others.add(other);
        }
        Await.latch("half of the writes", halfWay);
        copy.follow();
        copy.awaitRefreshed();
        for (CompletableFuture<Void> each : writing) {
            Await.result("the writes", each);
        }
        add("end", USERS);
        copy.awaitEntry("cn=end," + USERS);
        isExact();
        copy.close();
        for (SyncedCopy other : others) {
            assertNull(other.awaitEntryOrEnd("cn=end," + USERS, entry -> { }));
            copy = other;
            isExact();
            other.close();
        }
        copy = new SyncedCopy(server.admin(), USERS, DEVICES);
        copy.poll();
        isExact();
    }

    private void write(Random random, CountDownLatch halfWay) {
        try {
            writeHalf(random);
        } finally {
            halfWay.countDown();
        }
        writeHalf(random);
    }

    private void writeHalf(Random random) {
        try (LDAPConnection writer = server.admin()) {
            for (int i = 0; i < WRITES / 2; i++) {
                String here = "cn=" + random.nextInt(12) + ","
                        + (random.nextInt(4) == 0 ? "ou=away," + TestServer.SUFFIX : USERS);
                switch (random.nextInt(4)) {
                    case 0 -> tried(() -> writer.delete(here));
                    case 1 -> tried(() -> writer.modify(here, new Modification(ModificationType.REPLACE, "description", "x")));
                    case 2 -> tried(() -> writer.modifyDN(here, "cn=" + random.nextInt(12), true,
                            random.nextBoolean() ? USERS : "ou=away," + TestServer.SUFFIX));
                    default -> tried(() -> writer.add(here, new Attribute("objectClass", "device")));
                }
            }
        } catch (LDAPException e) {
            throw new IllegalStateException(e);
        }
    }

    private interface Update {
        void run() throws LDAPException;
    }

    /** The entry may not be there, or be there already. */
    private static void tried(Update update) {
        try {
            update.run();
        } catch (LDAPException e) {
            assertTrue(e.getMessage(), e.getResultCode() == ResultCode.NO_SUCH_OBJECT
                    || e.getResultCode() == ResultCode.ENTRY_ALREADY_EXISTS);
        }
    }

    @Test
    public void theEndOfTheBaseEndsIt() throws Exception {
        admin.add(new Entry("ou=inner," + TestServer.SUFFIX, new Attribute("objectClass", "organizationalUnit"),
                new Attribute("ou", "inner")));
        copy = copy.of("ou=inner," + TestServer.SUFFIX, "(objectClass=*)");
        copy.follow();
        copy.awaitRefreshed();
        admin.delete("ou=inner," + TestServer.SUFFIX);
        assertEquals(ResultCode.NO_SUCH_OBJECT, copy.awaitResult().getResultCode());
    }

    @Test
    @Requirement(rfc = 4533, section = "3", text = "Searching through aliases is refused")
    public void refusesWhatItCannotDo() {
        SearchRequest request = new SearchRequest(USERS, SearchScope.SUB, Filter.createPresenceFilter("cn"));
        request.setDerefPolicy(DereferencePolicy.ALWAYS);
        request.setControls(new ContentSyncRequestControl(ContentSyncRequestMode.REFRESH_ONLY));
        assertEquals(ResultCode.PROTOCOL_ERROR, assertThrows(LDAPException.class, () -> admin.search(request)).getResultCode());
        request.setDerefPolicy(DereferencePolicy.NEVER);
        request.setBaseDN("");
        assertEquals(ResultCode.UNWILLING_TO_PERFORM,
                assertThrows(LDAPException.class, () -> admin.search(request)).getResultCode());
    }
}
