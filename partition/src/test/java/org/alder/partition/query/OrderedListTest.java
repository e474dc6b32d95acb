package org.alder.partition.query;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.FilterParser;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
import org.alder.partition.memory.MemoryStore;
import org.alder.partition.query.SearchCursor.Step;
import org.alder.partition.request.ListView;
import org.alder.partition.request.ListWindow;
import org.alder.partition.request.OrderedList;
import org.alder.partition.request.SearchScope;
import org.alder.partition.request.SortOrder;
import org.alder.partition.rule.EntryRules;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.Snapshot;
import org.alder.partition.testing.Seed;
import org.alder.partition.testing.TextDirectory;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Ordered lists and windows of them, by an index and by the entries, against a plain sort. */
public class OrderedListTest {
    private static final Schema SCHEMA = TextDirectory.SCHEMA;
    private static final AttributeType UID = SCHEMA.attributeType("uid");
    private static final AttributeType NUMBER = SCHEMA.attributeType("uidNumber");
    private static final int ENTRIES = 12_000;
    private static final SortOrder.LargeAttributes NONE = (attribute, consumer) -> { };

    private final long seed = Seed.of(OrderedListTest.class);
    private final Random random = new Random(seed);
    private MemoryStore store;
    private Partition indexed;
    private Partition plain;
    private Snapshot snapshot;

    @Before
    public void fill() throws DirectoryException {
        List<IndexDefinition> definitions = List.of(new IndexDefinition(UID, Set.of(IndexKind.EQUALITY), 1000),
                new IndexDefinition(NUMBER, Set.of(IndexKind.EQUALITY), 1000));
        store = new MemoryStore(new AttributeIndexer(SCHEMA, definitions));
        Dn suffix = Dn.parse(SCHEMA, "dc=com");
        indexed = new Partition(SCHEMA, suffix, definitions, store);
        plain = new Partition(SCHEMA, suffix, definitions, store, EntryRules.standard(SCHEMA), Set.of(UID, NUMBER));
        store.submit(context -> {
            long parent = context.allocateId();
            context.add(parent, EntryRecord.of(0, utf8("dc=com"), List.of(attribute("objectClass", "domain"),
                    attribute("dc", "com")), List.of()));
            for (int i = 1; i < ENTRIES; i++) {
                context.add(context.allocateId(), EntryRecord.of(parent, utf8("cn=" + i), attributes(i), List.of()));
            }
            return null;
        }).join();
        snapshot = store.snapshot();
    }

    @After
    public void close() {
        snapshot.close();
        store.close();
    }

    private List<Attribute> attributes(int i) {
        List<Attribute> attributes = new ArrayList<>(List.of(attribute("objectClass", "account"), attribute("cn", "" + i)));
        if (random.nextInt(10) > 0) {
            attributes.add(attribute("uid", IntStream.range(0, 1 + random.nextInt(3))
                    .mapToObj(value -> (random.nextBoolean() ? "U" : "u") + random.nextInt(random.nextInt(5) == 0 ? 10 : 3000))
                    .distinct().toArray(String[]::new)));
        }
        if (random.nextInt(5) > 0) {
            attributes.add(attribute("uidNumber", "" + (random.nextInt(500) - 100)));
        }
        return attributes;
    }

