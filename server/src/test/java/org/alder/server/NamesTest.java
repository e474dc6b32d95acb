package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.sdk.DereferencePolicy;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.ServerSideSortRequestControl;
import com.unboundid.ldap.sdk.controls.SimplePagedResultsControl;
import com.unboundid.ldap.sdk.controls.SortKey;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.alder.partition.Partition;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.store.JdbmStore;
import org.alder.partition.memory.MemoryStore;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.Store;
import org.alder.server.access.AccessRule;
import org.alder.server.access.AccessRuleException;
import org.alder.server.access.AccessRuleParser;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Searches that return no attributes (RFC 4511 4.5.1.8, {@code 1.1}): they find what others find, and read no entry that they need not. */
public class NamesTest {
    private static final String USERS = "ou=users," + TestServer.SUFFIX;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();
    private int opened;

    private Store segments(EntryIndexer indexer) {
        return JdbmStore.open(folder.getRoot().toPath().resolve("store" + opened++), StoreSettings.defaults(), indexer);
    }

    private interface Check {
        void run(TestServer server) throws Exception;
    }

    /** On a store in memory, and on one whose entries are in a segment, with a few changes above it. */
    private void onEachStore(List<String> rules, Check check) throws Exception {
        for (Function<EntryIndexer, Store> engine : List.<Function<EntryIndexer, Store>>of(MemoryStore::new, this::segments)) {
            try (TestServer server = new TestServer(settings -> settings.with(draft -> draft.accessRules = rules.isEmpty() ? draft.accessRules
                    : parsed(rules)), engine, true)) {
                server.add("ou=deep," + USERS, "objectClass: organizationalUnit", "ou: deep");
                server.add("ou=deeper,ou=deep," + USERS, "objectClass: organizationalUnit", "ou: deeper");
                server.add("cn=D\u00e9j\u00e0 vu,ou=deeper,ou=deep," + USERS, "objectClass: device", "cn: D\u00e9j\u00e0 vu");
                server.partitions().forEach(partition -> partition.store().maintenance().compact());
                try (LDAPConnection admin = server.admin()) {
                    admin.delete(TestServer.userDn(9));
                    admin.modifyDN(TestServer.userDn(8), "uid=User.Eight", true);
                    admin.modifyDN("ou=deep," + USERS, "ou=shallow", true);
                }
                check.run(server);
            }
        }
    }

    private static List<AccessRule> parsed(List<String> texts) {
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

    private static List<String> names(LDAPConnection client, SearchScope scope, String filter, String... attributes) throws LDAPException {
        SearchResult result = client.search(new SearchRequest(TestServer.SUFFIX, scope, DereferencePolicy.NEVER, 0, 0, false, filter, attributes));
        return result.getSearchEntries().stream().map(entry -> entry.getDN()).toList();
    }

    private static final List<String> FILTERS = List.of("(objectClass=*)", "(objectClass=device)", "(objectClass=person)", "(uid=user.1*)", "(sn=number2)",
            "(!(uid=user.3))", "(&(objectClass=person)(|(uid=user.4)(uid=user.eight)))", "(ou=*)", "(uid=nobody)", "(ou:dn:=shallow)");

    @Test
    public void theNamesAreThoseThatAreFoundWithAttributes() throws Exception {
        onEachStore(List.of(), server -> {
            try (LDAPConnection admin = server.admin()) {
                for (SearchScope scope : SearchScope.values()) {
                    for (String filter : FILTERS) {
                        assertEquals(scope + " " + filter, names(admin, scope, filter, "*"), names(admin, scope, filter, "1.1"));
                    }
                }
                assertTrue(names(admin, SearchScope.SUB, "(objectClass=device)", "1.1")
                        .contains("cn=D\u00e9j\u00e0 vu,ou=deeper,ou=shallow," + USERS));
            }
        });
    }

    @Test
    public void noEntryIsReadWhereTheIndexesAnswerTheFilter() throws Exception {
        onEachStore(List.of(), server -> {
            try (LDAPConnection admin = server.admin()) {
                names(admin, SearchScope.SUB, "(objectClass=person)", "1.1");
                int before = server.readRecords();
                assertEquals(TestServer.USERS - 1, names(admin, SearchScope.SUB, "(objectClass=person)", "1.1").size());
                assertEquals("records read", before, server.readRecords());
                names(admin, SearchScope.SUB, "(objectClass=person)", "cn");
                assertEquals("records read", before + TestServer.USERS - 1, server.readRecords());
            }
        });
    }

    /** What a rule needs of an entry is read. */
    @Test
    public void whoMayNotFindAnEntryIsNotToldItsName() throws Exception {
        onEachStore(List.of("grant authenticate to anyone", "deny view where (sn=number12) to anyone",
                "grant view where (uid=user.1*) to anyone", "grant view where (objectClass=domain) to anyone"), server -> {
            try (LDAPConnection user = server.user(4)) {
                for (String filter : FILTERS) {
                    assertEquals(filter, names(user, SearchScope.SUB, filter, "*"), names(user, SearchScope.SUB, filter, "1.1"));
                }
                List<String> found = names(user, SearchScope.SUB, "(uid=*)", "1.1");
                List<String> expected = IntStream.rangeClosed(1, TestServer.USERS).filter(i -> Integer.toString(i).startsWith("1") && i != 12)
                        .mapToObj(TestServer::userDn).toList();
                assertEquals(expected, found);
            }
        });
    }

    @Test
    public void pagesAndSortedListsOfNamesAreWhole() throws Exception {
        onEachStore(List.of(), server -> {
            try (LDAPConnection admin = server.admin()) {
                List<String> all = names(admin, SearchScope.SUB, "(objectClass=person)", "cn");
                List<String> paged = new ArrayList<>();
                ASN1OctetString cookie = null;
                do {
                    SearchRequest request = new SearchRequest(TestServer.SUFFIX, SearchScope.SUB, "(objectClass=person)", "1.1");
                    request.addControl(new SimplePagedResultsControl(7, cookie));
                    SearchResult page = admin.search(request);
                    page.getSearchEntries().forEach(entry -> paged.add(entry.getDN()));
                    cookie = SimplePagedResultsControl.get(page).getCookie();
                } while (cookie.getValueLength() > 0);
                assertEquals(all, paged);
                SearchRequest request = new SearchRequest(TestServer.SUFFIX, SearchScope.SUB, "(objectClass=person)", "1.1");
                request.addControl(new ServerSideSortRequestControl(new SortKey("sn")));
                List<String> sorted = admin.search(request).getSearchEntries().stream().map(entry -> entry.getDN()).toList();
                request.setAttributes("sn");
                assertEquals(admin.search(request).getSearchEntries().stream().map(entry -> entry.getDN()).toList(), sorted);
            }
        });
    }
}
