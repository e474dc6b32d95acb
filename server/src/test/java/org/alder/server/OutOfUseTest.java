package org.alder.server;

import static org.alder.server.ClientTests.fails;
import static org.junit.Assert.assertEquals;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.asn1.ASN1StreamReader;
import com.unboundid.ldap.protocol.BindRequestProtocolOp;
import com.unboundid.ldap.protocol.LDAPMessage;
import com.unboundid.ldap.protocol.ProtocolOp;
import com.unboundid.ldap.protocol.SearchRequestProtocolOp;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.DereferencePolicy;
import com.unboundid.ldap.sdk.EXTERNALBindRequest;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ModifyRequest;
import com.unboundid.ldap.sdk.PLAINBindRequest;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SCRAMSHA256BindRequest;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.SimpleBindRequest;
import com.unboundid.ldap.sdk.controls.ProxiedAuthorizationV2RequestControl;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.Requirement;
import org.alder.server.auth.NewPasswordScheme;
import org.alder.server.login.IdentityRule;
import org.alder.server.login.SaslMechanisms;
import org.alder.server.login.SaslSettings;
import org.alder.server.policy.PasswordPolicy;
import org.alder.server.policy.PolicySettings;
import org.alder.server.tls.TlsFiles;
import org.alder.server.wire.Listener;
import org.alder.server.wire.UnixSocket;
import org.alder.server.wire.layer.ClientCertificates;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Whom an account in each state lets in by each door: the table of docs/password-policy.md. Kerberos's is in
 * {@code clients.KerberosTest}.
 */
public class OutOfUseTest {
    private static final String DN = TestServer.userDn(5);
    private static final String PASSWORD = "river stone 7";
    private static final String PROXY = TestServer.userDn(6);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private Path root;
    private TestAuthority authority;
    private TestTls tls;
    private SSLContext client;
    private LDAPConnection admin;

    /** How somebody comes to act as the account, and whether he has to know the password. */
    private enum Door {
        SIMPLE(true), PLAIN(true), SCRAM(true), CERTIFICATE(false), SOCKET(false), PROXIED(false), PROXIED_BY_ADMINISTRATOR(false),
        AUTHORIZATION_IDENTITY(false);

        private final boolean password;

        Door(boolean password) {
            this.password = password;
        }
    }

    /** What comes of it. */
    private enum Outcome { IN, OUT, CHANGE_FIRST }

    @Before
    public void start() throws Exception {
        root = folder.getRoot().toPath();
        authority = new TestAuthority(root);
        authority.signedPair("entry", DN.replace("uid=", "UID=").replace("dc=", "DC=").replace("ou=", "OU="));
        TlsFiles files = TlsFiles.of(root.resolve("tls.crt"), root.resolve("tls.key")).withAuthorities(authority.file(), List.of());
        String user = Files.getOwner(root).getName();
        SaslSettings sasl = new SaslSettings(SaslMechanisms.NAMES, List.of(IdentityRule.parse("unix:\\Q" + user + "\\E " + DN)), false, null);
        PasswordPolicy policy = new PasswordPolicy(null, PasswordPolicy.Change.FREE, new PasswordPolicy.Aging(31_536_000, 0, 0, 0, 31_536_000),
                PasswordPolicy.STANDARD.lockout());
        tls = new TestTls(root, files, settings -> settings.with(draft -> draft.sasl = sasl)
                .with(draft -> draft.passwordPolicy = PolicySettings.STANDARD.withPolicy(policy))
                .with(draft -> draft.passwords = TestServer.QUICK_PASSWORDS.withScheme(NewPasswordScheme.SCRAM_SHA256).withPbkdf2Rounds(4096))
                .with(draft -> draft.wire = settings.wire().withListeners(more(settings.wire().listeners()), settings.wire().tls())),
                listener -> listener.withClients(ClientCertificates.OPTIONAL));
        client = tls.clientContext(TestTls.PROTOCOLS.get(0), authority.keys("entry"));
        admin = tls.server().admin();
        admin.modify(DN, new Modification(ModificationType.REPLACE, "userPassword", PASSWORD));
        admin.modify(DN, new Modification(ModificationType.ADD, "accessRule", "grant proxy to dn \"" + PROXY + "\""));
    }

