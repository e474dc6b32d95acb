package org.alder.server.resource;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What the server counts of itself while it runs: the one list that {@code cn=Monitor} shows, and whatever else wants to read
 * figures. A figure stands in a group, has a name, and perhaps a label if there are several of that name. Counting costs next to
 * nothing; whoever counts keeps the counter. Thread safe.
 */
public final class Counters {
    private final Instant started = Instant.now();
    private final Map<Key, Supplier<?>> figures = new ConcurrentSkipListMap<>();
    private final Overload overload = new Overload();
    private final UnindexedSearches unindexed = new UnindexedSearches();
    private final IndexUse indexUse = new IndexUse();
    private final Map<Key, Supplier<Map<String, Long>>> labelled = new ConcurrentSkipListMap<>();
    private final Map<Key, LongAdder> counters = new ConcurrentSkipListMap<>();
    private final Map<Key, Latencies> latencies = new ConcurrentSkipListMap<>();

    private record Key(String group, String name, String label) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int groups = group.compareTo(other.group);
            int names = groups == 0 ? name.compareTo(other.name) : groups;
            return names == 0 ? label.compareTo(other.label) : names;
        }
    }

    /** What a figure is now. @param label empty if there is one figure of this name only */
    public record Figure(String group, String name, String label, String value) {
    }

    /**
     * The counter of this name, which grows from 0 while the server runs; the same one each time.
     *
     * @param group a path such as {@code operations/search}
     */
    public LongAdder counter(String group, String name) {
        return counter(group, name, "");
    }

    /** One of several counters of this name. */
    public LongAdder counter(String group, String name, String label) {
        Key key = new Key(group, name, label);
        LongAdder counter = counters.computeIfAbsent(key, none -> new LongAdder());
        figures.putIfAbsent(key, counter::sum);
        return counter;
    }

    /** How long something takes, the same ones each time; shown as how many took up to so many microseconds, and the time of all. */
    public Latencies latencies(String group, String name) {
        Latencies found = latencies.computeIfAbsent(new Key(group, name, ""), none -> new Latencies());
        long[] bounds = Latencies.boundsMicros();
        for (int i = 0; i <= bounds.length; i++) {
            int place = i;
            figures.putIfAbsent(new Key(group, name, i < bounds.length ? Long.toString(bounds[i]) : "more"), () -> found.counts()[place]);
        }
        gauge(group, name + "Micros", () -> (long) (found.seconds() * 1e6));
        return found;
    }

    /** Shows what something is at the moment when it is asked. */
    public void gauge(String group, String name, LongSupplier value) {
        figures.put(new Key(group, name, ""), value::getAsLong);
    }

    /** The same for one of several of this name, and for what is no number: its text is shown. */
    public void gauge(String group, String name, String label, Supplier<?> value) {
        figures.put(new Key(group, name, label), value);
    }

    /** Shows as many of this name as there are at the moment when it is asked, by their labels. */
    public void gauges(String group, String name, Supplier<Map<String, Long>> values) {
        labelled.put(new Key(group, name, ""), values);
    }

    /** Shows a gauge of several no longer. */
    public void forget(String group, String name, String label) {
        figures.remove(new Key(group, name, label));
    }

    /** Of what there may be too much. */
    public Overload overload() {
        return overload;
    }

    /** When counting began. */
    public Instant started() {
        return started;
    }

    /** All latencies of this name, by their groups. */
    public Map<String, Latencies> latencies(String name) {
        Map<String, Latencies> found = new TreeMap<>();
        latencies.forEach((key, value) -> {
            if (key.name.equals(name)) {
                found.put(key.group, value);
            }
        });
        return found;
    }

    /** Which indexes searches have read. */
    public IndexUse indexUse() {
        return indexUse;
    }

    /** Which indexes searches lacked. */
    public UnindexedSearches unindexed() {
        return unindexed;
    }

    /** All figures, in the order of groups, names and labels. */
    public List<Figure> figures() {
        Map<Key, String> found = new TreeMap<>();
        figures.forEach((key, value) -> found.put(key, value.get().toString()));
        labelled.forEach((key, values) -> values.get().forEach((label, value) -> found.put(new Key(key.group, key.name, label), value.toString())));
        return found.entrySet().stream().map(each -> new Figure(each.getKey().group, each.getKey().name, each.getKey().label, each.getValue())).toList();
    }
}
