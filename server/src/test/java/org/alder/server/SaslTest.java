package org.alder.server;

import static org.alder.server.ClientTests.fails;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.protocol.BindRequestProtocolOp;
import com.unboundid.ldap.protocol.BindResponseProtocolOp;
import com.unboundid.ldap.protocol.ExtendedRequestProtocolOp;
import com.unboundid.ldap.protocol.LDAPMessage;
import com.unboundid.ldap.sdk.ANONYMOUSBindRequest;
import com.unboundid.ldap.sdk.BindRequest;
import com.unboundid.ldap.sdk.BindResult;
import com.unboundid.ldap.sdk.ExtendedRequest;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.PLAINBindRequest;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SCRAMSHA256BindRequest;
import com.unboundid.ldap.sdk.SCRAMSHA512BindRequest;
import com.unboundid.ldap.sdk.controls.AuthorizationIdentityRequestControl;
import com.unboundid.ldap.sdk.controls.AuthorizationIdentityResponseControl;
import com.unboundid.ldap.sdk.extensions.WhoAmIExtendedRequest;
import com.unboundid.ldap.sdk.extensions.WhoAmIExtendedResult;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.alder.partition.testing.Requirement;
import org.alder.server.auth.Administrator;
import org.alder.server.auth.NewPasswordScheme;
import org.alder.server.extended.WhoAmI;
import org.alder.server.login.IdentityRule;
import org.alder.server.login.SaslMechanisms;
import org.alder.server.login.SaslSettings;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** SASL through a client's eyes, on a connection that nothing protects. */
public class SaslTest {
    private static final String FIRST = "n,,n=user.1,r=rOprNGfwEbeRWgbNEkqO";

    private TestServer server;

    @Before
    public void start() throws Exception {
        server = server(SaslSettings.STANDARD);
        try (LDAPConnection admin = server.admin()) {
            admin.modify(TestServer.userDn(1), new Modification(ModificationType.REPLACE, "userPassword", "p\u00e4ncil"));
            admin.modify(TestServer.userDn(3), new Modification(ModificationType.REPLACE, "userPassword",
                    "{SSHA}2D7DXcHaxkWxjlTTFhTzbi4Z/sdhYmNk"));
            String stored = admin.getEntry(TestServer.userDn(1), "userPassword").getAttributeValue("userPassword");
            assertTrue(stored, stored.startsWith("{SCRAM-SHA-256}4096,"));
        }
    }

    private static TestServer server(SaslSettings sasl) {
        return new TestServer(settings -> settings.with(draft -> draft.sasl = sasl).with(draft -> draft.passwords = 
                TestServer.QUICK_PASSWORDS.withScheme(NewPasswordScheme.SCRAM_SHA256).withPbkdf2Rounds(4096)));
    }

    @After
    public void stop() {
        server.close();
    }

    private static String whoAmI(LDAPConnection connection) throws LDAPException {
        return ((WhoAmIExtendedResult) connection.processExtendedOperation(new WhoAmIExtendedRequest())).getAuthorizationID();
    }

    @Test
    public void noPasswordInTheAdministratorsEntryLetsHimIn() throws Exception {
        String name = TestServer.userDn(2);
        try (TestServer named = new TestServer(settings -> settings.with(draft -> draft.administrator = 
                new Administrator(TestServer.dn(name), TestServer.ADMIN_PASSWORD.getBytes(StandardCharsets.UTF_8))));
                LDAPConnection connection = named.anonymous()) {
            fails(ResultCode.INVALID_CREDENTIALS,
                    () -> connection.bind(new SCRAMSHA256BindRequest("user.2", TestServer.USER_PASSWORD)));
            connection.bind(name, TestServer.ADMIN_PASSWORD);
        }
    }

    @Test
    public void scramProvesStoredKeysAndClearText() throws Exception {
        try (LDAPConnection connection = server.anonymous()) {
            connection.bind(new SCRAMSHA256BindRequest("user.1", "p\u00e4ncil"));
            assertEquals("dn:" + TestServer.userDn(1), whoAmI(connection));
            connection.bind(new SCRAMSHA256BindRequest("u:user.2", "password"));
            assertEquals("dn:" + TestServer.userDn(2), whoAmI(connection));
            connection.bind(new SCRAMSHA512BindRequest("user.4", "password"));
            assertEquals("dn:" + TestServer.userDn(4), whoAmI(connection));
            connection.bind(TestServer.userDn(1), "p\u00e4ncil");
        }
    }

