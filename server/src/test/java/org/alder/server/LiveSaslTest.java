package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.protocol.BindRequestProtocolOp;
import com.unboundid.ldap.protocol.BindResponseProtocolOp;
import com.unboundid.ldap.sdk.ANONYMOUSBindRequest;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPResult;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SCRAMSHA256BindRequest;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.extensions.WhoAmIExtendedRequest;
import com.unboundid.ldap.sdk.extensions.WhoAmIExtendedResult;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.alder.partition.testing.Await;
import org.alder.server.login.ScramClient;
import org.alder.server.login.TestKeytab;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** How clients log in by SASL, and who is asked for other names, is changed while the server runs. */
public class LiveSaslTest {
    private static final String USER = "uid=u," + TestServer.SUFFIX;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private ConfiguredServer start() throws Exception {
        ConfiguredServer server = ConfiguredServer.start(folder.getRoot().toPath(), ConfiguredServer.SERVER + "passwordScheme: keep\n"
                + ConfiguredServer.PARTITION);
        try (LDAPConnection admin = server.admin()) {
            admin.add("dn: " + TestServer.SUFFIX, "objectClass: domain", "dc: example");
            admin.add("dn: " + USER, "objectClass: account", "objectClass: simpleSecurityObject", "uid: u", "userPassword: "
                    + TestServer.USER_PASSWORD);
        }
        return server;
    }

    private static String replace(LDAPConnection admin, String key, String... values) throws LDAPException {
        return admin.modify("cn=config", new Modification(ModificationType.REPLACE, key, values)).getDiagnosticMessage();
    }

    private static List<String> offered(ConfiguredServer server) throws LDAPException {
        try (LDAPConnection client = server.anonymous()) {
            String[] names = client.getRootDSE().getSupportedSASLMechanismNames();
            return names == null ? List.of() : Arrays.asList(names);
        }
    }

    private static LDAPException fails(ResultCode code, LDAPConnection client, String name) {
        LDAPException refusal = assertThrows(LDAPException.class, () -> client.bind(new SCRAMSHA256BindRequest(name, TestServer.USER_PASSWORD)));
        assertEquals(refusal.getMessage(), code, refusal.getResultCode());
        return refusal;
    }

    private static String whoAmI(LDAPConnection connection) throws LDAPException {
        return ((WhoAmIExtendedResult) connection.processExtendedOperation(new WhoAmIExtendedRequest())).getAuthorizationID();
    }

    @Test(timeout = Await.MILLIS)
    public void theMechanismsThatAreNamedNowAreOffered() throws Exception {
        try (ConfiguredServer server = start(); LDAPConnection admin = server.admin(); LDAPConnection client = server.anonymous()) {
            client.bind(new SCRAMSHA256BindRequest("u", TestServer.USER_PASSWORD));
            assertNull(replace(admin, "saslMechanism", "SCRAM-SHA-512", "ANONYMOUS"));
            assertEquals(List.of("SCRAM-SHA-512", "ANONYMOUS"), offered(server));
            assertEquals("who is logged in stays", "dn:" + USER, whoAmI(client));
            fails(ResultCode.AUTH_METHOD_NOT_SUPPORTED, client, "u");
            client.bind(new ANONYMOUSBindRequest("trace"));
            assertNull(replace(admin, "saslMechanism", "none"));
            assertEquals(List.of(), offered(server));
            LDAPException refusal = assertThrows(LDAPException.class, () -> replace(admin, "saslMechanism", "SCRAM-SHA-256", "SCRAM-MD5"));
            assertTrue(refusal.getMessage(), refusal.getMessage().contains("SCRAM-MD5"));
            assertEquals(List.of(), offered(server));
            admin.modify("cn=config", new Modification(ModificationType.DELETE, "saslMechanism"));
            client.bind(new SCRAMSHA256BindRequest("u", TestServer.USER_PASSWORD));
        }
    }

    @Test(timeout = Await.MILLIS)
    public void aLoginThatHasBegunGoesToItsEndAsItBegan() throws Exception {
        try (ConfiguredServer server = start(); LDAPConnection admin = server.admin(); RawClient client = new RawClient(server.port())) {
            AtomicReference<BindResponseProtocolOp> last = new AtomicReference<>();
            new ScramClient("u", TestServer.USER_PASSWORD).authenticate("n,,", "n,,", new byte[0], message -> {
                if (last.get() != null) {
                    replace(admin, "saslMechanism", "none");
                    replace(admin, "identityRule", "u:.* cn=nobody," + TestServer.SUFFIX);
                }
                client.send(RawClient.bytes(1, new BindRequestProtocolOp("", "SCRAM-SHA-256", new ASN1OctetString(message))));
                last.set(client.read().getBindResponseProtocolOp());
                return last.get().getServerSASLCredentials().stringValue();
            });
            assertEquals(0, last.get().getResultCode());
            client.send(RawClient.bytes(2, new BindRequestProtocolOp("", "SCRAM-SHA-256", new ASN1OctetString("n,,n=u,r=x"))));
            assertEquals(ResultCode.AUTH_METHOD_NOT_SUPPORTED_INT_VALUE, client.read().getBindResponseProtocolOp().getResultCode());
        }
    }

