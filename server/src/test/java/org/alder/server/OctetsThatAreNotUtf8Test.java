package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.asn1.ASN1Sequence;
import com.unboundid.ldap.protocol.AddRequestProtocolOp;
import com.unboundid.ldap.protocol.BindRequestProtocolOp;
import com.unboundid.ldap.protocol.CompareRequestProtocolOp;
import com.unboundid.ldap.protocol.DeleteRequestProtocolOp;
import com.unboundid.ldap.protocol.ExtendedRequestProtocolOp;
import com.unboundid.ldap.protocol.LDAPMessage;
import com.unboundid.ldap.protocol.ModifyDNRequestProtocolOp;
import com.unboundid.ldap.protocol.ModifyRequestProtocolOp;
import com.unboundid.ldap.protocol.ProtocolOp;
import com.unboundid.ldap.protocol.SearchRequestProtocolOp;
import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.DereferencePolicy;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.AssertionRequestControl;
import com.unboundid.ldap.sdk.controls.ProxiedAuthorizationV1RequestControl;
import com.unboundid.ldap.sdk.controls.ProxiedAuthorizationV2RequestControl;
import com.unboundid.ldap.sdk.extensions.PasswordModifyExtendedRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.alder.partition.testing.Requirement;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/**
 * Names and texts of requests whose octets are not UTF-8. Where they became U+FFFD, different names were one: the second was
 * there already, and deleting the third deleted the first. In what is sent here, each {@code ~} stands for the octet FF.
 */
public class OctetsThatAreNotUtf8Test {
    private static final String BAD = "ou=s~," + TestServer.SUFFIX;
    private static final String USER = TestServer.userDn(1);
    private static final Attribute[] UNIT = {new Attribute("objectClass", "organizationalUnit"), new Attribute("ou", "s")};

    private TestServer server;
    private RawClient client;
    private int messageId;

    @Before
    public void start() throws Exception {
        server = new TestServer();
        client = new RawClient(server.port());
        client.bindAsAdmin();
    }

    @After
    public void stop() throws IOException {
        client.close();
        server.close();
    }

