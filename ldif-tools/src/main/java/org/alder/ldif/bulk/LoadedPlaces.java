package org.alder.ldif.bulk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.alder.partition.schema.NamingRules;

/**
 * Which structure rules govern the entries that a load has so far, in a temporary file as the DNs are; few entries of a tree
 * differ in that. One thread.
 */
final class LoadedPlaces implements Closeable {
    private final NamingRules rules;
    private final DnIdTable places;
    private final List<Set<Integer>> governing = new ArrayList<>();
    private final Map<Set<Integer>, Integer> numbers = new HashMap<>();

    LoadedPlaces(Path folder, NamingRules rules) throws IOException {
        this.rules = rules;
        places = new DnIdTable(folder, "place");
    }

    /** Why an entry cannot be loaded; null if it can. */
    String refusal(LoadEntry entry) {
        return entry.name() == null ? null : entry.name().placeViolation(rules, above(entry));
    }

    void add(LoadEntry entry) throws IOException {
        Set<Integer> own = entry.name() == null ? Set.of() : entry.name().governing(rules, above(entry));
        if (!own.isEmpty()) {
            int number = numbers.computeIfAbsent(own, none -> {
                governing.add(own);
                return governing.size();
            });
            places.putIfAbsent(entry.hash(), number);
        }
    }

    private Set<Integer> above(LoadEntry entry) {
        int number = entry.parent() == null ? 0 : (int) places.get(entry.parent());
        return number == 0 ? Set.of() : governing.get(number - 1);
    }

    @Override
    public void close() throws IOException {
        places.close();
    }
}
