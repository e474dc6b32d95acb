package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import com.unboundid.asn1.ASN1StreamReader;
import com.unboundid.ldap.protocol.BindRequestProtocolOp;
import com.unboundid.ldap.protocol.LDAPMessage;
import com.unboundid.ldap.sdk.LDAPConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.Requirement;
import org.alder.server.login.IdentityRule;
import org.alder.server.login.SaslMechanisms;
import org.alder.server.login.SaslSettings;
import org.alder.server.wire.ConnectionLimits;
import org.alder.server.wire.Listener;
import org.alder.server.wire.UnixSocket;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** A server on a unix-domain socket, and clients who are the user that runs the test, as the server is. */
public class LdapiTest {
    private static final Set<PosixFilePermission> MODE = PosixFilePermissions.fromString("rw-rw----");
    private static final byte[] LOGIN =
            RawClient.bytes(1, new BindRequestProtocolOp(TestServer.userDn(3), TestServer.USER_PASSWORD));

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private Path socket() {
        return folder.getRoot().toPath().resolve("an ldapi");
    }

    private TestServer server(UnaryOperator<ServerSettings> change) {
        return new TestServer(settings -> change.apply(settings.with(draft -> draft.wire = settings.wire().withListeners(List.of(
                Listener.of(Listener.Scheme.LDAP, "127.0.0.1", 0), Listener.of(new UnixSocket(socket(), MODE, true))), null))));
    }

    private static SaslSettings sasl(boolean ownersAdministrate, String... rules) {
        return new SaslSettings(SaslMechanisms.NAMES, List.of(rules).stream().map(IdentityRule::parse).toList(), ownersAdministrate,
                null);
    }

    private SocketChannel connect() throws IOException {
        return SocketChannel.open(UnixDomainSocketAddress.of(socket()));
    }

    /** A tool of OpenLDAP, on the socket. */
    private String run(int status, TestServer server, String tool, String... options) throws Exception {
        boolean there = List.of(System.getenv("PATH").split(":")).stream().anyMatch(path -> Files.isExecutable(Path.of(path, tool)));
        assertTrue("no " + tool, there || !"true".equals(System.getenv("CI")));
        assumeTrue(there);
        List<String> command = new ArrayList<>(List.of(tool, "-H", server.server().urls().get(1)));
        command.addAll(List.of(options));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(command + " said " + out, status, Await.end(tool, process));
        return out.strip();
    }

    @Test(timeout = Await.MILLIS)
    @Requirement(rfc = 4513, section = "5.2.3", text = "SASL EXTERNAL: who a client is follows from its local connection")
    public void whoOwnsTheServerIsTheAdministratorWithoutAPassword() throws Exception {
        try (TestServer server = server(settings -> settings)) {
            assertEquals("ldapi://" + socket().toString().replace("/", "%2F").replace(" ", "%20"), server.server().urls().get(1));
            assertEquals("dn:" + TestServer.ADMIN, run(0, server, "ldapwhoami", "-Q", "-Y", "EXTERNAL"));
            String found = run(0, server, "ldapsearch", "-Q", "-Y", "EXTERNAL", "-LLL", "-b", TestServer.SUFFIX, "(uid=user.7)", "userPassword");
            assertTrue(found, found.contains("userPassword"));
        }
    }

