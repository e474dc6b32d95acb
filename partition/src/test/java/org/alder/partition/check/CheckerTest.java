package org.alder.partition.check;

import static org.alder.partition.testing.TextDirectory.utf8;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.alder.partition.check.Problem.Kind;
import org.alder.partition.dn.Rdn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.memory.MemoryStore;
import org.alder.partition.memory.StoreDamage;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.KeyRange;
import org.alder.partition.store.Snapshot;
import org.alder.partition.testing.TextDirectory;
import org.junit.Before;
import org.junit.Test;

/** The checker finds each kind of damage, names it, and finds nothing else. */
public final class CheckerTest {
    private static final String BASE = "dc=example,dc=com";
    /** Index numbers of {@link TextDirectory}. */
    private static final int CN = 3;

    private MemoryStore store;
    private TextDirectory directory;
    private long people;
    private long ann;
    private long bob;
    private long child;

    @Before
    public void setUp() throws DirectoryException {
        store = new MemoryStore(TextDirectory.INDEXER);
        directory = new TextDirectory(store).withSuffix();
        people = directory.add("ou=people," + BASE, "objectClass: organizationalUnit").id();
        ann = directory.addPerson("cn=Ann,ou=people," + BASE, "description: x").id();
        bob = directory.addPerson("cn=Bob,ou=people," + BASE).id();
        child = directory.addPerson("cn=Child,cn=Ann,ou=people," + BASE).id();
        for (int i = 0; i < 50; i++) {
            directory.addPerson("cn=Person " + i + ",ou=people," + BASE);
        }
        assertEquals(List.of(), directory.check().problems());
    }

    private EntryRecord record(long id) {
        try (Snapshot snapshot = directory.partition().snapshot()) {
            return snapshot.entry(id);
        }
    }

    private IdSet ids(int index, byte[] key) {
        try (Snapshot snapshot = directory.partition().snapshot()) {
            return snapshot.ids(index, key);
        }
    }

    /** Any key of the index whose set is the given one. */
    private byte[] keyWith(int index, IdSet ids) {
        try (Snapshot snapshot = directory.partition().snapshot();
                Snapshot.KeyCursor cursor = snapshot.keys(index, KeyRange.ALL)) {
            while (cursor.next()) {
                if (cursor.ids().equals(ids)) {
                    return cursor.key().clone();
                }
            }
        }
        throw new AssertionError("no key with " + ids);
    }

    private CheckReport assertFinds(Kind... kinds) {
        CheckReport report = directory.check();
        assertEquals(report.problems().toString(), EnumSet.copyOf(List.of(kinds)), kinds(report));
        assertFalse(report.isClean());
        return report;
    }

    private static Set<Kind> kinds(CheckReport report) {
        return report.problems().stream().map(Problem::kind).collect(Collectors.toSet());
    }

    private static Problem first(Kind kind, CheckReport report) {
        return report.problems().stream().filter(problem -> problem.kind() == kind).findFirst().orElseThrow();
    }

    @Test
    public void countsWhatItReads() {
        CheckReport report = directory.check();
        assertTrue(report.isClean());
        assertTrue(report.complete());
        assertEquals(55, report.entries());
        assertTrue(report.toString(), report.keys() > 200 && report.postings() > report.keys());
    }

    @Test
    public void anEmptyStoreIsClean() {
        assertEquals(new CheckReport(0, 0, 0, List.of(), true), new TextDirectory().check());
    }

    @Test
    public void aMissingKey() {
        StoreDamage.index(store, CN, keyWith(CN, IdSet.of(bob)), IdSet.EMPTY);
        Problem problem = assertFinds(Kind.MISSING_FROM_INDEX).problems().get(0);
        assertEquals(bob, problem.entryId());
        assertEquals("cn=Bob,ou=people," + BASE, problem.dn());
        assertEquals("cn", problem.index());
    }

    @Test
    public void aMissingIdOfALargeSet() {
        byte[] children = HierarchyKeys.children(people);
        StoreDamage.index(store, HierarchyKeys.INDEX, children, ids(HierarchyKeys.INDEX, children).andNot(IdSet.of(bob)));
        List<Problem> problems = assertFinds(Kind.MISSING_FROM_INDEX).problems();
        assertEquals(1, problems.size());
        assertEquals(bob, problems.get(0).entryId());
    }

    @Test
    public void anExtraIdOfAnEntryAndOfNone() {
        byte[] key = keyWith(CN, IdSet.of(bob));
        StoreDamage.index(store, CN, key, IdSet.of(ann, bob, 99_999));
        List<Problem> problems = assertFinds(Kind.EXTRA_IN_INDEX).problems();
        assertEquals(List.of(ann, 99_999L), problems.stream().map(Problem::entryId).toList());
        assertEquals("there is no such entry", problems.get(1).detail());
    }

