package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPSearchException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.ProxiedAuthorizationV2RequestControl;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.testing.Await;
import org.alder.server.access.AccessRuleException;
import org.alder.server.access.AccessRule;
import org.alder.server.access.AccessRuleParser;
import org.alder.server.access.AccessRules;
import org.alder.server.access.Limit;
import org.alder.server.access.LimitRule;
import org.alder.server.directory.guard.Limits;
import org.junit.Test;

/** Limits of some clients: by rules, and by attributes of the entries as which they bind. */
public class LimitRulesTest {
    private static final String USERS = "ou=users," + TestServer.SUFFIX;
    private static final String GROUP = "cn=sync," + TestServer.SUFFIX;
    private static final Limits FEW = new Limits(5, 600, 1000);

    private static TestServer server(Limits general, String... rules) {
        List<LimitRule> parsed = new ArrayList<>();
        for (String rule : rules) {
            parsed.add(rule(rule, "limitRule " + (parsed.size() + 1)));
        }
        TestServer server = new TestServer(settings -> settings.with(draft -> draft.limits = general.withRules(parsed)));
        server.add(GROUP, "objectClass: groupOfNames", "cn: sync", "member: " + TestServer.userDn(1));
        return server;
    }

    private static LimitRule rule(String text, String origin) {
        try {
            return LimitRule.parse(TestServer.SCHEMA, text, origin);
        } catch (AccessRuleException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    private static int count(LDAPConnection connection, int sizeLimit) throws LDAPException {
        return connection.search(new SearchRequest(USERS, SearchScope.SUB, com.unboundid.ldap.sdk.DereferencePolicy.NEVER, sizeLimit, 0,
                false, Filter.createEqualityFilter("objectClass", "person"), "1.1")).getEntryCount();
    }

    private static void isCut(int entries, LDAPConnection connection, int sizeLimit, String... texts) {
        LDAPSearchException failure = assertThrows(LDAPSearchException.class, () -> count(connection, sizeLimit));
        assertEquals(failure.getMessage(), ResultCode.SIZE_LIMIT_EXCEEDED, failure.getResultCode());
        assertEquals(failure.getMessage(), entries, failure.getEntryCount());
        for (String text : texts) {
            assertTrue(failure.getDiagnosticMessage(), failure.getDiagnosticMessage().contains(text));
        }
    }

    @Test
    public void theFirstRuleThatSpeaksToAClientDecides() throws LDAPException {
        try (TestServer server = server(FEW, "size=20 to group \"" + GROUP + '"', "time=30 to users", "size=10 to users");
                LDAPConnection member = server.user(1); LDAPConnection other = server.user(2);
                LDAPConnection admin = server.admin()) {
            isCut(20, member, 0, "size limit of 20", "limitRule 1");
            isCut(10, other, 0, "size limit of 10", "limitRule 3");
            assertEquals(TestServer.USERS, count(admin, 0));
            admin.modify(GROUP, new Modification(ModificationType.ADD, "member", TestServer.userDn(2)));
            isCut(20, other, 0, "size limit of 20");
        }
    }

    @Test
    public void aSearchThatAsksForNoneGetsTheSoftLimitAndOneThatAsksUpToTheHardOne() throws LDAPException {
        try (TestServer server = server(FEW, "size=7/30 to users"); LDAPConnection user = server.user(1)) {
            isCut(7, user, 0, "size limit of 7", "ask for up to 30", "limitRule 1");
            isCut(12, user, 12, "request's size limit of 12");
            isCut(30, user, 40, "server's size limit of 30");
        }
        Limits soft = new Limits(Limits.of(Limit.ofKey(6, 0, "sizeLimitUnasked"), Limit.ofKey(0, 0, "timeLimitSeconds"),
                Limit.ofKey(0, 0, "examinedLimit")), List.of(), 10, 10);
        try (TestServer server = server(soft); LDAPConnection user = server.user(1)) {
            isCut(6, user, 0, "size limit of 6", "ask for any", "sizeLimitUnasked");
            assertEquals(TestServer.USERS, count(user, 1000));
        }
    }

    @Test
    public void theEntryOfWhoBindsComesFirst() throws LDAPException {
        try (TestServer server = server(FEW, "size=20 to users"); LDAPConnection admin = server.admin()) {
            limit(admin, 1, "nsSizeLimit", "9");
            limit(admin, 2, "nsSizeLimit", "-1");
            limit(admin, 3, "nsLookThroughLimit", "4");
            try (LDAPConnection first = server.user(1); LDAPConnection second = server.user(2); LDAPConnection third = server.user(3)) {
                isCut(9, first, 0, "size limit of 9", "nsSizeLimit of \"" + TestServer.userDn(1));
                isCut(9, first, 30, "size limit of 9");
                assertEquals(TestServer.USERS, count(second, 0));
                LDAPSearchException examined = assertThrows(LDAPSearchException.class, () -> third.search(USERS, SearchScope.SUB, "(sn=x)"));
                assertEquals(ResultCode.ADMIN_LIMIT_EXCEEDED, examined.getResultCode());
                assertTrue(examined.getDiagnosticMessage(), examined.getDiagnosticMessage().contains("examined 4 entries"));
                assertTrue(examined.getDiagnosticMessage(), examined.getDiagnosticMessage().contains("nsLookThroughLimit of"));
                limit(admin, 1, "nsSizeLimit", "11");
                isCut(9, first, 0, "size limit of 9");
                first.bind(TestServer.userDn(1), TestServer.USER_PASSWORD);
                isCut(11, first, 0, "size limit of 11");
            }
        }
    }

    private static void limit(LDAPConnection admin, int user, String attribute, String value) throws LDAPException {
        admin.modify(TestServer.userDn(user), new Modification(ModificationType.REPLACE, attribute, value));
    }

    @Test
    public void whoActsAsSomebodyElseHasNotTheLimitsOfHisOwnEntry() throws LDAPException {
        List<AccessRule> rules = new ArrayList<>(AccessRules.ofDefault(TestServer.SCHEMA, false));
        rules.add(0, accessRule("grant proxy to dn \"" + TestServer.userDn(1) + '"'));
        try (TestServer server = new TestServer(settings -> settings.with(draft -> draft.accessRules = rules)
                .with(draft -> draft.limits = FEW.withRules(List.of(rule("size=8 to dn \"" + TestServer.userDn(2) + '"', "limitRule 1")))));
                LDAPConnection admin = server.admin()) {
            limit(admin, 1, "nsSizeLimit", "20");
            try (LDAPConnection service = server.user(1)) {
                isCut(20, service, 0, "nsSizeLimit");
                SearchRequest request = new SearchRequest(USERS, SearchScope.SUB, "(objectClass=person)", "1.1");
                request.addControl(new ProxiedAuthorizationV2RequestControl("dn:" + TestServer.userDn(2)));
                LDAPSearchException cut = assertThrows(LDAPSearchException.class, () -> service.search(request));
                assertEquals(cut.getMessage(), 8, cut.getEntryCount());
            }
        }
    }

    private static AccessRule accessRule(String text) {
        try {
            return AccessRuleParser.parse(TestServer.SCHEMA, text, "");
        } catch (AccessRuleException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    /** In 389 Directory Server nobody may, either. */
    @Test
    public void whoMayWriteAllOfHisEntryMayNotWriteItsLimits() throws LDAPException {
        List<AccessRule> rules = new ArrayList<>(AccessRules.ofDefault(TestServer.SCHEMA, false));
        rules.add(0, accessRule("grant all of *, + to self"));
        try (TestServer server = new TestServer(settings -> settings
                .with(draft -> draft.accessRules = rules)); LDAPConnection user = server.user(1)) {
            user.modify(TestServer.userDn(1), new Modification(ModificationType.REPLACE, "description", "x"));
            assertEquals(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, assertThrows(LDAPException.class,
                    () -> limit(user, 1, "nsSizeLimit", "-1")).getResultCode());
        }
    }

    @Test(timeout = Await.MILLIS)
    public void anIdleConnectionIsClosedByTheLimitOfWhoHasBound() throws Exception {
        try (TestServer server = server(FEW, "idle=1 to dn \"" + TestServer.userDn(1) + '"'); LDAPConnection admin = server.admin();
                RawClient idle = new RawClient(server.port())) {
            idle.send(RawClient.bytes(1, new com.unboundid.ldap.protocol.BindRequestProtocolOp(TestServer.userDn(1),
                    TestServer.USER_PASSWORD)));
            assertEquals(0, idle.read().getBindResponseProtocolOp().getResultCode());
            String notice = idle.readToEnd().getExtendedResponseProtocolOp().getDiagnosticMessage();
            assertTrue(notice, notice.contains("1 s (limitRule 1)"));
            limit(admin, 2, "nsIdleTimeout", "1");
            try (RawClient other = new RawClient(server.port())) {
                other.send(RawClient.bytes(1, new com.unboundid.ldap.protocol.BindRequestProtocolOp(TestServer.userDn(2),
                        TestServer.USER_PASSWORD)));
                assertEquals(0, other.read().getBindResponseProtocolOp().getResultCode());
                notice = other.readToEnd().getExtendedResponseProtocolOp().getDiagnosticMessage();
                assertTrue(notice, notice.contains("nsIdleTimeout of"));
            }
        }
    }

    @Test
    public void whatIsNoRuleIsRefusedWithItsColumn() {
        refused("to users", "column 1: expected a limit such as");
        refused("size=0 to users", "column 1: expected a number from 1");
        refused("size=9/5 to users", "at least as large");
        refused("size=5 size=6 to users", "column 8: expected each limit at most once");
        refused("examined=1/2 to users", "there is one limit");
        refused("size=5", "found the end");
        refused("size=5 to self", "column 11: expected no self");
        refused("size=5 to users or namedBy member", "no namedBy");
        refused("size=5 to users, anonymous", "expected and, or, or the end");
        refused("size=99999999999 to users", "expected a number");
        rule("size=1/none TIME=none Idle=5 examined=7 to not group \"" + GROUP + "\" and (users or address 127.0.0.1)", "");
    }

    private static void refused(String text, String problem) {
        AccessRuleException refusal = assertThrows(text, AccessRuleException.class, () -> LimitRule.parse(TestServer.SCHEMA, text, ""));
        assertTrue(refusal.getMessage(), refusal.getMessage().contains(problem));
    }
}
