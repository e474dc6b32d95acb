package org.alder.perf.stress;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.alder.perf.stress.PersistentSearchFollower.Change;
import org.junit.Test;

/** What a client that knows names alone makes of the changes of one commit. */
public class PersistentSearchFollowerTest {
    private static final String ROOT = StressData.root(0);
    private static final int MODIFIED = 4;

    private final Map<String, Map<String, SortedSet<String>>> before = new TreeMap<>(Map.of("ou=a," + ROOT, named("a"),
            "uid=x,ou=a," + ROOT, named("x"), "cn=y,uid=x,ou=a," + ROOT, named("y"), "ou=b," + ROOT, named("b")));

    private static Map<String, SortedSet<String>> named(String name) {
        return Map.of("description", new TreeSet<>(List.of(name)));
    }

    private Map<String, Map<String, SortedSet<String>>> after(Change... commit) throws DifferenceException {
        return PersistentSearchFollower.after(before, List.of(commit));
    }

    private static Change renamed(String from, String to, String name) {
        return new Change(PersistentSearchFollower.RENAMED, to, from, named(name));
    }

    private static Change told(int kind, String dn) {
        return new Change(kind, dn, null, named("new"));
    }

    @Test
    public void whatIsBelowARenamedEntryGoesWithTheNearest() throws Exception {
        assertEquals(Map.of("ou=c," + ROOT, named("a"), "uid=z,ou=b," + ROOT, named("x"), "cn=y,uid=z,ou=b," + ROOT, named("y"),
                "ou=b," + ROOT, named("b")), after(renamed("ou=a," + ROOT, "ou=c," + ROOT, "a"),
                renamed("uid=x,ou=a," + ROOT, "uid=z,ou=b," + ROOT, "x")));
    }

    @Test
    public void inOneCommitTwoEntriesMayChangeTheirNames() throws Exception {
        assertEquals(Map.of("ou=b," + ROOT, named("a"), "uid=x,ou=b," + ROOT, named("x"), "cn=y,uid=x,ou=b," + ROOT, named("y"),
                "ou=a," + ROOT, named("b")), after(renamed("ou=a," + ROOT, "ou=b," + ROOT, "a"),
                renamed("ou=b," + ROOT, "ou=a," + ROOT, "b")));
        assertEquals(named("new"), after(told(PersistentSearchFollower.DELETED, "ou=b," + ROOT),
                told(PersistentSearchFollower.ADDED, "ou=b," + ROOT)).get("ou=b," + ROOT));
    }

    @Test
    public void whatCannotBeIsADifference() {
        for (Change[] commit : List.of(new Change[] {told(PersistentSearchFollower.ADDED, "ou=a," + ROOT)},
                new Change[] {told(MODIFIED, "ou=none," + ROOT)}, new Change[] {told(PersistentSearchFollower.DELETED, "ou=none," + ROOT)},
                new Change[] {renamed("ou=none," + ROOT, "ou=c," + ROOT, "c")},
                new Change[] {renamed("ou=a," + ROOT, "ou=b," + ROOT, "a")})) {
            assertThrows(DifferenceException.class, () -> after(commit));
        }
    }
}
