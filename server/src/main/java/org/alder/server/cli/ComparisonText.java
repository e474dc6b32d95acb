package org.alder.server.cli;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.alder.partition.store.Comparison;
import org.alder.partition.text.Counted;

/** What was found when the members of a cluster were compared, for people and for programs. Stateless. */
final class ComparisonText {
    private static final double MILLIS = 1000;

    private ComparisonText() {
    }

    /** In one line. */
    static String summary(Comparison comparison) {
        return Counted.of(comparison.members().size(), "member") + (comparison.isEqual() ? " equal" : " DIFFERENT") + " as of transaction "
                + comparison.sequence() + ", compared at " + Instant.ofEpochMilli(comparison.endedMillis()).truncatedTo(ChronoUnit.SECONDS)
                + (comparison.isEqual() ? "" : ": " + comparison.differences().get(0).text());
    }

    static List<String> lines(Comparison comparison) {
        List<String> lines = new ArrayList<>();
        lines.add("sequence " + comparison.sequence() + ", " + Counted.of(comparison.tables(), "table") + " in " + comparison.tookMillis() / MILLIS + " s");
        comparison.members().forEach(member -> lines.add(member.name() + " " + member.digest()
                + (member.differs() ? " differs: it takes a copy of another one" : "")));
        comparison.differences().forEach(each -> lines.add("difference: " + each.text()));
        if (!comparison.skipped().isEmpty()) {
            lines.add("not compared, as not all members have these indexes alike: " + String.join(", ", comparison.skipped()));
        }
        lines.add(comparison.isEqual() ? "equal" : "DIFFERENT");
        return lines;
    }

    static Map<String, Object> facts(Comparison comparison) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("equal", comparison.isEqual());
        facts.put("sequence", comparison.sequence());
        facts.put("ended", Instant.ofEpochMilli(comparison.endedMillis()).toString());
        facts.put("tookMillis", comparison.tookMillis());
        facts.put("tables", comparison.tables());
        facts.put("notCompared", comparison.skipped());
        facts.put("digests", comparison.members().stream().collect(Collectors.toMap(Comparison.Member::name, Comparison.Member::digest, (one, other) -> one,
                LinkedHashMap::new)));
        facts.put("differing", comparison.members().stream().filter(Comparison.Member::differs).map(Comparison.Member::name).toList());
        facts.put("differences", comparison.differences().stream().map(ComparisonText::facts).toList());
        return facts;
    }

    private static Map<String, Object> facts(Comparison.Difference difference) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("table", difference.table());
        facts.put("item", difference.item());
        facts.put("members", difference.members());
        return facts;
    }
}