    @Test(timeout = Await.MILLIS)
    public void rulesSayWhoAUserOfTheMachineIs() throws Exception {
        String user = Files.getOwner(folder.getRoot().toPath()).getName();
        Object uid = Files.getAttribute(folder.getRoot().toPath(), "unix:uid");
        try (TestServer server = server(settings -> settings
                .with(draft -> draft.sasl = sasl(true, "unix:\\Q" + user + "\\E " + TestServer.userDn(4))))) {
            assertEquals("a rule goes before", "dn:" + TestServer.userDn(4), run(0, server, "ldapwhoami", "-Q", "-Y", "EXTERNAL"));
        }
        try (TestServer server = server(settings -> settings.with(draft -> draft.sasl = sasl(false,
                "dn:gidNumber=[0-9]+\\+uidNumber=([0-9]+),cn=peercred,cn=external,cn=auth uid=$1," + TestServer.SUFFIX)))) {
            assertEquals("dn:uid=" + uid + "," + TestServer.SUFFIX, run(0, server, "ldapwhoami", "-Q", "-Y", "EXTERNAL"));
        }
        try (TestServer server = server(settings -> settings.with(draft -> draft.sasl = sasl(false)))) {
            assertTrue(run(49, server, "ldapwhoami", "-Q", "-Y", "EXTERNAL").contains("Invalid credentials"));
            server.add("uid=" + user + "," + TestServer.SUFFIX, "objectClass: inetOrgPerson", "uid: " + user, "cn: x", "sn: x");
            assertEquals("dn:uid=" + user + "," + TestServer.SUFFIX, run(0, server, "ldapwhoami", "-Q", "-Y", "EXTERNAL"));
        }
    }

    @Test(timeout = Await.MILLIS)
    @Requirement(rfc = 4513, section = "6.3", text = "A unix-domain socket counts as protected: passwords are taken, and PLAIN is offered")
    public void passwordsAreTakenOnASocket() throws Exception {
        try (TestServer server = server(settings -> settings)) {
            assertEquals("dn:" + TestServer.userDn(3),
                    run(0, server, "ldapwhoami", "-x", "-D", TestServer.userDn(3), "-w", TestServer.USER_PASSWORD));
            String offered = run(0, server, "ldapsearch", "-x", "-LLL", "-s", "base", "-b", "", "supportedSASLMechanisms");
            assertTrue(offered, offered.contains("EXTERNAL") && offered.contains("PLAIN"));
            try (LDAPConnection tcp = server.anonymous()) {
                assertFalse(List.of(tcp.getRootDSE().getSupportedSASLMechanismNames()).contains("EXTERNAL"));
            }
        }
    }

    /** More than the kernel and the queue hold, both ways, while the client does not read. */
    @Test(timeout = Await.MILLIS)
    public void muchGoesThroughInPieces() throws Exception {
        try (TestServer server = server(settings -> settings)) {
            server.addDevices(20_000);
            String found = run(0, server, "ldapsearch", "-Q", "-Y", "EXTERNAL", "-LLL", "-b", TestServer.SUFFIX, "(objectClass=device)", "cn", "description");
            assertEquals(20_000, found.lines().filter(line -> line.startsWith("cn: device.")).count());
        }
    }

    @Test(timeout = Await.MILLIS)
    public void aUserDoesNotGetAllConnections() throws Exception {
        UnaryOperator<ConnectionLimits> one = limits -> limits.withConnections(10, 1);
        try (TestServer server = server(settings -> settings
                .with(draft -> draft.wire = settings.wire().withLimits(one.apply(settings.wire().limits()))));
                SocketChannel first = connect(); LDAPConnection tcp = server.anonymous()) {
            first.write(ByteBuffer.wrap(LOGIN));
            assertEquals(0, read(first).getBindResponseProtocolOp().getResultCode());
            try (SocketChannel second = connect()) {
                String reason = read(second).getExtendedResponseProtocolOp().getDiagnosticMessage();
                assertTrue(reason, reason.contains("with user ") && reason.contains("maxConnectionsPerAddress"));
            }
            assertNotNull("those of addresses are others", tcp.getRootDSE());
        }
    }

    private static LDAPMessage read(SocketChannel channel) throws Exception {
        return LDAPMessage.readFrom(new ASN1StreamReader(Channels.newInputStream(channel)), true);
    }

    @Test(timeout = Await.MILLIS)
    public void theFileIsMadeWithItsPermissionsAndGoesWithTheServer() throws Exception {
        try (TestServer server = server(settings -> settings)) {
            assertEquals(MODE, Files.getPosixFilePermissions(socket()));
            try (SocketChannel client = connect()) {
                assertTrue(client.isConnected());
            }
        }
        assertFalse(Files.exists(socket()));
    }

