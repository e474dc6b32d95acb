package org.alder.server.resource;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** How many searches have read each index since the server began. Thread safe. */
public final class IndexUse {
    /** By suffix, and by the attribute. */
    private final Map<String, Map<String, LongAdder>> searches = new ConcurrentHashMap<>();

    /**
     * Counts a search in a partition.
     *
     * @param indexes the attributes whose indexes gave it candidates, perhaps more than once
     */
    public void count(String suffix, List<String> indexes) {
        for (int i = 0; i < indexes.size(); i++) {
            String attribute = indexes.get(i);
            if (indexes.indexOf(attribute) == i) {
                searches.computeIfAbsent(suffix, none -> new ConcurrentHashMap<>()).computeIfAbsent(attribute, none -> new LongAdder()).increment();
            }
        }
    }

    /** Those of a partition by attributes, in their order; without those that were not read. */
    public Map<String, Long> searches(String suffix) {
        Map<String, Long> found = new TreeMap<>();
        searches.getOrDefault(suffix, Map.of()).forEach((attribute, count) -> found.put(attribute, count.sum()));
        return found;
    }
}
