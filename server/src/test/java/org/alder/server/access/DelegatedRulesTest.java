package org.alder.server.access;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldif.LDIFException;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.store.JdbmStore;
import org.alder.server.TestServer;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.function.ThrowingRunnable;
import org.junit.rules.TemporaryFolder;

/** Rules in entries, through a client: what they mean, who may write them, and that a change holds from the next request on. */
public class DelegatedRulesTest {
    private static final String USERS = "ou=users," + TestServer.SUFFIX;
    private static final String SALES = "ou=sales," + TestServer.SUFFIX;
    private static final String INNER = "ou=inner," + SALES;
    private static final String ME = TestServer.userDn(1);
    private static final String RULE = "accessRule";

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();
    private TestServer server;
    private LDAPConnection admin;
    private LDAPConnection me;

    private static List<AccessRule> rules(String... rules) {
        List<String> texts = new ArrayList<>(List.of("grant authenticate to anyone", "deny write of street to anyone"));
        texts.addAll(List.of(rules));
        texts.add("grant view in \"" + USERS + "\" to users");
        return AccessOracleTest.parsed(texts);
    }

    private void start(String... rules) throws LDAPException {
        server = new TestServer(settings -> settings.with(draft -> draft.accessRules = rules(rules)));
        for (String unit : List.of("sales", "inner")) {
            server.add(unit.equals("sales") ? SALES : INNER, "objectClass: organizationalUnit", "ou: " + unit, "street: x");
        }
        admin = server.admin();
        me = server.user(1);
    }

    @Test
    public void rulesHoldAfterARestart() throws LDAPException, LDIFException {
        start();
        for (boolean first : new boolean[] {true, false}) {
            int[] opened = new int[1];
            try (TestServer stored = new TestServer(settings -> settings.with(draft -> draft.accessRules = rules()), indexer -> JdbmStore.open(
                    folder.getRoot().toPath().resolve("store" + opened[0]++), StoreSettings.defaults(), indexer), first);
                    LDAPConnection administrator = stored.admin(); LDAPConnection user = stored.user(1)) {
                if (first) {
                    administrator.add("dn: " + SALES, "objectClass: organizationalUnit", "ou: sales", "accessRule: grant view to users");
                }
                assertNotNull(user.getEntry(SALES));
            }
        }
    }

    @After
    public void stop() {
        me.close();
        admin.close();
        server.close();
    }

    private static Modification write(String... rules) {
        return new Modification(ModificationType.REPLACE, RULE, rules);
    }

    private static LDAPException fails(ResultCode code, ThrowingRunnable operation) {
        LDAPException failure = assertThrows(LDAPException.class, operation);
        assertEquals(failure.getMessage(), code, failure.getResultCode());
        return failure;
    }

    /** Null where it is as if there were none. */
    private Entry seen(String dn) throws LDAPException {
        try {
            return me.getEntry(dn);
        } catch (LDAPException e) {
            assertEquals(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, e.getResultCode());
            return null;
        }
    }

