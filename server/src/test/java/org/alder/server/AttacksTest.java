package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.protocol.AbandonRequestProtocolOp;
import com.unboundid.ldap.protocol.AddRequestProtocolOp;
import com.unboundid.ldap.protocol.BindRequestProtocolOp;
import com.unboundid.ldap.protocol.ExtendedRequestProtocolOp;
import com.unboundid.ldap.protocol.LDAPMessage;
import com.unboundid.ldap.protocol.SearchRequestProtocolOp;
import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.DereferencePolicy;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.PersistentSearchChangeType;
import com.unboundid.ldap.sdk.controls.PersistentSearchRequestControl;
import com.unboundid.ldap.sdk.controls.ServerSideSortRequestControl;
import com.unboundid.ldap.sdk.controls.SimplePagedResultsControl;
import com.unboundid.ldap.sdk.controls.SortKey;
import com.unboundid.ldap.sdk.controls.VirtualListViewRequestControl;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.alder.partition.testing.Await;
import org.alder.server.cli.ServerProcess;
import org.junit.After;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/**
 * What somebody may do to a server with a heap of 256 MiB, in a process of its own: afterwards, and meanwhile where that is said, it
 * serves others, it holds nothing when the clients have gone, and it has logged no fault. {@code -Dalder.test.attacks=N} does N times
 * as much, and with N more than 1 the heap has 512 MiB. docs/limits.md has all attacks and where each is tested.
 */
public class AttacksTest {
    private static final int TIMES = Integer.getInteger("alder.test.attacks", 1);
    private static final String SUFFIX = "dc=example,dc=com";
    private static final String WHO_AM_I = "1.3.6.1.4.1.4203.1.11.3";
    private static final String ADMIN = "cn=Directory Manager";
    private static final String USER = "uid=attacker," + SUFFIX;
    private static final String START_TLS = "1.3.6.1.4.1.1466.20037";
    private static final String START_TRANSACTION = "1.3.6.1.1.21.1";
    private static final String TRANSACTION = "1.3.6.1.1.21.2";
    /** What the question how much is held may hold itself. */
    private static final int STILL_HELD_BYTES = 64 << 10;
    private static final int ADDRESSES = 4;
    private static final int GROUP_MEMBERS = 50_000;
    private static final int MEMBERS_AT_ONCE = 10_000;
    /** Of the 22 % of the heap that memory layers may take in all, 7 of them: with 200 KB each, a little more than one layer. */
    private static final int CHANGES_OF_A_LAYER = TIMES > 1 ? 85 : 43;
    private static final long HELD_LAYER_BYTES = (TIMES > 1 ? 512L << 20 : 256L << 20) / 100 * 22 / 7 * 4;
    private static final int BUSY = 51;
    private static final int ADMIN_LIMIT_EXCEEDED = 11;
    private static final int INVALID_DN_SYNTAX = 34;

    @ClassRule
    public static final TemporaryFolder FOLDER = new TemporaryFolder();

    /** What is tried twenty times as often takes longer. */
    @Rule
    public final Timeout limit = Timeout.millis((long) Await.MILLIS * TIMES);

    private static ServerProcess server;
    private static String password;

    private final List<RawClient> clients = new ArrayList<>();

    @BeforeClass
    public static void start() throws Exception {
        server = ServerProcess.start(List.of(TIMES > 1 ? "-Xmx512m" : "-Xmx256m"), FOLDER.getRoot().toPath().resolve("data"), "--sample", 3000);
        password = Files.readString(FOLDER.getRoot().toPath().resolve("data/admin.password")).strip();
        try (LDAPConnection admin = server.admin()) {
            admin.add(USER, new Attribute("objectClass", "account", "simpleSecurityObject"), new Attribute("uid", "attacker"),
                    new Attribute("userPassword", password));
        }
    }

    @AfterClass
    public static void stop() throws Exception {
        server.close();
    }