    @Test
    public void aKeyNoEntryHas() {
        StoreDamage.index(store, CN, utf8("e\u0001never"), IdSet.of(bob));
        Problem problem = assertFinds(Kind.EXTRA_IN_INDEX).problems().get(0);
        assertEquals("e\\01never", problem.key());
    }

    @Test
    public void anEntryThatIsGone() {
        StoreDamage.record(store, bob, null);
        CheckReport report = assertFinds(Kind.EXTRA_IN_INDEX);
        assertTrue(report.problems().stream().allMatch(problem -> problem.entryId() == bob));
    }

    @Test
    public void aRecordThatWasChangedBehindTheIndex() {
        StoreDamage.record(store, bob, record(bob).apply(
                List.of(new AttributeDelta("sn", false, List.of(utf8("Surname")), List.of(utf8("Other"))))));
        assertFinds(Kind.EXTRA_IN_INDEX, Kind.MISSING_FROM_INDEX);
    }

    @Test
    public void aParentThatDoesNotExist() {
        StoreDamage.record(store, bob, record(bob).withParent(88_888));
        CheckReport report = assertFinds(Kind.MISSING_PARENT, Kind.WRONG_NON_LEAF, Kind.MISSING_FROM_INDEX, Kind.EXTRA_IN_INDEX);
        Problem missing = first(Kind.MISSING_PARENT, report);
        assertEquals(bob, missing.entryId());
        assertTrue(missing.detail(), missing.detail().contains("88888"));
    }

    @Test
    public void parentsInACycle() {
        StoreDamage.record(store, ann, record(ann).withParent(child));
        CheckReport report = directory.check();
        List<Problem> cycles = report.problems().stream().filter(problem -> problem.kind() == Kind.PARENT_CYCLE).toList();
        assertEquals(report.problems().toString(), 1, cycles.size());
        assertTrue(cycles.get(0).detail(), cycles.get(0).detail().contains("" + ann)
                && cycles.get(0).detail().contains("" + child));
    }

    @Test
    public void twoEntriesWithOneName() throws DirectoryException {
        byte[] key = HierarchyKeys.rdn(people, Rdn.parse(TextDirectory.SCHEMA, "cn=ann").normalized());
        EntryRecord twin = record(bob).moved(people, utf8("cn=ANN"),
                List.of(new AttributeDelta("cn", false, List.of(), List.of(utf8("Ann")))));
        StoreDamage.record(store, bob, twin);
        StoreDamage.index(store, HierarchyKeys.INDEX, key, IdSet.of(ann, bob));
        Problem problem = first(Kind.DUPLICATE_RDN, directory.check());
        assertTrue(problem.toString(), problem.detail().startsWith("2 entries"));
    }

    @Test
    public void nonLeafWithTooMuchAndTooLittle() {
        byte[] key = HierarchyKeys.nonLeaf();
        StoreDamage.index(store, HierarchyKeys.INDEX, key, ids(HierarchyKeys.INDEX, key).or(IdSet.of(bob)).andNot(IdSet.of(ann)));
        List<Problem> problems = assertFinds(Kind.WRONG_NON_LEAF).problems();
        assertEquals(List.of(ann, bob), problems.stream().map(Problem::entryId).toList());
    }

    @Test
    public void aliasesAndReferralObjectsThatSearchesWouldNotFind() throws DirectoryException {
        long alias = directory.add("cn=alias," + BASE, "objectClass: alias", "objectClass: extensibleObject",
                "aliasedObjectName: cn=Ann,ou=people," + BASE).id();
        long referral = directory.add("ou=far," + BASE, "objectClass: referral", "objectClass: extensibleObject",
                "ref: ldap://far.example.com/").id();
        assertEquals(List.of(), directory.check().problems());
        StoreDamage.index(store, HierarchyKeys.INDEX, HierarchyKeys.aliases(), IdSet.of(alias, bob));
        StoreDamage.index(store, HierarchyKeys.INDEX, HierarchyKeys.referrals(), IdSet.EMPTY);
        CheckReport report = assertFinds(Kind.EXTRA_IN_INDEX, Kind.MISSING_FROM_INDEX);
        assertEquals(bob, first(Kind.EXTRA_IN_INDEX, report).entryId());
        assertEquals(referral, first(Kind.MISSING_FROM_INDEX, report).entryId());
        assertEquals(2, report.problems().size());
    }

    @Test
    public void nonLeafThatIsGone() {
        StoreDamage.index(store, HierarchyKeys.INDEX, HierarchyKeys.nonLeaf(), IdSet.EMPTY);
        assertEquals(3, assertFinds(Kind.WRONG_NON_LEAF).problems().size());
    }

