package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.AddRequest;
import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.DeleteRequest;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.ContentSyncRequestControl;
import com.unboundid.ldap.sdk.controls.ContentSyncRequestMode;
import com.unboundid.ldap.sdk.controls.ContentSyncState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.Seed;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Content synchronization (RFC 4533) from the suffix of shards: one copy of what all of them have. */
public class ShardSyncTest {
    private static final String SUFFIX = ShardedServer.SUFFIX;
    private static final String ALL = "(objectClass=*)";
    private static final int WRITERS = 4;
    private static final int WRITES = 200;

    private final Random random = new Random(Seed.of(ShardSyncTest.class));
    private ShardedServer server;
    private LDAPConnection admin;
    private SyncedCopy copy;

    @Before
    public void start() throws Exception {
        server = new ShardedServer();
        admin = server.admin();
        copy = new SyncedCopy(server.admin(), SUFFIX, ALL);
    }

    @After
    public void stop() {
        copy.close();
        admin.close();
        server.close();
    }

    /** In each shard at least one of these is. */
    private static List<Integer> users() {
        List<Integer> users = IntStream.rangeClosed(1, 9).boxed().toList();
        assertEquals(ShardedServer.SHARDS, users.stream().map(ShardedServer::userDn).map(ShardedServer::shard).distinct().count());
        return users;
    }

    private void describe(String dn, String text) throws LDAPException {
        admin.modify(dn, new Modification(ModificationType.REPLACE, "description", text));
    }

    private void isExact() throws LDAPException {
        assertEquals(copy.history(), SyncedCopy.content(admin, SUFFIX, ALL), copy.content());
    }

    private String csn() {
        return copy.cookie().replaceAll(".*,csn=", "");
    }

    private List<String> commits() {
        return new ArrayList<>(List.of(copy.cookie().replaceAll(".*,shards=(.*),csn=.*", "$1").split(";")));
    }

    private String cookieOf(List<String> commits) {
        return copy.cookie().replaceAll(",shards=.*,", ",shards=" + String.join(";", commits) + ",");
    }

    @Test
    public void pollsGetWhatChangedInEachShard() throws Exception {
        assertEquals(ShardedServer.USERS + 1, copy.poll());
        isExact();
        assertEquals("nothing changed", 0, copy.poll());
        describe(SUFFIX, "written into all shards");
        assertEquals("the suffix entry once", 1, copy.poll());
        assertNull("and not as one that is gone", copy.cookieOfDeletions());
        assertEquals(0, copy.poll());
        for (int user : users()) {
            describe(ShardedServer.userDn(user), "x");
            assertEquals(1, copy.poll());
            isExact();
        }
        for (int user : users()) {
            admin.delete(ShardedServer.userDn(user));
        }
        describe(SUFFIX, "again");
        admin.add("cn=below," + ShardedServer.userDn(10), new Attribute("objectClass", "device"));
        assertEquals("the suffix entry once", 2, copy.poll());
        isExact();
        assertEquals(ShardedServer.USERS + 2 - users().size(), copy.content().size());
    }

    @Test
    public void changesOfEachShardAreToldAsTheyAreMade() throws Exception {
        copy.follow();
        copy.awaitRefreshed();
        isExact();
        String before = csn();
        for (int user : users()) {
            String dn = ShardedServer.userDn(user);
            describe(dn, "x");
            assertEquals(ContentSyncState.MODIFY, copy.next());
            assertTrue("OpenLDAP's consumer takes no change with a lesser number: " + csn(), csn().compareTo(before) > 0);
            before = csn();
            admin.delete(dn);
            assertEquals(ContentSyncState.DELETE, copy.next());
            server.add(dn, "objectClass: inetOrgPerson", "cn: anew", "sn: anew");
            assertEquals(ContentSyncState.ADD, copy.next());
        }
        describe(SUFFIX, "x");
        assertEquals(ContentSyncState.MODIFY, copy.next());
        isExact();
        goOn();
        assertEquals("of what was told", 0, copy.poll());
    }

    /** With another connection where the copy is. */
    private void goOn() throws LDAPException {
        SyncedCopy before = copy;
        copy = before.on(server.admin());
        before.close();
    }

    @Test
    public void theSuffixTellsTheNumberThatACopyHas() throws Exception {
        copy.poll();
        assertEquals(csn(), admin.getEntry(SUFFIX, "contextCSN").getAttributeValue("contextCSN"));
        describe(ShardedServer.userDn(1), "x");
        assertNotEquals(csn(), admin.getEntry(SUFFIX, "contextCSN").getAttributeValue("contextCSN"));
    }

