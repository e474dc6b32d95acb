package org.alder.partition.query;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
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
import org.alder.partition.error.ResultCode;
import org.alder.partition.filter.FilterParser;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
import org.alder.partition.memory.MemoryStore;
import org.alder.partition.query.SearchCursor.Step;
import org.alder.partition.query.order.OrderedPart;
import org.alder.partition.query.order.OrderedSource;
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
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

/** Ordered lists and windows of them, by an index and by the entries, in one and in several partitions, against a plain sort. */
@RunWith(Parameterized.class)
public class OrderedListTest {
    private static final Schema SCHEMA = TextDirectory.SCHEMA;
    private static final AttributeType UID = SCHEMA.attributeType("uid");
    private static final AttributeType NUMBER = SCHEMA.attributeType("uidNumber");
    private static final int ENTRIES = 12_000;
    private static final SortOrder.LargeAttributes NONE = (attribute, consumer) -> { };

    private final long seed = Seed.of(OrderedListTest.class);
    private final Random random = new Random(seed);
    /** Of each partition one. */
    private final List<MemoryStore> stores = new ArrayList<>();
    private final List<Partition> indexed = new ArrayList<>();
    private final List<Partition> plain = new ArrayList<>();
    private final List<Snapshot> snapshots = new ArrayList<>();
    private final int partitions;

