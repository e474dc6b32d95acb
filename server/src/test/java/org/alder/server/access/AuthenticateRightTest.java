package org.alder.server.access;

import static org.alder.server.access.HiddenEntriesTest.rules;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SCRAMSHA256BindRequest;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.ProxiedAuthorizationV2RequestControl;
import com.unboundid.ldap.sdk.extensions.WhoAmIExtendedRequest;
import com.unboundid.ldap.sdk.extensions.WhoAmIExtendedResult;
import org.alder.partition.testing.Requirement;
import org.alder.server.TestServer;
import org.junit.Test;

/** Who may log in at all, and who may act for others. */
public class AuthenticateRightTest {
    private static String refusal(TestServer server, String dn, String password) throws LDAPException {
        try (LDAPConnection connection = server.anonymous()) {
            LDAPException refused = assertThrows(dn, LDAPException.class, () -> connection.bind(dn, password));
            return refused.getResultCode() + " " + refused.getDiagnosticMessage();
        }
    }

    @Test
    public void whoMayNotLogInGetsTheAnswerOfAWrongPassword() throws LDAPException {
        try (TestServer server = new TestServer(settings -> settings.with(draft -> draft.accessRules = rules(
                "deny authenticate where (employeeNumber=4) to anyone",
                "deny authenticate in base \"" + TestServer.userDn(5) + "\" to address 127.0.0.0/8",
                "deny authenticate in base \"" + TestServer.userDn(6) + "\" to not address 127.0.0.0/8",
                "deny authenticate in base \"" + TestServer.userDn(7) + "\" to mechanism SIMPLE",
                "default")))) {
            String wrong = refusal(server, TestServer.userDn(3), "wrong");
            assertEquals(wrong, refusal(server, TestServer.userDn(4), TestServer.USER_PASSWORD));
            assertEquals(wrong, refusal(server, TestServer.userDn(5), TestServer.USER_PASSWORD));
            assertEquals(wrong, refusal(server, TestServer.userDn(7), TestServer.USER_PASSWORD));
            server.user(3).close();
            server.user(6).close();
            server.admin().close();
            try (LDAPConnection connection = server.anonymous()) {
                connection.bind(new SCRAMSHA256BindRequest("user.7", TestServer.USER_PASSWORD, null));
                LDAPException refused = assertThrows(LDAPException.class,
                        () -> connection.bind(new SCRAMSHA256BindRequest("user.5", TestServer.USER_PASSWORD, null)));
                assertEquals(ResultCode.INVALID_CREDENTIALS, refused.getResultCode());
                assertEquals("", whoAmI(connection));
            }
        }
    }

    private static String whoAmI(LDAPConnection connection) throws LDAPException {
        return ((WhoAmIExtendedResult) connection.processExtendedOperation(new WhoAmIExtendedRequest())).getAuthorizationID();
    }

    @Test
    public void withoutARuleNobodyButTheAdministratorLogsIn() throws LDAPException {
        try (TestServer server = new TestServer(settings -> settings.with(draft -> draft.accessRules = rules("grant view to anyone")))) {
            assertEquals(refusal(server, TestServer.userDn(3), "wrong"), refusal(server, TestServer.userDn(3), TestServer.USER_PASSWORD));
            server.admin().close();
        }
    }

    private static String asked(LDAPConnection connection, String authorizationId) throws LDAPException {
        SearchRequest request = new SearchRequest(TestServer.userDn(9), SearchScope.BASE, "(objectClass=*)", "sn");
        request.addControl(new ProxiedAuthorizationV2RequestControl(authorizationId));
        try {
            return "found " + connection.search(request).getSearchEntries().get(0).hasAttribute("sn");
        } catch (LDAPException e) {
            return e.getResultCode() + " " + e.getDiagnosticMessage().replaceAll("\\d+|nobody", "N");
        }
    }

    @Test
    @Requirement(rfc = 4370, section = "4", text = "The server decides who may act for whom")
    public void whoHasTheRightActsForOthersAsTheyMay() throws LDAPException {
        try (TestServer server = new TestServer(settings -> settings.with(draft -> draft.accessRules = rules(
                "grant proxy in one \"ou=users," + TestServer.SUFFIX + "\" where (!(employeeNumber=5)) to dn \"" + TestServer.userDn(1) + "\"",
                "deny view of sn to dn \"" + TestServer.userDn(4) + "\"",
                "default"))); LDAPConnection portal = server.user(1); LDAPConnection other = server.user(2)) {
            assertEquals("found true", asked(portal, "dn:" + TestServer.userDn(3)));
            assertEquals("found true", asked(portal, "u:user.3"));
            assertEquals("found false", asked(portal, "dn:" + TestServer.userDn(4)));
            String refused = asked(portal, "dn:" + TestServer.userDn(5));
            assertEquals("123", refused.substring(0, 3));
            assertEquals(refused, asked(portal, "dn:uid=user.999,ou=users," + TestServer.SUFFIX));
            assertEquals("123", asked(portal, "dn:" + TestServer.ADMIN).substring(0, 3));
            assertEquals("123", asked(portal, "").substring(0, 3));
            assertEquals("123", asked(portal, "u:nobody").substring(0, 3));
            assertEquals("123", asked(other, "dn:" + TestServer.userDn(3)).substring(0, 3));
        }
    }
}
