package org.alder.partition.query;

import static org.alder.partition.testing.TestDirectory.dn;
import static org.alder.partition.testing.TestDirectory.index;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;
import org.alder.partition.Partition;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.filter.FilterParser;
import org.alder.partition.id.IdSet;
import org.alder.partition.index.IndexKind;
import org.alder.partition.query.QueryPlan.Kind;
import org.alder.partition.request.SearchScope;
import org.alder.partition.store.KeyRange;
import org.alder.partition.store.Snapshot;
import org.alder.partition.testing.TestDirectory;
import org.alder.partition.tree.EntryView;
import org.alder.partition.tree.SpecialEntries;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** 1 suffix, 2 ou=users, 3 ou=empty, 4 cn=sub under users, then 1000 people under ou=users, every tenth of them under cn=sub. */
public class QueryPlanTest {
    private static final String SUFFIX = "dc=example,dc=com";
    private static final String USERS = "ou=Users," + SUFFIX;

    private TestDirectory directory;
    private Partition partition;
    private Snapshot snapshot;

    @Before
    public void fill() {
        directory = new TestDirectory(SUFFIX, index("objectClass", IndexKind.EQUALITY), index("uid", IndexKind.EQUALITY),
                index("st", IndexKind.EQUALITY, IndexKind.SUBSTRING), index("employeeType", IndexKind.EQUALITY),
                index("uidNumber", IndexKind.EQUALITY), index("entryCSN", IndexKind.EQUALITY));
        directory.add(SUFFIX, "objectClass: domain");
        directory.add(USERS, "objectClass: organizationalUnit");
        directory.add("ou=empty," + SUFFIX, "objectClass: organizationalUnit");
        directory.add("cn=sub," + USERS, "objectClass: device");
        for (int i = 0; i < 1000; i++) {
            directory.add("uid=u" + i + (i % 10 == 0 ? ",cn=sub," : ",") + USERS, "objectClass: inetOrgPerson", "uid: u" + i,
                    "st: " + (char) ('a' + i % 26) + (char) ('a' + i / 26 % 26), "employeeType: "
                    + (i % 2 == 0 ? "alpha" : "beta"),
                    "description: d" + i, "uidNumber: " + i,
                    "entryCSN: 20260101000000." + String.format(Locale.ROOT, "%06d", i) + "Z#000000#000#000000");
        }
        partition = directory.partition();
        snapshot = partition.snapshot();
    }

    @After
    public void close() {
        snapshot.close();
        directory.close();
    }

    private SearchQuery query(String base, SearchScope scope, String filter, int examinedLimit) throws DirectoryException {
        return new SearchQuery(dn(base), scope, FilterParser.parse(filter), 0, examinedLimit);
    }

    private QueryPlan plan(String base, SearchScope scope, String filter) throws DirectoryException {
        try (SearchCursor cursor = partition.search(snapshot, query(base, scope, filter, 0))) {
            return cursor.plan();
        }
    }

    private static List<Kind> kinds(QueryPlan plan) {
        return plan.steps().stream().map(QueryPlan.Step::kind).toList();
    }

    @Test
    public void anExactIndexNeedsNoTest() throws DirectoryException {
        QueryPlan plan = plan(SUFFIX, SearchScope.SUBTREE, "(st=ab)");
        assertEquals(List.of(Kind.INTERSECT), kinds(plan));
        assertEquals(2, plan.candidateCount());
        assertEquals("st eq \"ab\"", plan.steps().get(0).text());
        for (String filter : List.of("(st=a*)", "(st=ab*)", "(st=*b)", "(st=*ab)")) {
            assertEquals(filter, List.of(Kind.INTERSECT), kinds(plan(SUFFIX, SearchScope.SUBTREE, filter)));
        }
        assertEquals(List.of(Kind.INTERSECT, Kind.TEST), kinds(plan(SUFFIX, SearchScope.SUBTREE, "(st=a*b)")));
        assertEquals(List.of(Kind.INTERSECT), kinds(plan(SUFFIX, SearchScope.SUBTREE, "(|(uid=u1)(uid=u2)(uidNumber<=3))")));
        assertEquals(List.of(Kind.INTERSECT), kinds(plan(SUFFIX, SearchScope.SUBTREE, "(uidNumber>=990)")));
    }

    @Test
    public void theOrderOfChangeNumbersIsAnsweredByTheirIndex() throws DirectoryException {
        String filter = "(entryCSN>=20260101000000.000990Z#000000#000#000000)";
        assertEquals(List.of(Kind.INTERSECT), kinds(plan(SUFFIX, SearchScope.SUBTREE, filter)));
        assertEquals(10, directory.search(SUFFIX, SearchScope.SUBTREE, filter).size());
    }

