package org.alder.server.access;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.AddRequest;
import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.DeleteRequest;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPResult;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ModifyDNRequest;
import com.unboundid.ldap.sdk.ModifyRequest;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.UpdatableLDAPRequest;
import com.unboundid.ldap.sdk.controls.AssertionRequestControl;
import com.unboundid.ldap.sdk.controls.ManageDsaITRequestControl;
import com.unboundid.ldap.sdk.controls.SubtreeDeleteRequestControl;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.alder.partition.testing.Seed;
import org.alder.server.TestServer;
import org.junit.Test;

/**
 * Random rules and random updates, some with an assertion, which are tried and not made: each ends as the rules, read the plain way,
 * say. At and below a referral object that is hidden each ends as if there were none.
 */
public class UpdateOracleTest {
    private static final int ROUNDS = Integer.getInteger("alder.test.rounds", 8);
    private static final int UPDATES = 120;
    private static final int SIZE = 25;
    private static final int NO_OPERATION = 16654;
    private static final int REFUSED = 50;
    private static final int MISSING = 32;
    private static final int ASSERTION_FAILED = 122;
    private static final int REFERRAL = 10;
    private static final Control TRY = new Control("1.3.6.1.4.1.4203.1.10.2", true);
    private static final long SEED = Seed.of(UpdateOracleTest.class);

    private Random random;
    private SeenTree seen;
    private NaiveRules.Rights rights;
    private String user;

    /** @param missing what is not found, for noSuchObject  @param matched what has to be told of its place */
    private record Expected(int code, String missing, String matched) {
        static Expected of(boolean allowed) {
            return of(allowed ? NO_OPERATION : REFUSED);
        }

        static Expected of(int code) {
            return new Expected(code, "", "");
        }
    }

    private Expected missing(String dn) {
        return new Expected(MISSING, dn, seen.nearest(dn));
    }

