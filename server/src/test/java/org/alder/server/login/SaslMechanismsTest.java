package org.alder.server.login;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.server.TestServer;
import org.alder.server.access.Right;
import org.alder.server.auth.Administrator;
import org.alder.server.auth.Identity;
import org.alder.server.auth.Passwords;
import org.alder.server.directory.Accounts;
import org.alder.server.directory.Administrators;
import org.alder.server.directory.AuthorizationIdentities;
import org.alder.server.directory.Directory;
import org.alder.server.directory.DirectoryFilter;
import org.alder.server.directory.EntryCursor;
import org.alder.server.directory.OperationContext;
import org.alder.server.directory.SearchRequest;
import org.alder.server.policy.AccountLogins;
import org.alder.server.policy.PasswordPolicies;
import org.alder.server.policy.PolicySettings;
import org.alder.server.resource.Counters;
import org.alder.server.resource.HashingThreads;
import org.alder.server.wire.Peer;
import org.alder.server.wire.PeerCredentials;
import org.alder.server.wire.layer.ChannelBinding;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Mechanisms on connections that are protected as the test says; one user, whose password is "pencil". */
public class SaslMechanismsTest {
    private static final Dn USER = TestServer.dn("uid=user,dc=example,dc=com");
    private static final byte[] BINDING = "what the connection has".getBytes(StandardCharsets.UTF_8);
    private static final Peer OPEN = new TestPeer(false, null, null);
    private static final Peer TLS = new TestPeer(true, BINDING, null);
    private static final Peer UNIX = new TestPeer(true, null, new PeerCredentials("user", 1000, 100, false));

    private static final Administrator ADMINISTRATOR = new Administrator(TestServer.dn(TestServer.ADMIN), new byte[] {'a'});

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private final HashingThreads threads = new HashingThreads(1, 100, new Counters());
    private final AccountLogins logins =
            new AccountLogins(new PasswordPolicies(TestServer.SCHEMA, dn -> null, PolicySettings.STANDARD));
    private final Accounts accounts = new Accounts() {
        @Override
        public List<byte[]> passwords(Dn dn) {
            return dn.equals(USER) ? List.of("pencil".getBytes(StandardCharsets.UTF_8)) : List.of();
        }

        @Override
        public CompletableFuture<?> replacePassword(Dn dn, byte[] stored, byte[] better) {
            throw new AssertionError("nothing is replaced");
        }
    };
    private final SaslMechanisms mechanisms = mechanisms();

    private record TestPeer(boolean isProtected, byte[] binding, PeerCredentials peerCredentials) implements Peer {
        @Override
        public List<X509Certificate> peerCertificates() {
            return List.of();
        }

        @Override
        public byte[] channelBinding(ChannelBinding type) {
            return type == ChannelBinding.TLS_SERVER_END_POINT ? binding : null;
        }
    }

    private SaslMechanisms mechanisms() {
        Passwords passwords = new Passwords(TestServer.QUICK_PASSWORDS.withPbkdf2Rounds(4096));
        AuthorizationIdentities identities = new AuthorizationIdentities(new Rules(), TestServer.SCHEMA);
        SaslSettings settings = settings(List.of(IdentityRule.parse("(?:u|unix):(.*) uid=$1,dc=example,dc=com")));
        IdentityMapping mapping = new IdentityMapping(null, TestServer.SCHEMA, ADMINISTRATOR, settings, identities);
        Logins all = new Logins(new Authenticator(accounts, new Administrators(ADMINISTRATOR, null), passwords, threads,
                logins), passwords, threads, mapping, identities);
        return new SaslMechanisms(sasl -> all, () -> settings);
    }

    /** A directory without entries, where all may log in, and nobody may act as another. */
    private static final class Rules extends DirectoryFilter {
        Rules() {
            super(null);
        }

        @Override
        public boolean may(OperationContext context, Right right, Dn dn) {
            return right == Right.AUTHENTICATE;
        }

        @Override
        public EntryCursor search(OperationContext context, SearchRequest request) throws DirectoryException {
            throw new DirectoryException(ResultCode.NO_SUCH_OBJECT, "there is nothing");
        }
    }

    private static SaslSettings settings(List<IdentityRule> rules) {
        return new SaslSettings(SaslMechanisms.NAMES, rules, true, null);
    }

    @After
    public void close() {
        threads.close();
        logins.close();
    }

    private SaslNegotiation begin(String mechanism, Peer peer) throws DirectoryException {
        return mechanisms.begin(mechanism, new OperationContext(Identity.ANONYMOUS, Instant.EPOCH, null), peer);
    }

    private static SaslNegotiation.Step step(SaslNegotiation negotiation, String message) throws DirectoryException {
        try {
            return negotiation.respond(message.getBytes(StandardCharsets.UTF_8)).join();
        } catch (CompletionException e) {
            throw (DirectoryException) e.getCause();
        }
    }

    private void refused(ResultCode code, String mechanism, Peer peer, String message) {
        DirectoryException refusal = assertThrows(DirectoryException.class, () -> step(begin(mechanism, peer), message));
        assertEquals(message, code, refusal.resultCode());
    }