    @Test
    public void oneShardThatHasForgottenCostsAllEntries() throws Exception {
        for (int shard = 0; shard < ShardedServer.SHARDS; shard++) {
            copy.poll();
            admin.delete(ShardedServer.userDn(10 + shard));
            int of = shard;
            describe(IntStream.rangeClosed(20, ShardedServer.USERS).mapToObj(ShardedServer::userDn).filter(dn -> ShardedServer.shard(dn) == of)
                    .findFirst().orElseThrow(), "x");
            users().forEach(user -> server.add("uid=" + user + "." + random.nextInt() + "," + SUFFIX, "objectClass: inetOrgPerson", "cn: x", "sn: x"));
            server.forgetChanges(shard);
            assertEquals("all entries, and what is not among them is gone", SyncedCopy.content(admin, SUFFIX, ALL).size(), copy.poll());
            isExact();
            assertEquals(0, copy.poll());
        }
    }

    @Test
    public void cookiesOfSomethingElseAreOfNoUse() throws Exception {
        copy.poll();
        String own = copy.cookie();
        String first = commits().get(0);
        List<String> foreign = new ArrayList<>(List.of("x", own.replaceAll("content=[0-9a-f]+", "content=00000000"),
                own.replaceAll(",shards=.*,", ","), own.replace(",csn=", ";,csn="), own.replace(",csn=", ";" + first + ",csn="),
                own.replaceFirst("#000#", "#001#"), own.replace(";", ","), cookieOf(commits().subList(1, ShardedServer.SHARDS)),
                own.replace(";", ";;"), cookieOf(List.of()), cookieOf(Collections.nCopies(65, first)), cookieOf(Collections.nCopies(10_000, first))));
        for (String commit : List.of("20200101000000.000000Z#000000#000#000001", "20200101000000.000000Z#ffffff#000#ffffff", "zzzz", "")) {
            List<String> other = commits();
            other.set(random.nextInt(ShardedServer.SHARDS), commit);
            foreign.add(cookieOf(other));
        }
        List<String> turned = commits();
        Collections.rotate(turned, 1);
        foreign.add(cookieOf(turned));
        int all = ShardedServer.USERS + 1;
        for (String cookie : foreign) {
            LDAPException failure = assertThrows(cookie, LDAPException.class, () -> copy.poll(cookie, false));
            assertEquals(cookie, 4096, failure.getResultCode().intValue());
            assertEquals(cookie, all, copy.poll(cookie, true));
            isExact();
        }
        assertEquals("a consumer that keeps no content", 0, copy.poll(own.replaceAll("content=[0-9a-f]+,", ""), false));
        String commit = "\\d{14}\\.\\d{6}Z#[0-9a-f]{6}#000#[0-9a-f]{6}";
        assertTrue(copy.cookie(), copy.cookie().matches("rid=000,content=[0-9a-f]{8},shards=(" + commit + ";){2}" + commit + ",csn=" + commit));
    }

    @Test
    public void cookiesOfOneStoreAndOfShardsAreNotTakenForEachOther() throws Exception {
        copy.poll();
        String ofShards = copy.cookie();
        copy = copy.of(ShardedServer.userDn(1), ALL);
        assertEquals(1, copy.poll());
        assertTrue(copy.cookie(), !copy.cookie().contains("shards="));
        String mixed = copy.cookie() + ofShards.replaceAll(".*(,shards=.*),csn=.*", "$1");
        assertEquals(4096, assertThrows(LDAPException.class, () -> copy.poll(mixed, false)).getResultCode().intValue());
    }

    @Test
    public void contextsBelowAreNotSynchronizedFromAbove() {
        SearchRequest request = new SearchRequest(ShardedServer.ABOVE, SearchScope.SUB, Filter.createPresenceFilter("objectClass"));
        request.setControls(new ContentSyncRequestControl(ContentSyncRequestMode.REFRESH_ONLY));
        assertEquals(ResultCode.UNWILLING_TO_PERFORM, assertThrows(LDAPException.class, () -> admin.search(request)).getResultCode());
    }

