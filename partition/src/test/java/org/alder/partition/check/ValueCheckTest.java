package org.alder.partition.check;

import static org.alder.partition.testing.TextDirectory.utf8;
import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.alder.partition.check.Problem.Kind;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.id.IdSet;
import org.alder.partition.memory.MemoryStore;
import org.alder.partition.memory.StoreDamage;
import org.alder.partition.store.KeyRange;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.ValueKeys;
import org.alder.partition.testing.TextDirectory;
import org.junit.Before;
import org.junit.Test;

/** The checker finds each kind of damage to the values of large attributes, names it, and finds nothing else. */
public final class ValueCheckTest {
    private static final String BASE = "dc=example,dc=com";
    private static final String TYPE = "employeeType";
    /** The number of this type's index in {@link TextDirectory}. */
    private static final int INDEX = 7;
    private static final String INDEX_NAME = "employeetype";

    private MemoryStore store;
    private TextDirectory directory;
    private long ann;
    private long bob;

    /** Two entries with ten values each, five of which both have. */
    @Before
    public void setUp() throws DirectoryException {
        store = new MemoryStore(TextDirectory.INDEXER);
        directory = new TextDirectory(store).withSuffix();
        ann = directory.addPerson("cn=Ann," + BASE, lines(0, 10)).id();
        bob = directory.addPerson("cn=Bob," + BASE, lines(5, 15)).id();
        assertEquals(List.of(new LargeAttribute(0, TYPE, 10, 80)), record(ann).largeAttributes());
        assertEquals(List.of(), directory.check().problems());
    }

    private static String text(int number) {
        return "Type " + (char) ('A' + number);
    }

    private static String[] lines(int from, int to) {
        return IntStream.range(from, to).mapToObj(number -> TYPE + ": " + text(number)).toArray(String[]::new);
    }

    private static byte[] form(int number) {
        return TextDirectory.INDEXER.valueForm(TYPE, utf8(text(number)));
    }

    private static byte[] valueKey(long id, int number) {
        return ValueKeys.key(id, 0, form(number), utf8(text(number)));
    }

    /** The key of a value in the attribute's index. */
    private static byte[] indexKey(byte[] form) {
        List<byte[]> keys = new ArrayList<>();
        TextDirectory.INDEXER.forEachValueKey(TYPE, form, (index, key) -> {
            assertEquals(INDEX, index);
            keys.add(key);
        });
        assertEquals(1, keys.size());
        return keys.get(0);
    }

    private EntryRecord record(long id) {
        try (Snapshot snapshot = directory.partition().snapshot()) {
            return snapshot.entry(id);
        }
    }

    /** Changes what the record says of the attribute, and not the value table. */
    private void damageRecord(String description, List<String> removed, List<String> added) {
        StoreDamage.record(store, ann, record(ann).apply(List.of(new AttributeDelta(description, false,
                removed.stream().map(TextDirectory::utf8).toList(), added.stream().map(TextDirectory::utf8).toList()))));
    }

    private void damageValues(byte[] key, IdSet ids) {
        StoreDamage.index(store, ValueKeys.INDEX, key, ids);
    }

    private List<Problem> assertFinds(Kind... kinds) {
        List<Problem> problems = directory.check().problems();
        assertEquals(problems.toString(), EnumSet.copyOf(List.of(kinds)),
                problems.stream().map(Problem::kind).collect(Collectors.toSet()));
        return problems;
    }

    private void assertOne(Kind kind, long id, String detail) {
        List<Problem> problems = assertFinds(kind);
        assertEquals(problems.toString(), List.of(detail), problems.stream().map(Problem::detail).toList());
        assertEquals(id, problems.get(0).entryId());
    }

    private static Problem only(Kind kind, List<Problem> problems) {
        List<Problem> found = problems.stream().filter(problem -> problem.kind() == kind).toList();
        assertEquals(problems.toString(), 1, found.size());
        return found.get(0);
    }

    @Test
    public void aRecordThatCountsTooMany() {
        damageRecord(TYPE, List.of(), List.of("more"));
        assertOne(Kind.WRONG_VALUES, ann,
                "the value table has 10 values of employeeType with 80 bytes, the record says 11 with 86");
    }

    @Test
    public void aRecordThatCountsTooFew() {
        damageRecord(TYPE, List.of(text(0)), List.of());
        assertOne(Kind.WRONG_VALUES, ann,
                "the value table has 10 values of employeeType with 80 bytes, the record says 9 with 72");
    }

