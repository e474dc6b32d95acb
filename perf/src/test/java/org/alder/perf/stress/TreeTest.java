package org.alder.perf.stress;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import org.alder.perf.client.Request;
import org.alder.perf.client.SearchFilter;
import org.junit.Before;
import org.junit.Test;

/** The model itself, by examples that were worked out by hand. */
public class TreeTest {
    private static final String ROOT = StressData.root(0);
    private static final String BOX = "ou=box," + ROOT;
    private static final String ANN = "uid=ann," + BOX;
    private static final String GROUP = "cn=group," + ROOT;

    private final Tree tree = new Tree(ROOT);

    @Before
    public void fill() {
        assertEquals(0, tree.apply(StressData.unit(ROOT), false));
        assertEquals(0, tree.apply(StressData.unit(BOX), false));
        assertEquals(0, tree.apply(new Request.Add(ANN, StressData.attributes("objectclass", "person", "uid", "ann", "uidnumber",
                "7", "cn", "antelope")), false));
        assertEquals(0, tree.apply(new Request.Add(GROUP, StressData.attributes("objectclass", "groupofnames", "cn", "group",
                Tree.MEMBER, ANN)), false));
    }

    private int change(String dn, Request.Kind kind, String attribute, String... values) {
        return tree.apply(new Request.Modify(dn, List.of(new Request.Change(kind, attribute, List.of(values)))), false);
    }

    @Test
    public void aMoveTakesTheSubtreeAndItsMembershipsWithIt() {
        assertEquals(0, tree.apply(new Request.Rename(BOX, "ou=crate", true, GROUP), false));
        String moved = "uid=ann,ou=crate," + GROUP;
        assertEquals(Set.of(moved), tree.entries().get(GROUP).get(Tree.MEMBER));
        assertEquals(Set.of("crate"), tree.entries().get("ou=crate," + GROUP).get("ou"));
        assertEquals(Set.of(ROOT, GROUP, "ou=crate," + GROUP, moved), tree.entries().keySet());
        assertEquals(53, tree.apply(new Request.Rename(GROUP, "cn=group", true, moved), false));
    }

    @Test
    public void aDeletedMemberLeavesAndTheLastLeavesAPlaceholder() {
        assertEquals(66, tree.apply(new Request.Delete(BOX), false));
        assertEquals(0, tree.apply(new Request.Delete(BOX), true));
        assertEquals(Set.of(ROOT, GROUP), tree.entries().keySet());
        assertEquals(Set.of(Tree.PLACEHOLDER), tree.entries().get(GROUP).get(Tree.MEMBER));
        assertEquals(32, tree.apply(new Request.Delete(ANN), false));
    }

    @Test
    public void updatesThatCannotBeChangeNothing() {
        long before = tree.fingerprint();
        assertEquals(68, tree.apply(StressData.unit(BOX), false));
        assertEquals(32, tree.apply(StressData.unit("ou=a,ou=none," + ROOT), false));
        assertEquals(20, change(ANN, Request.Kind.ADD, "cn", "antelope"));
        assertEquals(16, change(ANN, Request.Kind.DELETE, "cn", "bee"));
        assertEquals(65, change(GROUP, Request.Kind.DELETE, Tree.MEMBER));
        assertEquals(17, change(ANN, Request.Kind.ADD, SchemaRequests.ATTRIBUTE, "a"));
        assertEquals(16, tree.apply(SchemaRequests.define(false), false));
        assertEquals(before, tree.fingerprint());
    }

    @Test
    public void aTypeInUseStays() {
        assertEquals(0, tree.apply(SchemaRequests.define(true), false));
        assertEquals(0, change(ANN, Request.Kind.ADD, SchemaRequests.ATTRIBUTE, "a"));
        assertEquals(53, tree.apply(SchemaRequests.define(false), false));
        assertTrue(tree.isTypeDefined());
    }

    @Test
    public void theSameContentHasTheSameFingerprintWhateverLedThere() {
        Tree copy = tree.copy();
        assertEquals(0, change(ANN, Request.Kind.ADD, "cn", "bee"));
        assertNotEquals(copy.fingerprint(), tree.fingerprint());
        assertEquals(0, change(ANN, Request.Kind.DELETE, "cn", "bee"));
        tree.addShared(StressData.member(0, 1));
        assertNotEquals(copy.fingerprint(), tree.fingerprint());
        assertEquals(0, tree.apply(new Request.Modify(StressData.SHARED_GROUP, List.of(new Request.Change(Request.Kind.DELETE,
                Tree.MEMBER, List.of(StressData.member(0, 1))))), false));
        assertEquals(copy.fingerprint(), tree.fingerprint());
        assertEquals("nothing differs", Contents.differences(tree, copy));
    }

    @Test
    public void filtersHaveThreeTruths() {
        SearchFilter unknown = SearchFilter.equal(Assertions.UNKNOWN, "a");
        assertNull(tree.truth(ANN, unknown));
        assertNull(tree.truth(ANN, new SearchFilter.Not(unknown)));
        assertEquals(true, tree.truth(ANN, new SearchFilter.Not(new SearchFilter.Present(Assertions.UNKNOWN))));
        assertEquals(false, tree.truth(ANN, SearchFilter.and(unknown, SearchFilter.equal("cn", "bee"))));
        assertEquals(true, tree.truth(ANN, SearchFilter.or(unknown, SearchFilter.equal("cn", "ANTELOPE"))));
        assertEquals(true, tree.truth(ANN, new SearchFilter.Substring("cn", "ant", "el", "ope")));
        assertEquals(false, tree.truth(ANN, new SearchFilter.Substring("cn", "antel", "", "elope")));
        assertEquals(true, tree.truth(ANN, new SearchFilter.Ordering("uidnumber", false, "7")));
        assertEquals(false, tree.truth(ANN, new SearchFilter.Ordering("uidnumber", true, "8")));
        assertEquals(true, tree.truth(ANN, SearchFilter.equal(Assertions.MEMBER_OF, GROUP)));
        assertEquals(List.of(GROUP, BOX), tree.search(new Request.Search(ROOT, Request.Scope.ONE_LEVEL,
                new SearchFilter.Present("objectclass"), List.of())));
    }

    @Test
    public void ofMatchedValuesRemainThoseOfWhichAnItemIsTrue() {
        Map<String, SortedSet<String>> entry = StressData.attributes("cn", "antelope", "cn", "bee", "uidnumber", "7", "sn", "fox",
                "description", "gnu");
        assertEquals(StressData.attributes("cn", "antelope", "uidnumber", "7", "sn", "fox"), Assertions.matchedValues(entry,
                List.of(new SearchFilter.Substring("cn", "ant", "", ""), new SearchFilter.Ordering("uidnumber", true, "7"),
                        new SearchFilter.Present("sn"), SearchFilter.equal("description", "hen"))));
        assertEquals(Map.of(), Assertions.matchedValues(entry, List.of(SearchFilter.equal(Assertions.UNKNOWN, "fox"))));
    }

    @Test
    public void aReaderMaySeeWhatIsOnItsWayAndNothingOlderThanWhatWasAcknowledged() {
        Versions versions = new Versions(1);
        versions.offer(2);
        assertEquals(0, versions.acknowledged());
        assertTrue(versions.contains(0, 2));
        versions.settle(true);
        assertEquals(1, versions.acknowledged());
        assertFalse(versions.contains(1, 1));
        versions.offer(3);
        versions.settle(false);
        assertFalse(versions.contains(1, 3));
        assertEquals(Map.of(), Tree.known(Map.of("entrycsn", StressData.lastingMembers())));
    }
}