    @Test
    public void whateverIsWrongHasTheSameAnswer() throws Exception {
        String answer = null;
        try (LDAPConnection connection = server.anonymous()) {
            for (String name : List.of("user.1", "user.2", "user.3", "nobody", "u:", "dn:", "dn:no dn", "a)(*", "*",
                    "user.1\u0000")) {
                for (BindRequest request : List.of(new SCRAMSHA256BindRequest(name, "wrong"),
                        new SCRAMSHA512BindRequest(name, "wrong"))) {
                    String message = fails(ResultCode.INVALID_CREDENTIALS, () -> connection.bind(request)).getDiagnosticMessage();
                    assertEquals(name, answer == null ? message : answer, message);
                    answer = message;
                    assertEquals("", whoAmI(connection));
                }
            }
        }
    }

    @Test
    @Requirement(rfc = 4512, section = "5.1", text = "supportedSASLMechanisms lists what this connection can do now")
    public void theRootDseListsWhatTheConnectionCanDoNow() throws Exception {
        try (LDAPConnection connection = server.anonymous(); TestServer open = server(
                new SaslSettings(SaslMechanisms.NAMES, List.of(), false, null)); LDAPConnection toOpen = open.anonymous()) {
            assertEquals(Set.of("SCRAM-SHA-256", "SCRAM-SHA-512"),
                    Set.of(connection.getRootDSE().getSupportedSASLMechanismNames()));
            assertEquals(Set.of("SCRAM-SHA-256", "SCRAM-SHA-512", "ANONYMOUS"),
                    Set.of(toOpen.getRootDSE().getSupportedSASLMechanismNames()));
            fails(ResultCode.AUTH_METHOD_NOT_SUPPORTED, () -> connection.bind(new PLAINBindRequest("user.2", "password")));
            fails(ResultCode.AUTH_METHOD_NOT_SUPPORTED, () -> connection.bind(new ANONYMOUSBindRequest("trace")));
            toOpen.bind(TestServer.userDn(2), "password");
            toOpen.bind(new ANONYMOUSBindRequest("trace"));
            assertEquals("", whoAmI(toOpen));
        }
    }

    @Test
    @Requirement(rfc = 3829, section = "3", text = "A SASL bind tells the authorization identity where it is asked for")
    public void theAuthorizationIdentityIsTold() throws Exception {
        try (LDAPConnection connection = server.anonymous()) {
            BindResult result = connection.bind(new SCRAMSHA256BindRequest("user.1", "p\u00e4ncil",
                    new AuthorizationIdentityRequestControl()));
            assertEquals("dn:" + TestServer.userDn(1), AuthorizationIdentityResponseControl.get(result).getAuthorizationID());
        }
    }

    @Test
    public void aNameIsMappedByTheFirstRuleThatMatches() throws Exception {
        try (TestServer mapped = server(new SaslSettings(SaslMechanisms.NAMES, List.of(
                IdentityRule.parse("u:([^@]+)@example\\.com uid=$1,ou=users," + TestServer.SUFFIX),
                IdentityRule.parse("u:([0-9]+) ldap:///" + TestServer.SUFFIX + "??sub?(employeeNumber=$1)"),
                IdentityRule.parse("u:several.* ldap:///" + TestServer.SUFFIX + "??sub?(sn=*)")), false, null));
                LDAPConnection connection = mapped.anonymous()) {
            connection.bind(new SCRAMSHA256BindRequest("user.7@example.com", "password"));
            assertEquals("dn:" + TestServer.userDn(7), whoAmI(connection));
            connection.bind(new SCRAMSHA256BindRequest("8", "password"));
            assertEquals("dn:" + TestServer.userDn(8), whoAmI(connection));
            for (String name : List.of("several", "999", "user.7*@example.com", "user.7@example.org")) {
                fails(ResultCode.INVALID_CREDENTIALS, () -> connection.bind(new SCRAMSHA256BindRequest(name, "password")));
            }
        }
    }

    private static byte[] bind(int id, String mechanism, String credentials) {
        return RawClient.bytes(id, new BindRequestProtocolOp("", mechanism,
                credentials == null ? null : new ASN1OctetString(credentials)));
    }

    private static BindResponseProtocolOp response(RawClient client) throws Exception {
        return client.read().getBindResponseProtocolOp();
    }