    @Test
    public void aRecordWithOtherBytes() {
        damageRecord(TYPE, List.of(text(0)), List.of("longer value"));
        assertOne(Kind.WRONG_VALUES, ann,
                "the value table has 10 values of employeeType with 80 bytes, the record says 10 with 86");
    }

    @Test
    public void aValueThatIsGone() {
        damageValues(valueKey(ann, 0), IdSet.EMPTY);
        List<Problem> problems = assertFinds(Kind.WRONG_VALUES, Kind.EXTRA_IN_INDEX);
        assertEquals("the value table has 9 values of employeeType with 72 bytes, the record says 10 with 80",
                only(Kind.WRONG_VALUES, problems).detail());
        Problem extra = only(Kind.EXTRA_IN_INDEX, problems);
        assertEquals(INDEX_NAME, extra.index());
        assertEquals(ann, extra.entryId());
    }

    @Test
    public void allValuesThatAreGone() {
        for (int number = 5; number < 15; number++) {
            damageValues(valueKey(bob, number), IdSet.EMPTY);
        }
        Problem wrong = only(Kind.WRONG_VALUES, assertFinds(Kind.WRONG_VALUES, Kind.EXTRA_IN_INDEX));
        assertEquals(bob, wrong.entryId());
        assertEquals("the value table has no values of employeeType, the record says 10", wrong.detail());
    }

    @Test
    public void aValueOfAnEntryThatNeverWas() {
        damageValues(valueKey(99_999, 0), IdSet.of(99_999));
        assertOne(Kind.WRONG_VALUES, 99_999, "the value table has values in slot 0, there is no such entry");
    }

    @Test
    public void aValueOfIdsThatNoEntryCanHave() {
        damageValues(valueKey(0, 0), IdSet.of(ann));
        damageValues(valueKey(Long.MIN_VALUE, 0), IdSet.of(ann));
        damageValues(valueKey(IdSet.MAX_ID + 1, 0), IdSet.of(ann));
        List<Problem> problems = assertFinds(Kind.WRONG_VALUES, Kind.BAD_VALUE);
        assertEquals(List.of(0L, IdSet.MAX_ID + 1, Long.MIN_VALUE), problems.stream()
                .filter(problem -> problem.kind() == Kind.WRONG_VALUES).map(Problem::entryId).toList());
    }

    @Test
    public void theValuesOfAnEntryThatIsGone() {
        StoreDamage.record(store, ann, null);
        Problem wrong = only(Kind.WRONG_VALUES, assertFinds(Kind.WRONG_VALUES, Kind.EXTRA_IN_INDEX));
        assertEquals(ann, wrong.entryId());
        assertEquals("the value table has values in slot 0, there is no such entry", wrong.detail());
    }

    @Test
    public void aValueOfAnAttributeThatIsNotListed() {
        damageValues(ValueKeys.key(ann, 3, form(0), utf8(text(0))), IdSet.of(ann));
        assertOne(Kind.WRONG_VALUES, ann, "the value table has values in slot 3, which the record does not list");
    }

    @Test
    public void aListedAttributeThatTheRecordHasItself() {
        damageRecord("EMPLOYEETYPE", List.of(), List.of(text(0)));
        assertOne(Kind.BAD_RECORD, ann, "the large attribute employeeType is there twice");
    }

    @Test
    public void aListedAttributeThatTheSchemaDoesNotKnow() {
        StoreDamage.record(store, ann, record(ann).withLarge(List.of(new LargeAttribute(1, "shoeSize", 1, 4))));
        List<Problem> problems = assertFinds(Kind.BAD_RECORD, Kind.WRONG_VALUES);
        assertEquals("the large attribute shoeSize is not in the schema", only(Kind.BAD_RECORD, problems).detail());
        assertEquals("the value table has no values of shoeSize, the record says 1",
                only(Kind.WRONG_VALUES, problems).detail());
    }

    @Test
    public void aValueWithAnotherSet() {
        for (IdSet wrong : List.of(IdSet.of(ann, bob), IdSet.of(bob))) {
            damageValues(valueKey(ann, 0), wrong);
            assertOne(Kind.BAD_VALUE, ann, "the key's set has " + wrong.cardinality() + " IDs, expected entry " + ann + " alone");
        }
    }

    @Test
    public void aValueUnderAnotherForm() {
        damageValues(valueKey(ann, 0), IdSet.EMPTY);
        damageValues(ValueKeys.key(ann, 0, utf8("other form"), utf8(text(0))), IdSet.of(ann));
        List<Problem> problems = assertFinds(Kind.BAD_VALUE, Kind.MISSING_FROM_INDEX, Kind.EXTRA_IN_INDEX);
        assertEquals("the value of employeeType is not under its normal form", only(Kind.BAD_VALUE, problems).detail());
    }

