package org.alder.server.access;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.EntryChangeNotificationControl;
import com.unboundid.ldap.sdk.controls.PersistentSearchChangeType;
import com.unboundid.ldap.sdk.controls.PersistentSearchRequestControl;
import com.unboundid.ldap.sdk.extensions.WhoAmIExtendedRequest;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.alder.partition.testing.Seed;
import org.alder.server.FollowingListener;
import org.alder.server.SyncedCopy;
import org.alder.server.TestServer;
import org.junit.Test;

/**
 * Random rules, and random changes of entries and of who is in which group, while a user follows them by persistent search and by
 * content synchronization: he is told what he may see at the time of each change, nothing after he has lost a right, and what he
 * copies is what a search shows him. Rules that ask for memberOf
 * and the like are left out: an entry that they hide without a change of its own is not told.
 */
public class FollowedOracleTest {
    private static final int ROUNDS = Integer.getInteger("alder.test.rounds", 10);
    private static final int BATCHES = 8;
    private static final int SIZE = 22;
    private static final int REFRESH_REQUIRED = 4096;
    private static final int MISSING = 32;
    private static final long SEED = Seed.of(FollowedOracleTest.class);
    /** What is changed last: its place stays what it is. */
    private static final String MARKER = ChangingTree.MARKER + TestServer.SUFFIX;
    private static final NaiveRules.Subject USERS = new NaiveRules.Subject("users", null, List.of());

    private Random random;
    private RandomTree tree;
    private NaiveRules rules;
    private String user;
    private String base;
    private String filter;
    private String about;
    private ChangingTree changes;
    private LDAPConnection client;
    private SyncedCopy copy;
    private FollowingListener persistent;

    /** The states that a batch of changes leads through, the one before it first. */
    private final List<SeenTree> states = new ArrayList<>();
    private final List<ChangingTree.Step> steps = new ArrayList<>();
    /** How many states there are before the first in which the user is in other groups; all if he stays in the same. */
    private int withSameGroups;