    private static Attribute attribute(String name, String... values) {
        return new Attribute(name, Arrays.stream(values).map(OrderedListTest::utf8).toList());
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static SortOrder order(AttributeType type, boolean reverse) {
        return new SortOrder(SCHEMA,
                List.of(new SortOrder.Part(SCHEMA.descriptionOrNull(type.name()), type.equality(), reverse)));
    }

    /** IDs of what is found in the order; not in any order if the cursor does not keep to it. */
    private List<Long> found(SearchCursor cursor) throws DirectoryException {
        List<Long> ids = new ArrayList<>();
        try (cursor) {
            for (Step step = cursor.step(50); step != Step.END; step = cursor.step(50)) {
                if (step == Step.MATCH) {
                    ids.add(cursor.id());
                    assertEquals(snapshot.entry(cursor.id()), cursor.record());
                }
            }
        }
        return ids;
    }

    private SearchCursor search(Partition partition, String filter, OrderedList list) throws DirectoryException {
        SearchQuery query = new SearchQuery(partition.suffix(), SearchScope.SUBTREE, FilterParser.parse(filter), 0, 0);
        return partition.search(snapshot, query, list);
    }

    private List<Long> expected(String filter, SortOrder order) throws DirectoryException {
        Comparator<Long> byKey = (one, other) -> Arrays.compareUnsigned(order.key(snapshot.entry(one), NONE),
                order.key(snapshot.entry(other), NONE));
        return found(search(plain, filter, null)).stream().sorted(byKey.thenComparing(Comparator.naturalOrder())).toList();
    }

    @Test
    public void windowsAreWhereAPlainSortHasThem() throws DirectoryException {
        for (String filter : List.of("(objectClass=*)", "(cn=*1*)", "(!(uid=u1))", "(uidNumber>=300)", "(uid=nobody)")) {
            for (AttributeType type : List.of(UID, NUMBER)) {
                for (boolean reverse : new boolean[] {false, true}) {
                    SortOrder order = order(type, reverse);
                    List<Long> all = expected(filter, order);
                    for (int i = 0; i < 12; i++) {
                        checkWindow(filter, order, all, random.nextInt(5), random.nextInt(30));
                    }
                }
            }
        }
    }

    private void checkWindow(String filter, SortOrder order, List<Long> all, int before, int after) throws DirectoryException {
        boolean byValue = random.nextBoolean();
        String value = (order.parts().get(0).attribute().type() == UID ? "u" : "") + random.nextInt(3000);
        int offset = 1 + random.nextInt(all.size() + 1);
        ListWindow.Target target = byValue
                ? new ListWindow.Target.Value(order.parts().get(0).rule().normalize(utf8(value)))
                : new ListWindow.Target.Offset(offset, random.nextBoolean() ? all.size() + 1 : 0);
        int place = byValue ? place(order, all, ((ListWindow.Target.Value) target).form())
                : (int) ((ListWindow.Target.Offset) target).in(all.size());
        int from = Math.max(0, place - 1 - before);
        List<Long> expected = all.subList(Math.min(from, all.size()), Math.max(0, Math.min(all.size(), place + after)));
        for (Partition partition : List.of(indexed, plain)) {
            SearchCursor cursor = search(partition, filter, new OrderedList(order, new byte[0], 0,
                    new ListWindow(before, after, target)));
            String message = "seed " + seed + ": " + filter + " " + order.parts() + " " + target + " " + value + " " + before
                    + " " + after;
            assertTrue(message, cursor.isOrdered());
            assertEquals(message, expected, found(cursor));
            assertEquals(message, new ListView(place, all.size()), cursor.listView());
        }
    }

    private int place(SortOrder order, List<Long> all, byte[] form) {
        byte[] target = order.keyOf(form);
        int place = 1;
        while (place <= all.size()
                && Arrays.compareUnsigned(order.key(snapshot.entry(all.get(place - 1)), NONE), target) < 0) {
            place++;
        }
        return place;
    }

    @Test
    public void theIndexGivesTheWholeListInOrderFromAnyPlace() throws DirectoryException {
        for (AttributeType type : List.of(UID, NUMBER)) {
            SortOrder order = order(type, false);
            List<Long> all = expected("(cn=*)", order);
            for (int from : new int[] {0, 1, all.size() / 2, all.size() - 1, all.size()}) {
                OrderedList list = from == 0 ? OrderedList.whole(order) : new OrderedList(order,
                        order.key(snapshot.entry(all.get(from - 1)), NONE), all.get(from - 1), null);
                SearchCursor cursor = search(indexed, "(cn=*)", list);
                assertTrue(cursor.isOrdered());
                assertEquals("seed " + seed, all.subList(from, all.size()), found(cursor));
            }
        }
    }

    @Test
    public void theIndexIsNotUsedWhereItHasNotTheOrder() throws DirectoryException {
        OrderedList whole = OrderedList.whole(order(UID, false));
        assertFalse("no index", search(plain, "(cn=*)", whole).isOrdered());
        assertFalse("few entries", search(indexed, "(uid=u1)", whole).isOrdered());
        assertFalse("backwards", search(indexed, "(cn=*)", OrderedList.whole(order(UID, true))).isOrdered());
        assertFalse("unreadable", search(indexed, "(cn=*)", whole.readableBy(type -> type != UID)).isOrdered());
        SortOrder.Part uid = order(UID, false).parts().get(0);
        OrderedList twoKeys = OrderedList.whole(new SortOrder(SCHEMA, List.of(uid, uid)));
        assertFalse("two keys", search(indexed, "(cn=*)", twoKeys).isOrdered());
        SortOrder.Part otherRule = new SortOrder.Part(uid.attribute(), SCHEMA.matchingRule("caseExactMatch"), false);
        OrderedList byOtherRule = OrderedList.whole(new SortOrder(SCHEMA, List.of(otherRule)));
        assertFalse("other rule", search(indexed, "(cn=*)", byOtherRule).isOrdered());
        store.submit(context -> {
            context.add(context.allocateId(), EntryRecord.of(1, utf8("cn=long"), List.of(attribute("objectClass", "account"),
                    attribute("cn", "long"), attribute("uid", "u".repeat(600))), List.of()));
            return null;
        }).join();
        try (Snapshot later = store.snapshot()) {
            SearchQuery query = new SearchQuery(indexed.suffix(), SearchScope.SUBTREE, FilterParser.parse("(cn=*)"), 0, 0);
            assertFalse("a value too long for its key", indexed.search(later, query, whole).isOrdered());
        }
    }

    @Test
    public void theLimitOfWhatIsExaminedHolds() throws DirectoryException {
        SearchQuery query = new SearchQuery(indexed.suffix(), SearchScope.SUBTREE, FilterParser.parse("(cn=*1*)"), 0, 100);
        SearchCursor cursor = indexed.search(snapshot, query, OrderedList.whole(order(UID, false)));
        assertThrows(DirectoryException.class, () -> found(cursor));
    }
}
