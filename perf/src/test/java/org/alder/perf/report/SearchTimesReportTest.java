package org.alder.perf.report;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.alder.perf.process.Machine;
import org.junit.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

public class SearchTimesReportTest {
    private static final Machine MACHINE = new Machine("2026-11-21T00:00:00Z", "a \"fast\" one", 2, 24L << 30, "Linux 6",
            "JVM 17",
            "abc1234", 0.1);
    private static final SearchTimesRow SMALL = new SearchTimesRow(1000, 0.5, 700_000, 2, 0.02, 0.01, 0.001, 0.05, 0.03, 0.002, false);
    private static final SearchTimesRow LARGE = new SearchTimesRow(100_000, 5, 60_000_000, 146, 0.1, 0.05, 0.01, 0.4, 0.06, 0.02, true);

    private final SearchTimesReport report = new SearchTimesReport(MACHINE, "(initials=aa)", "the same", List.of(SMALL, LARGE));

    @Test
    public void theTextHasOursAndThoseOf2006WhereThereAreAny() {
        String text = report.report().text();
        String small = text.lines().filter(line -> line.startsWith("1000 ")).findFirst().orElseThrow();
        String large = text.lines().filter(line -> line.startsWith("100000 ")).findFirst().orElseThrow();
        assertTrue(small, small.matches("1000 +2 +20 +- +10 +1 +50 +30 +2 +2000 +700 .*first - ms, cached -, no index -"));
        assertTrue(large, large.contains(" 23.7 ") && large.endsWith("first 2370.0 ms, cached 760.0, no index 42080.0"));
        assertTrue("one row's page cache was not dropped", text.contains("was NOT dropped"));
        assertFalse(new SearchTimesReport(MACHINE, "", "", List.of(LARGE)).report().text().contains("NOT"));
    }

    @Test
    public void jsonEscapesAndHasNullForWhatWasNotMeasuredIn2006() {
        String json = report.report().json();
        assertTrue(json, json.contains("a \\\"fast\\\" one"));
        assertTrue(json, json.contains("\"2006/first\": null"));
        assertTrue(json, json.contains("\"2006/first\": 23.7000"));
    }

    @Test
    public void thePlotIsXmlWithAPointForEachFigure() throws Exception {
        InputSource source = new InputSource(new StringReader(report.svg()));
        Document plot = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(source);
        assertEquals(7, plot.getElementsByTagName("polyline").getLength());
        int pointsOf2006 = 6 + 10 + 10;
        assertEquals(4 * 2 + pointsOf2006, plot.getElementsByTagName("circle").getLength());
    }
}