    @Test
    public void aRecordThatIsNotBer() {
        byte[] bytes = record(child).bytes().clone();
        bytes[bytes.length - 20] ^= 0x55;
        bytes[record(child).userOffset()] ^= 0x55;
        StoreDamage.record(store, child, EntryRecord.of(bytes));
        CheckReport report = directory.check();
        assertTrue(report.problems().toString(), kinds(report).contains(Kind.BAD_RECORD));
        assertEquals(55, report.entries());
    }

    @Test
    public void anAttributeThatIsUnknownOrThereTwice() {
        EntryRecord old = record(child);
        List<Attribute> user = new ArrayList<>(old.userAttributes());
        user.add(new Attribute("surname", List.of(utf8("Surname"))));
        user.add(new Attribute("shoeSize", List.of(utf8("43"))));
        StoreDamage.record(store, child, EntryRecord.of(old.parentId(), old.rdnBytes(), user, old.operationalAttributes()));
        List<Problem> problems = assertFinds(Kind.BAD_RECORD).problems();
        assertEquals(List.of("attribute surname is there twice", "attribute shoeSize is not in the schema"),
                problems.stream().map(Problem::detail).toList());
    }

    @Test
    public void anRdnThatIsNone() {
        StoreDamage.record(store, bob, record(bob).moved(people, utf8("Bob"), List.of()));
        assertTrue(kinds(directory.check()).contains(Kind.BAD_RDN));
    }

    @Test
    public void anRdnWhoseValueTheEntryHasNot() {
        StoreDamage.record(store, bob, record(bob).moved(people, utf8("cn=Rob"), List.of()));
        assertTrue(kinds(directory.check()).contains(Kind.BAD_RDN));
    }

    @Test
    public void twoEntriesWithOneUuid() {
        EntryRecord old = record(bob);
        byte[] uuidOfAnn = utf8(TextDirectory.values(record(ann), "entryUUID").get(0).toUpperCase(Locale.ROOT));
        byte[] uuidOfBob = utf8(TextDirectory.values(old, "entryUUID").get(0));
        AttributeDelta theft = new AttributeDelta("entryUUID", true, List.of(uuidOfBob), List.of(uuidOfAnn));
        StoreDamage.record(store, bob, old.apply(List.of(theft)));
        Problem problem = first(Kind.DUPLICATE_UUID, directory.check());
        assertEquals(bob, problem.entryId());
        assertTrue(problem.detail(), problem.detail().startsWith("entry " + ann + " has the same entryUUID"));
    }

    @Test
    public void twoRootsAndNone() {
        StoreDamage.record(store, bob, record(bob).withParent(HierarchyKeys.NO_PARENT));
        assertTrue(kinds(directory.check()).contains(Kind.WRONG_ROOT));
        StoreDamage.record(store, bob, null);
        StoreDamage.record(store, 1, null);
        assertTrue(kinds(directory.check()).contains(Kind.WRONG_ROOT));
    }

    @Test
    public void manyProblemsAreCut() {
        for (long id = bob; id < bob + 40; id++) {
            StoreDamage.record(store, id, null);
        }
        CheckReport report = directory.check();
        assertEquals(Checker.MAX_PROBLEMS, report.problems().size());
        assertFalse(report.complete());
    }

    /** The snapshot with one method that answers otherwise. */
    private static Snapshot lying(Snapshot snapshot, String method, Answer answer) {
        return (Snapshot) Proxy.newProxyInstance(CheckerTest.class.getClassLoader(), new Class<?>[] {Snapshot.class},
                (self, called, arguments) -> {
            try {
                Object truth = called.invoke(snapshot, arguments);
                return called.getName().equals(method) ? answer.instead(truth) : truth;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }

    private interface Answer {
        Object instead(Object truth);
    }

    @Test
    public void aCardinalityThatIsNotTheSetsSize() {
        try (Snapshot snapshot = directory.partition().snapshot()) {
            CheckReport report = directory.check(lying(snapshot, "cardinality", truth -> truth.equals(52L) ? 53L : truth));
            assertEquals(Set.of(Kind.WRONG_CARDINALITY), kinds(report));
        }
    }

    @Test
    public void damageFoundByTheEngineIsReportedAndOtherFaultsPassThrough() {
        try (Snapshot snapshot = directory.partition().snapshot()) {
            CheckReport report = directory.check(lying(snapshot, "entries", truth -> {
                throw new StoreException(StoreException.Kind.CORRUPT, "file 7");
            }));
            assertEquals(Set.of(Kind.UNREADABLE), kinds(report));
            assertFalse(report.complete());
            Snapshot closed = lying(snapshot, "keys", truth -> {
                throw new StoreException(StoreException.Kind.SNAPSHOT_EXPIRED, "too old");
            });
            assertEquals("too old", assertThrows(StoreException.class, () -> directory.check(closed)).getMessage());
        }
    }
}