    @Test
    public void theRulesOfAnEntryAreOfItAndOfAllBelow() throws LDAPException {
        start();
        assertNull(seen(INNER));
        admin.modify(SALES, write("grant view to users", "grant write of description, street to dn \"" + ME + '"'));
        assertNotNull(seen(SALES));
        assertNotNull(seen(INNER));
        assertNull(seen(TestServer.SUFFIX));
        me.modify(INNER, new Modification(ModificationType.REPLACE, "description", "mine"));
        fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> me.modify(ME, new Modification(ModificationType.REPLACE, "description", "x")));
        fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> me.modify(INNER, new Modification(ModificationType.REPLACE, "street",
                "the configuration comes first")));
        admin.modify(INNER, write("deny all to anyone"));
        assertNull("the inner one comes first", seen(INNER));
        assertEquals(1, me.search(SALES, SearchScope.SUB, "(objectClass=*)").getEntryCount());
        admin.modifyDN(INNER, "ou=moved", true, TestServer.SUFFIX);
        assertNull(seen("ou=moved," + TestServer.SUFFIX));
        admin.modify("ou=moved," + TestServer.SUFFIX, write("grant view to users"));
        assertNotNull(seen("ou=moved," + TestServer.SUFFIX));
        admin.modify(SALES, write());
        assertNull(seen(SALES));
    }

    @Test
    public void denialsComeBeforeGrantsWhateverTheirOrder() throws LDAPException {
        start();
        admin.modify(SALES, write("grant only search, read of ou to users", "grant view to users", "deny view of street to users"));
        assertEquals("organizationalUnit", seen(SALES).getAttributeValue("objectClass"));
        assertFalse(seen(SALES).hasAttribute("street"));
    }

    @Test
    public void rulesAreReadBeforeTheyAreWritten() throws LDAPException {
        start();
        String told = fails(ResultCode.INVALID_ATTRIBUTE_SYNTAX, () -> admin.modify(SALES, write("grant view of nothing to users")))
                .getDiagnosticMessage();
        assertTrue(told, told.contains("accessRule, value \"grant view of nothing to users\": column 15: "));
        told = fails(ResultCode.INVALID_ATTRIBUTE_SYNTAX, () -> admin.modify(SALES, write("grant view in \"" + USERS + "\" to users")))
                .getDiagnosticMessage();
        assertTrue(told, told.contains("at or below"));
        fails(ResultCode.INVALID_ATTRIBUTE_SYNTAX, () -> admin.add("dn: ou=x," + SALES, "objectClass: organizationalUnit", "ou: x",
                "2.25.278641466010882381359084238697260762259.1.151: grant"));
        admin.modify(SALES, write("grant view in one \"" + SALES + "\" where (ou=inner) to users"));
        assertNull(seen(SALES));
        assertNotNull(seen(INNER));
    }

    @Test
    public void rulesAreWrittenByThoseToWhomThatIsGrantedByName() throws LDAPException {
        start("grant all in \"" + SALES + "\" to users", "grant write of accessRule in \"" + INNER + "\" to dn \"" + ME + '"');
        fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> me.modify(SALES, write("grant view to anonymous")));
        fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> me.add("dn: ou=x," + SALES, "objectClass: organizationalUnit", "ou: x",
                "accessRule: grant view to anonymous"));
        me.modify(INNER, write("grant view to anonymous"));
        try (LDAPConnection anonymous = server.anonymous(); LDAPConnection other = server.user(2)) {
            assertNotNull(anonymous.getEntry(INNER));
            fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> other.modify(INNER, write()));
        }
        assertFalse(admin.getEntry(INNER).hasAttribute(RULE));
        assertEquals("grant view to anonymous", admin.getEntry(INNER, RULE).getAttributeValue(RULE));
    }

    /** As an import may bring one. */
    @Test
    public void whereARuleCannotBeReadAllIsDenied() throws LDAPException {
        start("grant view to users");
        assertNotNull(seen(INNER));
        admin.modify(SALES, write("grant view to users"));
        server.add("ou=broken," + SALES, "objectClass: organizationalUnit", "ou: broken", "accessRule: deny what to anyone");
        server.add("ou=below,ou=broken," + SALES, "objectClass: organizationalUnit", "ou: below");
        assertNotNull("the configuration comes first", seen("ou=below,ou=broken," + SALES));
        assertNotNull(admin.getEntry("ou=below,ou=broken," + SALES));
    }

    @Test
    public void aBrokenRuleOpensNothing() throws LDAPException {
        start();
        admin.modify(SALES, write("grant view to users"));
        server.add("ou=broken," + SALES, "objectClass: organizationalUnit", "ou: broken", "accessRule: deny what to anyone");
        server.add("ou=below,ou=broken," + SALES, "objectClass: organizationalUnit", "ou: below");
        assertNotNull(seen(INNER));
        assertNull(seen("ou=below,ou=broken," + SALES));
        assertNull(seen("ou=broken," + SALES));
        admin.modify("ou=broken," + SALES, write("grant view of ou to users"));
        assertNotNull(seen("ou=below,ou=broken," + SALES));
    }
}