    @Test
    public void theRarestSetComesFirstAndTheFrequentOneIsTested() throws DirectoryException {
        QueryPlan plan = plan(SUFFIX, SearchScope.SUBTREE, "(&(objectClass=person)(employeeType=alpha)(uid=u4))");
        assertEquals(List.of(Kind.INTERSECT, Kind.TEST, Kind.TEST), kinds(plan));
        assertEquals("uid eq \"u4\"", plan.steps().get(0).text());
        assertEquals(500, plan.steps().get(1).count());
        assertEquals(List.of(), plan.missingIndexes());
    }

    @Test
    public void setsAreIntersectedWhereTestingCostsMore() throws DirectoryException {
        QueryPlan plan = plan(SUFFIX, SearchScope.SUBTREE,
                "(&(objectClass=person)(employeeType=alpha)(!(st=aa))(description=d*))");
        assertEquals(List.of(Kind.INTERSECT, Kind.INTERSECT, Kind.SUBTRACT, Kind.TEST), kinds(plan));
        assertEquals(List.of("description"), plan.missingIndexes());
    }

    @Test
    public void scopes() throws DirectoryException {
        assertEquals(List.of(Kind.SCOPE, Kind.TEST), kinds(plan(USERS, SearchScope.BASE, "(st=ab)")));
        assertEquals(List.of(Kind.SCOPE), kinds(plan(USERS, SearchScope.ONE_LEVEL, "(objectClass=*)")));
        assertEquals(901, plan(USERS, SearchScope.ONE_LEVEL, "(objectClass=*)").candidateCount());
        assertEquals(List.of(Kind.INTERSECT, Kind.TEST_SCOPE), kinds(plan(USERS, SearchScope.ONE_LEVEL, "(uid=u10)")));
        assertEquals(List.of(Kind.INTERSECT, Kind.TEST_SCOPE), kinds(plan(USERS, SearchScope.SUBTREE, "(uid=u10)")));
        assertEquals(List.of(Kind.INTERSECT, Kind.SCOPE), kinds(plan(USERS, SearchScope.SUBTREE, "(employeeType=beta)")));
        assertEquals(1002, plan(USERS, SearchScope.SUBTREE, "(objectClass=*)").candidateCount());
        assertEquals(0, plan("ou=empty," + SUFFIX, SearchScope.CHILDREN, "(objectClass=*)").candidateCount());
        assertEquals(List.of(Kind.SCAN), kinds(plan(SUFFIX, SearchScope.SUBTREE, "(objectClass=*)")));
        assertEquals(List.of(Kind.SCAN, Kind.TEST_SCOPE), kinds(plan(SUFFIX, SearchScope.CHILDREN, "(objectClass=*)")));
    }

