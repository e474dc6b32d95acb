package org.alder.partition.bookkeeper;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.Closeable;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import org.alder.partition.bookkeeper.level.ThisBuild;
import org.alder.partition.bookkeeper.log.BookieTls;
import org.alder.partition.bookkeeper.bookie.EmbeddedBookie;
import org.alder.partition.bookkeeper.log.ClusterSettings;
import org.alder.partition.bookkeeper.log.LogCluster;
import org.alder.partition.bookkeeper.member.ClusterFile.Node;
import org.alder.partition.bookkeeper.member.ClusterKeys;
import org.alder.partition.bookkeeper.member.MemberKeys;
import org.alder.partition.bookkeeper.member.MemberSockets;
import org.alder.partition.bookkeeper.socket.Sockets;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.bookkeeper.zookeeper.EmbeddedZooKeeper;
import org.alder.partition.bookkeeper.zookeeper.ZooKeeperTls;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.disk.AtomicFile;
import org.alder.partition.testing.Await;
import org.alder.partition.x509.CertifiedKey;
import org.apache.bookkeeper.client.DefaultEnsemblePlacementPolicy;
import org.apache.bookkeeper.client.api.BKException;
import org.apache.bookkeeper.client.api.BookKeeper;
import org.apache.bookkeeper.client.api.DigestType;
import org.apache.bookkeeper.client.api.WriteHandle;
import org.apache.bookkeeper.conf.ClientConfiguration;
import org.apache.bookkeeper.proto.OperationType;
import org.apache.bookkeeper.proto.ProtocolVersion;
import org.apache.bookkeeper.proto.Request;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Three ZooKeepers and three bookies with TLS, and whoever comes without a certificate of theirs. */
public class ClusterTlsTest {
    private static final String HOST = TestCluster.HOST;
    private static final int MEMBERS = 3;
    private static final int TICK_MILLIS = 500;
    private static final int ANSWER_MILLIS = 20_000;
    /** RFC 8446 6: it comes in clear where no TLS was spoken. */
    private static final int ALERT = 21;
    private static final int ALERT_BYTES = 7;
    /** What a client of ZooKeeper says first: it wants a session of 10 s. */
    private static final byte[] NEW_SESSION = ByteBuffer.allocate(49).putInt(45).putInt(0).putLong(0).putInt(10_000).putLong(0).putInt(16).array();
    /** What a server of ZooKeeper says first where servers elect: version 1, its number, its address. It would be listened to. */
    private static final byte[] VOTER_3 = ByteBuffer.allocate(31).putLong(-65_536).putLong(3).putInt(11)
            .put("127.0.0.1:9".getBytes(StandardCharsets.US_ASCII)).array();

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final List<Closeable> open = new ArrayList<>();
    private Path root;
    private MemberKeys keys;
    private CertifiedKey authority;

    @Before
    public void makeKeys() throws IOException {
        root = folder.getRoot().toPath();
        authority = authorityOf(root.resolve("keys"));
        keys = MemberKeys.read(root.resolve("keys").resolve("m"));
    }

    private static CertifiedKey authorityOf(Path at) throws IOException {
        ClusterKeys.make(List.of(new Node("m", "ldap://127.0.0.1", HOST, List.of(), 0, 0, 0)), at);
        return MemberKeys.certifiedKey(at, Files.readString(at.resolve("ca.key")), Files.readString(at.resolve("ca.crt")));
    }

    @After
    public void close() throws IOException {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
        assertFalse(ZooKeeperTls.isOn());
        assertNull(System.getProperty("zookeeper.client.secure"));
    }

    /** Started together, as each waits for the others. */
    private List<EmbeddedZooKeeper.Server> startZooKeepers() throws Exception {
        open.add(ZooKeeperTls.use(keys));
        IOException failure = null;
        for (int tries = 0; tries < 5; tries++) {
            List<EmbeddedZooKeeper.Server> servers = new ArrayList<>();
            for (int i = 0; i < MEMBERS; i++) {
                servers.add(new EmbeddedZooKeeper.Server(HOST, TestCluster.freePort(), TestCluster.freePort(), TestCluster.freePort()));
            }
            try {
                startZooKeepers(servers, root.resolve("zookeeper-" + tries));
                return servers;
            } catch (ExecutionException e) {
                failure = new IOException(e);
            }
        }
        throw failure;
    }

