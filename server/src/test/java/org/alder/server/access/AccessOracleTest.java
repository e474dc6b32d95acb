package org.alder.server.access;

import static org.junit.Assert.assertEquals;

import com.unboundid.ldap.sdk.CompareRequest;
import com.unboundid.ldap.sdk.DereferencePolicy;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.controls.AssertionRequestControl;
import com.unboundid.ldap.sdk.controls.ManageDsaITRequestControl;
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
    private static final int ROUNDS = Integer.getInteger("alder.test.rounds", 4);
    private static final int USERS = 3;
    private static final int REQUESTS = 60;
    private static final int SIZE = 28;
    private static final long SEED = Seed.of(AccessOracleTest.class);
    /** Longer chains are taken for loops. */
    private static final int MOST_ALIASES = 32;
    /** By which entries lead to others: what leads to something hidden leads to nothing in a tree from which that is cut. */
    private static final Set<String> LEADING = Set.of("aliasedobjectname", "memberurl");
    /** What makes an entry lead somewhere, so that it is not cut, and what it gets by that. */
    private static final Set<String> KEPT = Set.of("objectclass", "member");
    /** Worked out by the server and not stored. */
    private static final Set<String> VIRTUAL = Set.of("memberof", "hassubordinates", "numsubordinates", "entrydn", "subschemasubentry");

    private Random random;

    @Test
    public void aUserIsToldWhatATreeHasFromWhichAllIsCutThatHeMayNotSee() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            random = new Random(SEED + round);
            RandomTree tree = RandomTree.of(random, SIZE).withLeading(random);
            NaiveRules rules = NaiveRules.of(random, tree);
            try (TestServer server = server(rules)) {
                tree.load(server);
                for (int i = 0; i < USERS && !tree.people().isEmpty(); i++) {
                    String user = tree.people().get(random.nextInt(tree.people().size())).dn();
                    compare(server, user, rules.seenBy(user, tree), "seed " + (SEED + round) + ", " + user + "\n"
                            + String.join("\n", rules.texts()));
                }
            }
        }
    }

    static TestServer server(NaiveRules rules) {
        List<String> texts = new ArrayList<>(List.of("grant authenticate to anyone"));
        texts.addAll(rules.texts());
        return new TestServer(settings -> settings.with(draft -> draft.accessRules = parsed(texts)), MemoryStore::new, false);
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
        RandomRequest.Shown shown = (dn, name, value) -> isShown(seen, dn, name, value, placeholders);
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

    /** Whether both servers tell it, each for its own reasons. */
    private static boolean isShown(SeenTree seen, String dn, String name, String value, boolean placeholders) {
        String type = name.split(";")[0].toLowerCase(Locale.ROOT);
        if (placeholders && type.endsWith("subordinates") || LEADING.contains(type)) {
            return false;
        }
        boolean kept = VIRTUAL.contains(type) || seen.node(dn).leads() && KEPT.contains(type);
        return !kept || (value == null ? seen.sight().reads(seen.node(dn), type) : seen.sight().reads(seen.node(dn), type, value));
    }

    /**
     * What may be searched for and not be read is in no tree from which the latter is cut, and a type is told alone or is not where some of
     * its values are hidden.
     */
    private static boolean isSame(RandomRequest request, SeenTree seen) {
        List<String> types = switch (request.kind()) {
            case SORTED, SORTED_PAGES, LIST_VIEW -> List.of(request.key().toLowerCase(Locale.ROOT));
            case MATCHED_VALUES -> List.of("cn", "sn", "l", "title", "ou");
            default -> List.of();
        };
        if (request.assertion() != null && leading(request, request.base(), seen) != null
                || request.kind() == RandomRequest.Kind.TYPES_ONLY && ((NaiveRules.Rights) seen.sight()).hasRulesOfValues()) {
            // An assertion is about the entry of this name, wherever it leads.
            return false;
        }
        return seen.tree().nodes().stream().allMatch(node -> types.stream().allMatch(type ->
                request.kind() == RandomRequest.Kind.MATCHED_VALUES ? isSearchedAsRead(seen.sight(), node, type)
                        : isOrderedAsRead(seen.sight(), node, type)));
    }

    private static boolean isSearchedAsRead(SeenTree.Sight sight, RandomTree.Node node, String type) {
        return node.values(type).stream().allMatch(value -> sight.searches(node, type, value) == sight.reads(node, type, value));
    }

    /** An attribute of which some values may not be searched for has no place in an order. */
    private static boolean isOrderedAsRead(SeenTree.Sight sight, RandomTree.Node node, String type) {
        return sight.searches(node, type) ? node.values(type).stream().allMatch(value -> sight.reads(node, type, value))
                : node.values(type).stream().noneMatch(value -> sight.reads(node, type, value));
    }

    private static String expected(RandomRequest request, SeenTree seen, LDAPConnection admin, RandomRequest.Shown shown)
            throws LDAPException {
        String base = request.base();
        String from = null;
        for (int passed = 0; passed < MOST_ALIASES && !base.equals(from); passed++) {
            from = base;
            RandomTree.Node leading = leading(request, base, seen);
            if (leading != null && !seen.sight().finds(leading)) {
                return request.noBase(seen.nearest(base));
            } else if (leading != null && seen.cut().node(leading.dn()).leadsTo().isEmpty()) {
                return request.refused(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, "");
            } else if (leading != null && leading.isReferral()) {
                return request.named(seen).ask(admin, shown);
            } else if (leading != null) {
                base = base.substring(0, base.length() - leading.dn().length()) + leading.leadsTo().get(0);
            }
        }
        RandomTree.Node node = seen.node(base);
        boolean there = node != null && seen.sight().finds(node);
        if (there && request.assertion() != null && !Boolean.TRUE.equals(seen.truth(node, request.assertion()))) {
            return request.refused(ResultCode.ASSERTION_FAILED, "");
        }
        return there || !base.equals(request.base()) ? request.named(seen).ask(admin, shown) : request.noBase(seen.nearest(base));
    }

    /** The first entry on the way to the base that leads elsewhere, as far as the request follows it; or null. */
    private static RandomTree.Node leading(RandomRequest request, String base, SeenTree seen) {
        boolean aliases = request.aliases() == DereferencePolicy.ALWAYS || request.aliases() == DereferencePolicy.FINDING;
        return seen.tree().nodes().stream().filter(node -> ("," + base).endsWith("," + node.dn())
                && (node.isReferral() && !request.manages() || node.isAlias() && aliases)).findFirst().orElse(null);
    }

    private void compareValue(LDAPConnection client, SeenTree seen, String about) throws LDAPException {
        RandomTree.Node node = seen.tree().nodes().get(random.nextInt(seen.tree().nodes().size()));
        String type = List.of("title", "sn", "cn", "l").get(random.nextInt(4));
        List<String> values = node.values(type);
        String value = !values.isEmpty() && random.nextBoolean() ? values.get(0) : RandomTree.word(random);
        boolean asserts = random.nextInt(4) == 0;
        Filter assertion = asserts ? RandomRequest.filter(random, seen.tree().dns(), 1) : null;
        boolean fails = asserts && seen.sight().finds(node) && !Boolean.TRUE.equals(seen.truth(node, assertion));
        ResultCode expected = asserts && !seen.sight().finds(node) ? ResultCode.NO_SUCH_OBJECT : !seen.sight().compares(node, type, value)
                ? seen.sight().finds(node) ? ResultCode.INSUFFICIENT_ACCESS_RIGHTS : ResultCode.NO_SUCH_OBJECT
                : fails ? ResultCode.ASSERTION_FAILED
                : values.isEmpty() ? ResultCode.NO_SUCH_ATTRIBUTE
                : values.stream().anyMatch(value::equalsIgnoreCase) ? ResultCode.COMPARE_TRUE : ResultCode.COMPARE_FALSE;
        ResultCode found;
        String matched = null;
        try {
            CompareRequest request = new CompareRequest(node.dn(), type, value);
            request.addControl(new ManageDsaITRequestControl(true));
            if (asserts) {
                request.addControl(new AssertionRequestControl(assertion));
            }
            found = client.compare(request).getResultCode();
        } catch (LDAPException e) {
            found = e.getResultCode();
            matched = e.getMatchedDN();
        }
        if (found == ResultCode.INSUFFICIENT_ACCESS_RIGHTS && expected == ResultCode.NO_SUCH_OBJECT
                && ((NaiveRules.Rights) seen.sight()).isHiddenByName(node.dn())) {
            return;
        } else if (expected == ResultCode.INSUFFICIENT_ACCESS_RIGHTS && found == ResultCode.ASSERTION_FAILED && fails) {
            // Which of the two is said depends on whether the name alone forbids it.
            return;
        }
        assertEquals(about + "\ncompare " + type + "=" + value + " of " + node.dn() + " asserting " + assertion, expected, found);
        if (expected == ResultCode.NO_SUCH_OBJECT) {
            assertEquals(about + "\ncompare of " + node.dn(), seen.nearest(node.dn()), matched == null ? "" : matched);
        }
    }
}