    @Test
    public void whatIsAvailableDependsOnTheConnection() {
        assertEquals(List.of("SCRAM-SHA-512", "SCRAM-SHA-256", "ANONYMOUS"), mechanisms.available(OPEN));
        assertEquals(List.of("SCRAM-SHA-512-PLUS", "SCRAM-SHA-256-PLUS", "SCRAM-SHA-512", "SCRAM-SHA-256", "PLAIN", "ANONYMOUS"),
                mechanisms.available(TLS));
        assertEquals(List.of("EXTERNAL", "SCRAM-SHA-512", "SCRAM-SHA-256", "PLAIN", "ANONYMOUS"), mechanisms.available(UNIX));
        refused(ResultCode.AUTH_METHOD_NOT_SUPPORTED, "PLAIN", OPEN, "\0user\0pencil");
        refused(ResultCode.AUTH_METHOD_NOT_SUPPORTED, "EXTERNAL", TLS, "");
        refused(ResultCode.AUTH_METHOD_NOT_SUPPORTED, "GSSAPI", TLS, "");
        refused(ResultCode.AUTH_METHOD_NOT_SUPPORTED, "", TLS, "");
    }

    @Test
    public void plainChecksThePasswordAndWhoMayActAsWhom() throws Exception {
        assertEquals(new Identity(USER, false), step(begin("PLAIN", TLS), "\0user\0pencil").login().identity());
        assertEquals(new Identity(USER, false), step(begin("PLAIN", TLS), "u:user\0dn:" + USER.text() + "\0pencil").login().identity());
        assertTrue(step(begin("PLAIN", UNIX), "\0dn:" + TestServer.ADMIN + "\0a").login().identity().administrator());
        for (String wrong : List.of("\0user\0wrong", "\0nobody\0pencil", "\0user\0", "\0\0pencil", "\0dn:\0x")) {
            refused(ResultCode.INVALID_CREDENTIALS, "PLAIN", TLS, wrong);
        }
        for (String malformed : List.of("", "user\0pencil", "\0user\0pencil\0", "user")) {
            refused(ResultCode.PROTOCOL_ERROR, "PLAIN", TLS, malformed);
        }
        refused(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, "PLAIN", TLS, "u:another\0user\0pencil");
        refused(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, "PLAIN", TLS, "dn:" + TestServer.ADMIN + "\0user\0pencil");
        refused(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, "PLAIN", TLS, "nonsense\0user\0pencil");
    }

    private static Dn user(Administrator administrator, boolean ownersAdministrate, PeerCredentials peer, String... rules) {
        SaslSettings settings = new SaslSettings(List.of("EXTERNAL"), Stream.of(rules).map(IdentityRule::parse).toList(), ownersAdministrate,
                null);
        return new IdentityMapping(new Rules(), TestServer.SCHEMA, administrator, settings,
                new AuthorizationIdentities(new Rules(), TestServer.SCHEMA)).user(peer);
    }

    @Test
    public void whoOwnsTheServerIsTheAdministratorUnlessSomethingElseIsSaid() {
        PeerCredentials root = new PeerCredentials("root", 0, 5, true);
        String openLdap = "dn:gidNumber=5\\+uidNumber=0,cn=peercred,cn=external,cn=auth " + USER.text();
        assertEquals(ADMINISTRATOR.dn(), user(ADMINISTRATOR, true, root));
        assertEquals("a rule", USER, user(ADMINISTRATOR, true, root, "unix:root " + USER.text()));
        assertEquals("of either name", USER, user(ADMINISTRATOR, true, root, openLdap));
        assertEquals("that of the name first", ADMINISTRATOR.dn(), user(ADMINISTRATOR, true, root, openLdap, "unix:root " + TestServer.ADMIN));
        assertNull("the setting", user(ADMINISTRATOR, false, root));
        assertNull("turned off", user(Administrator.turnedOff(ADMINISTRATOR.dn()), true, root));
        assertNull("another", user(ADMINISTRATOR, true, new PeerCredentials("root", 1000, 5, false)));
    }

    @Test
    public void externalIsWhomTheTransportNames() throws Exception {
        assertEquals(new Identity(USER, false), step(begin("EXTERNAL", UNIX), "").login().identity());
        assertEquals(new Identity(USER, false), step(begin("EXTERNAL", UNIX), "u:user").login().identity());
        refused(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, "EXTERNAL", UNIX, "u:another");
    }