    @After
    public void serves() throws Exception {
        try {
            othersAreServed();
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
        othersAreServed();
        try (LDAPConnection admin = server.admin()) {
            Await.until("nothing is held for clients that have gone", () -> heldBytes(admin, "operationBytes") < STILL_HELD_BYTES
                    && heldBytes(admin, "unfinishedBytes") == 0);
        }
    }

    private static long heldBytes(LDAPConnection admin, String key) throws Exception {
        return admin.getEntry("cn=" + key + ",cn=memory,cn=Monitor").getAttributeValueAsLong("alderHeldBytes");
    }

    private static void othersAreServed() throws Exception {
        try (LDAPConnection admin = server.admin()) {
            assertEquals(1, admin.search(SUFFIX, SearchScope.BASE, "(objectClass=*)").getEntryCount());
            admin.modify(SUFFIX, new Modification(ModificationType.REPLACE, "description", "x"));
        }
    }

    /** One address has half of the connections at most, so they come from several. */
    private RawClient client(int receiveBufferBytes) throws IOException {
        RawClient client = new RawClient(server.port(), receiveBufferBytes, "127.0.0." + (1 + clients.size() % ADDRESSES));
        clients.add(client);
        return client;
    }

    private RawClient bound() throws Exception {
        return bind(client(4096), ADMIN);
    }

    /** Somebody who may have a third of the memory, and not all of it as administrators may. */
    private RawClient boundUser() throws Exception {
        return bind(client(4096), USER);
    }

    private static RawClient bind(RawClient client, String dn) throws Exception {
        client.send(RawClient.bytes(1000, new BindRequestProtocolOp(dn, password)));
        assertEquals(0, client.read().getBindResponseProtocolOp().getResultCode());
        return client;
    }

    private static SearchRequestProtocolOp all(String filter) throws Exception {
        return new SearchRequestProtocolOp(SUFFIX, SearchScope.SUB, DereferencePolicy.NEVER, 0, 0, false, Filter.create(filter), List.of());
    }

    /** A search of which base and filter are any bytes. */
    private static byte[] search(int id, byte[] base, byte[] filter) {
        return tlv(0x30, new byte[] {2, 1, (byte) id}, tlv(0x63, tlv(4, base), new byte[] {10, 1, 2, 10, 1, 0, 2, 1, 0, 2, 1, 0, 1, 1, 0},
                filter, tlv(0x30)));
    }

    private static byte[] tlv(int tag, byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
        out.write(tag);
        out.writeBytes(new byte[] {(byte) 0x84, (byte) (length >> 24), (byte) (length >> 16), (byte) (length >> 8), (byte) length});
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    private static byte[] repeated(byte[] unit, int bytes) {
        byte[] all = new byte[bytes / unit.length * unit.length];
        for (int at = 0; at < all.length; at += unit.length) {
            System.arraycopy(unit, 0, all, at, unit.length);
        }
        return all;
    }

    private static void isRefused(int code, RawClient client, byte[] request) throws Exception {
        client.send(request);
        LDAPMessage answer = client.read();
        assertNotNull("the connection lives", answer);
        assertEquals(answer.toString(), code, answer.getSearchResultDoneProtocolOp().getResultCode());
    }

    @Test
    public void lengthBombs() throws Exception {
        for (int i = 0; i < 50 * TIMES; i++) {
            for (int length : new int[] {Integer.MAX_VALUE, 1 << 30, 65_537}) {
                RawClient client = client(4096);
                client.send(new byte[] {0x30, (byte) 0x84, (byte) (length >> 24), (byte) (length >> 16), (byte) (length >> 8), (byte) length});
                assertNotNull("a notice", client.readToEnd());
            }
            RawClient inner = bound();
            inner.send(new byte[] {0x30, 12, 2, 1, 1, 0x63, (byte) 0x84, 0x7F, -1, -1, -1, 4, 0, 0});
            assertNotNull("a notice", inner.readToEnd());
        }
    }

    /** Each one is a request of 60,000 bytes that misses some. */
    @Test
    public void halfMessages() throws Exception {
        byte[] most = new byte[59_000];
        System.arraycopy(new byte[] {0x30, (byte) 0x82, (byte) 0xEA, 0x5C, 2, 1, 1, 0x77, (byte) 0x82, (byte) 0xEA, 0x55}, 0, most, 0, 11);
        for (int i = 0; i < 500 * TIMES; i++) {
            try {
                client(4096).send(most);
            } catch (IOException e) {
                assertTrue("only who has had too much is cut off", i > 100);
            }
        }
    }

    /** Half of them have bound, so that they need not give way. */
    @Test
    public void idleConnections() throws Exception {
        for (int i = 0; i < 500 * TIMES; i++) {
            RawClient client = client(4096);
            if (i % 2 == 0) {
                bind(client, ADMIN);
            }
        }
        othersAreServed();
        for (int i = 0; i < clients.size(); i += 2) {
            RawClient bound = clients.get(i);
            bound.send(RawClient.bytes(1, new ExtendedRequestProtocolOp(WHO_AM_I, null)));
            assertEquals(0, bound.read().getExtendedResponseProtocolOp().getResultCode());
        }
    }

    @Test
    public void connectionChurn() throws Exception {
        for (int i = 0; i < 3000 * TIMES; i++) {
            try (RawClient client = new RawClient(server.port(), 4096)) {
                client.send(i % 2 == 0 ? new byte[0] : new byte[] {0x30});
                if (i % 3 > 0) {
                    // What is closed in good order keeps its port for a minute.
                    client.cutOffAtTheEnd();
                }
            }
        }
    }

    @Test
    public void deepAndWideFilters() throws Exception {
        RawClient client = bound();
        byte[] none = new byte[0];
        for (int i = 0; i < 3 * TIMES; i++) {
            isRefused(ADMIN_LIMIT_EXCEEDED, client, search(1, none, tlv(0xA0, repeated(new byte[] {(byte) 0xA0, 0}, 15 << 20))));
            isRefused(ADMIN_LIMIT_EXCEEDED, client, search(1, none, tlv(0xA1, repeated(new byte[] {(byte) 0x87, 2, 'c', 'n'}, 900_000))));
            byte[] deep = {(byte) 0x87, 2, 'c', 'n'};
            for (int level = 0; level < 2000; level++) {
                deep = tlv(0xA2, deep);
            }
            isRefused(ADMIN_LIMIT_EXCEEDED, client, search(1, none, deep));
        }
    }

    @Test
    public void substringsOfEightMebibytes() throws Exception {
        RawClient client = bound();
        for (String letter : List.of("a", "\u00DF")) {
            byte[] piece = repeated(letter.getBytes(StandardCharsets.UTF_8), 8 << 20);
            for (int i = 0; i < 3 * TIMES; i++) {
                isRefused(ADMIN_LIMIT_EXCEEDED, client, search(1, new byte[0], tlv(0xA4, tlv(4, "cn".getBytes(StandardCharsets.US_ASCII)),
                        tlv(0x30, tlv(0x81, piece)))));
            }
        }
    }

    @Test
    public void namesOfAMillionRdns() throws Exception {
        RawClient client = bound();
        byte[] present = {(byte) 0x87, 2, 'c', 'n'};
        for (int i = 0; i < 3 * TIMES; i++) {
            isRefused(INVALID_DN_SYNTAX, client, search(1, ("ou=x" + ",ou=x".repeat(999_999)).getBytes(StandardCharsets.US_ASCII), present));
        }
    }

    @Test
    public void abandonAndCancelStorms() throws Exception {
        RawClient client = client(65_536);
        client.send(RawClient.bytes(1000, new BindRequestProtocolOp("cn=Directory Manager", password)));
        client.read();
        byte[] cancel = {0x30, 3, 2, 1, 7};
        for (int i = 1; i <= 2000 * TIMES; i++) {
            client.send(RawClient.bytes(2 * i, all("(description=nothing)")), RawClient.bytes(2 * i + 1, new AbandonRequestProtocolOp(2 * i)));
            if (i % 10 == 0) {
                client.send(RawClient.bytes(100_000_000 + i, new ExtendedRequestProtocolOp("1.3.6.1.1.8", new ASN1OctetString(cancel))));
            }
        }
    }

    @Test
    public void tlsThatIsHalfStarted() throws Exception {
        byte[] halfHello = {0x16, 3, 1, 2, 0, 1, 0, 1, (byte) 0xFC, 3, 3};
        for (int i = 0; i < 300 * TIMES; i++) {
            RawClient client = client(4096);
            client.send(RawClient.bytes(1, new ExtendedRequestProtocolOp(START_TLS, null)));
            int code = client.read().getExtendedResponseProtocolOp().getResultCode();
            assertTrue("found " + code, code == 0 || code == BUSY);
            if (code == 0) {
                client.send(halfHello);
            }
        }
    }

    /** Each asks thirty times for all entries, and reads none. */
    @Test
    public void stalledReaders() throws Exception {
        for (int i = 0; i < 30 * TIMES; i++) {
            RawClient client = boundUser();
            for (int id = 1; id <= 30; id++) {
                client.send(RawClient.bytes(id, all("(objectClass=*)")));
            }
        }
    }

    /** Each began before another layer of changes was written to the disk, and is not read. */
    @Test
    public void searchesThatKeepMemoryLayers() throws Exception {
        try (LDAPConnection admin = server.admin()) {
            for (int i = 0; i < 30 * TIMES; i++) {
                boundUser().send(RawClient.bytes(1, all("(objectClass=*)")));
                for (int change = 0; change < CHANGES_OF_A_LAYER; change++) {
                    admin.modify(SUFFIX, new Modification(ModificationType.REPLACE, "description", change + "x".repeat(200_000)));
                }
            }
            admin.modify(SUFFIX, new Modification(ModificationType.REPLACE, "description", "x"));
            Await.until("no more is held than four layers", () -> figure(admin, "alderHeldLayerBytes") < HELD_LAYER_BYTES);
            assertTrue("layers are written", figure(admin, "alderFlushes") > 20 * TIMES);
        }
    }

    private static long figure(LDAPConnection admin, String name) throws Exception {
        return admin.getEntry("cn=partition-1,cn=Monitor").getAttributeValueAsLong(name);
    }

    /** Each asks for a group of fifty thousand members as often as it may, and reads none. */
    @Test
    public void stalledReadersOfALargeGroup() throws Exception {
        String group = "cn=large," + SUFFIX;
        try (LDAPConnection admin = server.admin()) {
            for (int member = 0; member < GROUP_MEMBERS * TIMES; member += MEMBERS_AT_ONCE) {
                String[] members = new String[MEMBERS_AT_ONCE];
                int from = member;
                Arrays.setAll(members, i -> "uid=member." + (from + i) + ",ou=elsewhere,dc=example,dc=org");
                if (member == 0) {
                    admin.add(group, new Attribute("objectClass", "groupOfNames"), new Attribute("cn", "large"), new Attribute("member", members));
                } else {
                    admin.modify(group, new Modification(ModificationType.ADD, "member", members));
                }
            }
        }
        SearchRequestProtocolOp whole = new SearchRequestProtocolOp(group, SearchScope.BASE, DereferencePolicy.NEVER, 0, 0, false,
                Filter.create("(objectClass=*)"), List.of());
        for (int i = 0; i < 30 * TIMES; i++) {
            RawClient client = boundUser();
            for (int id = 1; id <= 30; id++) {
                client.send(RawClient.bytes(id, whole));
            }
        }
        othersAreServed();
    }

    /** Windows of all entries, in an order that no index has, which nobody reads. */
    @Test
    public void listViewHoards() throws Exception {
        for (int i = 0; i < 10 * TIMES; i++) {
            RawClient client = boundUser();
            for (int id = 1; id <= 30; id++) {
                client.send(RawClient.bytes(id, all("(objectClass=person)"), new ServerSideSortRequestControl(false, new SortKey("description")),
                        new VirtualListViewRequestControl(1, 0, 90_000, 0, null)));
            }
        }
    }

    @Test
    public void sortedAndPagedHoards() throws Exception {
        for (int i = 0; i < 10 * TIMES; i++) {
            RawClient client = boundUser();
            for (int id = 1; id <= 30; id++) {
                Control[] controls = {new ServerSideSortRequestControl(false, new SortKey("employeeNumber"))};
                client.send(RawClient.bytes(id, all("(objectClass=person)"), id % 2 == 0 ? controls
                        : new Control[] {controls[0], new SimplePagedResultsControl(2)}));
            }
        }
    }

    @Test
    public void transactionsLeftOpen() throws Exception {
        for (int i = 0; i < 20 * TIMES; i++) {
            RawClient client = bound();
            client.send(RawClient.bytes(1, new ExtendedRequestProtocolOp(START_TRANSACTION, null)));
            ASN1OctetString id = client.read().getExtendedResponseProtocolOp().getResponseValue();
            for (int update = 2; update < 12; update++) {
                client.send(RawClient.bytes(update, new AddRequestProtocolOp("ou=t" + i + "-" + update + "," + SUFFIX, List.of(
                        new Attribute("objectClass", "organizationalUnit"), new Attribute("ou", "t" + i + "-" + update),
                        new Attribute("description", "x".repeat(200_000)))), new Control(TRANSACTION, true, id)));
            }
        }
    }

    /** One connection has 64 of them at most. */
    @Test
    public void persistentSearchesOfOneUser() throws Exception {
        for (int i = 0; i < 4 * TIMES; i++) {
            RawClient client = boundUser();
            for (int id = 1; id <= 100; id++) {
                client.send(RawClient.bytes(id, all("(objectClass=person)"), new PersistentSearchRequestControl(
                        PersistentSearchChangeType.allChangeTypes(), true, true)));
            }
        }
        for (int i = 0; i < 20; i++) {
            othersAreServed();
        }
    }

    /** It is told of more changes than it reads. */
    @Test
    public void aFollowerThatStops() throws Exception {
        RawClient client = bound();
        client.send(RawClient.bytes(1, all("(objectClass=*)"), new PersistentSearchRequestControl(
                PersistentSearchChangeType.allChangeTypes(), true, true)));
        try (LDAPConnection admin = server.admin()) {
            for (int i = 0; i < 300 * TIMES; i++) {
                admin.modify(SUFFIX, new Modification(ModificationType.REPLACE, "description", i + "x".repeat(200_000)));
            }
        }
    }
}
