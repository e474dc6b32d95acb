package org.alder.perf.report;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.util.List;
import java.util.Map;
import org.alder.perf.process.Machine;
import org.junit.Test;

public class InlineReportTest {
    private static final InlineRow SCOPED = new InlineRow("IDs", "on", InlineRow.SCOPED, 10, 300, 100, 50);
    private static final InlineRow FILTER = new InlineRow("IDs", "on", InlineRow.FILTER, 50, 30, 20, 5);
    private static final InlineRow OTHER = new InlineRow("IDs", "off", InlineRow.FILTER, 1, 1, 1, 1);

    private static Report report(InlineRow... rows) {
        return new InlineReport(Machine.here(), Map.of(), List.of(rows), List.of(new InlineSize("yes", 4, 400, 1000))).report();
    }

    /** Above 1 is better, whichever way the figure goes, and caches are not mixed. */
    @Test
    public void ratiosAreOfTheQueryToTheFilterBesideIt() {
        List<ReportRow> ratios = report(OTHER, SCOPED, FILTER).tables().get(1).rows();
        assertEquals(1, ratios.size());
        assertEquals(List.of("IDs", "on", InlineRow.SCOPED), ratios.get(0).labels());
        assertEquals(List.of(5.0, 10.0, 5.0, 10.0), ratios.get(0).figures());
    }

    @Test
    public void aQueryWithoutItsFilterIsAnError() {
        assertThrows(IllegalArgumentException.class, () -> report(SCOPED, OTHER));
    }
}
