package org.alder.server;

import static org.alder.server.ClientTests.fails;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.unboundidds.controls.AttributeRight;
import com.unboundid.ldap.sdk.unboundidds.controls.EffectiveRightsEntry;
import com.unboundid.ldap.sdk.unboundidds.controls.EntryRight;
import com.unboundid.ldap.sdk.unboundidds.controls.GetEffectiveRightsRequestControl;
import java.util.ArrayList;
import java.util.List;
import org.alder.server.access.AccessRule;
import org.alder.server.access.AccessRuleException;
import org.alder.server.access.AccessRuleParser;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

/** Get effective rights, as the clients of 389 DS and of Sun's servers ask for them. */
public class EffectiveRightsTest {
    private static final String CONTROL = "1.3.6.1.4.1.42.2.27.9.5.2";
    private static final String ME = TestServer.userDn(1);
    private static final String OTHER = TestServer.userDn(2);
    private static TestServer server;

    @BeforeClass
    public static void start() throws AccessRuleException {
        List<AccessRule> rules = new ArrayList<>();
        for (String text : List.of("grant authenticate to anyone", "grant write of telephoneNumber, userPassword to self",
                "grant selfWrite of member to users", "deny view where (employeeNumber=3) to users",
                "grant delete, renameOut in base \"" + OTHER + "\" to users", "grant view to users")) {
            rules.add(AccessRuleParser.parse(TestServer.SCHEMA, text, ""));
        }
        server = new TestServer(settings -> settings.with(draft -> draft.accessRules = rules));
    }

    @AfterClass
    public static void stop() {
        server.close();
    }

    private static SearchResultEntry ask(LDAPConnection connection, String dn, Control control, String... attributes)
            throws LDAPException {
        SearchRequest request = new SearchRequest(dn, SearchScope.BASE, "(objectClass=*)", attributes);
        request.addControl(control);
        return connection.searchForEntry(request);
    }

    private static Control of(String who) {
        return new Control(CONTROL, true, who == null ? null : new ASN1OctetString(who));
    }

    private static String rights(SearchResultEntry entry) {
        return entry.getAttributeValue("entryLevelRights") + " " + entry.getAttributeValue("attributeLevelRights");
    }

    @Test
    @Proves(CONTROL)
    public void anAdministratorIsToldWhatOthersMayDo() throws LDAPException {
        String[] asked = {"sn", "telephoneNumber", "userPassword", "member"};
        try (LDAPConnection admin = server.admin()) {
            assertEquals("v sn:rsc, telephoneNumber:rswoc, userPassword:wo, member:rscWO", rights(ask(admin, ME, of("dn:" + ME), asked)));
            assertEquals("with a blank, as 389's tools write it", "v sn:rsc, telephoneNumber:rswoc, userPassword:wo, member:rscWO",
                    rights(ask(admin, ME, of("dn: " + ME), asked)));
            assertEquals("dnv sn:rsc, telephoneNumber:rsc, userPassword:none, member:rscWO", rights(ask(admin, OTHER, of("dn:" + ME), asked)));
            assertEquals("none sn:none, telephoneNumber:none, userPassword:none, member:WO",
                    rights(ask(admin, TestServer.userDn(3), of("u:user.1"), asked)));
            assertEquals("adnv sn:rswoc, telephoneNumber:rswoc, userPassword:rswoc, member:rswocWO", rights(ask(admin, ME, of(null), asked)));
            assertEquals("none sn:none, telephoneNumber:none, userPassword:none, member:none", rights(ask(admin, ME, of("dn:"), asked)));
            SearchResultEntry all = ask(admin, ME, of("dn:" + ME));
            assertTrue(rights(all), rights(all).contains("givenName:rsc") && rights(all).contains("userPassword:wo"));
            assertTrue(all.hasAttribute("sn"));
            assertFalse(ask(admin, ME, of("dn:" + ME), "1.1").hasAttribute("sn"));
        }
    }

    @Test
    public void sunsClientsReadWhatTheyKnow() throws LDAPException {
        try (LDAPConnection admin = server.admin()) {
            EffectiveRightsEntry entry = new EffectiveRightsEntry(ask(admin, ME,
                    new GetEffectiveRightsRequestControl("dn:" + ME, "description"), "aclRights", "telephoneNumber", "userPassword"));
            assertTrue(entry.rightsInformationAvailable());
            assertTrue(entry.hasEntryRight(EntryRight.READ));
            assertTrue(entry.hasEntryRight(EntryRight.WRITE));
            assertFalse(entry.hasEntryRight(EntryRight.DELETE));
            assertTrue(entry.hasAttributeRight(AttributeRight.WRITE, "telephoneNumber"));
            assertFalse(entry.hasAttributeRight(AttributeRight.READ, "userPassword"));
            assertTrue(entry.hasAttributeRight(AttributeRight.READ, "description"));
            assertFalse(entry.hasAttributeRight(AttributeRight.WRITE, "description"));
        }
    }

    @Test
    public void usersAreToldTheirOwnRightsAndNobodyElses() throws LDAPException {
        try (LDAPConnection me = server.user(1); LDAPConnection admin = server.admin()) {
            assertEquals("dnv telephoneNumber:rsc", rights(ask(me, OTHER, of(null), "telephoneNumber")));
            assertEquals("v telephoneNumber:rswoc", rights(ask(me, ME, of("dn:" + ME), "telephoneNumber")));
            assertFalse(rights(ask(me, ME, of(null))).contains("userPassword"));
            fails(ResultCode.AUTHORIZATION_DENIED, () -> ask(me, ME, of("dn:" + OTHER), "telephoneNumber"));
            fails(ResultCode.PROTOCOL_ERROR, () -> ask(admin, ME,
                    new Control(CONTROL, true, new ASN1OctetString(new byte[] {0x30, 0x05, 0x04})), "sn"));
            fails(ResultCode.AUTHORIZATION_DENIED, () -> ask(admin, ME, of("nobody"), "sn"));
        }
    }
}