    /** A range that never ends: planning must end all the same, and the search find what it would without the index. */
    @Test
    public void aRangeTooWideToReadFirstIsTestedInstead() throws DirectoryException {
        Snapshot endless = (Snapshot) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Snapshot.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "keys" -> new EndlessKeys(((KeyRange) arguments[1]).from());
                    case "lookup" -> snapshot.lookup((IdSet) arguments[0]);
                    default -> method.invoke(snapshot, arguments);
                });
        for (String filter : List.of("(uidNumber>=990)", "(|(uidNumber>=990)(uid=u3))",
                "(&(uidNumber>=990)(!(uidNumber>=995)))")) {
            SearchQuery query = query(SUFFIX, SearchScope.SUBTREE, filter, 0);
            assertEquals(filter, directory.ids(snapshot, query), directory.ids(endless, query));
            try (SearchCursor cursor = partition.search(endless, query)) {
                assertEquals(filter, Kind.SCAN, cursor.plan().steps().get(0).kind());
            }
        }
    }

    private record EndlessKeys(byte[] key) implements Snapshot.KeyCursor {
        @Override
        public boolean next() {
            return true;
        }

        @Override
        public long cardinality() {
            return 1;
        }

        @Override
        public IdSet ids() {
            return IdSet.of(1);
        }

        @Override
        public void close() {
            // Holds nothing.
        }
    }

    @Test
    public void nothingIsReadForAFilterThatIsNeverTrue() throws DirectoryException {
        assertEquals(0, plan(SUFFIX, SearchScope.SUBTREE, "(&(st=ab)(noSuchAttribute=1))").candidateCount());
    }

    @Test
    public void explainNamesWhatWasUsed() throws DirectoryException {
        assertEquals("base        \"ou=Users,dc=example,dc=com\", SUBTREE\n"
                + "intersect   uid eq \"u10\": 1 entry, 1 left\n"
                + "test scope  parents of each candidate\n"
                + "test        (description=x)\n"
                + "candidates  1\n"
                + "no index    description\n", plan(USERS, SearchScope.SUBTREE, "(&(description=x)(uid=u10))").toString());
    }

    @Test
    public void theExaminedLimitNamesTheMissingIndex() throws DirectoryException {
        try (SearchCursor cursor = partition.search(snapshot, query(SUFFIX, SearchScope.SUBTREE, "(|(description=x)(st=zz))",
                100))) {
            assertEquals(SearchCursor.Step.PAUSED, cursor.step(100));
            assertEquals(100, cursor.examined());
            DirectoryException e = assertThrows(DirectoryException.class, () -> cursor.step(1));
            assertEquals(ResultCode.ADMIN_LIMIT_EXCEEDED, e.resultCode());
            assertTrue(e.getMessage(), e.getMessage().endsWith("no index that answers the filter on description"));
        }
        SearchQuery indexed = query(SUFFIX, SearchScope.SUBTREE, "(employeeType=alpha)", 100);
        assertEquals(500, directory.ids(snapshot, indexed).size());
        SearchQuery justWithin = query(USERS, SearchScope.SUBTREE, "(description=d7)", 1002);
        assertEquals(1, directory.ids(snapshot, justWithin).size());
    }

    @Test
    public void aSearchReadsOnePointInTime() throws DirectoryException {
        SearchQuery query = query(SUFFIX, SearchScope.SUBTREE, "(objectClass=device)", 0);
        directory.add("cn=later," + SUFFIX, "objectClass: device");
        assertEquals(List.of(4L), directory.ids(snapshot, query));
        try (Snapshot later = partition.snapshot()) {
            assertEquals(List.of(4L, 1005L), directory.ids(later, query));
        }
    }

    @Test
    public void aMissingBaseNamesTheDeepestExistingEntry() {
        DirectoryException e = assertThrows(DirectoryException.class,
                () -> plan("cn=x,cn=y,OU=users," + SUFFIX, SearchScope.SUBTREE, "(a=1)"));
        assertEquals(ResultCode.NO_SUCH_OBJECT, e.resultCode());
        assertEquals(USERS, e.matchedDn());
        e = assertThrows(DirectoryException.class, () -> plan("dc=com", SearchScope.SUBTREE, "(a=1)"));
        assertEquals("", e.matchedDn());
    }

    @Test
    public void virtualAttributesCanBeSearched() throws DirectoryException {
        assertEquals(List.of(2L), directory.search(SUFFIX, SearchScope.SUBTREE, "(numSubordinates=901)"));
        assertEquals(List.of(1L, 2L, 4L), directory.search(SUFFIX, SearchScope.SUBTREE, "(hasSubordinates=TRUE)"));
        assertEquals(List.of(4L), directory.search(SUFFIX, SearchScope.SUBTREE, "(entryDN=cn=SUB,ou=users,dc=example,dc=com)"));
        assertEquals(LongStream.rangeClosed(1, 4).boxed().toList(),
                directory.search(SUFFIX, SearchScope.SUBTREE, "(&(subschemaSubentry=cn=schema)(!(uid=*)))"));
    }

    @Test
    public void aliasesAndReferralObjectsAreKnownByTheTimeOfTheSnapshot() {
        assertTrue(partition.special(snapshot).isEmpty());
        directory.add("ou=far," + SUFFIX, "objectClass: referral", "objectClass: extensibleObject", "ref: ldap://far/");
        directory.add("ou=other," + SUFFIX, "objectClass: ALIAS", "objectClass: extensibleObject", "aliasedObjectName: " + USERS);
        try (Snapshot later = partition.snapshot()) {
            SpecialEntries special = partition.special(later);
            assertEquals(IdSet.of(partition.resolve(later, dn("ou=far," + SUFFIX))), special.referrals());
            assertEquals(IdSet.of(partition.resolve(later, dn("ou=other," + SUFFIX))), special.aliases());
        }
        assertTrue(partition.special(snapshot).isEmpty());
    }

    @Test
    public void theEntriesGivenReplaceTheScope() throws DirectoryException {
        IdSet entries = IdSet.of(1, 2, 7, 8, 9);
        IdSet without = IdSet.of(2, 9);
        for (SearchScope scope : List.of(SearchScope.ONE_LEVEL, SearchScope.SUBTREE, SearchScope.CHILDREN)) {
            for (String filter : List.of("(objectClass=*)", "(|(objectClass=domain)(objectClass=person))", "(!(uid=x))")) {
                List<Long> found = new ArrayList<>();
                SearchQuery query = query(USERS, scope, filter, 0).within(entries, without);
                try (SearchCursor cursor = partition.search(snapshot, query)) {
                    while (cursor.step(1000) == SearchCursor.Step.MATCH) {
                        found.add(cursor.id());
                    }
                }
                assertEquals(scope + " " + filter, List.of(1L, 7L, 8L), found);
            }
        }
    }

    @Test
    public void entriesAreReadByDn() {
        EntryView view = partition.read(snapshot, dn("UID=u10,cn=sub,ou=USERS,dc=example,dc=com"));
        assertEquals("uid=u10,cn=sub," + USERS, view.dn());
        assertEquals("uid=u10", view.record().rdn());
        assertNull(partition.read(snapshot, dn("uid=u10," + USERS)));
        assertNull(partition.read(snapshot, dn("dc=org")));
        assertEquals(0, partition.resolve(snapshot, dn("dc=com")));
        assertEquals(2, partition.deepestExisting(snapshot, dn("uid=u10," + USERS)));
        assertEquals("", partition.matchedDn(snapshot, dn("dc=org")));
    }
}
