package org.alder.server.access;

import static org.junit.Assert.assertEquals;

import com.unboundid.ldap.sdk.CompareRequest;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import org.alder.partition.memory.MemoryStore;
import org.alder.partition.testing.Seed;
import org.alder.server.TestServer;
import org.junit.Test;

/**
 * A random tree, random rules, random users and random requests: what a user is told is what an administrator is told by another
 * server, of the same tree with all cut out that the user may not see.
 */
public class AccessOracleTest {
    private static final int ROUNDS = 8;
    private static final int USERS = 3;
    private static final int REQUESTS = 60;
    private static final int SIZE = 28;
    private static final long SEED = Seed.of(AccessOracleTest.class);
    /** Worked out by the server and not stored. */
    private static final Set<String> VIRTUAL = Set.of("memberof", "hassubordinates", "numsubordinates", "entrydn", "subschemasubentry");

    private final Random random = new Random(SEED);

    @Test
    public void aUserIsToldWhatATreeHasFromWhichAllIsCutThatHeMayNotSee() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            RandomTree tree = RandomTree.of(random, SIZE);
            NaiveRules rules = NaiveRules.of(random, tree);
            try (TestServer server = server(rules)) {
                tree.load(server);
                for (int i = 0; i < USERS && !tree.people().isEmpty(); i++) {
                    String user = tree.people().get(random.nextInt(tree.people().size())).dn();
                    compare(server, user, rules.seenBy(user, tree), "seed " + SEED + ", round " + round + ", " + user + "\n"
                            + String.join("\n", rules.texts()));
                }
            }
        }
    }

    static TestServer server(NaiveRules rules) {
        List<String> texts = new ArrayList<>(List.of("grant authenticate to anyone"));
        texts.addAll(rules.texts());
        return new TestServer(settings -> settings.withAccessRules(parsed(texts)), MemoryStore::new, false);
    }

    static List<AccessRule> parsed(List<String> texts) {
        List<AccessRule> rules = new ArrayList<>();
        try {
            for (String text : texts) {
                rules.add(AccessRuleParser.parse(TestServer.SCHEMA, text, ""));
            }
        } catch (AccessRuleException e) {
            throw new IllegalArgumentException(texts.toString(), e);
        }
        return rules;
    }

    private void compare(TestServer server, String user, SeenTree seen, String about) throws Exception {
        RandomTree cut = seen.cut();
        boolean placeholders = cut.nodes().stream().anyMatch(node -> !seen.sight().finds(seen.node(node.dn())));
        RandomRequest.Shown shown = (dn, name) -> {
            String type = name.split(";")[0].toLowerCase(Locale.ROOT);
            return !(placeholders && type.endsWith("subordinates"))
                    && (!VIRTUAL.contains(type) || seen.sight().reads(seen.node(dn), type));
        };
        try (TestServer other = new TestServer(settings -> settings, MemoryStore::new, false)) {
            cut.load(other);
            try (LDAPConnection admin = other.admin(); LDAPConnection client = server.anonymous()) {
                client.bind(user, RandomTree.PASSWORD);
                for (int i = 0; i < REQUESTS; i++) {
                    RandomRequest request = RandomRequest.of(random, seen.tree());
                    if (isSame(request, seen)) {
                        String answer = request.ask(client, shown);
                        if (!isRefusedByName(request.base(), answer, seen)) {
                            assertEquals(about + "\n" + request + "\n", expected(request, seen, admin, shown), answer);
                        }
                    }
                    compareValue(client, seen, about);
                }
            }
        }
    }

    /** Where the name alone decides that there is nothing, it is refused whether or not there is an entry. */
    private static boolean isRefusedByName(String base, String answer, SeenTree seen) {
        return answer.contains("50 (insufficient access rights) matched null") && ((NaiveRules.Rights) seen.sight()).isHiddenByName(base);
    }

    /** What may be searched for and not be read is in no tree from which the latter is cut. */
    private static boolean isSame(RandomRequest request, SeenTree seen) {
        List<String> types = switch (request.kind()) {
            case SORTED, SORTED_PAGES, LIST_VIEW -> List.of(request.key().toLowerCase(Locale.ROOT));
            case MATCHED_VALUES -> List.of("cn", "sn", "l", "title", "ou");
            default -> List.of();
        };
        return seen.tree().nodes().stream().allMatch(node -> types.stream().allMatch(type ->
                seen.sight().searches(node, type) == seen.sight().reads(node, type)));
    }

    private static String expected(RandomRequest request, SeenTree seen, LDAPConnection admin, RandomRequest.Shown shown)
            throws LDAPException {
        RandomTree.Node base = seen.node(request.base());
        if (base == null || !seen.sight().finds(base)) {
            return request.noBase(seen.nearest(request.base()));
        }
        return request.named(seen).ask(admin, shown);
    }

    private void compareValue(LDAPConnection client, SeenTree seen, String about) throws LDAPException {
        RandomTree.Node node = seen.tree().nodes().get(random.nextInt(seen.tree().nodes().size()));
        String type = List.of("title", "sn", "cn", "l").get(random.nextInt(4));
        List<String> values = node.values(type);
        String value = !values.isEmpty() && random.nextBoolean() ? values.get(0) : RandomTree.word(random);
        ResultCode expected = !seen.sight().compares(node, type)
                ? seen.sight().finds(node) ? ResultCode.INSUFFICIENT_ACCESS_RIGHTS : ResultCode.NO_SUCH_OBJECT
                : values.isEmpty() ? ResultCode.NO_SUCH_ATTRIBUTE
                : values.stream().anyMatch(value::equalsIgnoreCase) ? ResultCode.COMPARE_TRUE : ResultCode.COMPARE_FALSE;
        ResultCode found;
        String matched = null;
        try {
            found = client.compare(new CompareRequest(node.dn(), type, value)).getResultCode();
        } catch (LDAPException e) {
            found = e.getResultCode();
            matched = e.getMatchedDN();
        }
        if (found == ResultCode.INSUFFICIENT_ACCESS_RIGHTS && expected == ResultCode.NO_SUCH_OBJECT
                && ((NaiveRules.Rights) seen.sight()).isHiddenByName(node.dn())) {
            return;
        }
        assertEquals(about + "\ncompare " + type + "=" + value + " of " + node.dn(), expected, found);
        if (expected == ResultCode.NO_SUCH_OBJECT) {
            assertEquals(about + "\ncompare of " + node.dn(), seen.nearest(node.dn()), matched == null ? "" : matched);
        }
    }
}