    /** An entry. */
    private record Place(int partition, long id) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            return partition != other.partition ? Integer.compare(partition, other.partition) : Long.compare(id, other.id);
        }
    }

    public OrderedListTest(int partitions) {
        this.partitions = partitions;
    }

    @Parameterized.Parameters(name = "{0}")
    public static List<Integer> numbers() {
        return List.of(1, 2, 5);
    }

    @Before
    public void fill() throws DirectoryException {
        List<IndexDefinition> definitions = List.of(new IndexDefinition(UID, Set.of(IndexKind.EQUALITY), 1000),
                new IndexDefinition(NUMBER, Set.of(IndexKind.EQUALITY), 1000));
        Dn suffix = Dn.parse(SCHEMA, "dc=com");
        for (int i = 0; i < partitions; i++) {
            MemoryStore store = new MemoryStore(new AttributeIndexer(SCHEMA, definitions));
            stores.add(store);
            indexed.add(new Partition(SCHEMA, suffix, definitions, store));
            plain.add(new Partition(SCHEMA, suffix, definitions, store, EntryRules.standard(SCHEMA), Set.of(UID, NUMBER)));
            int entries = i == 0 ? ENTRIES - (partitions - 1) * 1500 : 1500;
            store.submit(context -> {
                long parent = context.allocateId();
                context.add(parent, EntryRecord.of(0, utf8("dc=com"), List.of(attribute("objectClass", "domain"),
                        attribute("dc", "com")), List.of()));
                for (int entry = 1; entry < entries; entry++) {
                    context.add(context.allocateId(), EntryRecord.of(parent, utf8("cn=" + entry), attributes(entry), List.of()));
                }
                return null;
            }).join();
            snapshots.add(store.snapshot());
        }
    }

    @After
    public void close() {
        snapshots.forEach(Snapshot::close);
        stores.forEach(MemoryStore::close);
    }

    private EntryRecord entry(Place place) {
        return snapshots.get(place.partition).entry(place.id);
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

    /** What is found in the order. */
    private List<Place> found(SearchCursor cursor) throws DirectoryException {
        List<Place> places = new ArrayList<>();
        try (cursor) {
            for (Step step = cursor.step(50); step != Step.END; step = cursor.step(50)) {
                if (step == Step.MATCH) {
                    places.add(new Place(cursor.part(), cursor.id()));
                    assertEquals(entry(places.get(places.size() - 1)), cursor.record());
                }
            }
        }
        return places;
    }

    private static SearchQuery query(String filter, int examinedLimit) throws DirectoryException {
        return new SearchQuery(Dn.parse(SCHEMA, "dc=com"), SearchScope.SUBTREE, FilterParser.parse(filter), 0, examinedLimit);
    }

    /** Null if the entries are not to be had in their order. */
    private SearchCursor search(List<Partition> all, String filter, OrderedList list) throws DirectoryException {
        return search(all, snapshots, query(filter, 0), list);
    }

    private static SearchCursor search(List<Partition> all, List<Snapshot> states, SearchQuery query, OrderedList list) throws DirectoryException {
        List<OrderedPart> parts = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            parts.add(all.get(i).ordered(i, states.get(i), query, list.order()));
        }
        return OrderedSource.search(list, parts);
    }

    private List<Place> expected(String filter, SortOrder order) throws DirectoryException {
        List<Place> all = new ArrayList<>();
        for (int i = 0; i < partitions; i++) {
            try (SearchCursor cursor = plain.get(i).search(snapshots.get(i), query(filter, 0))) {
                while (cursor.step(Integer.MAX_VALUE) == Step.MATCH) {
                    all.add(new Place(i, cursor.id()));
                }
            }
        }
        Comparator<Place> byKey = (one, other) -> Arrays.compareUnsigned(order.key(entry(one), NONE), order.key(entry(other), NONE));
        all.sort(byKey.thenComparing(Comparator.naturalOrder()));
        return all;
    }

    @Test
    public void windowsAreWhereAPlainSortHasThem() throws DirectoryException {
        for (String filter : List.of("(objectClass=*)", "(cn=*1*)", "(!(uid=u1))", "(uidNumber>=300)", "(uid=nobody)")) {
            for (AttributeType type : List.of(UID, NUMBER)) {
                for (boolean reverse : new boolean[] {false, true}) {
                    SortOrder order = order(type, reverse);
                    List<Place> all = expected(filter, order);
                    for (int i = 0; i < 12; i++) {
                        checkWindow(filter, order, all, random.nextInt(5), random.nextInt(30));
                    }
                }
            }
        }
    }

    private void checkWindow(String filter, SortOrder order, List<Place> all, int before, int after) throws DirectoryException {
        boolean byValue = random.nextBoolean();
        String value = (order.parts().get(0).attribute().type() == UID ? "u" : "") + random.nextInt(3000);
        int offset = 1 + random.nextInt(all.size() + 1);
        ListWindow.Target target = byValue
                ? new ListWindow.Target.Value(order.parts().get(0).rule().normalize(utf8(value)))
                : new ListWindow.Target.Offset(offset, random.nextBoolean() ? all.size() + 1 : 0);
        int place = byValue ? place(order, all, ((ListWindow.Target.Value) target).form())
                : (int) ((ListWindow.Target.Offset) target).in(all.size());
        int from = Math.max(0, place - 1 - before);
        List<Place> expected = all.subList(Math.min(from, all.size()), Math.max(0, Math.min(all.size(), place + after)));
        for (List<Partition> each : List.of(indexed, plain)) {
            SearchCursor cursor = search(each, filter, new OrderedList(order, new byte[0], 0, 0,
                    new ListWindow(before, after, target)));
            String message = "seed " + seed + ": " + filter + " " + order.parts() + " " + target + " " + value + " " + before
                    + " " + after;
            assertTrue(message, cursor.isOrdered());
            assertEquals(message, expected, found(cursor));
            assertEquals(message, new ListView(place, all.size()), cursor.listView());
        }
    }

    private int place(SortOrder order, List<Place> all, byte[] form) {
        byte[] target = order.keyOf(form);
        int place = 1;
        while (place <= all.size()
                && Arrays.compareUnsigned(order.key(entry(all.get(place - 1)), NONE), target) < 0) {
            place++;
        }
        return place;
    }

    @Test
    public void theIndexGivesTheWholeListInOrderFromAnyPlace() throws DirectoryException {
        for (AttributeType type : List.of(UID, NUMBER)) {
            SortOrder order = order(type, false);
            List<Place> all = expected("(cn=*)", order);
            for (int from : new int[] {0, 1, random.nextInt(all.size()), all.size() / 2, all.size() - 1, all.size()}) {
                Place last = from == 0 ? null : all.get(from - 1);
                OrderedList list = from == 0 ? OrderedList.whole(order)
                        : new OrderedList(order, order.key(entry(last), NONE), last.partition, last.id, null);
                SearchCursor cursor = search(indexed, "(cn=*)", list);
                assertTrue(cursor.isOrdered());
                assertEquals("seed " + seed, all.subList(from, all.size()), found(cursor));
            }
        }
    }

    @Test
    public void theIndexIsNotUsedWhereItHasNotTheOrder() throws DirectoryException {
        OrderedList whole = OrderedList.whole(order(UID, false));
        assertNull("no index", search(plain, "(cn=*)", whole));
        assertNull("few entries", search(indexed, "(uid=u1)", whole));
        assertNull("backwards", search(indexed, "(cn=*)", OrderedList.whole(order(UID, true))));
        assertNull("unreadable", search(indexed, "(cn=*)", OrderedList.whole(order(UID, false).readableBy(type -> type != UID))));
        SortOrder.Part uid = order(UID, false).parts().get(0);
        OrderedList twoKeys = OrderedList.whole(new SortOrder(SCHEMA, List.of(uid, uid)));
        assertNull("two keys", search(indexed, "(cn=*)", twoKeys));
        SortOrder.Part otherRule = new SortOrder.Part(uid.attribute(), SCHEMA.matchingRule("caseExactMatch"), false);
        OrderedList byOtherRule = OrderedList.whole(new SortOrder(SCHEMA, List.of(otherRule)));
        assertNull("other rule", search(indexed, "(cn=*)", byOtherRule));
        int last = partitions - 1;
        add(last, "u".repeat(600), "x");
        try (Snapshot later = stores.get(last).snapshot()) {
            List<Snapshot> states = new ArrayList<>(snapshots);
            states.set(last, later);
            assertNull("a value too long for its key", search(indexed, states, query("(cn=*)", 0), whole));
        }
    }

    private void add(int partition, String uid, String description) {
        stores.get(partition).submit(context -> {
            context.add(context.allocateId(), EntryRecord.of(1, utf8("cn=new"), List.of(attribute("objectClass", "account"),
                    attribute("cn", "new"), attribute("uid", uid), attribute("description", description)), List.of()));
            return null;
        }).join();
    }

    @Test
    public void theLimitOfWhatIsExaminedHolds() throws DirectoryException {
        SearchCursor cursor = search(indexed, snapshots, query("(cn=*1*)", 100), OrderedList.whole(order(UID, false)));
        assertThrows(DirectoryException.class, () -> found(cursor));
    }

    @Test
    public void thePlacesOfAllPartitionsTogetherAreBounded() throws DirectoryException {
        String text = "x".repeat(1 << 20);
        for (int i = 0; i < 40; i++) {
            add(i % partitions, "u", text);
        }
        List<Snapshot> states = stores.stream().map(MemoryStore::snapshot).toList();
        OrderedList list = new OrderedList(order(SCHEMA.attributeType("description"), false), new byte[0], 0, 0,
                new ListWindow(0, 1, new ListWindow.Target.Offset(1, 0)));
        try (SearchCursor cursor = search(plain, states, query("(description=x*)", 0), list)) {
            long held = 0;
            while (true) {
                cursor.step(50);
                assertTrue("nothing of it is counted", cursor.heldBytes() >= held);
                held = cursor.heldBytes();
            }
        } catch (DirectoryException e) {
            assertEquals(ResultCode.ADMIN_LIMIT_EXCEEDED, e.resultCode());
        } finally {
            states.forEach(Snapshot::close);
        }
    }
}