    private List<Listener> more(List<Listener> listeners) {
        List<Listener> all = new ArrayList<>(listeners);
        all.add(Listener.of(new UnixSocket(root.resolve("ldapi"), PosixFilePermissions.fromString("rw-------"), true)));
        return all;
    }

    @After
    public void stop() throws Exception {
        try (LDAPConnection ended = admin) {
            tls.close();
        }
    }

    private void state(String... lines) throws LDAPException {
        List<Modification> modifications = new ArrayList<>();
        for (String name : List.of("nsAccountLock", "nsRoleDN", "pwdAccountLockedTime", "pwdStartTime", "pwdEndTime", "pwdReset", "pwdLastSuccess",
                "krbPrincipalExpiration", "accountUnlockTime")) {
            modifications.add(new Modification(ModificationType.REPLACE, name));
        }
        for (String line : lines) {
            String[] parts = line.split(": ", 2);
            modifications.add(new Modification(ModificationType.REPLACE, parts[0], parts[1]));
        }
        admin.modify(new ModifyRequest(DN, modifications, new Control[] {new Control("1.3.6.1.4.1.4203.666.5.12", true)}));
    }

    private Outcome outcome(Door door) throws Exception {
        try {
            switch (door) {
                case SIMPLE -> {
                    return bound(connection -> connection.bind(new SimpleBindRequest(DN, PASSWORD)));
                }
                case PLAIN -> {
                    return bound(connection -> connection.bind(new PLAINBindRequest("dn:" + DN, PASSWORD)));
                }
                case SCRAM -> {
                    return bound(connection -> connection.bind(new SCRAMSHA256BindRequest("user.5", PASSWORD)));
                }
                case CERTIFICATE -> {
                    return bound(connection -> connection.bind(new EXTERNALBindRequest()));
                }
                case AUTHORIZATION_IDENTITY -> {
                    return bound(connection -> connection.bind(new PLAINBindRequest("dn:" + PROXY, "dn:" + DN, TestServer.USER_PASSWORD)));
                }
                case SOCKET -> {
                    return throughSocket();
                }
                default -> {
                    try (LDAPConnection connection = door == Door.PROXIED ? tls.server().user(6) : tls.server().admin()) {
                        return searched(connection, new ProxiedAuthorizationV2RequestControl("dn:" + DN));
                    }
                }
            }
        } catch (LDAPException e) {
            assertEquals(e.toString(), door.name().startsWith("PROXIED") ? ResultCode.AUTHORIZATION_DENIED : door == Door.AUTHORIZATION_IDENTITY
                    ? ResultCode.INSUFFICIENT_ACCESS_RIGHTS : ResultCode.INVALID_CREDENTIALS, e.getResultCode());
            return Outcome.OUT;
        }
    }

    @FunctionalInterface
    private interface Login {
        void of(LDAPConnection connection) throws LDAPException;
    }

    private Outcome bound(Login login) throws LDAPException {
        try (LDAPConnection connection = tls.ldaps(client)) {
            login.of(connection);
            return searched(connection);
        }
    }

    private static Outcome searched(LDAPConnection connection, Control... controls) throws LDAPException {
        SearchRequest request = new SearchRequest(DN, SearchScope.BASE, Filter.createPresenceFilter("objectClass"), "cn");
        request.setControls(controls);
        try {
            assertEquals(1, connection.search(request).getEntryCount());
            return Outcome.IN;
        } catch (LDAPException e) {
            if (e.getResultCode() == ResultCode.INSUFFICIENT_ACCESS_RIGHTS) {
                return Outcome.CHANGE_FIRST;
            }
            throw e;
        }
    }