    @Test
    public void anUpdateEndsAsTheRulesSay() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            random = new Random(SEED + round);
            RandomTree tree = RandomTree.of(random, SIZE).withLeading(random);
            NaiveRules rules = NaiveRules.of(random, tree).withChanges(random, tree);
            user = pick(tree.people()).dn();
            seen = rules.seenBy(user, tree);
            rights = (NaiveRules.Rights) seen.sight();
            try (TestServer server = AccessOracleTest.server(rules)) {
                tree.load(server);
                try (LDAPConnection client = server.anonymous()) {
                    client.bind(user, RandomTree.PASSWORD);
                    for (int i = 0; i < UPDATES; i++) {
                        update(client, "seed " + (SEED + round) + ", " + user + "\n" + String.join("\n", rules.texts()));
                    }
                }
            }
        }
    }

    private <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    private void update(LDAPConnection client, String about) throws LDAPException {
        RandomTree.Node node = pick(seen.tree().nodes());
        switch (random.nextInt(5)) {
            case 0 -> modify(client, node, about);
            case 1 -> join(client, pick(seen.tree().nodes()), about);
            case 2 -> add(client, node, about);
            case 3 -> delete(client, node, about);
            default -> rename(client, node, about);
        }
    }

    /** What it ends with that may be done if the request's assertion is true. */
    private Expected allowed(RandomTree.Node node, Filter assertion) {
        return Expected.of(assertion == null || Boolean.TRUE.equals(seen.truth(node, assertion)) ? NO_OPERATION : ASSERTION_FAILED);
    }

    /** Below an alias or a referral object is nothing, also for those who may put it there. */
    private static Expected placed(RandomTree.Node superior, boolean allowed) {
        return !allowed ? Expected.of(false) : superior.isAlias() ? Expected.of(ResultCode.ALIAS_PROBLEM_INT_VALUE)
                : superior.isReferral() ? Expected.of(ResultCode.UNWILLING_TO_PERFORM_INT_VALUE) : Expected.of(true);
    }

    private Expected missing(RandomTree.Node node) {
        return rights.finds(node) ? null : missing(node.dn());
    }

    private void modify(LDAPConnection client, RandomTree.Node node, String about) throws LDAPException {
        List<String> types = List.of("description", "description", node.dn().startsWith("uid=") ? "title" : "description");
        String type = pick(types);
        Expected hidden = missing(node);
        Filter assertion = assertion();
        ends(client, new ModifyRequest(node.dn(), new Modification(ModificationType.REPLACE, type, "new " + random.nextInt(9))),
                hidden != null ? hidden : rights.may("write", node, type) ? allowed(node, assertion) : Expected.of(false),
                assertion, about);
    }

    private Filter assertion() {
        return random.nextInt(3) > 0 ? null : RandomRequest.filter(random, seen.tree().dns(), 1);
    }

    /** Adds one's own name, or another's, to a group. */
    private void join(LDAPConnection client, RandomTree.Node node, String about) throws LDAPException {
        if (!node.dn().startsWith("cn=group")) {
            return;
        }
        boolean own = random.nextBoolean();
        String member = own ? user : "cn=nobody," + TestServer.SUFFIX;
        if (!node.values("member").contains(member)) {
            Expected hidden = missing(node);
            ends(client, new ModifyRequest(node.dn(), new Modification(ModificationType.ADD, "member", member)), hidden != null ? hidden
                    : Expected.of(rights.may("write", node, "member") || own && rights.may("selfWrite", node, "member")), null, about);
        }
    }

    private void add(LDAPConnection client, RandomTree.Node parent, String about) throws LDAPException {
        Map<String, List<String>> attributes = random.nextBoolean()
                ? Map.of("objectClass", List.of("device"), "cn", List.of("new"), "description", List.of("red"))
                : Map.of("objectClass", List.of("device"), "cn", List.of("new"));
        RandomTree.Node placed = new RandomTree.Node("cn=new," + parent.dn(), attributes, Map.of());
        Expected expected = rights.finds(parent) ? placed(parent, attributes.keySet().stream()
                .allMatch(type -> rights.may("add", placed, type.toLowerCase(Locale.ROOT))))
                : missing(parent.dn());
        ends(client, new AddRequest(placed.dn(), attributes.entrySet().stream().map(each -> new Attribute(each.getKey(),
                each.getValue())).toList()), expected, null, about);
    }

    private void delete(LDAPConnection client, RandomTree.Node node, String about) throws LDAPException {
        boolean tree = random.nextBoolean();
        Filter assertion = assertion();
        List<RandomTree.Node> below = seen.tree().nodes().stream().filter(each -> each.isBelow(node.dn())).toList();
        Expected expected = missing(node);
        if (expected == null) {
            Expected asserted = allowed(node, assertion);
            expected = !rights.may("delete", node, null) ? Expected.of(false) : asserted.code == ASSERTION_FAILED ? asserted
                    : tree && !below.stream().allMatch(each -> rights.may("delete", each, null))
                    ? Expected.of(false) : !tree && below.size() > 1 ? Expected.of(ResultCode.NOT_ALLOWED_ON_NONLEAF_INT_VALUE)
                    : Expected.of(true);
        }
        DeleteRequest request = new DeleteRequest(node.dn());
        if (tree) {
            request.addControl(new SubtreeDeleteRequestControl());
        }
        ends(client, request, expected, assertion, about);
    }

    private void rename(LDAPConnection client, RandomTree.Node node, String about) throws LDAPException {
        RandomTree.Node superior = pick(seen.tree().nodes());
        String type = node.dn().substring(0, node.dn().indexOf('='));
        boolean moves = random.nextBoolean();
        if (node.dn().equals(TestServer.SUFFIX) || moves && superior.isBelow(node.dn())) {
            return;
        }
        boolean old = random.nextBoolean();
        Filter assertion = assertion();
        boolean named = random.nextInt(3) > 0;
        String rdn = named ? type + "=renamed" : node.dn().substring(0, node.dn().indexOf(','));
        String parent = moves ? superior.dn() : node.parent();
        RandomTree.Node target = seen.node(parent);
        if (seen.node(rdn + "," + parent) != null && !node.dn().equals(rdn + "," + parent)) {
            return;
        }
        RandomTree.Node placed = new RandomTree.Node(rdn + "," + parent, node.user(), node.operational());
        Expected expected = missing(node);
        if (expected == null) {
            Expected asserted = allowed(node, assertion);
            expected = !rights.may("renameOut", node, null) || named && !rights.may("write", node, type) ? Expected.of(false)
                    : asserted.code == ASSERTION_FAILED ? asserted
                    : !rights.finds(target) ? missing(parent)
                    : placed(target, rights.mayBecome(node, placed));
        }
        ends(client, new ModifyDNRequest(node.dn(), rdn, old, moves ? parent : null), expected, assertion, about);
    }

    /** Half of the requests at and below referral objects are about these themselves. */
    private void ends(LDAPConnection client, UpdatableLDAPRequest request, Expected expected, Filter assertion, String about) {
        request.addControl(TRY);
        boolean manages = random.nextBoolean();
        if (manages) {
            request.addControl(new ManageDsaITRequestControl(true));
        }
        if (assertion != null) {
            request.addControl(new AssertionRequestControl(assertion));
        }
        LDAPResult result;
        try {
            result = client.processOperation(request);
        } catch (LDAPException e) {
            result = e.toLDAPResult();
        }
        String told = about + "\n" + request + ": " + result;
        RandomTree.Node referral = manages ? null : referral(request);
        if (referral != null) {
            isReferred(result, referral, told);
            return;
        }
        if (expected.code == MISSING && result.getResultCode().intValue() == REFUSED && isRefusedByName(request, expected.missing)) {
            return;
        }
        assertEquals(told, expected.code, result.getResultCode().intValue());
        if (expected.code == MISSING) {
            assertEquals(told, expected.matched, result.getMatchedDN() == null ? "" : result.getMatchedDN());
        }
    }

    /** What the names alone forbid is refused before anything is looked for. */
    private boolean isRefusedByName(UpdatableLDAPRequest request, String missing) {
        return rights.isHiddenByName(missing)
                || request instanceof AddRequest add && rights.isForbiddenByName("add", add.getDN(), "objectclass");
    }

    /** At or above the entry, or else its new place. */
    private RandomTree.Node referral(UpdatableLDAPRequest request) {
        String dn = request instanceof ModifyRequest modify ? modify.getDN() : request instanceof AddRequest add ? add.getDN()
                : request instanceof DeleteRequest delete ? delete.getDN() : ((ModifyDNRequest) request).getDN();
        RandomTree.Node referral = referral(dn);
        return referral == null && request instanceof ModifyDNRequest rename && rename.getNewSuperiorDN() != null
                ? referral(rename.getNewSuperiorDN()) : referral;
    }

    private RandomTree.Node referral(String dn) {
        return seen.tree().nodes().stream().filter(node -> node.isReferral() && ("," + dn).endsWith("," + node.dn())).findFirst()
                .orElse(null);
    }

    /** Where a referral object leads is told to whom may read it; and before that what he may not do may be. */
    private void isReferred(LDAPResult result, RandomTree.Node referral, String told) {
        List<String> known = referral.leadsTo().stream().filter(url -> rights.reads(referral, "ref", url)).toList();
        boolean referred = result.getResultCode().intValue() == REFERRAL;
        assertTrue(told, !referred || rights.finds(referral) && known.size() == result.getReferralURLs().length);
        assertEquals(told, referred, result.getReferralURLs().length > 0);
        if (result.getMatchedDN() != null) {
            assertTrue(told, rights.finds(seen.node(result.getMatchedDN())));
        }
    }
}