    @Test(timeout = Await.MILLIS)
    public void aSocketThatAnEarlierServerHasLeftIsMadeAnew() throws Exception {
        ServerSocketChannel left = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        left.bind(UnixDomainSocketAddress.of(socket()));
        left.close();
        assertTrue(Files.exists(socket()));
        try (TestServer server = server(settings -> settings); SocketChannel client = connect()) {
            client.write(ByteBuffer.wrap(LOGIN));
            assertEquals(0, read(client).getBindResponseProtocolOp().getResultCode());
        }
    }

    /** As two that start at once: neither may take the other's socket for one that was left. */
    @Test(timeout = Await.MILLIS)
    public void whoeverHoldsTheLockKeepsOthersOut() throws Exception {
        Path lock = folder.getRoot().toPath().resolve("an ldapi.lock");
        try (TestServer server = server(settings -> settings)) {
            assertEquals(UnixSocket.OWNER_ALONE, Files.getPosixFilePermissions(lock));
            Files.delete(socket());
            isRefused("this server listens there already");
            assertFalse("nothing was made", Files.exists(socket()));
        }
        try (ServerSocketChannel left = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            left.bind(UnixDomainSocketAddress.of(socket()));
        }
        Process other = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                System.getProperty("java.class.path"), Holder.class.getName(), lock.toString()).redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertEquals("the other has it", 'y', other.getInputStream().read());
            isRefused("another server listens there: it holds the lock of " + lock.toRealPath());
            assertTrue("what may be the other's stays", Files.exists(socket()));
        } finally {
            other.destroyForcibly();
            Await.end("the other", other);
        }
        try (TestServer server = server(settings -> settings); SocketChannel client = connect()) {
            assertTrue("after it was killed", client.isConnected());
        }
    }

    /** Locks a file until it is killed. */
    public static final class Holder {
        private Holder() {
        }

        public static void main(String[] arguments) throws Exception {
            try (FileChannel channel = FileChannel.open(Path.of(arguments[0]), StandardOpenOption.WRITE); FileLock lock = channel.tryLock()) {
                System.out.write(lock == null ? 'n' : 'y');
                System.out.flush();
                System.in.read();
            }
        }
    }

    @Test(timeout = Await.MILLIS)
    public void nothingElseIsRemoved() throws Exception {
        Files.writeString(socket(), "mine");
        isRefused("there is a file of that name which is no socket");
        assertEquals("mine", Files.readString(socket()));
        Files.delete(socket());
        Files.createSymbolicLink(socket(), Path.of("elsewhere"));
        isRefused("no socket");
        Files.delete(socket());
        try (ServerSocketChannel other = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            other.bind(UnixDomainSocketAddress.of(socket()));
            isRefused("another server listens there");
            try (SocketChannel client = connect()) {
                assertTrue("and it still does", client.isConnected());
            }
        }
        Files.delete(socket());
        try (TestServer server = server(settings -> settings)) {
            Files.delete(socket());
            Files.writeString(socket(), "somebody else's by now");
        }
        assertTrue(Files.exists(socket()));
    }

    private void isRefused(String problem) {
        Throwable refusal = assertThrows(UncheckedIOException.class, () -> server(settings -> settings).close()).getCause();
        assertTrue(refusal.getMessage(), refusal.getMessage().contains(socket().toString()) && refusal.getMessage().contains(problem));
    }

    @Test(timeout = Await.MILLIS)
    public void aSocketThatIsNotRequiredIsDoneWithout() throws Exception {
        Files.writeString(socket(), "mine");
        try (LoggedMessages log = new LoggedMessages("org.alder.server.wire.Acceptor");
                TestServer server = new TestServer(settings -> settings.with(draft -> draft.wire = settings.wire().withListeners(List.of(
                        Listener.of(new UnixSocket(socket(), MODE, false)), Listener.of(Listener.Scheme.LDAP, "127.0.0.1", 0)), null)));
                LDAPConnection client = server.anonymous()) {
            assertNotNull(client.getRootDSE());
            assertEquals(1, server.server().urls().size());
            assertTrue(log.has("the server does without"));
        }
    }
}
