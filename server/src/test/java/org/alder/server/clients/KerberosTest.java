package org.alder.server.clients;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.asn1.ASN1StreamReader;
import com.unboundid.ldap.protocol.BindRequestProtocolOp;
import com.unboundid.ldap.protocol.ExtendedRequestProtocolOp;
import com.unboundid.ldap.protocol.LDAPMessage;
import com.unboundid.ldap.sdk.BindResult;
import com.unboundid.ldap.sdk.GenericSASLBindRequest;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SASLBindInProgressException;
import com.unboundid.ldap.sdk.extensions.WhoAmIExtendedRequest;
import com.unboundid.ldap.sdk.extensions.WhoAmIExtendedResult;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import javax.security.auth.Subject;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.Configuration;
import javax.security.auth.login.LoginContext;
import javax.security.sasl.Sasl;
import javax.security.sasl.SaslClient;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.Requirement;
import org.alder.partition.testing.Seed;
import org.alder.server.cli.CommandRun;
import org.alder.server.cli.ServerProcess;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Logins by Kerberos as docs/kerberos.md has them, with a KDC and OpenLDAP's tools; only the host and the port differ. */
public class KerberosTest {
    @ClassRule
    public static final TemporaryFolder TEMPORARY = new TemporaryFolder();

    private static final String START_TLS = "1.3.6.1.4.1.1466.20037";
    private static final String SERVICE = "ldap/localhost@EXAMPLE.COM";
    private static final String PASSWORD = "secret";
    private static final String PARTNERS_RULE = "identityRule: kerberos:of-us-([^/@]+)@PARTNER\\.COM uid=$1,ou=people,dc=example,dc=com\n";
    /** Where Java's own client finds the KDC; the server is another process, and needs none. */
    private static final String JAVA_CONFIGURATION = "java.security.krb5.conf";

    private static Path folder;
    private static Kdc kdc;
    private static Path configuration;
    private static ServerProcess server;

    @BeforeClass
    public static void start() throws Exception {
        Kdc.require();
        folder = TEMPORARY.getRoot().toPath();
        kdc = new Kdc(folder);
        kdc.run("", "sh", recipe("keytab.sh").toString()).succeeds();
        for (String user : List.of("alice", "bob", "reader/admin", "alice/other", "mallory")) {
            kdc.addUser(user, PASSWORD);
        }
        kdc.addPartner("alice", PASSWORD);
        kdc.addPartner("of-us-bob", PASSWORD);
        configuration = Files.writeString(folder.resolve("server.ldif"), Site.PATIENCE
                + Files.readString(recipe("config.ldif")) + PARTNERS_RULE + "\ndn: cn=example,cn=config\nobjectClass: alderPartition\nsuffix: "
                + Site.SUFFIX + "\n");
        Path data = folder.resolve("data");
        CommandRun.of("import", "--data", data, "--conf", configuration, Recipe.FOLDER.resolve("site.ldif")).succeeds();
        server = ServerProcess.start(data, "--conf", configuration);
        System.setProperty(JAVA_CONFIGURATION, kdc.configuration().toString());
    }

    @AfterClass
    public static void stop() {
        System.clearProperty(JAVA_CONFIGURATION);
        try (Kdc stopped = kdc; ServerProcess ended = server) {
            kdc = null;
            server = null;
        }
    }

    @Before
    public void logIn() throws Exception {
        kdc.login("alice", PASSWORD);
    }

    private static Path recipe(String file) throws IOException {
        return new Recipe("../kerberos").with("ldap.example.com", "localhost").with("10389", server == null ? 0 : server.port())
                .write(file, folder);
    }

