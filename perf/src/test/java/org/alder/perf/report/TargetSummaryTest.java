package org.alder.perf.report;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.List;
import java.util.Map;
import org.alder.perf.process.Machine;
import org.junit.Test;

public class TargetSummaryTest {
    private static final Machine MACHINE = new Machine("2026-11-21T00:00:00Z", "cpu", 2, 24L << 30, "Linux 6", "JVM 17", "abc", 0.1);

    private static Report report(String benchmark, ReportTable table) {
        return new Report(benchmark, "t", MACHINE, Map.of(), List.of(table), Map.of(), List.of());
    }

    private static ReportRow row(Report summary, TargetFigure figure) {
        String label = figure.row(1, 1).labels().get(0);
        return summary.tables().get(0).rows().stream().filter(row -> row.labels().get(0).equals(label)).findFirst()
                .orElseThrow();
    }

    @Test
    public void figuresAreTakenFromTheBenchmarksTables() {
        ReportTable sizes = new ReportTable(TargetSummary.VALUE_SIZES, List.of("members"), List.of("a", "r", "t"),
                List.of(ReportRow.of("1000", "", 9000, 1, 1), ReportRow.of("1000000", "", 300, 1200, 20)));
        ReportTable keys = new ReportTable(TargetSummary.KEY_LOOKUPS, List.of("key", "through"),
                List.of(TargetSummary.HITS, TargetSummary.KEY_BYTES),
                List.of(new ReportRow(List.of("uid", TargetSummary.KEY_TABLE), ReportRow.boxed(3e6, 7), ""),
                        new ReportRow(List.of("DN", TargetSummary.KEY_TABLE), ReportRow.boxed(2e6, 9), ""),
                        new ReportRow(List.of("uid", "another"), ReportRow.boxed(5, 99), "")));
        ReportTable beside = TargetFigure.table("Alder beside OpenLDAP", "OpenLDAP", List.of(TargetFigure.WARM.row(88, 5)));
        Report summary = TargetSummary.report(MACHINE, 1000, List.of(report("update-table", sizes), report("key-lookup", keys),
                report("openldap", beside)), List.of("x failed: y"));
        assertEquals(1200, row(summary, TargetFigure.VALUE_MICROS).figures().get(1), 0);
        assertTrue(row(summary, TargetFigure.VALUE_MICROS).reference().endsWith(": missed"));
        assertEquals(2e6, row(summary, TargetFigure.KEY_RATE).figures().get(1), 0);
        assertEquals(9, row(summary, TargetFigure.KEY_BYTES).figures().get(1), 0);
        assertTrue(row(summary, TargetFigure.WARM).reference().endsWith(": met"));
        assertFalse("a benchmark that was not run", summary.text().contains(TargetFigure.LOAD_FLAT.subject()));
        assertTrue(summary.text(), summary.text().contains("met 2, missed 2") && summary.text().contains("x failed: y"));
    }
}
