package org.alder.server.access;

import static org.junit.Assert.assertEquals;

import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPSearchException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.alder.partition.testing.Seed;
import org.alder.server.SyncedCopy;
import org.alder.server.TestServer;
import org.junit.Test;

/** Random rules and random changes: a copy that content synchronization keeps for a user has what a search shows him. */
public class CopyOracleTest {
    private static final int ROUNDS = Integer.getInteger("alder.test.rounds", 8);
    private static final int CHANGES = 12;
    private static final int SIZE = 25;
    private static final long SEED = Seed.of(CopyOracleTest.class);

    private Random random;

    private <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    @Test
    public void aCopyHasWhatASearchShows() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            random = new Random(SEED + round);
            RandomTree tree = RandomTree.of(random, SIZE);
            // What other entries say is not told when they change (docs/access-rules.md).
            NaiveRules rules = NaiveRules.of(random, tree).ofEntriesAlone();
            String user = pick(tree.people()).dn();
            String about = "seed " + (SEED + round) + ", " + user + "\n" + String.join("\n", rules.texts());
            if (!rules.seenBy(user, tree).sight().finds(tree.nodes().get(0))) {
                continue;
            }
            try (TestServer server = AccessOracleTest.server(rules)) {
                tree.load(server);
                try (LDAPConnection admin = server.admin(); LDAPConnection client = server.anonymous()) {
                    client.bind(user, RandomTree.PASSWORD);
                    follow(tree, admin, client, about);
                }
            }
        }
    }

    private void follow(RandomTree tree, LDAPConnection admin, LDAPConnection client, String about) throws Exception {
        String filter = pick(List.of("(objectClass=*)", "(title=*)", "(!(title=red))", "(|(sn=red)(uid=*))"));
        List<String> left = new ArrayList<>(tree.people().stream().map(RandomTree.Node::dn)
                .filter(dn -> tree.nodes().stream().noneMatch(node -> node.parent().equals(dn))).toList());
        SyncedCopy copy = new SyncedCopy(client, TestServer.SUFFIX, filter);
        for (int i = 0; i < CHANGES; i++) {
            if (i % 3 == 0) {
                try {
                    copy.poll();
                    assertEquals(about + "\n" + filter + "\n" + copy.history(), found(client, filter),
                            new TreeSet<>(copy.content().values()));
                } catch (LDAPException e) {
                    // The base may have been hidden by now: then there is nothing to be copied, and nothing to be found.
                    assertEquals(about + "\n" + filter, e.getResultCode(), refused(client, filter));
                    return;
                }
            }
            change(left, admin);
        }
    }

    private static TreeSet<String> found(LDAPConnection client, String filter) throws LDAPException {
        TreeSet<String> texts = new TreeSet<>();
        for (SearchResultEntry entry : client.search(TestServer.SUFFIX, SearchScope.SUB, filter, "*", "entryUUID", "entryCSN")
                .getSearchEntries()) {
            texts.add(new Entry(entry.getDN(), entry.getAttributes()).toLDIFString());
        }
        return texts;
    }

    private static ResultCode refused(LDAPConnection client, String filter) {
        try {
            return client.search(TestServer.SUFFIX, SearchScope.SUB, filter, "1.1").getResultCode();
        } catch (LDAPSearchException e) {
            return e.getResultCode();
        }
    }

    /** Of attributes that rules and filters ask for, and of names. */
    private void change(List<String> left, LDAPConnection admin) throws LDAPException {
        if (left.isEmpty()) {
            return;
        }
        String dn = pick(left);
        switch (random.nextInt(6)) {
            case 0 -> {
                admin.modifyDN(dn, dn.substring(0, dn.indexOf(',')) + "r", true);
                left.remove(dn);
            }
            case 1 -> {
                admin.delete(dn);
                left.remove(dn);
            }
            default -> {
                admin.modify(dn, new Modification(ModificationType.REPLACE,
                        pick(List.of("title", "l", "employeeType", "description")), RandomTree.word(random)));
            }
        }
    }
}