    private void startZooKeepers(List<EmbeddedZooKeeper.Server> servers, Path at) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(MEMBERS);
        try {
            List<Future<EmbeddedZooKeeper>> starting = new ArrayList<>();
            for (int i = 1; i <= MEMBERS; i++) {
                int number = i;
                starting.add(threads.submit(() -> EmbeddedZooKeeper.start(at.resolve("" + number), number, servers, TICK_MILLIS, true)));
            }
            for (Future<EmbeddedZooKeeper> each : starting) {
                open.add(each.get());
            }
        } finally {
            threads.shutdown();
        }
    }

    private static String addresses(List<EmbeddedZooKeeper.Server> servers) {
        return String.join(",", servers.stream().map(each -> HOST + ":" + each.clientPort()).toList());
    }

    private int startBookie(int number, String zooKeeper, MemberKeys shown) throws IOException {
        int[] taken = new int[1];
        open.add(TestCluster.onFreePort(port -> {
            taken[0] = port;
            return EmbeddedBookie.start(new EmbeddedBookie.Place(root.resolve("bookie-" + number + "-" + port), "bookie-" + number + "-" + port, HOST,
                    port, 0.999, false), zooKeeper, TestCluster.SESSION_MILLIS, shown);
        }));
        return taken[0];
    }

    private void append(String zooKeeper, MemberKeys with) throws Exception {
        append(zooKeeper, with, keys.ledgerPassword());
    }

    /** @return the ledger */
    private long append(String zooKeeper, MemberKeys with, byte[] password) throws Exception {
        ClientConfiguration configuration = new ClientConfiguration();
        configuration.setMetadataServiceUri(LogCluster.metadataUri(zooKeeper));
        configuration.setEnsemblePlacementPolicy(DefaultEnsemblePlacementPolicy.class);
        configuration.setAddEntryTimeout(ANSWER_MILLIS / 1000);
        BookieTls.configure(configuration, with);
        try (BookKeeper client = BookKeeper.newBuilder(configuration).build();
                WriteHandle ledger = client.newCreateLedgerOp().withEnsembleSize(MEMBERS).withWriteQuorumSize(MEMBERS)
                        .withAckQuorumSize(LogCluster.ACKNOWLEDGED_COPIES).withDigestType(DigestType.CRC32C).withPassword(password).execute().get()) {
            ledger.append(new byte[] {1, 2, 3});
            return ledger.getId();
        }
    }

    @Test
    public void membersWithKeysOfOneAuthorityShareALogAndNobodyElseIsLetIn() throws Exception {
        List<EmbeddedZooKeeper.Server> servers = startZooKeepers();
        List<Integer> bookies = new ArrayList<>();
        for (int i = 0; i < MEMBERS; i++) {
            bookies.add(startBookie(i, addresses(servers), keys));
        }
        append(addresses(servers), keys);
        for (EmbeddedZooKeeper.Server server : servers) {
            assertStrangersAreRefused(server.clientPort(), false);
            assertStrangersAreRefused(server.electionPort(), false);
            assertArrayEquals(new byte[0], answer(server.clientPort(), NEW_SESSION));
        }
        assertArrayEquals(new byte[0], answer(servers.get(0).electionPort(), VOTER_3));
        for (int bookie : bookies) {
            assertStrangersAreRefused(bookie, true);
        }
        assertThrows(BKException.class, () -> append(addresses(servers), null));
        append(addresses(servers), keys);
    }

    /** The port on which it listens for those who follow. */
    @Test
    public void theServerThatLeadsTakesNoFollowerWithoutACertificate() throws Exception {
        List<EmbeddedZooKeeper.Server> servers = startZooKeepers();
        int leads = Await.value("one leads", () -> leading(servers), port -> port > 0);
        assertStrangersAreRefused(leads, false);
    }

    private static int leading(List<EmbeddedZooKeeper.Server> servers) throws IOException {
        for (EmbeddedZooKeeper.Server server : servers) {
            try (Socket probe = new Socket(HOST, server.peerPort())) {
                return server.peerPort();
            } catch (ConnectException e) {
                // It follows, or nobody leads yet.
            }
        }
        return 0;
    }

    @Test
    public void aClientTalksToNoBookieThatShowsTheCertificateOfAnotherHost() throws Exception {
        String zooKeeper = addresses(startZooKeepers());
        MemberKeys elsewhere = MemberKeys.read(keysFor("192.0.2.7", root.resolve("elsewhere")));
        assertThrows(StoreException.class, () -> elsewhere.checkHost(HOST));
        for (int i = 0; i < MEMBERS; i++) {
            startBookie(i, zooKeeper, elsewhere);
        }
        assertThrows(BKException.class, () -> append(zooKeeper, keys));
    }

    @Test
    public void ledgersOfTheTimeWithoutTlsAreReadOn() throws Exception {
        String zooKeeper = addresses(startZooKeepers());
        for (int i = 0; i < MEMBERS; i++) {
            startBookie(i, zooKeeper, keys);
        }
        long before = append(zooKeeper, keys, ClusterSettings.OPEN_PASSWORD.getBytes(StandardCharsets.US_ASCII));
        long other = append(zooKeeper, keys, "another".getBytes(StandardCharsets.US_ASCII));
        try (LogCluster cluster = LogCluster.connect(ClusterSettings.of(zooKeeper, keys, ThisBuild.BUILD))) {
            assertEquals(0, cluster.open(before, true, Deadline.in(Await.MILLIS)).getLastAddConfirmed());
            BKException e = assertThrows(BKException.class, () -> cluster.open(other, true, Deadline.in(Await.MILLIS)));
            assertEquals(BKException.Code.UnauthorizedAccessException, e.getCode());
        }
    }

    /** By which members copy from each other. */
    @Test
    public void socketsBetweenMembersTakeAndShowCertificates() throws Exception {
        Sockets sockets = MemberSockets.of(keys);
        assertSame(Sockets.PLAIN, MemberSockets.of(null));
        ExecutorService server = Executors.newSingleThreadExecutor();
        try (ServerSocket listening = sockets.listening(0, 10, InetAddress.getByName(HOST))) {
            server.submit(() -> {
                while (true) {
                    try (Socket socket = listening.accept()) {
                        socket.getOutputStream().write(socket.getInputStream().read());
                    } catch (SSLException | SocketException e) {
                        if (listening.isClosed()) {
                            return null;
                        }
                    }
                }
            });
            try (Socket socket = sockets.connecting()) {
                socket.connect(new InetSocketAddress(HOST, listening.getLocalPort()));
                socket.getOutputStream().write(7);
                assertEquals(7, socket.getInputStream().read());
            }
            assertStrangersAreRefused(listening.getLocalPort(), false);
            assertArrayEquals(new byte[0], answer(listening.getLocalPort(), NEW_SESSION));
            try (Socket socket = sockets.connecting()) {
                socket.connect(new InetSocketAddress(InetAddress.getByAddress("elsewhere.example", new byte[] {127, 0, 0, 1}), listening.getLocalPort()));
                assertThrows(SSLException.class, () -> socket.getOutputStream().write(7));
            }
        } finally {
            server.shutdownNow();
        }
    }

    @Test
    public void aProcessHasTheKeysOfASingleFolder() throws Exception {
        try (Closeable one = ZooKeeperTls.use(keys); Closeable same = ZooKeeperTls.use(keys)) {
            MemberKeys other = MemberKeys.read(keysFor(HOST, root.resolve("other")));
            StoreException e = assertThrows(StoreException.class, () -> ZooKeeperTls.use(other));
            assertTrue(e.getMessage(), e.getMessage().contains(other.folder().toString()));
        }
    }

    /** One takes the place of the other, member by member: first all take both, then they show the new one, then they take that alone. */
    @Test
    public void anotherAuthorityTakesThePlaceOfOneWhileMembersRun() throws Exception {
        MemberKeys old = keys;
        CertifiedKey next = authorityOf(root.resolve("next"));
        CertifiedKey fresh = next.issue("m", List.of(HOST), Instant.now().minusSeconds(60), 2);
        String both = authority.certificatePem() + next.certificatePem();
        keys = rekeyed("first-round", both, old.certificate(), old.key());
        MemberKeys second = rekeyed("second-round", both, fresh.certificate(), fresh.key());
        MemberKeys third = rekeyed("third-round", next.certificatePem(), fresh.certificate(), fresh.key());
        List<EmbeddedZooKeeper.Server> servers = startZooKeepers();
        startBookie(0, addresses(servers), keys);
        startBookie(1, addresses(servers), second);
        startBookie(2, addresses(servers), second);
        append(addresses(servers), keys);
        append(addresses(servers), second);
        assertRefused("of the authority that is to go, by who takes it no more", old.key(), old.certificate(), startBookie(3, addresses(servers), third), true);
        for (EmbeddedZooKeeper.Server server : servers) {
            assertTaken(fresh, server.clientPort());
            assertStrangersAreRefused(server.clientPort(), false);
        }
        assertEquals(List.of(true, true, true, false), List.of(talk(keys, second), talk(second, keys), talk(third, second), talk(third, keys)));
    }

    private MemberKeys rekeyed(String name, String authorities, X509Certificate certificate, PrivateKey key) throws IOException {
        Path at = Files.createDirectories(root.resolve(name));
        Files.copy(root.resolve("keys").resolve("m").resolve(MemberKeys.PASSWORD_FILE), at.resolve(MemberKeys.PASSWORD_FILE), StandardCopyOption.COPY_ATTRIBUTES);
        Files.writeString(at.resolve(MemberKeys.AUTHORITY_FILE), authorities);
        AtomicFile.onDisk().replace(at.resolve(MemberKeys.MEMBER_FILE), (pem("CERTIFICATE", encoded(certificate)) + pem("PRIVATE KEY", key.getEncoded()))
                .getBytes(StandardCharsets.US_ASCII));
        return MemberKeys.read(at);
    }

    private static byte[] encoded(X509Certificate certificate) {
        try {
            return certificate.getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String pem(String kind, byte[] content) {
        return "-----BEGIN " + kind + "-----\n" + Base64.getMimeEncoder().encodeToString(content) + "\n-----END " + kind + "-----\n";
    }

    /** That ZooKeeper lets a certificate in: no alert comes when the handshake is over. */
    private void assertTaken(CertifiedKey shown, int port) throws Exception {
        SSLContext tls = SSLContext.getInstance("TLSv1.3");
        tls.init(new KeyManager[] {new Shown(shown.key(), shown.certificate())}, trusting(), null);
        try (SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket(HOST, port)) {
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.startHandshake();
            socket.getOutputStream().write(NEW_SESSION);
            assertTrue(socket.getInputStream().readNBytes(1).length > 0);
        }
    }

    /** Whether a member takes updates or copies from another one. */
    private static boolean talk(MemberKeys listens, MemberKeys connects) throws Exception {
        ExecutorService server = Executors.newSingleThreadExecutor();
        try (ServerSocket listening = MemberSockets.of(listens).listening(0, 10, InetAddress.getByName(HOST))) {
            server.submit(() -> {
                try (Socket socket = listening.accept()) {
                    socket.getOutputStream().write(socket.getInputStream().read());
                }
                return null;
            });
            try (Socket socket = MemberSockets.of(connects).connecting()) {
                socket.connect(new InetSocketAddress(HOST, listening.getLocalPort()));
                socket.getOutputStream().write(7);
                return socket.getInputStream().read() == 7;
            } catch (SSLException | SocketException e) {
                return false;
            }
        } finally {
            server.shutdownNow();
        }
    }

    private Path keysFor(String host, Path at) throws IOException {
        Files.createDirectories(at);
        for (String each : List.of(MemberKeys.AUTHORITY_FILE, MemberKeys.PASSWORD_FILE)) {
            Files.copy(keys.folder().resolve(each), at.resolve(each), StandardCopyOption.COPY_ATTRIBUTES);
        }
        CertifiedKey made = authority.issue("m", List.of(host), Instant.now().minusSeconds(60), 2);
        AtomicFile.onDisk().replace(at.resolve(MemberKeys.MEMBER_FILE), (made.certificatePem() + made.keyPem()).getBytes(StandardCharsets.US_ASCII));
        return at;
    }

    /** Those who come with TLS. */
    private void assertStrangersAreRefused(int port, boolean isBookie) throws Exception {
        CertifiedKey foreign = authorityOf(root.resolve("foreign")).issue("m", List.of(HOST), Instant.now().minusSeconds(60), 1);
        CertifiedKey expired = authority.issue("m", List.of(HOST), Instant.now().minusSeconds(200_000), 1);
        assertRefused("no certificate", null, null, port, isBookie);
        assertRefused("one of another authority", foreign.key(), foreign.certificate(), port, isBookie);
        assertRefused("one that has expired", expired.key(), expired.certificate(), port, isBookie);
    }

    /** In TLS 1.3 a server refuses when the client has ended its handshake: by an alert, which comes in place of an answer. */
    private void assertRefused(String what, PrivateKey key, X509Certificate certificate, int port, boolean isBookie) throws Exception {
        SSLContext tls = SSLContext.getInstance("TLSv1.3");
        tls.init(key == null ? null : new KeyManager[] {new Shown(key, certificate)}, trusting(), null);
        try (Socket plain = new Socket(HOST, port)) {
            plain.setSoTimeout(ANSWER_MILLIS);
            if (isBookie) {
                plain.getOutputStream().write(startTls());
                plain.getInputStream().readNBytes(ByteBuffer.wrap(plain.getInputStream().readNBytes(4)).getInt());
            }
            IOException e = assertThrows(what, IOException.class, () -> {
                SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket(plain, HOST, port, true);
                socket.startHandshake();
                socket.getInputStream().read();
            });
            // It may have closed the connection before all of the handshake was sent.
            assertTrue(what + ": " + e, e instanceof SocketException || e.getMessage().contains("fatal alert"));
        }
    }

    private static byte[] startTls() {
        Request request = new Request();
        request.setHeader().setVersion(ProtocolVersion.VERSION_THREE).setOperation(OperationType.START_TLS).setTxnId(1);
        request.setStartTLSRequest();
        byte[] content = request.toByteArray();
        return ByteBuffer.allocate(4 + content.length).putInt(content.length).put(content).array();
    }

    private TrustManager[] trusting() throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        for (X509Certificate each : keys.authorities()) {
            store.setCertificateEntry("ca" + store.size(), each);
        }
        TrustManagerFactory managers = TrustManagerFactory.getInstance("PKIX");
        managers.init(store);
        return managers.getTrustManagers();
    }

    /** What comes until the other side closes the connection. */
    private static byte[] answer(int port, byte[] said) throws IOException {
        try (Socket socket = new Socket(HOST, port)) {
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.getOutputStream().write(said);
            byte[] answer = socket.getInputStream().readAllBytes();
            return answer.length == ALERT_BYTES && answer[0] == ALERT ? new byte[0] : answer;
        } catch (SocketException e) {
            return new byte[0];
        }
    }

    /** Shows its certificate, whatever authorities the other side names. */
    private static final class Shown extends X509ExtendedKeyManager {
        private final PrivateKey key;
        private final X509Certificate certificate;

        Shown(PrivateKey key, X509Certificate certificate) {
            this.key = key;
            this.certificate = certificate;
        }

        @Override
        public String[] getClientAliases(String type, Principal[] issuers) {
            return new String[] {"own"};
        }

        @Override
        public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
            return "own";
        }

        @Override
        public String[] getServerAliases(String type, Principal[] issuers) {
            return null;
        }

        @Override
        public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
            return null;
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return new X509Certificate[] {certificate};
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return key;
        }
    }
}
