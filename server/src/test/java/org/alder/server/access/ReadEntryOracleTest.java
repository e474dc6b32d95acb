package org.alder.server.access;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.DeleteRequest;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPResult;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ModifyDNRequest;
import com.unboundid.ldap.sdk.ModifyRequest;
import com.unboundid.ldap.sdk.ReadOnlyEntry;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.UpdatableLDAPRequest;
import com.unboundid.ldap.sdk.controls.ManageDsaITRequestControl;
import com.unboundid.ldap.sdk.controls.PostReadRequestControl;
import com.unboundid.ldap.sdk.controls.PostReadResponseControl;
import com.unboundid.ldap.sdk.controls.PreReadRequestControl;
import com.unboundid.ldap.sdk.controls.PreReadResponseControl;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.alder.partition.testing.Seed;
import org.alder.server.TestServer;
import org.junit.Test;

/**
 * Random rules, and random updates by whom they let: the entries that an update shows are what a search shows before and after it. No
 * rule speaks to groups, as an update shows the entry by the rights with which it was begun.
 */
public class ReadEntryOracleTest {
    private static final int ROUNDS = Integer.getInteger("alder.test.rounds", 6);
    private static final int UPDATES = 60;
    private static final int SIZE = 22;
    private static final List<String> SHOWN = List.of("memberOf", "*", "hasSubordinates", "numSubordinates", "entryUUID",
            "modifyTimestamp", "creatorsName", "ref");
    private static final long SEED = Seed.of(ReadEntryOracleTest.class);

    private Random random;
    private int made;

    private <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    @Test
    public void anUpdateShowsWhatASearchShows() throws Exception {
        int succeeded = 0;
        for (int round = 0; round < ROUNDS; round++) {
            random = new Random(SEED + round);
            RandomTree tree = RandomTree.of(random, SIZE).withLeading(random);
            NaiveRules rules = NaiveRules.of(random, tree).withChanges(random, tree).withWriter().withoutGroups();
            String user = pick(tree.people()).dn();
            String about = "seed " + (SEED + round) + ", " + user + "\n" + String.join("\n", rules.texts());
            try (TestServer server = AccessOracleTest.server(rules)) {
                tree.load(server);
                try (LDAPConnection admin = server.admin(); LDAPConnection client = server.anonymous()) {
                    client.bind(user, RandomTree.PASSWORD);
                    for (int i = 0; i < UPDATES; i++) {
                        List<String> dns = admin.search(TestServer.SUFFIX, SearchScope.SUB, "(objectClass=*)", "1.1")
                                .getSearchEntries().stream().map(SearchResultEntry::getDN).toList();
                        succeeded += update(client, dns, user, about) ? 1 : 0;
                    }
                }
            }
        }
        assertTrue("some of the updates are allowed", succeeded > 0);
    }

    private boolean update(LDAPConnection client, List<String> dns, String user, String about) throws LDAPException {
        String dn = pick(dns);
        String after = dn;
        UpdatableLDAPRequest request;
        switch (random.nextInt(dn.equals(TestServer.SUFFIX) || user.endsWith(dn) ? 2 : 4)) {
            case 0, 1 -> request = new ModifyRequest(dn, change(dn, user));
            case 2 -> {
                String superior = pick(dns);
                String rdn = dn.substring(0, dn.indexOf(',')) + "s" + ++made;
                after = rdn + "," + superior;
                request = new ModifyDNRequest(dn, rdn, random.nextBoolean(), superior);
            }
            default -> request = new DeleteRequest(dn);
        }
        request.addControl(new ManageDsaITRequestControl(true));
        request.addControl(new PreReadRequestControl(SHOWN.toArray(String[]::new)));
        if (!(request instanceof DeleteRequest)) {
            request.addControl(new PostReadRequestControl(SHOWN.toArray(String[]::new)));
        }
        String before = found(client, dn);
        LDAPResult result = client.processOperation(request);
        if (result.getResultCode() != ResultCode.SUCCESS) {
            return false;
        }
        PreReadResponseControl pre = PreReadResponseControl.get(result);
        PostReadResponseControl post = PostReadResponseControl.get(result);
        assertEquals(about + "\n" + request + ", before", before, text(pre.getEntry()));
        if (post != null) {
            assertEquals(about + "\n" + request + ", after", found(client, after), text(post.getEntry()));
        }
        return true;
    }

    private Modification change(String dn, String user) {
        if (dn.startsWith("cn=group") && random.nextBoolean()) {
            return new Modification(ModificationType.ADD, "member", "cn=member " + ++made + "," + user);
        }
        String type = dn.startsWith("uid=") ? pick(List.of("title", "l", "employeeType", "description")) : "description";
        return new Modification(ModificationType.REPLACE, type, RandomTree.word(random));
    }

    /** The entry, with no attributes if it is not found. */
    private static String found(LDAPConnection client, String dn) {
        try {
            SearchRequest request = new SearchRequest(dn,
                    SearchScope.BASE, "(objectClass=*)",
                    SHOWN.toArray(String[]::new));
            request.addControl(new ManageDsaITRequestControl(true));
            return text(client.search(request).getSearchEntries().get(0));
        } catch (LDAPException e) {
            assertTrue(e.toString(), Set.of(ResultCode.NO_SUCH_OBJECT, ResultCode.INSUFFICIENT_ACCESS_RIGHTS).contains(e.getResultCode()));
            return text(new ReadOnlyEntry(dn, List.of()));
        }
    }

    /** Without the members that a dynamic group finds, which only searches show. */
    private static String text(ReadOnlyEntry entry) {
        return RandomRequest.text(entry, (dn, name, value) -> !(name.equals("member") && dn.startsWith("cn=dynamic")));
    }
}
