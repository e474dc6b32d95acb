package org.alder.server;

import static org.alder.server.ClientTests.fails;
import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.DeleteRequest;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ModifyRequest;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.SimpleBindRequest;
import com.unboundid.ldap.sdk.controls.AuthorizationIdentityRequestControl;
import com.unboundid.ldap.sdk.controls.AuthorizationIdentityResponseControl;
import com.unboundid.ldap.sdk.controls.DontUseCopyRequestControl;
import com.unboundid.ldap.sdk.controls.MatchedValuesFilter;
import com.unboundid.ldap.sdk.controls.MatchedValuesRequestControl;
import com.unboundid.ldap.sdk.controls.ProxiedAuthorizationV1RequestControl;
import com.unboundid.ldap.sdk.controls.ProxiedAuthorizationV2RequestControl;
import com.unboundid.ldap.sdk.extensions.WhoAmIExtendedRequest;
import com.unboundid.ldap.sdk.extensions.WhoAmIExtendedResult;
import org.alder.partition.testing.Requirement;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Controls about who asks and about which values are returned, through an independent client. */
public class SessionControlsTest {
    private static final String PROXIED_AUTHORIZATION = "2.16.840.1.113730.3.4.18";
    private static final String LAZY_COMMIT = "1.2.840.113556.1.4.619";
    private static final String SESSION_TRACKING = "1.3.6.1.4.1.21008.108.63.1";
    private static final String USER = TestServer.userDn(1);

    private TestServer server;
    private LDAPConnection admin;

    @Before
    public void start() throws LDAPException {
        server = new TestServer();
        admin = server.admin();
    }

    @After
    public void stop() {
        admin.close();
        server.close();
    }

    private static SearchResultEntry read(LDAPConnection connection, Control control, String... attributes)
            throws LDAPException {
        SearchRequest request = new SearchRequest(USER, SearchScope.BASE, "(objectClass=*)", attributes);
        request.setControls(control);
        return connection.searchForEntry(request);
    }

    @Test
    @Proves("1.2.826.0.1.3344810.2.3")
    @Requirement(rfc = 3876, section = "2", text = "Only values that match are returned")
    public void returnsMatchingValuesOnly() throws LDAPException {
        Control control = new MatchedValuesRequestControl(true, MatchedValuesFilter.createEqualityFilter("cn", "USER 1"),
                MatchedValuesFilter.createSubstringFilter("objectClass", "org", null, null),
                MatchedValuesFilter.createEqualityFilter("objectClass", "person"),
                MatchedValuesFilter.createPresentFilter("entryDN"),
                MatchedValuesFilter.createGreaterOrEqualFilter("noSuchAttribute", "x"));
        SearchResultEntry entry = read(admin, control, "*", "entryDN", "numSubordinates");
        assertArrayEquals(new String[] {"User 1"}, entry.getAttributeValues("cn"));
        assertFalse("options are a subtype", entry.hasAttribute("cn;lang-de"));
        assertArrayEquals(new String[] {"person"}, entry.getAttributeValues("objectClass"));
        assertEquals(USER, entry.getAttributeValue("entryDN"));
        assertEquals("what has no value left is left out", 3, entry.getAttributes().size());
        Control names = new MatchedValuesRequestControl(true, MatchedValuesFilter.createPresentFilter("name"));
        assertEquals("subtypes match", 4, read(admin, names, "*").getAttributes().size());
    }

    @Test
    public void matchedValuesShowNothingThatMayNotBeRead() throws LDAPException {
        Control control = new MatchedValuesRequestControl(true, MatchedValuesFilter.createPresentFilter("userPassword"));
        assertTrue(read(admin, control).hasAttribute("userPassword"));
        try (LDAPConnection user = server.user(1)) {
            assertEquals(0, read(user, control, "*", "userPassword").getAttributes().size());
        }
    }