    /** Two names in different shards. */
    private static List<String> twoPlaces() {
        String here = "uid=here," + SUFFIX;
        return List.of(here, IntStream.range(0, 100).mapToObj(i -> "uid=there" + i + "," + SUFFIX)
                .filter(dn -> ShardedServer.shard(dn) != ShardedServer.shard(here)).findFirst().orElseThrow());
    }

    private void move(String from, String to) throws LDAPException {
        String uuid = admin.getEntry(from, "entryUUID").getAttributeValue("entryUUID");
        admin.delete(from);
        AddRequest add = new AddRequest(to, new Attribute("objectClass", "inetOrgPerson"), new Attribute("cn", "x"), new Attribute("sn", "x"),
                new Attribute("entryUUID", uuid));
        add.addControl(new Control("1.3.6.1.4.1.4203.666.5.12", true));
        admin.add(add);
    }

    /** It was deleted there and added here, in which order whoever follows is told that. */
    @Test(timeout = Await.MILLIS)
    public void anEntryThatIsInAnotherShardUnderItsUuidIsNotDeleted() throws Exception {
        List<String> places = twoPlaces();
        server.add(places.get(0), "objectClass: inetOrgPerson", "cn: x", "sn: x");
        copy.poll();
        for (int i = 0; i < 6; i++) {
            move(places.get(i % 2), places.get((i + 1) % 2));
            copy.poll();
            isExact();
        }
        copy.mayBeToldAgain();
        copy.follow();
        copy.awaitRefreshed();
        for (int i = 0; i < 20; i++) {
            move(places.get(i % 2), places.get((i + 1) % 2));
        }
        awaitExact();
        goOn();
        copy.poll();
        isExact();
    }

    /** Takes what is told until the copy is exact. */
    private void awaitExact() throws Exception {
        while (!SyncedCopy.content(admin, SUFFIX, ALL).equals(copy.content())) {
            copy.takeNext();
        }
    }

    @Test(timeout = Await.MILLIS)
    public void nothingIsMissedBesideWrites() throws Exception {
        CountDownLatch halfWay = new CountDownLatch(WRITERS);
        List<CompletableFuture<Void>> writing = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            Random own = new Random(random.nextLong());
            writing.add(CompletableFuture.runAsync(() -> {
                try {
                    write(own);
                } finally {
                    halfWay.countDown();
                }
                write(own);
            }, Await.THREADS));
        }
        for (int i = 0; i < 10; i++) {
            copy.poll();
        }
        Await.latch("half of the writes", halfWay);
        while (!writing.stream().allMatch(CompletableFuture::isDone)) {
            breakOff();
        }
        copy.follow();
        copy.awaitRefreshed();
        for (CompletableFuture<Void> each : writing) {
            Await.result("the writes", each);
        }
        awaitExact();
        goOn();
        copy.poll();
        isExact();
    }

    /** Takes some of what is told, and goes on with the last cookie on another connection. */
    private void breakOff() throws Exception {
        copy.follow();
        copy.takeNext();
        for (int i = random.nextInt(40); i > 0 && !copy.isQuiet(); i--) {
            copy.takeNext();
        }
        goOn();
    }

    private void write(Random own) {
        try (LDAPConnection writer = server.admin()) {
            for (int i = 0; i < WRITES / 2; i++) {
                String dn = "uid=w" + own.nextInt(12) + "," + SUFFIX;
                try {
                    switch (own.nextInt(6)) {
                        // Of several entries, in one commit.
                        case 0 -> writer.delete(new DeleteRequest(dn, new Control[] {new Control("1.2.840.113556.1.4.805", true)}));
                        case 3, 4 -> writer.add("cn=" + own.nextInt(4) + "," + dn, new Attribute("objectClass", "device"));
                        case 1 -> writer.modify(dn, new Modification(ModificationType.REPLACE, "description", "x" + i));
                        case 2 -> writer.modify(ShardedServer.userDn(1 + own.nextInt(9)),
                                new Modification(ModificationType.REPLACE, "description", "x" + i));
                        default -> writer.add(dn, new Attribute("objectClass", "inetOrgPerson"), new Attribute("cn", "x"), new Attribute("sn", "x"));
                    }
                } catch (LDAPException e) {
                    assertTrue(e.getMessage(), e.getResultCode() == ResultCode.NO_SUCH_OBJECT || e.getResultCode() == ResultCode.ENTRY_ALREADY_EXISTS);
                }
            }
        } catch (LDAPException e) {
            throw new IllegalStateException(e);
        }
    }
}
