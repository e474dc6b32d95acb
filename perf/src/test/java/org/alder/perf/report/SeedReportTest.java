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

public class SeedReportTest {
    private static final Machine MACHINE = new Machine("2026-11-21T00:00:00Z", "a \"fast\" one", 2, 24L << 30, "Linux 6",
            "JVM 17",
            "abc1234");
    private static final SeedRow SMALL = new SeedRow(1000, 0.5, 700_000, 2, 0.02, 0.01, 0.001, 0.05, 0.03, 0.002, false);
    private static final SeedRow LARGE = new SeedRow(100_000, 5, 60_000_000, 146, 0.1, 0.05, 0.01, 0.4, 0.06, 0.02, true);

    private final SeedReport report = new SeedReport(MACHINE, "(initials=aa)", "the same", List.of(SMALL, LARGE));

    @Test
    public void theTextHasOursAndTheSeedsWhereItHasAny() {
        String text = report.report().text();
        String small = text.lines().filter(line -> line.startsWith("1000 ")).findFirst().orElseThrow();
        String large = text.lines().filter(line -> line.startsWith("100000 ")).findFirst().orElseThrow();
        assertTrue(small, small.matches("1000 +2 +20 +- +10 +1 +50 +30 +2 +2000 +700 .*\\(1\\) - ms, \\(2\\) -, \\(3\\) -"));
        assertTrue(large, large.contains(" 23.7 ") && large.endsWith("(1) 2370.0 ms, (2) 760.0, (3) 42080.0"));
        assertTrue("one row's page cache was not dropped", text.contains("was NOT dropped"));
        assertFalse(new SeedReport(MACHINE, "", "", List.of(LARGE)).report().text().contains("NOT"));
    }

    @Test
    public void jsonEscapesAndHasNullForWhatTheSeedHasNot() {
        String json = report.report().json();
        assertTrue(json, json.contains("a \\\"fast\\\" one"));
        assertTrue(json, json.contains("\"seed/(1)\": null"));
        assertTrue(json, json.contains("\"seed/(1)\": 23.7000"));
    }

    @Test
    public void thePlotIsXmlWithAPointForEachFigure() throws Exception {
        InputSource source = new InputSource(new StringReader(report.svg()));
        Document plot = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(source);
        assertEquals(7, plot.getElementsByTagName("polyline").getLength());
        int seedPoints = 6 + 10 + 10;
        assertEquals(4 * 2 + seedPoints, plot.getElementsByTagName("circle").getLength());
    }
}