    @Test
    public void aProofIsBoundToTheConnection() throws Exception {
        String header = "p=tls-server-end-point,,";
        SaslNegotiation negotiation = begin("SCRAM-SHA-256-PLUS", TLS);
        assertEquals(new Identity(USER, false), scram(negotiation, header, header, BINDING).login().identity());
        DirectoryException other = assertThrows(DirectoryException.class,
                () -> scram(begin("SCRAM-SHA-256-PLUS", TLS), header, header, new byte[] {1}));
        assertEquals("somebody between", ResultCode.INVALID_CREDENTIALS, other.resultCode());
        assertEquals(new Identity(USER, false), scram(begin("SCRAM-SHA-256", TLS), "n,,", "n,,", new byte[0]).login().identity());
        assertEquals(new Identity(USER, false), scram(begin("SCRAM-SHA-256", OPEN), "y,,", "y,,", new byte[0]).login().identity());
        refused(ResultCode.INVALID_CREDENTIALS, "SCRAM-SHA-256", TLS, "y,,n=user,r=abc");
        refused(ResultCode.PROTOCOL_ERROR, "SCRAM-SHA-256", TLS, header + "n=user,r=abc");
        refused(ResultCode.PROTOCOL_ERROR, "SCRAM-SHA-256-PLUS", TLS, "n,,n=user,r=abc");
        refused(ResultCode.PROTOCOL_ERROR, "SCRAM-SHA-256-PLUS", TLS, "p=tls-exporter,,n=user,r=abc");
        DirectoryException header2 = assertThrows(DirectoryException.class,
                () -> scram(begin("SCRAM-SHA-256", OPEN), "y,,", "n,,", new byte[0]));
        assertEquals("another header than at first", ResultCode.INVALID_CREDENTIALS, header2.resultCode());
        assertEquals(new Identity(USER, false),
                scram(begin("SCRAM-SHA-256", OPEN), "n,a=u:user,", "n,a=u:user,", new byte[0]).login().identity());
        DirectoryException another = assertThrows(DirectoryException.class,
                () -> scram(begin("SCRAM-SHA-256", OPEN), "n,a=u:another,", "n,a=u:another,", new byte[0]));
        assertEquals(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, another.resultCode());
    }

    private static SaslNegotiation.Step scram(SaslNegotiation negotiation, String header, String boundHeader, byte[] binding)
            throws Exception {
        AtomicReference<SaslNegotiation.Step> last = new AtomicReference<>();
        new ScramClient("user", "pencil").authenticate(header, boundHeader, binding, message -> {
            assertNull(last.get() == null ? null : last.get().login());
            last.set(step(negotiation, message));
            return new String(last.get().credentials(), StandardCharsets.UTF_8);
        });
        return last.get();
    }

    @Test
    public void rulesPutNamesIntoValuesOnly() throws Exception {
        IdentityMapping mapping = new IdentityMapping(null, TestServer.SCHEMA, ADMINISTRATOR,
                settings(List.of(IdentityRule.parse("u:(.*)\\+(.*) cn=$2,uid=$1,dc=example,dc=com"))), null);
        assertEquals(TestServer.dn("cn=b\\,ou\\=x,uid=a\\5c\\2a,dc=example,dc=com"), mapping.user("a\\*+b,ou=x"));
        assertEquals("\\28\\2a\\29\u00e4a1", IdentityMapping.escaped("(*)\u00e4a1"));
        for (String wrong : List.of("", "only-a-pattern", "( x", "u:.* ldap:///dc=x?sub?(uid=1)",
                "u:.* ldap:///dc=x??subtree?(uid=1)", "u:.* ldap:///dc=x??sub?(uid=$1")) {
            assertThrows(wrong, IllegalArgumentException.class, () -> IdentityRule.parse(wrong));
        }
        assertFalse(IdentityRule.parse("u:x dc=x").target().isSearch());
    }

    /** Whom other realms call alice, and who is an administrator or a host, is somebody else. */
    @Test
    public void onlyPlainPrincipalsOfTheServersRealmAreUsers() throws Exception {
        Path keytab = TestKeytab.write(temporary.getRoot().toPath().resolve("keytab"), "ldap/localhost", "EXAMPLE.COM");
        KerberosService kerberos = KerberosService.open(keytab, "ldap/localhost@EXAMPLE.COM");
        AtomicReference<String> asked = new AtomicReference<>();
        Directory directory = new DirectoryFilter(null) {
            @Override
            public EntryCursor search(OperationContext context, SearchRequest request) throws DirectoryException {
                asked.set(request.filter().toString());
                throw new DirectoryException(ResultCode.NO_SUCH_OBJECT, "nobody");
            }
        };
        for (KerberosService service : Arrays.asList(kerberos, null)) {
            IdentityMapping mapping = new IdentityMapping(directory, TestServer.SCHEMA, ADMINISTRATOR,
                    new SaslSettings(SaslMechanisms.NAMES, List.of(), true, service), new AuthorizationIdentities(directory, TestServer.SCHEMA));
            for (String other : List.of("alice@OTHER", "alice@example.com", "alice/admin@EXAMPLE.COM", "host/x@EXAMPLE.COM", "alice", "@EXAMPLE.COM",
                    "a\\@EXAMPLE.COM", "a@OTHER@EXAMPLE.COM", "a\\@EXAMPLE.COM@OTHER")) {
                assertNull(mapping.user("kerberos:" + other));
                assertNull(other, asked.get());
            }
            assertNull(mapping.user("kerberos:alice@EXAMPLE.COM"));
            assertEquals(service != null, asked.getAndSet(null) != null);
        }
    }
}
