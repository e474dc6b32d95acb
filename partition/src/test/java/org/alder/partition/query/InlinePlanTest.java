package org.alder.partition.query;

import static org.alder.partition.testing.TestDirectory.dn;
import static org.alder.partition.testing.TestDirectory.index;
import static org.alder.partition.testing.TestDirectory.inline;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.FilterParser;
import org.alder.partition.index.IndexKind;
import org.alder.partition.query.QueryPlan.Kind;
import org.alder.partition.request.SearchScope;
import org.alder.partition.store.Snapshot;
import org.alder.partition.testing.TestDirectory;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** 1000 users; initials are of 26 kinds and have employeeType, departmentNumber and uidNumber inline, which are not indexed. */
public class InlinePlanTest {
    private static final String SUFFIX = "dc=example,dc=com";
    private static final String INLINE = "inline departmentNumber,employeeType,uidNumber in index initials for ";

    private TestDirectory directory;
    private Snapshot snapshot;

    @Before
    public void fill() {
        directory = new TestDirectory(SUFFIX, inline(index("initials", IndexKind.EQUALITY), "employeeType", "departmentNumber",
                "uidNumber"), index("st", IndexKind.EQUALITY));
        directory.add(SUFFIX, "objectClass: domain");
        for (int i = 0; i < 1000; i++) {
            directory.add("uid=u" + i + "," + SUFFIX, "objectClass: inetOrgPerson", "uid: u" + i,
                    "initials: " + (char) ('a' + i % 26), "employeeType: " + (i % 2 == 0 || i % 3 == 0 ? "alpha" : "beta"),
                    "departmentNumber: " + i % 10, "uidNumber: " + i, "st: s" + i % 100);
        }
        snapshot = directory.partition().snapshot();
    }

    @After
    public void close() {
        snapshot.close();
        directory.close();
    }

    private SearchQuery query(String filter, int examinedLimit) throws DirectoryException {
        return new SearchQuery(dn(SUFFIX), SearchScope.SUBTREE, FilterParser.parse(filter), 0, examinedLimit);
    }

    private QueryPlan plan(String filter) throws DirectoryException {
        try (SearchCursor cursor = directory.partition().search(snapshot, query(filter, 0))) {
            return cursor.plan();
        }
    }

    private static List<Kind> kinds(QueryPlan plan) {
        return plan.steps().stream().map(QueryPlan.Step::kind).toList();
    }

    /** Answered from sets alone, and in full. */
    private void assertAnswered(String filter, long expected, String... steps) throws DirectoryException {
        QueryPlan plan = plan(filter);
        assertEquals(plan.toString(), List.of(steps), plan.steps().stream().map(QueryPlan.Step::text).toList());
        assertTrue(plan.toString(), plan.steps().stream().noneMatch(step -> step.kind() == Kind.TEST));
        assertEquals(plan.toString(), expected, plan.candidateCount());
        assertEquals(List.of(), plan.missingIndexes());
        assertEquals(expected, directory.ids(snapshot, query(filter, 0)).size());
    }

    @Test
    public void aPairIsOneSet() throws DirectoryException {
        assertAnswered("(&(employeeType=beta)(initials=b))", 26, INLINE + "(&(initials=b)(employeeType=beta))");
        assertTrue(plan("(&(employeeType=beta)(initials=b))").toString().contains(
                "intersect   " + INLINE + "(&(initials=b)(employeeType=beta)): 26 entries, 26 left\n"));
    }

    @Test
    public void severalInlineAttributesAreIntersected() throws DirectoryException {
        assertAnswered("(&(employeeType=beta)(initials=b)(departmentNumber=7))", 5,
                INLINE + "(&(initials=b)(employeeType=beta)(departmentNumber=7))");
    }

    @Test
    public void alternativesOnBothSides() throws DirectoryException {
        assertAnswered("(&(|(initials=a)(initials=b))(employeeType=beta))", 26,
                INLINE + "(&(|(initials=a)(initials=b))(employeeType=beta))");
        assertAnswered("(&(initials=a)(|(departmentNumber=1)(departmentNumber=2)(departmentNumber=3)))", 8,
                INLINE + "(&(initials=a)(|(departmentNumber=1)(departmentNumber=2)(departmentNumber=3)))");
    }

    @Test
    public void orderingOfAnInlineAttribute() throws DirectoryException {
        assertAnswered("(&(initials=a)(uidNumber>=950))", 2, INLINE + "(&(initials=a)(uidNumber>=950))");
        assertAnswered("(&(initials=a)(uidNumber<=100))", 4, INLINE + "(&(initials=a)(uidNumber<=100))");
    }

    @Test
    public void aNegatedInlineItemIsTakenAway() throws DirectoryException {
        assertAnswered("(&(initials=b)(!(employeeType=beta)))", 13, "initials eq \"b\"",
                INLINE + "(&(initials=b)(employeeType=beta))");
    }

    @Test
    public void insideAnOr() throws DirectoryException {
        String pair = "(&(initials=b)(employeeType=beta))";
        assertAnswered("(|" + pair + "(st=s2))", 26 + 10, "(" + INLINE + pair + " | st eq \"s2\")");
    }

    @Test
    public void otherPartsAreAnsweredAsEver() throws DirectoryException {
        QueryPlan plan = plan("(&(initials=b)(employeeType=beta)(uid=u1))");
        assertEquals(List.of(Kind.INTERSECT, Kind.TEST), kinds(plan));
        assertEquals(List.of("uid"), plan.missingIndexes());
        assertEquals(List.of(Kind.SCAN, Kind.TEST), kinds(plan("(employeeType=beta)")));
        assertEquals(List.of(Kind.SCAN, Kind.TEST, Kind.TEST), kinds(plan("(&(employeeType=beta)(departmentNumber=3))")));
        assertEquals(List.of("initials eq \"b\""),
                plan("(initials=b)").steps().stream().map(QueryPlan.Step::text).toList());
    }

    /** An option is not in the keys, so the entries are tested; no index is missing, whatever the limit says. */
    @Test
    public void optionsAreTested() throws DirectoryException {
        QueryPlan plan = plan("(&(initials=b)(employeeType;lang-en=beta))");
        assertEquals(List.of(Kind.INTERSECT, Kind.TEST), kinds(plan));
        assertEquals(26, plan.candidateCount());
        assertEquals(List.of(), directory.ids(snapshot, query("(&(initials=b)(employeeType;lang-en=beta))", 5)));
    }

    @Test
    public void entriesWithTooManyValuesAreTested() throws DirectoryException {
        List<String> lines = new ArrayList<>(List.of("objectClass: inetOrgPerson", "initials: b"));
        for (int i = 0; i < 1_200; i++) {
            lines.add("employeeType: t" + i);
        }
        directory.add("cn=many," + SUFFIX, lines.toArray(String[]::new));
        snapshot.close();
        snapshot = directory.partition().snapshot();
        QueryPlan plan = plan("(&(initials=b)(employeeType=beta))");
        assertEquals(List.of(Kind.INTERSECT, Kind.TEST), kinds(plan));
        assertEquals(27, plan.candidateCount());
        assertEquals(26, directory.ids(snapshot, query("(&(initials=b)(employeeType=beta))", 0)).size());
        assertEquals(1, directory.ids(snapshot, query("(&(initials=b)(employeeType=t7))", 0)).size());
        assertEquals(14, directory.ids(snapshot, query("(&(initials=b)(!(employeeType=beta)))", 0)).size());
        assertEquals(List.of(Kind.INTERSECT), kinds(plan("(&(initials=a)(employeeType=alpha))")));
    }
}