    @Test
    @Requirement(rfc = 4511, section = "4.2.1", text = "Between the binds of a SASL negotiation all other requests get operationsError; another"
            + " mechanism or an empty one gives it up")
    public void anAuthenticationCanBeGivenUpAtAnyPoint() throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            client.send(bind(1, "SCRAM-SHA-256", null));
            BindResponseProtocolOp empty = response(client);
            assertEquals(ResultCode.SASL_BIND_IN_PROGRESS_INT_VALUE, empty.getResultCode());
            assertEquals("", empty.getServerSASLCredentials().stringValue());
            client.send(bind(2, "SCRAM-SHA-256", FIRST));
            BindResponseProtocolOp challenge = response(client);
            assertEquals(ResultCode.SASL_BIND_IN_PROGRESS_INT_VALUE, challenge.getResultCode());
            assertTrue(challenge.getServerSASLCredentials().stringValue().startsWith("r=rOprNGfwEbeRWgbNEkqO"));
            client.send(RawClient.bytes(3, new ExtendedRequestProtocolOp(new ExtendedRequest(WhoAmI.OID))));
            assertEquals("nothing else between two binds", ResultCode.OPERATIONS_ERROR_INT_VALUE,
                    client.read().getExtendedResponseProtocolOp().getResultCode());
            client.send(bind(4, "SCRAM-SHA-512", FIRST));
            assertEquals("another mechanism begins anew", ResultCode.SASL_BIND_IN_PROGRESS_INT_VALUE,
                    response(client).getResultCode());
            client.send(RawClient.bytes(5, new BindRequestProtocolOp(TestServer.userDn(2), "password")));
            assertEquals(0, response(client).getResultCode());
            client.send(bind(6, "SCRAM-SHA-512", "c=biws,r=rOprNGfwEbeRWgbNEkqO,p=AAAA"));
            assertEquals("nothing goes on after another bind", ResultCode.PROTOCOL_ERROR_INT_VALUE,
                    response(client).getResultCode());
            client.send(bind(7, "SCRAM-SHA-256", FIRST), bind(8, "", null));
            assertEquals(ResultCode.SASL_BIND_IN_PROGRESS_INT_VALUE, response(client).getResultCode());
            assertEquals(ResultCode.AUTH_METHOD_NOT_SUPPORTED_INT_VALUE, response(client).getResultCode());
            client.send(RawClient.bytes(9, new ExtendedRequestProtocolOp(new ExtendedRequest(WhoAmI.OID))));
            LDAPMessage who = client.read();
            assertEquals(0, who.getExtendedResponseProtocolOp().getResultCode());
            assertNotNull(who.getExtendedResponseProtocolOp());
        }
    }

    private static byte[] raw(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    @Test
    @Requirement(rfc = 4511, section = "4.2.1", text = "Any other bind ends a SASL negotiation, also one that does not decode")
    public void aBindThatDoesNotDecodeEndsTheNegotiation() throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            // A DN and a mechanism that are not UTF-8, and an authentication that is neither simple nor SASL.
            for (String bind : List.of("300d02010260080201030401ff8000", "301002010260" + "0b020103" + "0400" + "a3040402fffe",
                    "300c0201026007020103" + "0400" + "8400")) {
                client.send(bind(1, "SCRAM-SHA-256", FIRST));
                assertEquals(ResultCode.SASL_BIND_IN_PROGRESS_INT_VALUE, response(client).getResultCode());
                client.send(raw(bind));
                assertTrue(bind, response(client).getResultCode() != ResultCode.SASL_BIND_IN_PROGRESS_INT_VALUE);
                client.send(RawClient.bytes(3, new ExtendedRequestProtocolOp(new ExtendedRequest(WhoAmI.OID))));
                assertEquals(bind, 0, client.read().getExtendedResponseProtocolOp().getResultCode());
                client.send(bind(4, "SCRAM-SHA-256", "c=biws,r=rOprNGfwEbeRWgbNEkqO,p=AAAA"));
                assertEquals("nothing goes on", ResultCode.PROTOCOL_ERROR_INT_VALUE, response(client).getResultCode());
            }
        }
    }

    @Test
    @Requirement(rfc = 5802, section = "7", text = "What is no message of SCRAM is refused")
    public void whatIsNoMessageOfTheMechanismIsRefusedAndTheConnectionLives() throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            int id = 1;
            for (String first : List.of("x", "n,n=a,r=b", "n,,n=,r=b", "n,,n=a=b,r=c", "n,,m=x,n=a,r=c", "n,,n=a,r=",
                    "p=tls-unique,,n=a,r=c",
                    "z,,n=a,r=c", "n,,n=a,r=b c", "n,,n=" + "a".repeat(2000) + ",r=c", "\u0000")) {
                client.send(bind(id++, "SCRAM-SHA-256", first));
                assertEquals(first, ResultCode.PROTOCOL_ERROR_INT_VALUE, response(client).getResultCode());
            }
            for (String last : List.of("", "c=biws", "c=biws,r=x,p=AAAA", "c=!,r=x,p=AAAA")) {
                client.send(bind(id++, "SCRAM-SHA-256", FIRST));
                assertEquals(ResultCode.SASL_BIND_IN_PROGRESS_INT_VALUE, response(client).getResultCode());
                client.send(bind(id++, "SCRAM-SHA-256", last));
                BindResponseProtocolOp refused = response(client);
                assertTrue(last, refused.getResultCode() == ResultCode.PROTOCOL_ERROR_INT_VALUE
                        || refused.getResultCode() == ResultCode.INVALID_CREDENTIALS_INT_VALUE);
                assertNull(refused.getServerSASLCredentials());
            }
        }
    }
}