    /** Each beginning of a key is none, and is told from one that is. */
    @Test
    public void aKeyThatIsNone() {
        byte[] whole = valueKey(ann, 0);
        byte[] withoutValue = ValueKeys.ofForm(ann, 0, form(0));
        for (int length = 1; length <= withoutValue.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            damageValues(part, IdSet.of(ann));
            Problem bad = only(Kind.BAD_VALUE, directory.check().problems());
            assertEquals("length " + length, ValueKeys.NAME, bad.index());
            damageValues(part, IdSet.EMPTY);
        }
        assertEquals(List.of(), directory.check().problems());
    }

    /** It is passed over when what is wrong elsewhere is looked for. */
    @Test
    public void aKeyThatIsNoneHidesNothing() {
        damageValues(new byte[1], IdSet.of(ann));
        damageValues(Arrays.copyOf(valueKey(ann, 0), 12), IdSet.of(ann));
        StoreDamage.index(store, INDEX, indexKey(form(0)), IdSet.of(bob));
        List<Problem> problems = assertFinds(Kind.BAD_VALUE, Kind.MISSING_FROM_INDEX, Kind.EXTRA_IN_INDEX);
        assertEquals(problems.toString(), 4, problems.size());
        assertEquals(ann, only(Kind.MISSING_FROM_INDEX, problems).entryId());
        assertEquals(bob, only(Kind.EXTRA_IN_INDEX, problems).entryId());
    }

    @Test
    public void aPostingThatIsMissing() {
        StoreDamage.index(store, INDEX, indexKey(form(0)), IdSet.EMPTY);
        Problem missing = only(Kind.MISSING_FROM_INDEX, assertFinds(Kind.MISSING_FROM_INDEX));
        assertEquals(ann, missing.entryId());
        assertEquals(INDEX_NAME, missing.index());
        assertEquals("cn=Ann," + BASE, missing.dn());
    }

    @Test
    public void aPostingThatIsMissingFromASet() {
        StoreDamage.index(store, INDEX, indexKey(form(5)), IdSet.of(ann));
        assertEquals(bob, only(Kind.MISSING_FROM_INDEX, assertFinds(Kind.MISSING_FROM_INDEX)).entryId());
    }

    @Test
    public void aPostingTooMuch() {
        StoreDamage.index(store, INDEX, indexKey(form(0)), IdSet.of(ann, bob));
        Problem extra = only(Kind.EXTRA_IN_INDEX, assertFinds(Kind.EXTRA_IN_INDEX));
        assertEquals(bob, extra.entryId());
        assertEquals(INDEX_NAME, extra.index());
    }

    @Test
    public void aPostingOfAValueThatNobodyHas() {
        StoreDamage.index(store, INDEX, indexKey(utf8("nobody's")), IdSet.of(ann));
        assertEquals(ann, only(Kind.EXTRA_IN_INDEX, assertFinds(Kind.EXTRA_IN_INDEX)).entryId());
    }

    @Test
    public void thePresenceOfALargeAttribute() {
        byte[] presence = presenceKey();
        StoreDamage.index(store, INDEX, presence, IdSet.of(bob));
        assertEquals(ann, only(Kind.MISSING_FROM_INDEX, assertFinds(Kind.MISSING_FROM_INDEX)).entryId());
        StoreDamage.index(store, INDEX, presence, IdSet.of(1, ann, bob));
        assertEquals(1, only(Kind.EXTRA_IN_INDEX, assertFinds(Kind.EXTRA_IN_INDEX)).entryId());
    }

    /** What the index has for an entry beside its values. */
    private byte[] presenceKey() {
        List<byte[]> keys = new ArrayList<>();
        TextDirectory.INDEXER.forEachKey(record(ann), (index, key) -> {
            if (index == INDEX) {
                keys.add(key);
            }
        });
        assertEquals(1, keys.size());
        try (Snapshot snapshot = directory.partition().snapshot()) {
            assertEquals(IdSet.of(ann, bob), snapshot.ids(INDEX, keys.get(0)));
        }
        return keys.get(0);
    }

    @Test
    public void theKeyOfAValueIsWhatTheStoreHolds() {
        try (Snapshot snapshot = directory.partition().snapshot();
                Snapshot.KeyCursor cursor = snapshot.keys(ValueKeys.INDEX, KeyRange.ofPrefix(ValueKeys.ofEntry(ann)))) {
            for (int number = 0; number < 10; number++) {
                assertTrue(cursor.next());
                assertArrayEquals(valueKey(ann, number), cursor.key());
            }
        }
    }
}