    @Test(timeout = Await.MILLIS)
    public void namesMeanWhatTheRulesOfNowSay() throws Exception {
        try (ConfiguredServer server = start(); LDAPConnection admin = server.admin(); LDAPConnection client = server.anonymous()) {
            fails(ResultCode.INVALID_CREDENTIALS, client, "u@example.com");
            assertNull(replace(admin, "identityRule", "u:(.*)@example\\.com uid=$1," + TestServer.SUFFIX));
            client.bind(new SCRAMSHA256BindRequest("u@example.com", TestServer.USER_PASSWORD));
            assertEquals("dn:" + USER, whoAmI(client));
            for (String wrong : List.of("u:( uid=x,dc=y", "alone", "u:.* ldap:///dc=x??sub?(uid=")) {
                LDAPException refusal = assertThrows(wrong, LDAPException.class, () -> replace(admin, "identityRule", wrong));
                assertTrue(refusal.getMessage(), refusal.getMessage().contains("identityRule"));
            }
            client.bind(new SCRAMSHA256BindRequest("u@example.com", TestServer.USER_PASSWORD));
            admin.modify("cn=config", new Modification(ModificationType.DELETE, "identityRule"));
            fails(ResultCode.INVALID_CREDENTIALS, client, "u@example.com");
        }
    }

    @Test(timeout = Await.MILLIS)
    public void theServerBecomesAServiceOfKerberosAndIsNoneAnyMore() throws Exception {
        Path keytab = TestKeytab.write(folder.getRoot().toPath().resolve("keytab"), "ldap/localhost", "EXAMPLE.COM");
        try (ConfiguredServer server = start(); LDAPConnection admin = server.admin()) {
            assertFalse(offered(server).contains("GSSAPI"));
            LDAPException alone = assertThrows(LDAPException.class, () -> replace(admin, "kerberosKeytabFile", keytab.toString()));
            assertTrue(alone.getMessage(), alone.getMessage().contains("expected kerberosPrincipal"));
            LDAPException noKey = assertThrows(LDAPException.class, () -> kerberos(admin, keytab, "ldap/elsewhere@EXAMPLE.COM"));
            assertTrue(noKey.getMessage(), noKey.getMessage().contains(keytab + " is no keytab with a key of ldap/elsewhere@EXAMPLE.COM"));
            assertFalse(offered(server).contains("GSSAPI"));
            assertNull(kerberos(admin, keytab, "ldap/localhost@EXAMPLE.COM").getDiagnosticMessage());
            assertTrue(offered(server).containsAll(List.of("GSSAPI", "GSS-SPNEGO")));
            admin.modify("cn=config", new Modification(ModificationType.DELETE, "kerberosKeytabFile"),
                    new Modification(ModificationType.DELETE, "kerberosPrincipal"));
            assertFalse(offered(server).contains("GSSAPI"));
        }
    }

    private static LDAPResult kerberos(LDAPConnection admin, Path keytab, String principal) throws LDAPException {
        return admin.modify("cn=config", new Modification(ModificationType.REPLACE, "kerberosKeytabFile", keytab.toString()),
                new Modification(ModificationType.REPLACE, "kerberosPrincipal", principal));
    }

    @Test(timeout = Await.MILLIS)
    public void namesOfOthersAreReferredToTheServerThatIsNamedNow() throws Exception {
        try (ConfiguredServer server = start(); LDAPConnection admin = server.admin()) {
            assertNull(replace(admin, "superiorReferral", "ldap://directory.example.org"));
            LDAPException referral = assertThrows(LDAPException.class, () -> admin.search("dc=elsewhere", SearchScope.BASE, "(objectClass=*)"));
            assertEquals(ResultCode.REFERRAL, referral.getResultCode());
            assertTrue(referral.getReferralURLs()[0], referral.getReferralURLs()[0].startsWith("ldap://directory.example.org/dc=elsewhere"));
            admin.modify("cn=config", new Modification(ModificationType.DELETE, "superiorReferral"));
            assertEquals(ResultCode.NO_SUCH_OBJECT, assertThrows(LDAPException.class,
                    () -> admin.search("dc=elsewhere", SearchScope.BASE, "(objectClass=*)")).getResultCode());
        }
    }
}