    private LDAPMessage answer(byte octet, ProtocolOp operation, Control... controls) throws Exception {
        byte[] bytes = RawClient.bytes(++messageId, operation, controls);
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = bytes[i] == '~' ? octet : bytes[i];
        }
        client.send(bytes);
        return client.read();
    }

    private void fails(ResultCode code, ProtocolOp operation, Control... controls) throws Exception {
        LDAPMessage answer = answer((byte) 0xFF, operation, controls);
        String text = answer.toString();
        assertTrue(operation + ": " + text, text.contains("resultCode=" + code.intValue() + ",")
                || text.contains("resultCode=" + code.intValue() + ")"));
        assertEquals("the connection lives", messageId, answer.getMessageID());
    }

    private void isNoName(ProtocolOp operation, Control... controls) throws Exception {
        fails(ResultCode.INVALID_DN_SYNTAX, operation, controls);
    }

    private static SearchRequestProtocolOp search(String base, Filter filter, String... attributes) {
        return new SearchRequestProtocolOp(base, SearchScope.BASE, DereferencePolicy.NEVER, 0, 0, false, filter,
                List.of(attributes));
    }

    private static SearchRequestProtocolOp search() {
        return search(USER, Filter.createPresenceFilter("seeAlso"));
    }

    private static ExtendedRequestProtocolOp passwordOf(String user) {
        PasswordModifyExtendedRequest request = new PasswordModifyExtendedRequest(user, null, "new");
        return new ExtendedRequestProtocolOp(request.getOID(), request.getValue());
    }

    private static AddRequestProtocolOp add(String dn, Attribute... attributes) {
        return new AddRequestProtocolOp(dn, List.of(attributes));
    }

    private static ModifyRequestProtocolOp modify(String dn, String attribute, String value) {
        return new ModifyRequestProtocolOp(dn, List.of(new Modification(ModificationType.REPLACE, attribute, value)));
    }

    @Test
    @Requirement(rfc = 4511, section = "4.1.3", text = "an LDAPDN is a UTF-8 encoded string constrained to a distinguished name")
    public void namesWithDifferentMalformedOctetsAreNotTheSameName() throws Exception {
        try (LDAPConnection admin = server.admin()) {
            String replaced = "ou=s\uFFFD," + TestServer.SUFFIX;
            admin.add(replaced, UNIT);
            for (byte octet : new byte[] {(byte) 0xFF, (byte) 0xFE, (byte) 0xFD}) {
                LDAPMessage answer = answer(octet, new DeleteRequestProtocolOp(BAD));
                assertEquals(ResultCode.INVALID_DN_SYNTAX.intValue(), answer.getDeleteResponseProtocolOp().getResultCode());
            }
            assertEquals(replaced, admin.getEntry(replaced).getDN());
        }
    }

    @Test
    public void everyRequestRefusesThemInNames() throws Exception {
        isNoName(add(BAD, UNIT));
        isNoName(new DeleteRequestProtocolOp(BAD));
        isNoName(modify(BAD, "description", "x"));
        isNoName(new ModifyDNRequestProtocolOp(BAD, "ou=t", true, null));
        isNoName(new ModifyDNRequestProtocolOp(USER, "uid=user~", true, null));
        isNoName(new ModifyDNRequestProtocolOp(USER, "uid=user.1", true, BAD));
        isNoName(new CompareRequestProtocolOp(BAD, "ou", new ASN1OctetString("s")));
        isNoName(search(BAD, Filter.createPresenceFilter("objectClass")));
        isNoName(new BindRequestProtocolOp(BAD, "password"));
    }

    @Test
    public void everyControlAndExtendedOperationRefusesThemInNames() throws Exception {
        isNoName(search(), new ProxiedAuthorizationV2RequestControl("dn:" + BAD));
        isNoName(search(), new ProxiedAuthorizationV2RequestControl("u:user~"));
        isNoName(search(), new ProxiedAuthorizationV1RequestControl(BAD));
        isNoName(passwordOf(BAD));
        isNoName(passwordOf("dn:" + BAD));
        isNoName(passwordOf("u:user~"));
    }

    @Test
    public void escapedOctetsAreRefusedInNames() throws Exception {
        isNoName(add("ou=s\\ff," + TestServer.SUFFIX, UNIT));
        isNoName(new DeleteRequestProtocolOp("ou=s\\c3," + TestServer.SUFFIX));
        isNoName(new ModifyDNRequestProtocolOp(USER, "uid=user\\c3", true, null));
    }

    @Test
    public void valuesAndAssertionsThatAreNamesAreRefused() throws Exception {
        fails(ResultCode.INVALID_ATTRIBUTE_SYNTAX, modify(USER, "manager", BAD));
        fails(ResultCode.INVALID_ATTRIBUTE_SYNTAX, modify(USER, "description", "~"));
        Filter malformed = Filter.createEqualityFilter("manager", BAD);
        fails(ResultCode.ASSERTION_FAILED, modify(USER, "sn", "x"), new AssertionRequestControl(malformed));
        fails(ResultCode.ASSERTION_FAILED, modify(USER, "sn", "x"), new AssertionRequestControl(
                Filter.createNOTFilter(malformed)));
        fails(ResultCode.ASSERTION_FAILED, modify(USER, "sn", "x"), new AssertionRequestControl(Filter.createNOTFilter(
                Filter.createExtensibleMatchFilter("manager", "1.2.840.113556.1.4.1941", false, BAD))));
    }

    /** RFC 4511 4.1.1: what can be parsed but is wrong is answered with protocolError. */
    @Test
    public void textThatIsNoNameIsRefusedAndTheConnectionLives() throws Exception {
        fails(ResultCode.PROTOCOL_ERROR, add("ou=t," + TestServer.SUFFIX, new Attribute("o~", "x")));
        fails(ResultCode.PROTOCOL_ERROR, modify(USER, "o~", "x"));
        fails(ResultCode.PROTOCOL_ERROR, new CompareRequestProtocolOp(USER, "o~", new ASN1OctetString("s")));
        fails(ResultCode.PROTOCOL_ERROR, search(USER, Filter.createPresenceFilter("o~")));
        fails(ResultCode.PROTOCOL_ERROR, search(USER, Filter.createPresenceFilter("objectClass"), "o~"));
        fails(ResultCode.PROTOCOL_ERROR, new ExtendedRequestProtocolOp("1.2.~", null));
        fails(ResultCode.PROTOCOL_ERROR, search(), new Control("1.2.840.113556.1.4.473", true, new ASN1OctetString(
                new ASN1Sequence(new ASN1Sequence(new ASN1OctetString("o~"))).encode())));
        fails(ResultCode.SUCCESS, search());
    }

    /** Java replaces what is not UTF-8 without a word wherever octets become a String. One class does it for all. */
    @Test
    public void onlyOneClassMakesTextOfOctets() throws IOException {
        Pattern replacing = Pattern.compile("new String\\((?:[^();]|\\([^()]*\\))*UTF_8\\)|\\.toString\\((StandardCharsets\\.)?UTF_8\\)"
                + "|UTF_8\\.decode\\(|new InputStreamReader\\((?:[^();]|\\([^()]*\\))*UTF_8\\)", Pattern.DOTALL);
        List<String> found = new ArrayList<>();
        for (String module : List.of("partition", "server")) {
            try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "main", "java"))) {
                files.filter(file -> file.toString().endsWith(".java") && !file.endsWith("text/Utf8.java"))
                        .filter(file -> replacing.matcher(text(file)).find()).forEach(file -> found.add(file.toString()));
            }
        }
        assertEquals("use org.alder.partition.text.Utf8", List.of(), found);
    }

    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