    private static Program.Outcome whoAmI(String mechanism, String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of("ldapwhoami", "-Q", "-Y", mechanism, "-H", "ldap://localhost:" + server.port()));
        command.addAll(List.of(options));
        return kdc.run("", command.toArray(String[]::new));
    }

    @Test
    @Requirement(rfc = 4752, section = "3.2", text = "GSSAPI with a real KDC, by a client that was not written for Alder")
    public void theRecipeLogsIn() throws Exception {
        String output = kdc.run(PASSWORD + "\n", "sh", recipe("login.sh").toString()).succeeds();
        assertEquals(output, 2, output.lines().filter(("dn:" + Site.ALICE)::equals).count());
        assertTrue(output, output.contains("mail: bob@example.com"));
    }

    @Test
    public void pythonLdapLogsIn() throws Exception {
        Program.require(kdc.run("", "/usr/bin/python3", "-c", "import ldap").status() == 0, "python3-ldap");
        assertEquals("dn:" + Site.ALICE + "\n", kdc.run("", "/usr/bin/python3", recipe("login.py").toString()).succeeds());
    }

    @Test
    public void whoIsNobodyHereGetsNoFurtherThanAWrongPassword() throws Exception {
        for (String user : List.of("mallory", "alice/other")) {
            kdc.login(user, PASSWORD);
            for (String mechanism : List.of("GSSAPI", "GSS-SPNEGO")) {
                whoAmI(mechanism).failsWith("Invalid credentials");
            }
        }
        kdc.login("reader/admin", PASSWORD);
        assertEquals("by the rule", "dn:" + Site.READER + "\n", whoAmI("GSSAPI").succeeds());
    }

    /** The realm is trusted, as its tickets are taken; a name there means nobody here until a rule says whom. */
    @Test
    public void usersOfAnotherRealmAreWhomARuleNames() throws Exception {
        for (String mechanism : List.of("GSSAPI", "GSS-SPNEGO")) {
            kdc.login("alice@PARTNER.COM", PASSWORD);
            whoAmI(mechanism).failsWith("Invalid credentials");
            kdc.login("of-us-bob@PARTNER.COM", PASSWORD);
            assertTrue("by the rule", whoAmI(mechanism).succeeds().startsWith("dn:uid=bob,"));
        }
    }

    @Test
    public void aClockThatIsWrongIsNamed() throws Exception {
        TicketCache.shiftClock(kdc.tickets(), 30);
        whoAmI("GSSAPI").succeeds();
        TicketCache.shiftClock(kdc.tickets(), 3600);
        whoAmI("GSSAPI").failsWith("Kerberos: Clock skew too great");
    }

    /** A server that allows clocks to differ by few seconds, so that the test need not wait for five minutes. */
    @Test
    public void aTicketThatHasExpiredIsRefusedAndNamed() throws Exception {
        Path strict = Files.writeString(folder.resolve("strict.conf"), "[libdefaults]\nclockskew = 5\n");
        Path data = folder.resolve("strict");
        CommandRun.of("import", "--data", data, "--conf", configuration, Recipe.FOLDER.resolve("site.ldif")).succeeds();
        kdc.kadmin("modprinc -maxlife 1s " + SERVICE);
        try (ServerProcess other = ServerProcess.start(List.of("-D" + JAVA_CONFIGURATION + "=" + strict), data, "--conf", configuration)) {
            kdc.run("", "kvno", SERVICE).succeeds();
            Await.until("the ticket to expire", () -> {
                int end = (int) (System.currentTimeMillis() / 1000) + 3600;
                TicketCache.extend(kdc.tickets(), end);
                Program.Outcome outcome = kdc.run("", "ldapwhoami", "-Q", "-Y", "GSSAPI", "-H", "ldap://localhost:" + other.port());
                if (outcome.output().contains("Kerberos: Ticket expired")) {
                    return true;
                }
                // A slow machine takes longer from the client to the server than clocks may differ.
                assertTrue(outcome.output(), outcome.status() == 0 || outcome.output().contains("Kerberos: Clock skew too great"));
                return false;
            });
        } finally {
            kdc.kadmin("modprinc -maxlife 1d " + SERVICE);
        }
    }

    /** TLS protects what is sent, and GSSAPI offers no second protection; a channel binding is taken as it comes. */
    @Test
    public void aTicketIsProofOverTlsToo() throws Exception {
        for (String binding : List.of("none", "tls-endpoint")) {
            for (List<String> where : List.of(List.of("-ZZ", "-H", "ldap://localhost:" + server.port()),
                    List.of("-H", "ldaps://localhost:" + server.tlsPort()))) {
                List<String> command = new ArrayList<>(List.of("env", "LDAPTLS_CACERT=" + folder.resolve("data/tls.crt"),
                        "LDAPSASL_CBINDING=" + binding, "ldapwhoami", "-Y", "GSSAPI", "-O", "maxssf=0"));
                command.addAll(where);
                String output = kdc.run("", command.toArray(String[]::new)).succeeds();
                assertTrue(output, output.contains("SASL SSF: 0") && output.contains("dn:" + Site.ALICE));
            }
        }
    }

    /** A ticket is no password: what is said of that does not count. */
    @Test
    public void noTicketLetsInWhoIsOutOfUse() throws Exception {
        try (LDAPConnection admin = server.admin()) {
            for (String state : List.of("nsAccountLock: TRUE", "pwdAccountLockedTime: 000001010000Z", "pwdEndTime: 20200101000000Z",
                    "pwdReset: TRUE", "pwdAccountLockedTime: 20200101000000Z")) {
                String[] parts = state.split(": ");
                admin.modify(Site.ALICE, new Modification(ModificationType.REPLACE, parts[0], parts[1]));
                boolean isOfThePassword = state.startsWith("pwdReset") || state.endsWith(": 20200101000000Z") && state.contains("Locked");
                for (String mechanism : List.of("GSSAPI", "GSS-SPNEGO")) {
                    if (isOfThePassword) {
                        assertEquals(state, "dn:" + Site.ALICE + "\n", whoAmI(mechanism).succeeds());
                    } else {
                        whoAmI(mechanism).failsWith("Invalid credentials");
                    }
                }
                admin.modify(Site.ALICE, new Modification(ModificationType.REPLACE, parts[0]));
            }
        }
    }

    @Test
    public void oneActsAsOneselfOnly() throws Exception {
        assertEquals("dn:" + Site.ALICE + "\n", whoAmI("GSSAPI", "-X", "dn:" + Site.ALICE).succeeds());
        assertEquals("dn:" + Site.ALICE + "\n", whoAmI("GSSAPI", "-X", "u:alice").succeeds());
        whoAmI("GSSAPI", "-X", "u:bob").failsWith("Insufficient access");
    }

    @Test
    public void aRenewedKeyIsTakenFromTheKeytabWithoutARestart() throws Exception {
        whoAmI("GSSAPI").succeeds();
        kdc.kadmin("cpw -randkey -keepold " + SERVICE);
        kdc.login("bob", PASSWORD);
        whoAmI("GSSAPI").failsWith("Invalid credentials");
        kdc.kadmin("ktadd -k " + folder.resolve("ldap.keytab") + " " + SERVICE);
        kdc.login("bob", PASSWORD);
        assertTrue(whoAmI("GSSAPI").succeeds().startsWith("dn:uid=bob,"));
    }

    /** Runs in the name of who has logged in last. */
    private static <T> T withTicket(PrivilegedExceptionAction<T> action) throws Exception {
        LoginContext login = new LoginContext("client", null, null, new Configuration() {
            @Override
            public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
                return new AppConfigurationEntry[] {new AppConfigurationEntry("com.sun.security.auth.module.Krb5LoginModule",
                        AppConfigurationEntry.LoginModuleControlFlag.REQUIRED, Map.of("useTicketCache", "true", "ticketCache",
                        folder.resolve("tickets").toString(), "doNotPrompt", "true", "refreshKrb5Config", "true"))};
            }
        });
        login.login();
        return Subject.doAs(login.getSubject(), action);
    }

    private static SaslClient client(String protection) throws Exception {
        return Sasl.createSaslClient(new String[] {"GSSAPI"}, "", "ldap", "localhost", Map.of(Sasl.QOP, protection, Sasl.SERVER_AUTH, "true"),
                null);
    }

    /** @return what the server answers, of a bind that is not the last one; null if it was */
    private static byte[] step(LDAPConnection connection, byte[] message) throws LDAPException {
        try {
            BindResult result = connection.bind(new GenericSASLBindRequest(null, "GSSAPI", new ASN1OctetString(message)));
            assertEquals(ResultCode.SUCCESS, result.getResultCode());
            return null;
        } catch (SASLBindInProgressException e) {
            return e.getServerSASLCredentials().getValue();
        }
    }

    private static void logIn(LDAPConnection connection, SaslClient client) throws Exception {
        byte[] message = client.evaluateChallenge(new byte[0]);
        for (byte[] challenge = step(connection, message); challenge != null; challenge = step(connection, message)) {
            message = client.evaluateChallenge(challenge);
        }
        assertTrue(client.isComplete());
    }

    private static void refused(LDAPConnection connection, byte[] message) {
        LDAPException refusal = assertThrows(LDAPException.class, () -> step(connection, message));
        assertEquals(refusal.getMessage(), ResultCode.INVALID_CREDENTIALS, refusal.getResultCode());
    }

    private static LDAPConnection connect() throws LDAPException {
        return new LDAPConnection("127.0.0.1", server.port());
    }

    private static String whoAmI(LDAPConnection connection) throws LDAPException {
        return ((WhoAmIExtendedResult) connection.processExtendedOperation(new WhoAmIExtendedRequest())).getAuthorizationID();
    }

    @Test
    public void anAuthenticationIsGivenUpAndBegunAgainAtAnyPoint() throws Exception {
        withTicket(() -> {
            try (LDAPConnection connection = connect()) {
                for (int given = 0; given < 3; given++) {
                    SaslClient client = client("auth");
                    byte[] message = client.evaluateChallenge(new byte[0]);
                    for (int i = 0; i < given; i++) {
                        message = client.evaluateChallenge(step(connection, message));
                    }
                    connection.bind(Site.READER, Site.READER_PASSWORD);
                    assertEquals("dn:" + Site.READER, whoAmI(connection));
                    if (given > 0) {
                        byte[] late = message;
                        refused(connection, late);
                        assertEquals("", whoAmI(connection));
                    }
                }
                logIn(connection, client("auth"));
                assertEquals("dn:" + Site.ALICE, whoAmI(connection));
                logIn(connection, client("auth"));
                assertEquals("dn:" + Site.ALICE, whoAmI(connection));
            }
            return null;
        });
    }

    @Test
    public void aTokenIsOfUseOnce() throws Exception {
        withTicket(() -> {
            try (LDAPConnection connection = connect(); LDAPConnection thief = connect()) {
                byte[] token = client("auth").evaluateChallenge(new byte[0]);
                step(connection, token);
                refused(thief, token);
            }
            return null;
        });
    }

    @Test
    public void whatIsNoTokenIsRefusedAndNothingElseHappens() throws Exception {
        Random random = Seed.random(KerberosTest.class);
        withTicket(() -> {
            try (LDAPConnection connection = connect()) {
                byte[] token = client("auth").evaluateChallenge(new byte[0]);
                for (int i = 0; i < 300; i++) {
                    byte[] garbage = random.nextBoolean() ? new byte[random.nextInt(200)] : token.clone();
                    if (garbage.length == token.length) {
                        garbage[random.nextInt(Math.min(garbage.length, 100))] += 1 + random.nextInt(255);
                        garbage = Arrays.copyOf(garbage, random.nextBoolean() ? garbage.length : random.nextInt(garbage.length));
                    } else {
                        random.nextBytes(garbage);
                    }
                    try {
                        connection.bind(new GenericSASLBindRequest(null, random.nextBoolean() ? "GSSAPI" : "GSS-SPNEGO",
                                new ASN1OctetString(garbage)));
                    } catch (SASLBindInProgressException e) {
                        // Not each bit of a token is protected.
                        connection.bind("", "");
                    } catch (LDAPException e) {
                        assertEquals(e.getMessage(), ResultCode.INVALID_CREDENTIALS, e.getResultCode());
                    }
                }
                connection.bind("", "");
                SaslClient client = client("auth");
                step(connection, client.evaluateChallenge(step(connection, client.evaluateChallenge(new byte[0]))));
                refused(connection, new byte[] {1, 0, 0, 0});
                assertEquals("", whoAmI(connection));
            }
            return null;
        });
    }

    /** Cyrus SASL asks for confidentiality unless it is told otherwise. */
    @Test
    @Requirement(rfc = 4752, section = "3.3", text = "Security layers: none, integrity, confidentiality, by a client that was not written for Alder")
    public void whatIsSentIsProtectedAsTheClientWants() throws Exception {
        try (LDAPConnection admin = server.admin()) {
            admin.modify(Site.ALICE, new Modification(ModificationType.REPLACE, "description", "x".repeat(200_000)));
        }
        for (String mechanism : List.of("GSSAPI", "GSS-SPNEGO")) {
            // With GSS-SPNEGO, Cyrus SASL has no integrity alone.
            for (String strength : mechanism.equals("GSSAPI") ? List.of("0", "1", "256") : List.of("0", "256")) {
                String output = kdc.run("", "ldapsearch", "-Y", mechanism, "-O", "minssf=" + strength + ",maxssf=" + strength, "-LLL", "-o",
                        "ldif-wrap=no", "-H", "ldap://localhost:" + server.port(), "-b", Site.SUFFIX, "(objectClass=*)").succeeds();
                assertTrue(mechanism + " " + strength + ": " + output.substring(0, Math.min(300, output.length())), output.contains("SASL SSF: " + strength + "\n"));
                assertTrue(mechanism + " " + strength, output.contains("description: " + "x".repeat(200_000) + "\n"));
                assertTrue(mechanism + " " + strength, output.contains("dn: cn=bob prints,"));
            }
        }
    }

    /** A client of messages in whatever form the test gives them. */
    private static final class Wire implements AutoCloseable {
        private final Socket socket = new Socket("127.0.0.1", server.port());
        private final DataInputStream in;
        private final ASN1StreamReader clear;

        Wire() throws IOException {
            socket.setSoTimeout(Await.MILLIS);
            in = new DataInputStream(socket.getInputStream());
            clear = new ASN1StreamReader(in);
        }

        void send(byte[]... parts) throws IOException {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (byte[] part : parts) {
                all.writeBytes(part);
            }
            socket.getOutputStream().write(all.toByteArray());
        }

        /** @return the last step's message, which is left to be sent */
        byte[] negotiate(SaslClient client) throws Exception {
            byte[] message = client.evaluateChallenge(new byte[0]);
            while (!client.isComplete()) {
                send(bind(message));
                message = client.evaluateChallenge(LDAPMessage.readFrom(clear, true).getBindResponseProtocolOp()
                        .getServerSASLCredentials().getValue());
            }
            return message;
        }

        byte[] reveal(SaslClient client) throws IOException {
            byte[] buffer = in.readNBytes(in.readInt());
            return client.unwrap(buffer, 0, buffer.length);
        }

        boolean isAtEnd() throws IOException {
            while (in.read() >= 0) {
                // A notice may come before the end.
            }
            return true;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private static byte[] bind(byte[] message) {
        return new LDAPMessage(1, new BindRequestProtocolOp("", "GSSAPI", new ASN1OctetString(message))).encode().encode();
    }

    private static byte[] whoAmI(int id) {
        return new LDAPMessage(id, new ExtendedRequestProtocolOp(new WhoAmIExtendedRequest())).encode().encode();
    }

    private static byte[] buffer(SaslClient client, byte[] plain) throws IOException {
        byte[] buffer = client.wrap(plain, 0, plain.length);
        return ByteBuffer.allocate(4 + buffer.length).putInt(buffer.length).put(buffer).array();
    }

    @Test
    public void whatIsNotInTheLayerOrComesTwiceEndsTheConnection() throws Exception {
        withTicket(() -> {
            for (String attack : List.of("replay", "clear", "long", "changed", "unprotected")) {
                try (Wire wire = new Wire()) {
                    SaslClient client = client("auth-conf");
                    wire.send(bind(wire.negotiate(client)));
                    assertEquals(attack, 0, LDAPMessage.readFrom(wire.clear, true).getBindResponseProtocolOp().getResultCode());
                    byte[] request = buffer(client, whoAmI(2));
                    wire.send(Arrays.copyOf(request, 3));
                    wire.send(Arrays.copyOfRange(request, 3, 50), Arrays.copyOfRange(request, 50, request.length));
                    String answer = new String(wire.reveal(client), StandardCharsets.UTF_8);
                    assertTrue(answer, answer.contains("dn:" + Site.ALICE));
                    byte[] next = buffer(client, whoAmI(3));
                    next[next.length - 1]++;
                    wire.send(switch (attack) {
                        case "replay" -> request;
                        case "clear" -> whoAmI(3);
                        case "long" -> new byte[] {0x7F, 0, 0, 0};
                        case "changed" -> next;
                        default -> ByteBuffer.allocate(4).array();
                    });
                    assertTrue(attack, wire.isAtEnd());
                }
            }
            return null;
        });
    }

    @Test
    @Requirement(rfc = 4511, section = "4.14.1", text = "StartTLS below a security layer of SASL is refused with operationsError")
    public void tlsDoesNotStartBelowALayer() throws Exception {
        withTicket(() -> {
            try (Wire wire = new Wire()) {
                SaslClient client = client("auth-conf");
                wire.send(bind(wire.negotiate(client)));
                assertEquals(0, LDAPMessage.readFrom(wire.clear, true).getBindResponseProtocolOp().getResultCode());
                wire.send(buffer(client, new LDAPMessage(2, new ExtendedRequestProtocolOp(START_TLS, null)).encode().encode()));
                ASN1StreamReader answer = new ASN1StreamReader(new ByteArrayInputStream(wire.reveal(client)));
                assertEquals(ResultCode.OPERATIONS_ERROR.intValue(),
                        LDAPMessage.readFrom(answer, true).getExtendedResponseProtocolOp().getResultCode());
                wire.send(buffer(client, whoAmI(3)));
                String alive = new String(wire.reveal(client), StandardCharsets.UTF_8);
                assertTrue(alive, alive.contains("dn:" + Site.ALICE));
            }
            return null;
        });
    }

    /** Who is between can have put it there, and it would be done in the user's name. */
    @Test
    @Requirement(rfc = 4511, section = "4.2.1", text = "Nothing that comes in clear behind a bind with a security layer is done")
    public void whatComesInClearBehindABindWithALayerIsNotDone() throws Exception {
        withTicket(() -> {
            for (int behind : new int[] {1, whoAmI(2).length}) {
                try (Wire wire = new Wire()) {
                    byte[] last = wire.negotiate(client("auth-conf"));
                    wire.send(bind(last), Arrays.copyOf(whoAmI(2), behind));
                    LDAPMessage notice = LDAPMessage.readFrom(wire.clear, true);
                    assertEquals(notice.toString(), 0, notice.getMessageID());
                    assertTrue(wire.isAtEnd());
                }
            }
            return null;
        });
    }

    @Test
    public void theRootDseListsBoth() throws Exception {
        try (LDAPConnection connection = connect()) {
            List<String> mechanisms = List.of(connection.getRootDSE().getSupportedSASLMechanismNames());
            assertTrue(mechanisms.toString(), mechanisms.containsAll(List.of("GSSAPI", "GSS-SPNEGO")));
        }
    }
}
