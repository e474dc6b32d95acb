package org.alder.server.access;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertSame;

import java.util.List;
import java.util.function.Predicate;
import org.alder.partition.dn.Dn;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.schema.AttributeType;
import org.alder.server.TestServer;
import org.alder.server.auth.Identity;
import org.alder.server.directory.own.Monitor;
import org.junit.Test;

/** The rules of a server that is not told any, as a table: every decision for anonymous, a user and the administrator. */
public class DefaultRulesTest {
    private static final Dn OWN = TestServer.dn(TestServer.userDn(1));
    private static final Dn OTHER = TestServer.dn(TestServer.userDn(2));
    private static final Identity USER = new Identity(OWN, false);
    private static final Identity ADMINISTRATOR = new Identity(TestServer.dn(TestServer.ADMIN), true);

    private final AccessPolicy policy = policy(false);
    private final AccessPolicy open = policy(true);

    private static AccessPolicy policy(boolean anonymousRead) {
        return new AccessPolicy(TestServer.SCHEMA, List.of(TestServer.dn(TestServer.SUFFIX)),
                AccessRules.ofDefault(TestServer.SCHEMA, anonymousRead), AccessPolicy.Memberships.NONE);
    }

    private interface Decision {
        boolean of(IdentityAccess access);
    }

    private void table(String what, Decision decision, boolean anonymous, boolean anonymousIfOpen, boolean user,
            boolean administrator) {
        assertEquals("anonymous: " + what, anonymous, decision.of(access(policy, Identity.ANONYMOUS)));
        assertEquals("anonymous if configured: " + what, anonymousIfOpen, decision.of(access(open, Identity.ANONYMOUS)));
        assertEquals("user: " + what, user, decision.of(access(policy, USER)));
        assertEquals("administrator: " + what, administrator, decision.of(access(policy, ADMINISTRATOR)));
    }

    private static IdentityAccess access(AccessPolicy policy, Identity identity) {
        return policy.of(new Requester(identity, null));
    }

    private static Decision to(Dn dn, Predicate<EntryRights> right) {
        return access -> right.test(access.byName(dn));
    }

    private static AttributeType type(String name) {
        return TestServer.SCHEMA.attributeType(name);
    }

    @Test
    public void whichEntriesThereAre() {
        table("all entries", access -> access.everywhere() != AttributeAccess.NONE, false, true, true, true);
        table("root DSE", to(Dn.ROOT, EntryRights::mayFind), true, true, true, true);
        table("subschema", to(TestServer.dn("cn=schema"), EntryRights::mayFind), true, true, true, true);
        table("subschema by its other name", to(TestServer.dn("CN=SubSchema"), EntryRights::mayFind), true, true, true, true);
        table("an entry", to(OTHER, EntryRights::mayFind), false, true, true, true);
        table("own entry", to(OWN, EntryRights::mayFind), false, true, true, true);
        table("an entry called schema", to(TestServer.dn("cn=schema," + TestServer.SUFFIX), EntryRights::mayFind), false, true, true,
                true);
        table("the monitor", to(TestServer.dn("CN=monitor"), EntryRights::mayFind), false, false, false, true);
        table("below the monitor", to(TestServer.dn("cn=x,cn=Monitor"), EntryRights::mayFind), false, false, false, true);
        table("an entry called monitor", to(TestServer.dn("cn=monitor," + TestServer.SUFFIX), EntryRights::mayFind), false, true,
                true, true);
    }

    @Test
    public void secretsAreForTheAdministrator() {
        table("names", to(OTHER, rights -> rights.reading().mayRead(type("cn"))), false, true, true, true);
        table("comparing names", to(OTHER, rights -> rights.may(Right.COMPARE, type("cn"))), false, true, true, true);
        for (String secret : List.of("userPassword", "sambaNTPassword", "sambaLMPassword", "sambaPasswordHistory", "pwdHistory",
                "krb5Key")) {
            for (Dn dn : List.of(OWN, OTHER, Dn.ROOT)) {
                table(secret, to(dn, rights -> rights.reading().mayRead(type(secret))), false, false, false, true);
            }
            table("comparing " + secret, to(OTHER, rights -> rights.may(Right.COMPARE, type(secret))), false, false, false, true);
            boolean password = secret.equals("userPassword");
            table("comparing own " + secret, to(OWN, rights -> rights.may(Right.COMPARE, type(secret))), false, false, password, true);
            table("everywhere " + secret, access -> access.everywhere().mayRead(type(secret)), false, false,
                    false, true);
        }
    }

    @Test
    public void writing() {
        for (Right right : List.of(Right.DELETE, Right.RENAME_OUT, Right.RENAME_IN, Right.PROXY)) {
            table(right.word(), to(OTHER, rights -> rights.may(right)), false, false, false, true);
            table(right.word() + " oneself", to(OWN, rights -> rights.may(right)), false, false, false, true);
        }
        table("add", to(OTHER, rights -> rights.may(Right.ADD, type("cn"))), false, false, false, true);
        table("authenticate", to(OTHER, rights -> rights.may(Right.AUTHENTICATE)), true, true, true, true);
        table("what the server maintains", to(OWN, rights -> rights == EntryRights.ALL), false, false, false, true);
        table("own password", to(OWN, rights -> rights.may(Right.WRITE, type("userPassword"))), false, false, true, true);
        table("own hash", to(OWN, rights -> rights.may(Right.WRITE, type("sambaNTPassword"))), false, false, false, true);
        table("own name", to(OWN, rights -> rights.may(Right.WRITE, type("cn"))), false, false, false, true);
        table("another's password", to(OTHER, rights -> rights.may(Right.WRITE, type("userPassword"))), false, false, false, true);
        table("the root DSE's password", to(Dn.ROOT, rights -> rights.may(Right.WRITE, type("userPassword"))), false, false, false,
                true);
    }

    @Test
    public void theSameRightsAreTheSameObject() {
        for (Identity identity : List.of(Identity.ANONYMOUS, USER, ADMINISTRATOR)) {
            for (Dn dn : List.of(OWN, OTHER, Dn.ROOT)) {
                assertSame(access(policy, identity), access(policy, identity));
                assertSame(access(policy, identity).byName(dn), access(policy, identity).byName(dn));
                assertSame(access(open, identity).byName(dn).reading(), identity.administrator() ? AttributeAccess.ALL
                        : AttributeAccess.ALL_BUT_SECRETS);
            }
        }
    }
}
