package org.alder.partition.query;

import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.alder.partition.id.IdSet;
import org.alder.partition.text.Counted;

/** What was chosen to answer a search, with the counts it was chosen by. Immutable. */
public final class QueryPlan {
    /** What a step does to the candidates. */
    public enum Kind {
        /** The candidates are, or are intersected with, a set from an index. */
        INTERSECT,
        /** A set from an index is taken away. */
        SUBTRACT,
        /** The candidates are, or are intersected with, the entries in scope. */
        SCOPE,
        /** There is no index to start from: all entries are walked. */
        SCAN,
        /** Each candidate is tested for being in scope. */
        TEST_SCOPE,
        /** Each candidate is tested with a part of the filter. */
        TEST
    }

    /**
     * @param description the index and its key, or the part of the filter; put into words only when somebody reads the plan
     * @param count the size of the step's own set as it was known to the planner; -1 if there is none
     * @param left the candidates after the step; -1 if that is not known
     */
    public record Step(Kind kind, Supplier<String> description, long count, long left) {
        public String text() {
            return description.get();
        }
    }

    private final SearchQuery query;
    private final List<Step> steps;
    private final List<MissingIndex> missing;
    private final List<String> indexes;
    private final IdSet candidates;

    /** @param indexes names of the attributes whose indexes were read, one for each reading; kept as it is */
    public QueryPlan(SearchQuery query, List<Step> steps, List<MissingIndex> missing, List<String> indexes, IdSet candidates) {
        this.query = query;
        this.steps = List.copyOf(steps);
        this.missing = List.copyOf(missing);
        this.indexes = indexes;
        this.candidates = candidates;
    }

    /** In the order they are taken. */
    public List<Step> steps() {
        return steps;
    }

    /** The attributes whose items are tested on entries because no index answers them. */
    public List<String> missingIndexes() {
        return missing.stream().map(MissingIndex::name).distinct().sorted().toList();
    }

    /** What of the filter is tested on entries because no index answers it. */
    public List<MissingIndex> missing() {
        return missing;
    }

    /** The attributes whose indexes gave candidates, one for each reading, in no order. Not to be changed. */
    public List<String> indexes() {
        return indexes;
    }

    /** How many entries are looked at: exact for sets, -1 if all entries are walked. */
    public long candidateCount() {
        return candidates == null ? -1 : candidates.cardinality();
    }

    /** The entries that are looked at, which all match if no step tests them. @return null if all entries are walked */
    public IdSet candidates() {
        return candidates;
    }

    /** For a person, several lines. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        text.append("base        \"").append(query.base().line()).append("\", ").append(query.scope()).append('\n');
        for (Step step : steps) {
            text.append(String.format(Locale.ROOT, "%-12s", step.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ')));
            text.append(step.text());
            text.append(step.count() < 0 ? "" : ": " + Counted.of(step.count(), "entry"));
            text.append(step.left() < 0 ? "" : ", " + step.left() + " left").append('\n');
        }
        text.append("candidates  ").append(candidates == null ? "all entries"
                : Long.toString(candidates.cardinality())).append('\n');
        if (!missing.isEmpty()) {
            text.append("no index    ").append(String.join(", ", missingIndexes())).append('\n');
        }
        return text.toString();
    }
}