    @Test
    @Requirement(rfc = 3876, section = "3", text = "A value that is no ValuesReturnFilter is refused")
    public void refusesMatchedValuesThatAreNoItems() {
        byte[] and = {0x30, 0x02, (byte) 0xA0, 0x00};
        for (byte[] value : new byte[][] {and, {0x30, 0x00}, {0x04, 0x00}}) {
            fails(ResultCode.PROTOCOL_ERROR, () ->
                    read(admin, new Control("1.2.826.0.1.3344810.2.3", true, new ASN1OctetString(value))));
        }
    }

    @Test
    @Proves("2.16.840.1.113730.3.4.12")
    public void theAdministratorActsForOthersByTheOlderControl() throws LDAPException {
        Control asUser = new ProxiedAuthorizationV1RequestControl(USER);
        assertFalse(read(admin, asUser, "*", "userPassword").hasAttribute("userPassword"));
        fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> admin.delete(new DeleteRequest(USER, new Control[] {asUser})));
        fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> read(admin, new ProxiedAuthorizationV1RequestControl("")));
        fails(ResultCode.AUTHORIZATION_DENIED, () -> read(admin, new ProxiedAuthorizationV1RequestControl("uid=no," + USER)));
        try (LDAPConnection user = server.user(1)) {
            fails(ResultCode.AUTHORIZATION_DENIED, () -> read(user, new ProxiedAuthorizationV1RequestControl(USER)));
        }
        for (byte[] value : new byte[][] {{}, {0x30, 0x00}, {0x04, 0x00}, {0x30, 0x04, 0x04, 0x00, 0x04, 0x00}}) {
            fails(ResultCode.PROTOCOL_ERROR, () -> read(admin, new Control(asUser.getOID(), true, new ASN1OctetString(value))));
        }
    }

    private static String whoAmI(LDAPConnection connection, String authorizationId) throws LDAPException {
        WhoAmIExtendedRequest request =
                new WhoAmIExtendedRequest(new Control[] {new ProxiedAuthorizationV2RequestControl(authorizationId)});
        WhoAmIExtendedResult result = (WhoAmIExtendedResult) connection.processExtendedOperation(request);
        if (result.getResultCode() != ResultCode.SUCCESS) {
            throw new LDAPException(result);
        }
        return result.getAuthorizationID();
    }

    @Test
    @Proves(PROXIED_AUTHORIZATION)
    @Requirement(rfc = 4370, section = "3", text = "Proxied authorization: the operation runs as the identity given")
    public void theAdministratorActsForOthers() throws LDAPException {
        assertEquals("dn:" + USER, whoAmI(admin, "dn:" + USER));
        assertEquals("dn:" + USER, whoAmI(admin, "u:USER.1"));
        assertEquals("", whoAmI(admin, ""));
        assertEquals("", whoAmI(admin, "dn:"));
        assertEquals("dn:" + TestServer.ADMIN, whoAmI(admin, "dn:" + TestServer.ADMIN));
        Control asUser = new ProxiedAuthorizationV2RequestControl("dn:" + USER);
        assertFalse(read(admin, asUser, "*", "userPassword").hasAttribute("userPassword"));
        fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> admin.delete(new DeleteRequest(USER, new Control[] {asUser})));
        fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> read(admin, new ProxiedAuthorizationV2RequestControl("")));
        assertEquals("the connection stays who it was", "dn:" + TestServer.ADMIN, whoAmI(admin, "dn:" + TestServer.ADMIN));
    }

    @Test
    @Requirement(rfc = 4370, section = "3, 4", text = "authorizationDenied (123)")
    public void nobodyElseActsForOthersAndNobodyForTheUnknown() throws LDAPException {
        for (String unknown : new String[] {"dn:uid=nobody," + TestServer.SUFFIX, "u:nobody", "x", "dn:x", "dn:dc=nowhere"}) {
            fails(ResultCode.AUTHORIZATION_DENIED, () -> whoAmI(admin, unknown));
        }
        try (LDAPConnection user = server.user(1); LDAPConnection anonymous = server.anonymous()) {
            fails(ResultCode.AUTHORIZATION_DENIED, () -> whoAmI(user, "dn:" + TestServer.userDn(2)));
            fails(ResultCode.AUTHORIZATION_DENIED, () -> whoAmI(user, "dn:" + TestServer.ADMIN));
            fails(ResultCode.AUTHORIZATION_DENIED, () -> whoAmI(anonymous, "dn:" + USER));
        }
        Control uncritical = new Control(PROXIED_AUTHORIZATION, false, new ASN1OctetString("dn:" + USER));
        fails(ResultCode.PROTOCOL_ERROR, () -> read(admin, uncritical));
    }

    @Test
    @Proves("2.16.840.1.113730.3.4.16")
    @Requirement(rfc = 3829, section = "3, 4", text = "Authorization identity request and response")
    public void bindsTellWhoOneIs() throws LDAPException {
        Control control = new AuthorizationIdentityRequestControl(true);
        assertEquals("dn:" + USER, AuthorizationIdentityResponseControl.get(
                admin.bind(new SimpleBindRequest(USER, TestServer.USER_PASSWORD, control))).getAuthorizationID());
        assertEquals("", AuthorizationIdentityResponseControl.get(
                admin.bind(new SimpleBindRequest("", "", control))).getAuthorizationID());
        LDAPException failure = assertThrows(LDAPException.class, () ->
                admin.bind(new SimpleBindRequest(USER, "wrong", control)));
        assertEquals(ResultCode.INVALID_CREDENTIALS, failure.getResultCode());
        assertEquals(0, failure.getResponseControls().length);
        fails(ResultCode.UNAVAILABLE_CRITICAL_EXTENSION, () -> read(admin, control));
    }

    @Test
    @Proves("1.3.6.1.1.22")
    @Requirement(rfc = 6171, section = "3", text = "Don't use copy")
    public void whatIsReadIsNeverACopy() throws LDAPException {
        assertEquals(USER, read(admin, new DontUseCopyRequestControl()).getDN());
        fails(ResultCode.UNAVAILABLE_CRITICAL_EXTENSION, () ->
                admin.delete(new DeleteRequest(USER, new Control[] {new DontUseCopyRequestControl()})));
        fails(ResultCode.UNAVAILABLE_CRITICAL_EXTENSION, () ->
                read(admin, new Control("1.2.3.4", true)));
    }

    @Test
    @Proves(LAZY_COMMIT)
    public void aLazyUpdateIsAnUpdate() throws LDAPException {
        Modification change = new Modification(ModificationType.REPLACE, "description", "lazy");
        admin.modify(new ModifyRequest(USER, new Modification[] {change}, new Control[] {new Control(LAZY_COMMIT, true)}));
        assertEquals("lazy", admin.getEntry(USER).getAttributeValue("description"));
        fails(ResultCode.PROTOCOL_ERROR, () -> admin.modify(new ModifyRequest(USER, new Modification[] {change},
                new Control[] {new Control(LAZY_COMMIT, true, new ASN1OctetString("x"))})));
        fails(ResultCode.UNAVAILABLE_CRITICAL_EXTENSION, () -> read(admin, new Control(LAZY_COMMIT, true)));
    }

    @Test
    @Proves(SESSION_TRACKING)
    public void sessionsAreTracked() throws LDAPException {
        byte[] session = {0x30, 0x0D, 0x04, 0x02, '1', '2', 0x04, 0x01, 'h', 0x04, 0x00, 0x04, 0x02, 'm', '\n'};
        assertEquals(USER, read(admin, new Control(SESSION_TRACKING, true, new ASN1OctetString(session))).getDN());
        fails(ResultCode.PROTOCOL_ERROR, () -> read(admin, new Control(SESSION_TRACKING, true, new ASN1OctetString("x"))));
        fails(ResultCode.PROTOCOL_ERROR, () -> read(admin, new Control(SESSION_TRACKING, true)));
    }
}
