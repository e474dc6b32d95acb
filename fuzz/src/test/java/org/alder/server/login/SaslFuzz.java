package org.alder.server.login;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.alder.fuzz.Named;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.schema.Schema;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.TestDirectory;
import org.alder.server.access.Right;
import org.alder.server.auth.Administrator;
import org.alder.server.auth.Identity;
import org.alder.server.auth.NewPasswordScheme;
import org.alder.server.auth.PasswordSettings;
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

/** What clients send to authenticate: nobody is let in, for the password is in no seed. */
public final class SaslFuzz {
    private static final Schema SCHEMA = TestDirectory.SCHEMA;
    private static final Dn USER = Dn.stored(SCHEMA, "uid=user,dc=example,dc=com");
    private static final String PASSWORD = "a password that no fuzzer finds: 6eb1c2d8";
    /** Stands in a message for the nonce that the server has sent. */
    private static final String NONCE = "$NONCE";
    private static final int ROUNDS = 10;
    private static final Set<ResultCode> REFUSALS = Set.of(ResultCode.PROTOCOL_ERROR, ResultCode.INVALID_CREDENTIALS,
            ResultCode.AUTH_METHOD_NOT_SUPPORTED, ResultCode.INSUFFICIENT_ACCESS_RIGHTS, ResultCode.INAPPROPRIATE_AUTHENTICATION,
            ResultCode.CONFIDENTIALITY_REQUIRED);
    private static final Peer TLS = new FuzzedPeer(new byte[] {'c', 'b'}, null);
    private static final Peer UNIX = new FuzzedPeer(null, new PeerCredentials("user", 1000, 100, false));
    private static final SaslMechanisms MECHANISMS = mechanisms();

    private SaslFuzz() {
    }

    private record FuzzedPeer(byte[] binding, PeerCredentials peerCredentials) implements Peer {
        @Override
        public boolean isProtected() {
            return true;
        }

        @Override
        public List<X509Certificate> peerCertificates() {
            return List.of();
        }

        @Override
        public byte[] channelBinding(ChannelBinding type) {
            return binding;
        }
    }

    /** One user. */
    private record OneAccount(List<byte[]> stored) implements Accounts {
        @Override
        public List<byte[]> passwords(Dn dn) {
            return dn.equals(USER) ? stored : List.of();
        }

        @Override
        public CompletableFuture<?> replacePassword(Dn dn, byte[] before, byte[] better) {
            throw new AssertionError("nothing is replaced");
        }
    }

    /** A directory without entries, where all may log in, and nobody may act as another. */
    private static final class NoEntries extends DirectoryFilter {
        NoEntries() {
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

    private static SaslMechanisms mechanisms() {
        HashingThreads threads = new HashingThreads(1, 100, new Counters());
        AccountLogins logins = new AccountLogins(new PasswordPolicies(SCHEMA, dn -> null, PolicySettings.STANDARD));
        Administrator administrator = Administrator.turnedOff(Dn.stored(SCHEMA, "cn=Directory Manager"));
        Passwords passwords = new Passwords(PasswordSettings.STANDARD.withScheme(NewPasswordScheme.SSHA512).withUpgrade(false)
                .withPbkdf2Rounds(ROUNDS));
        Directory directory = new NoEntries();
        AuthorizationIdentities identities = new AuthorizationIdentities(directory, SCHEMA);
        SaslSettings settings = new SaslSettings(SaslMechanisms.NAMES,
                List.of(IdentityRule.parse("(?:u|unix):(.*) uid=$1,dc=example,dc=com")), true, null);
        IdentityMapping mapping = new IdentityMapping(directory, SCHEMA, administrator, settings, identities);
        Accounts accounts = new OneAccount(List.of(PASSWORD.getBytes(StandardCharsets.UTF_8)));
        Logins all = new Logins(new Authenticator(accounts, new Administrators(administrator, null), passwords, threads, logins), passwords,
                threads, mapping, identities);
        return new SaslMechanisms(sasl -> all, () -> settings);
    }

    /** A line with the name of a mechanism, then a client's messages, each but the first behind an end of a line. */
    public static void messages(byte[] input) throws Exception {
        Named named = Named.of(input);
        if (named.rest() == null) {
            return;
        }
        Peer peer = named.name().equals("EXTERNAL") ? UNIX : TLS;
        try {
            SaslNegotiation negotiation = MECHANISMS.begin(named.name(), new OperationContext(Identity.ANONYMOUS, Instant.EPOCH, null), peer);
            String nonce = "";
            for (String message : new String(named.rest(), StandardCharsets.ISO_8859_1).split("\n", -1)) {
                SaslNegotiation.Step step = Await.result("an answer", negotiation.respond(
                        message.replace(NONCE, nonce).getBytes(StandardCharsets.ISO_8859_1)));
                if (step.login() != null) {
                    requireProven(named.name(), step.login().identity());
                    return;
                }
                nonce = nonce(new String(step.credentials(), StandardCharsets.ISO_8859_1));
            }
        } catch (DirectoryException e) {
            requireRefusal(e);
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof DirectoryException refusal)) {
                throw e;
            }
            requireRefusal(refusal);
        }
    }

    private static void requireRefusal(DirectoryException refusal) {
        assertTrue(refusal.resultCode() + " " + refusal.getMessage(), REFUSALS.contains(refusal.resultCode()));
    }

    private static String nonce(String challenge) {
        int comma = challenge.indexOf(',');
        return comma > 2 ? challenge.substring(2, comma) : "";
    }

    private static void requireProven(String mechanism, Identity identity) {
        if (!identity.isAnonymous()) {
            assertEquals("nobody proves more than the system says", "EXTERNAL", mechanism);
            assertEquals(USER, identity.dn());
        } else {
            assertEquals("ANONYMOUS", mechanism);
        }
    }
}