    private <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    @Test
    public void whoFollowsIsToldWhatHeMaySeeThen() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            random = new Random(SEED + round);
            begin(SEED + round);
            try (TestServer server = AccessOracleTest.server(rules)) {
                tree.load(server);
                try (LDAPConnection admin = server.admin(); LDAPConnection follower = server.anonymous()) {
                    follower.bind(user, RandomTree.PASSWORD);
                    client = follower;
                    changes = new ChangingTree(random, admin, tree, user);
                    follow();
                }
            }
        }
    }

    private void begin(long seed) throws LDAPException {
        RandomTree people = RandomTree.of(random, SIZE);
        user = pick(people.people()).dn();
        base = random.nextInt(3) > 0 ? TestServer.SUFFIX : pick(people.dns());
        List<RandomTree.Node> nodes = new ArrayList<>(people.nodes());
        List<NaiveRules.Rule> first = new ArrayList<>();
        for (String dn : new TreeSet<>(List.of(MARKER, ChangingTree.MARKER + base))) {
            nodes.add(RandomTree.marker(random, dn));
            first.add(seen(dn));
        }
        tree = new RandomTree(List.copyOf(nodes));
        if (random.nextInt(4) > 0) {
            first.add(seen(base));
        }
        if (random.nextBoolean()) {
            // What is moved into and out of a hidden place.
            first.add(new NaiveRules.Rule(false, false, List.of("view"), null, List.of(), null, "subtree", pick(people.dns()), null, USERS));
        }
        rules = NaiveRules.of(random, people).ofEntriesAlone().after(first);
        Filter asked;
        do {
            asked = random.nextBoolean() ? Filter.createPresenceFilter("objectClass") : RandomRequest.filter(random, tree.dns(), 1);
        } while (NaiveRules.asksOthers(asked) || asked.toString().contains("userPassword"));
        filter = "(|(cn=marker)" + asked + ")";
        about = "seed " + seed + ", " + user + "\n" + String.join("\n", rules.texts()) + "\n" + base + " " + filter + "\n";
        copy = null;
        persistent = null;
    }

    private static NaiveRules.Rule seen(String dn) {
        return new NaiveRules.Rule(true, false, List.of("view"), null, List.of(), null, "base", dn, null, USERS);
    }

    private void follow() throws Exception {
        for (int batch = 0; batch < BATCHES; batch++) {
            states.clear();
            steps.clear();
            states.add(rules.seenBy(user, changes.tree()));
            if (copy == null && isFound(base, states.get(0))) {
                restart();
            }
            if (persistent == null && isFound(TestServer.SUFFIX, states.get(0))) {
                persist();
            }
            change();
            if (copy != null) {
                takeCopied();
            }
            if (persistent != null) {
                takePersistent();
            }
        }
    }

    private static boolean isFound(String dn, SeenTree seen) {
        RandomTree.Node node = seen.node(dn);
        return node != null && seen.sight().finds(node);
    }

    private void change() throws LDAPException {
        Set<String> groups = rules.groupsThatCount(user, changes.tree());
        int count = 1 + random.nextInt(5);
        int toggled = random.nextInt(3) == 0 ? random.nextInt(count) : -1;
        withSameGroups = 0;
        for (int i = 0; i < count; i++) {
            List<RandomTree.Node> all = changes.tree().nodes().stream().filter(node -> node.dn().startsWith("cn=group")).toList();
            note(groups, i == toggled && !all.isEmpty() ? changes.toggle(pick(all), user) : changes.step());
        }
        for (RandomTree.Node marker : changes.tree().nodes()) {
            if (marker.dn().startsWith(ChangingTree.MARKER) && !marker.dn().equals(MARKER)) {
                note(groups, mark(marker));
            }
        }
        note(groups, mark(changes.tree().node(MARKER)));
        withSameGroups = withSameGroups == 0 ? states.size() : withSameGroups;
    }

    private ChangingTree.Step mark(RandomTree.Node marker) throws LDAPException {
        return changes.replace(marker, "description", List.of("m" + random.nextInt()));
    }

    private void note(Set<String> groups, ChangingTree.Step step) {
        steps.add(step);
        states.add(rules.seenBy(user, changes.tree()));
        if (withSameGroups == 0 && !groups.equals(rules.groupsThatCount(user, changes.tree()))) {
            withSameGroups = states.size() - 1;
        }
    }

    private String history() {
        StringBuilder text = new StringBuilder(about);
        for (int i = 0; i < steps.size(); i++) {
            RandomTree.Node before = steps.get(i).before();
            RandomTree.Node after = steps.get(i).after();
            text.append(before == null ? "added" : states.get(i).text(before)).append(" -> ")
                    .append(after == null ? "deleted" : states.get(i + 1).text(after)).append('\n');
        }
        return text.toString();
    }

    /** Follows from the copy there is, or from none where the server wants that. */
    private void restart() throws Exception {
        copy = copy == null ? new SyncedCopy(client, base, filter) : copy;
        copy.follow();
        SearchResult end = copy.awaitRefreshedOrEnd();
        if (end != null && end.getResultCode().intValue() == REFRESH_REQUIRED) {
            copy = new SyncedCopy(client, base, filter);
            copy.follow();
            end = copy.awaitRefreshedOrEnd();
        }
        SeenTree now = rules.seenBy(user, changes.tree());
        assertEquals(history(), isFound(base, now), end == null);
        if (end == null) {
            assertEquals(history() + copy.history(), found(), new TreeSet<>(copy.content().values()));
        } else {
            assertNoBase(end, List.of(now));
            copy = null;
        }
    }

    private TreeSet<String> found() throws LDAPException {
        TreeSet<String> texts = new TreeSet<>();
        for (SearchResultEntry entry : client.search(base, SearchScope.SUB, filter, "*", "entryUUID", "entryCSN").getSearchEntries()) {
            texts.add(new Entry(entry.getDN(), entry.getAttributes()).toLDIFString());
        }
        return texts;
    }

    private static String text(SearchResultEntry entry) {
        return RandomRequest.text(entry, (dn, name, value) -> !name.startsWith("entry") && !name.equals("userPassword"));
    }

    private void takeCopied() throws Exception {
        List<SearchResultEntry> told = new ArrayList<>();
        SearchResult end = copy.awaitEntryOrEnd(ChangingTree.MARKER + base, told::add);
        List<SeenTree> known = end == null ? states : states.subList(0, withSameGroups);
        for (SearchResultEntry entry : told) {
            assertTrue(history() + "told in a copy: " + entry, known.stream().anyMatch(seen -> entry.getAttributes().isEmpty()
                    ? isFound(entry.getDN(), seen) : isFound(entry.getDN(), seen) && seen.text(seen.node(entry.getDN())).equals(text(entry))));
        }
        if (end == null) {
            assertEquals(history() + copy.history(), found(), new TreeSet<>(copy.content().values()));
        } else if (end.getResultCode().intValue() == REFRESH_REQUIRED) {
            assertTrue(history() + end, withSameGroups < states.size());
            restart();
        } else {
            assertNoBase(end, states);
            copy = null;
        }
    }

    /** It was not to be found at one of these times, and nothing is said of what else could not. */
    private void assertNoBase(SearchResult end, List<SeenTree> times) {
        if (end.getResultCode() == ResultCode.INSUFFICIENT_ACCESS_RIGHTS) {
            assertTrue(history() + end, times.stream().anyMatch(seen -> ((NaiveRules.Rights) seen.sight()).isHiddenByName(base)));
            return;
        }
        assertEquals(history() + end, MISSING, end.getResultCode().intValue());
        String matched = end.getMatchedDN() == null ? "" : end.getMatchedDN();
        assertTrue(history() + end, times.stream().anyMatch(seen -> !isFound(base, seen) && seen.nearest(base).equals(matched)));
    }

    private void persist() throws Exception {
        persistent = new FollowingListener();
        SearchRequest request = new SearchRequest(persistent, TestServer.SUFFIX, SearchScope.SUB, filter, "*");
        request.setControls(new PersistentSearchRequestControl(EnumSet.allOf(PersistentSearchChangeType.class), true, true));
        client.asyncSearch(request);
        // What is changed after any answer is told.
        client.processExtendedOperation(new WhoAmIExtendedRequest());
    }

    private void takePersistent() throws Exception {
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            String event = event(steps.get(i), states.get(i), states.get(i + 1));
            if (event != null) {
                expected.add(event);
            }
        }
        List<String> told = new ArrayList<>();
        Object next = null;
        while (!(next instanceof SearchResult) && (told.isEmpty() || !told.get(told.size() - 1).startsWith("modify " + MARKER + " "))) {
            next = persistent.next(Object.class);
            if (next instanceof SearchResultEntry entry) {
                EntryChangeNotificationControl change = EntryChangeNotificationControl.get(entry);
                told.add(change.getChangeType().getName() + " " + (change.getPreviousDN() == null ? "" : "from " + change.getPreviousDN() + " ")
                        + text(entry));
            }
        }
        if (next instanceof SearchResult end) {
            assertEquals(history() + end, REFRESH_REQUIRED, end.getResultCode().intValue());
            assertTrue(history() + end, withSameGroups < states.size());
            int before = (int) steps.subList(0, withSameGroups - 1).stream().filter(step -> event(step) != null).count();
            assertTrue(history() + "told: " + told + "\nexpected: " + expected, told.size() <= before);
            expected = expected.subList(0, told.size());
            persistent = null;
        }
        assertEquals(history(), String.join("\n", expected), String.join("\n", told));
    }

    private String event(ChangingTree.Step step) {
        int at = steps.indexOf(step);
        return event(step, states.get(at), states.get(at + 1));
    }

    /** What a persistent search tells of it; null for nothing. */
    private String event(ChangingTree.Step step, SeenTree before, SeenTree after) {
        Predicate<SeenTree> shown = seen -> {
            RandomTree.Node node = seen == after ? step.after() : step.before();
            try {
                return seen.sight().finds(node) && Boolean.TRUE.equals(seen.truth(node, Filter.create(filter)));
            } catch (LDAPException e) {
                throw new IllegalStateException(e);
            }
        };
        if (step.after() == null) {
            return shown.test(before) ? "delete " + before.text(step.before()) : null;
        } else if (!shown.test(after)) {
            return null;
        }
        boolean renamed = step.before() != null && !step.before().dn().equals(step.after().dn());
        boolean known = step.before() != null && before.sight().finds(step.before());
        String kind = step.before() == null || renamed && !known ? "add " : renamed ? "moddn from " + step.before().dn() + " " : "modify ";
        return kind + after.text(step.after());
    }
}
