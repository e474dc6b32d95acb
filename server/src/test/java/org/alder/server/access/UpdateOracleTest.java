package org.alder.server.access;

import static org.junit.Assert.assertEquals;

import com.unboundid.ldap.sdk.AddRequest;
import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.DeleteRequest;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPResult;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ModifyDNRequest;
import com.unboundid.ldap.sdk.ModifyRequest;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.UpdatableLDAPRequest;
import com.unboundid.ldap.sdk.controls.SubtreeDeleteRequestControl;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.alder.partition.testing.Seed;
import org.alder.server.TestServer;
import org.junit.Test;

/** Random rules and random updates, which are tried and not made: each ends as the rules, read the plain way, say. */
public class UpdateOracleTest {
    private static final int ROUNDS = 8;
    private static final int UPDATES = 120;
    private static final int SIZE = 25;
    private static final int NO_OPERATION = 16654;
    private static final int REFUSED = 50;
    private static final int MISSING = 32;
    private static final Control TRY = new Control("1.3.6.1.4.1.4203.1.10.2", true);
    private static final long SEED = Seed.of(UpdateOracleTest.class);

    private final Random random = new Random(SEED);
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
            RandomTree tree = RandomTree.of(random, SIZE);
            NaiveRules rules = NaiveRules.of(random, tree).withChanges(random, tree);
            user = pick(tree.people()).dn();
            seen = rules.seenBy(user, tree);
            rights = (NaiveRules.Rights) seen.sight();
            try (TestServer server = AccessOracleTest.server(rules)) {
                tree.load(server);
                try (LDAPConnection client = server.anonymous()) {
                    client.bind(user, RandomTree.PASSWORD);
                    for (int i = 0; i < UPDATES; i++) {
                        update(client, "seed " + SEED + ", round " + round + ", " + user + "\n" + String.join("\n", rules.texts()));
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

    private Expected missing(RandomTree.Node node) {
        return rights.finds(node) ? null : missing(node.dn());
    }

    private void modify(LDAPConnection client, RandomTree.Node node, String about) throws LDAPException {
        List<String> types = List.of("description", "description", node.dn().startsWith("uid=") ? "title" : "description");
        String type = pick(types);
        Expected hidden = missing(node);
        ends(client, new ModifyRequest(node.dn(), new Modification(ModificationType.REPLACE, type, "new " + random.nextInt(9))),
                hidden != null ? hidden : Expected.of(rights.may("write", node, type)), about);
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
                    : Expected.of(rights.may("write", node, "member") || own && rights.may("selfWrite", node, "member")), about);
        }
    }

    private void add(LDAPConnection client, RandomTree.Node parent, String about) throws LDAPException {
        Map<String, List<String>> attributes = random.nextBoolean()
                ? Map.of("objectClass", List.of("device"), "cn", List.of("new"), "description", List.of("red"))
                : Map.of("objectClass", List.of("device"), "cn", List.of("new"));
        RandomTree.Node placed = new RandomTree.Node("cn=new," + parent.dn(), attributes, Map.of());
        Expected expected = rights.finds(parent) ? Expected.of(attributes.keySet().stream()
                .allMatch(type -> rights.may("add", placed, type.toLowerCase(Locale.ROOT))))
                : missing(parent.dn());
        ends(client, new AddRequest(placed.dn(), attributes.entrySet().stream().map(each -> new Attribute(each.getKey(),
                each.getValue())).toList()), expected, about);
    }

    private void delete(LDAPConnection client, RandomTree.Node node, String about) throws LDAPException {
        boolean tree = random.nextBoolean();
        List<RandomTree.Node> below = seen.tree().nodes().stream().filter(each -> each.isBelow(node.dn())).toList();
        Expected expected = missing(node);
        if (expected == null) {
            expected = !rights.may("delete", node, null) || tree && !below.stream().allMatch(each -> rights.may("delete", each, null))
                    ? Expected.of(false) : !tree && below.size() > 1 ? Expected.of(ResultCode.NOT_ALLOWED_ON_NONLEAF_INT_VALUE)
                    : Expected.of(true);
        }
        DeleteRequest request = new DeleteRequest(node.dn());
        if (tree) {
            request.addControl(new SubtreeDeleteRequestControl());
        }
        ends(client, request, expected, about);
    }

    private void rename(LDAPConnection client, RandomTree.Node node, String about) throws LDAPException {
        RandomTree.Node superior = pick(seen.tree().nodes());
        String type = node.dn().substring(0, node.dn().indexOf('='));
        boolean moves = random.nextBoolean();
        if (node.dn().equals(TestServer.SUFFIX) || moves && superior.isBelow(node.dn())) {
            return;
        }
        boolean old = random.nextBoolean();
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
            expected = !rights.may("renameOut", node, null) || named && !rights.may("write", node, type) ? Expected.of(false)
                    : !rights.finds(target) ? missing(parent)
                    : Expected.of(rights.may("renameIn", placed, null));
        }
        ends(client, new ModifyDNRequest(node.dn(), rdn, old, moves ? parent : null), expected, about);
    }

    private void ends(LDAPConnection client, UpdatableLDAPRequest request, Expected expected, String about) {
        request.addControl(TRY);
        LDAPResult result;
        try {
            result = client.processOperation(request);
        } catch (LDAPException e) {
            result = e.toLDAPResult();
        }
        String told = about + "\n" + request + ": " + result.getDiagnosticMessage();
        if (expected.code == MISSING && result.getResultCode().intValue() == REFUSED && rights.isHiddenByName(expected.missing)) {
            return;
        }
        assertEquals(told, expected.code, result.getResultCode().intValue());
        if (expected.code == MISSING) {
            assertEquals(told, expected.matched, result.getMatchedDN() == null ? "" : result.getMatchedDN());
        }
    }
}
