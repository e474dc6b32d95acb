package org.alder.server.directory;

import static org.junit.Assert.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.alder.partition.dn.Dn;
import org.alder.partition.query.SearchScope;
import org.alder.partition.update.Modification;
import org.alder.server.TestServer;
import org.alder.server.auth.Identity;
import org.junit.Test;

/** The policy as a table: every decision for anonymous, a user and the administrator. */
public class AccessPolicyTest {
    private static final Dn OWN = TestServer.dn(TestServer.userDn(1));
    private static final Dn OTHER = TestServer.dn(TestServer.userDn(2));
    private static final Identity USER = new Identity(OWN, false);
    private static final Identity ADMINISTRATOR = new Identity(TestServer.dn(TestServer.ADMIN), true);

    private final AccessPolicy policy = new AccessPolicy(TestServer.SCHEMA, false);
    private final AccessPolicy open = new AccessPolicy(TestServer.SCHEMA, true);

    private interface Decision {
        boolean of(AccessPolicy policy, Identity identity);
    }

    private void table(String what, Decision decision, boolean anonymous, boolean anonymousIfOpen, boolean user,
            boolean administrator) {
        assertEquals("anonymous: " + what, anonymous, decision.of(policy, Identity.ANONYMOUS));
        assertEquals("anonymous if configured: " + what, anonymousIfOpen, decision.of(open, Identity.ANONYMOUS));
        assertEquals("user: " + what, user, decision.of(policy, USER));
        assertEquals("administrator: " + what, administrator, decision.of(policy, ADMINISTRATOR));
    }

    private static Decision search(Dn base, SearchScope scope) {
        return (policy, identity) -> policy.maySearch(identity, base, scope);
    }

    @Test
    public void reading() {
        table("root DSE", search(Dn.ROOT, SearchScope.BASE), true, true, true, true);
        table("below the root", search(Dn.ROOT, SearchScope.SUBTREE), false, true, true, true);
        table("subschema", search(TestServer.dn("cn=schema"), SearchScope.BASE), true, true, true, true);
        table("subschema by its other name", search(TestServer.dn("CN=SubSchema"), SearchScope.BASE), true, true, true, true);
        table("an entry", search(OTHER, SearchScope.BASE), false, true, true, true);
        table("an entry called schema", search(TestServer.dn("cn=schema," + TestServer.SUFFIX), SearchScope.BASE), false, true,
                true, true);
        table("the monitor", search(TestServer.dn("CN=monitor"), SearchScope.SUBTREE), false, false, false, true);
        table("below the monitor", search(TestServer.dn("cn=x,cn=Monitor"), SearchScope.BASE), false, false, false, true);
        table("an entry called monitor", search(TestServer.dn("cn=monitor," + TestServer.SUFFIX), SearchScope.BASE), false, true,
                true, true);
        table("comparing the monitor", (policy, identity) -> policy.mayReadEntry(identity, TestServer.dn("cn=Monitor")), false,
                false, false, true);
        table("comparing the root DSE", (policy, identity) -> policy.mayReadEntry(identity, Dn.ROOT), true, true, true, true);
        table("comparing an entry", (policy, identity) -> policy.mayReadEntry(identity, OTHER), false, true, true, true);
        table("comparing names", (policy, identity) -> policy.mayCompare(identity, OTHER, "cn"), true, true, true, true);
        table("comparing passwords", (policy, identity) -> policy.mayCompare(identity, OTHER, "userpassword;x-a"), false, false, false,
                true);
        table("comparing own passwords", (policy, identity) -> policy.mayCompare(identity, OWN, "userpassword"), false, false, true,
                true);
        table("comparing own hashes", (policy, identity) -> policy.mayCompare(identity, OWN, "sambaNTPassword"), false, false,
                false, true);
        table("names", reading("cn"), true, true, true, true);
        for (String secret : List.of("userPassword", "sambaNTPassword", "sambaLMPassword", "sambaPasswordHistory", "pwdHistory",
                "krb5Key")) {
            table(secret, reading(secret), false, false, false, true);
        }
    }

    private static Decision reading(String attribute) {
        return (policy, identity) -> policy.access(identity).everywhere().mayRead(TestServer.SCHEMA.attributeType(attribute));
    }

    private static Decision modify(Dn dn, String... descriptions) {
        List<Modification> changes = Arrays.stream(descriptions)
                .map(each -> new Modification(Modification.Kind.REPLACE, each, List.of(new byte[] {1}))).toList();
        return (policy, identity) -> policy.mayModify(identity, dn, changes);
    }

    @Test
    public void writing() {
        table("add, delete, rename", (policy, identity) -> policy.mayChangeEntries(identity), false, false, false, true);
        table("own password", modify(OWN, "userPassword"), false, false, true, true);
        table("own password by OID", modify(OWN, "2.5.4.35"), false, false, true, true);
        table("own name", modify(OWN, "cn"), false, false, false, true);
        table("own password and name", modify(OWN, "userPassword", "cn"), false, false, false, true);
        table("another's password", modify(OTHER, "userPassword"), false, false, false, true);
        table("the root DSE's password", modify(Dn.ROOT, "userPassword"), false, false, false, true);
    }
}