    private Outcome throughSocket() throws Exception {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(root.resolve("ldapi")))) {
            ASN1StreamReader answers = new ASN1StreamReader(Channels.newInputStream(channel));
            LDAPMessage login = ask(channel, answers, new BindRequestProtocolOp("", "EXTERNAL", (ASN1OctetString) null));
            int code = login.getBindResponseProtocolOp().getResultCode();
            if (code != 0) {
                throw new LDAPException(ResultCode.valueOf(code));
            }
            LDAPMessage found = ask(channel, answers, new SearchRequestProtocolOp(DN, SearchScope.BASE, DereferencePolicy.NEVER, 0, 0, false,
                    Filter.createPresenceFilter("objectClass"), List.of("cn")));
            return found.getProtocolOpType() == 0x64 ? Outcome.IN : Outcome.CHANGE_FIRST;
        }
    }

    private static LDAPMessage ask(SocketChannel channel, ASN1StreamReader answers, ProtocolOp request) throws Exception {
        channel.write(ByteBuffer.wrap(new LDAPMessage(1, request).encode().encode()));
        return LDAPMessage.readFrom(answers, true);
    }

    private Map<Door, Outcome> found() throws Exception {
        Map<Door, Outcome> found = new EnumMap<>(Door.class);
        for (Door door : Door.values()) {
            found.put(door, outcome(door));
        }
        return found;
    }

    private static Map<Door, Outcome> all(Outcome withPassword, Outcome without) {
        Map<Door, Outcome> expected = new EnumMap<>(Door.class);
        for (Door door : Door.values()) {
            expected.put(door, door.password ? withPassword : without);
        }
        return expected;
    }

    @Test(timeout = Await.MILLIS)
    @Requirement(rfc = 4370, section = "4", text = "Nobody acts by proxied authorization as somebody who is out of use (authorizationDenied)")
    public void whoIsOutOfUseGetsInByNoDoor() throws Exception {
        state();
        assertEquals("a sound account", all(Outcome.IN, Outcome.IN), found());
        Map<String, Map<Door, Outcome>> table = new LinkedHashMap<>();
        for (String outOfUse : List.of("nsAccountLock: TRUE", "nsRoleDN: cn=nsManagedDisabledRole," + TestServer.SUFFIX,
                "pwdAccountLockedTime: 000001010000Z", "pwdStartTime: 20990101000000Z", "pwdEndTime: 20200101000000Z",
                "pwdLastSuccess: 20200101000000Z")) {
            table.put(outOfUse, all(Outcome.OUT, Outcome.OUT));
        }
        for (String ofThePassword : List.of("pwdAccountLockedTime: 20200101000000Z", "accountUnlockTime: 20990101000000Z",
                "pwdChangedTime: 20200101000000Z")) {
            table.put(ofThePassword, all(Outcome.OUT, Outcome.IN));
        }
        table.put("pwdReset: TRUE", all(Outcome.CHANGE_FIRST, Outcome.IN));
        for (Map.Entry<String, Map<Door, Outcome>> row : table.entrySet()) {
            state(row.getKey());
            assertEquals(row.getKey(), row.getValue(), found());
        }
    }

    /** What his right to act for others is worth to who has to change his password first. */
    @Test(timeout = Await.MILLIS)
    public void whoHasToChangeHisPasswordActsForNobody() throws Exception {
        admin.modify(PROXY, new Modification(ModificationType.REPLACE, "pwdReset", "TRUE"));
        try (LDAPConnection connection = tls.ldaps(client)) {
            fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS,
                    () -> connection.bind(new PLAINBindRequest("dn:" + PROXY, "dn:" + DN, TestServer.USER_PASSWORD)));
            connection.bind(PROXY, TestServer.USER_PASSWORD);
            SearchRequest request = new SearchRequest(DN, SearchScope.BASE, Filter.createPresenceFilter("objectClass"));
            request.addControl(new ProxiedAuthorizationV2RequestControl("dn:" + DN));
            fails(ResultCode.AUTHORIZATION_DENIED, () -> connection.search(request));
        }
    }
}
