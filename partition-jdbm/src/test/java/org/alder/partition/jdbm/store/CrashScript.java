package org.alder.partition.jdbm.store;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.id.IdSet;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;
import org.alder.partition.store.WriteContext;

/**
 * What one writer of the crash test does: an endless list of transactions, each following from the seed, the writer's number
 * and the transaction's number, so that whoever knows how many were done knows the whole state. Each transaction also counts
 * itself in the writer's own entry, so that a transaction applied in part shows.
 */
public final class CrashScript {
    public static final int WRITERS = 8;
    static final int MAX_ENTRIES = 40;
    /** An entry with more colours has them outside of its record. */
    static final int LARGE = 4;
    public static final TestIndexer INDEXER = new TestIndexer(5, "color").withValueTable(LARGE);
    private static final int COLORS = 12;

    private final long seed;
    private final int writer;
    /** Names and colours of the writer's entries. */
    private final TreeMap<Integer, Set<String>> entries = new TreeMap<>();
    private int steps;

    public CrashScript(long seed, int writer) {
        this.seed = seed;
        this.writer = writer;
    }

    public int steps() {
        return steps;
    }

    public Map<Integer, Set<String>> entries() {
        return entries;
    }

    long largeEntries() {
        return entries.values().stream().filter(colors -> colors.size() > LARGE).count();
    }

    /** The writers' own entries below one suffix entry. */
    public static CompletableFuture<Void> prepare(Store store) {
        return store.submit(context -> {
            long suffix = context.allocateId();
            context.add(suffix, StoreTests.entry(0, "suffix"));
            for (int i = 0; i < WRITERS; i++) {
                Attribute steps = new Attribute("steps", List.of(StoreTests.utf8("0")));
                context.add(context.allocateId(), EntryRecord.of(suffix, StoreTests.utf8("cn=w" + i), List.of(steps), List.of()));
            }
            return null;
        });
    }

    private long ownId(Snapshot state) {
        return only(state.ids(HierarchyKeys.INDEX, HierarchyKeys.rdn(1, StoreTests.utf8("cn=w" + writer))));
    }

    private static long only(IdSet ids) {
        if (ids.cardinality() != 1) {
            throw new AssertionError("expected one entry, found " + ids);
        }
        return ids.iterator().next();
    }

    private static String value(EntryRecord entry, String attribute) {
        for (Attribute found : entry.userAttributes()) {
            if (found.description().equals(attribute)) {
                return new String(found.values().get(0), StandardCharsets.UTF_8);
            }
        }
        throw new AssertionError("no " + attribute + " in " + entry.rdn());
    }

    /** Takes what the store holds for the writer's state. */
    public void load(Snapshot state) {
        entries.clear();
        long own = ownId(state);
        steps = Integer.parseInt(value(state.entry(own), "steps"));
        IdSet.IdIterator children = state.ids(HierarchyKeys.INDEX, HierarchyKeys.children(own)).iterator();
        while (children.hasNext()) {
            long child = children.next();
            entries.put(Integer.parseInt(state.entry(child).rdn().substring(3)), StoreTests.colors(state, child));
        }
    }

    /** Does the next transaction in the script only. */
    public void advance() {
        step(null, null);
        steps++;
    }

    /** Does the next transaction in the store; {@link #advance()} follows when it is acknowledged. */
    public CompletableFuture<Void> submit(Store store) {
        return store.submit(context -> {
            CrashScript copy = new CrashScript(seed, writer);
            copy.entries.putAll(entries);
            copy.steps = steps;
            long own = ownId(context.state());
            copy.step(context, own);
            context.advance();
            context.modify(own, List.of(new AttributeDelta("steps", false, List.of(StoreTests.utf8("" + steps)),
                    List.of(StoreTests.utf8("" + (steps + 1))))));
            return null;
        });
    }

    private void step(WriteContext context, Long own) {
        Random random = new Random(seed * 31 + writer * 1_000_003L + steps * 7_919L);
        int choice = random.nextInt(100);
        if (entries.size() < 5 || choice < 35 && entries.size() < MAX_ENTRIES) {
            add(context, own, colors(random));
        } else if (choice < 50) {
            recolorTwo(context, own, colors(random), random);
        } else if (choice < 75) {
            exchange(context, own, random);
        } else if (choice < 85) {
            rename(context, own, random);
        } else {
            delete(context, own, random);
        }
    }

    private int someName(Random random) {
        return new ArrayList<>(entries.keySet()).get(random.nextInt(entries.size()));
    }

    private static long idOf(WriteContext context, long own, int name) {
        return only(context.state().ids(HierarchyKeys.INDEX, HierarchyKeys.rdn(own, StoreTests.utf8("cn=" + name))));
    }

    private static String color(Random random) {
        return "Color" + random.nextInt(COLORS);
    }

    /** One, or up to as many as there are. */
    private static Set<String> colors(Random random) {
        Set<String> colors = new TreeSet<>();
        for (int i = random.nextInt(3) == 0 ? 2 * COLORS : 1; i > 0; i--) {
            colors.add(color(random));
        }
        return colors;
    }

    private void add(WriteContext context, Long own, Set<String> colors) {
        entries.put(steps, colors);
        if (context != null) {
            Attribute born = new Attribute(TestIndexer.BORN, List.of(StoreTests.utf8(writer + "." + steps)));
            Attribute color = new Attribute("color", colors.stream().map(StoreTests::utf8).toList());
            context.add(context.allocateId(), EntryRecord.of(own, StoreTests.utf8("cn=" + steps), List.of(born, color), List.of()));
        }
    }

    private void recolorTwo(WriteContext context, Long own, Set<String> colors, Random random) {
        for (int name : new int[] {someName(random), someName(random)}) {
            recolor(context, own, name, colors);
        }
    }

    /** Adds what the entry has not of a few colours, and removes what it has, but for the last one. */
    private void exchange(WriteContext context, Long own, Random random) {
        int name = someName(random);
        Set<String> colors = new TreeSet<>(entries.get(name));
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            String color = color(random);
            if (!colors.add(color) && colors.size() > 1) {
                colors.remove(color);
            }
        }
        recolor(context, own, name, colors);
    }

    private void recolor(WriteContext context, Long own, int name, Set<String> after) {
        Set<String> before = entries.put(name, after);
        if (context != null && !before.equals(after)) {
            context.modify(idOf(context, own, name), StoreTests.recolor(without(before, after), without(after, before)));
        }
    }

    private static List<String> without(Set<String> colors, Set<String> others) {
        return colors.stream().filter(color -> !others.contains(color)).toList();
    }

    private void rename(WriteContext context, Long own, Random random) {
        int name = someName(random);
        entries.put(steps, entries.remove(name));
        if (context != null) {
            context.rename(idOf(context, own, name), own, StoreTests.utf8("cn=" + steps), List.of());
        }
    }

    private void delete(WriteContext context, Long own, Random random) {
        int name = someName(random);
        entries.remove(name);
        if (context != null) {
            context.delete(idOf(context, own, name));
        }
    }
}
