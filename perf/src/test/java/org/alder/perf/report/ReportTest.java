package org.alder.perf.report;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.StringReader;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.alder.perf.process.Machine;
import org.junit.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

public class ReportTest {
    private static final Machine MACHINE = new Machine("2026-11-21T00:00:00Z", "a \"fast\" <one>", 2, 24L << 30, "Linux 6",
            "JVM 17",
            "abc1234", 0.1);

    private static Report report(double rate, double micros) {
        ReportTable table = new ReportTable("Searches & more", List.of("filter", "connections"), List.of("ops/s", "us/op"),
                List.of(new ReportRow(List.of("(&(a=1)(b<=2))", "8"), ReportRow.boxed(rate, micros), "others: 5 < 6"),
                        new ReportRow(List.of("(c=3)", "1"), ReportRow.boxed(12.345, Double.NaN), "")));
        String plot = new BarPlot("rates <1>").bar("a & b", rate).bar("none", Double.NaN).svg();
        return new Report("some-rate", "Rates", MACHINE, Map.of("entries", "1000"), List.of(table), Map.of("some-rate", plot),
                List.of("a note > another"));
    }

    @Test
    public void theTextBeginsWithMachineAndSizesAndAlignsItsColumns() {
        String[] lines = report(40_123.4, 7).text().split("\n");
        assertEquals("Rates", lines[0]);
        assertEquals(MACHINE.line(), lines[1]);
        assertEquals("entries 1000", lines[2]);
        assertEquals("filter          connections   ops/s  us/op  others", lines[5]);
        assertEquals("(&(a=1)(b<=2))  8            40,123      7  others: 5 < 6", lines[6]);
        assertEquals("(c=3)           1              12.3      -", lines[7]);
    }

    @Test
    public void figuresHaveThreeDigitsOrSo() {
        assertEquals("0.012", ReportTable.figure(0.0123));
        assertEquals("1.23", ReportTable.figure(1.234));
        assertEquals("1234", ReportTable.figure(1234.4));
        assertEquals("0", ReportTable.figure(0));
        assertEquals("-1,234,567", ReportTable.figure(-1_234_567.1));
    }

    @Test
    public void aRowMustFitItsTable() {
        ReportRow row = ReportRow.of("a", "", 1, 2);
        assertThrows(IllegalArgumentException.class, () -> new ReportTable("t", List.of("l"), List.of("f"), List.of(row)));
        assertThrows(IllegalArgumentException.class, () -> new ReportTable("t", List.of(), List.of("f", "g"), List.of(row)));
    }

    @Test
    public void thePageIsWellFormedAndNeedsNoOtherFile() throws Exception {
        String html = new HtmlReport(MACHINE, List.of(report(1, 2), report(3, 4))).html();
        Document page = parse(html.substring(html.indexOf("<html")));
        assertEquals(2, page.getElementsByTagName("svg").getLength());
        assertEquals(2, page.getElementsByTagName("table").getLength());
        assertEquals(6, page.getElementsByTagName("tr").getLength());
        assertTrue(html, html.contains("a &quot;fast&quot; &lt;one&gt;") && html.contains("abc1234"));
        assertFalse(html.contains("src=") || html.contains("<link") || html.contains("@import"));
    }

    @Test
    public void aBarIsAsLongAsItsFigure() throws Exception {
        Document plot = parse(new BarPlot("t").bar("a", 200).bar("b", 100).bar("c", Double.NaN).svg());
        var bars = plot.getElementsByTagName("rect");
        assertEquals("the ground and two bars", 3, bars.getLength());
        double first = Double.parseDouble(bars.item(1).getAttributes().getNamedItem("width").getNodeValue());
        double second = Double.parseDouble(bars.item(2).getAttributes().getNamedItem("width").getNodeValue());
        assertEquals(first, 2 * second, 0.2);
        parse(new BarPlot("nothing").svg());
    }

    @Test
    public void overTimeSpansAndLinesAreDrawn() throws Exception {
        TimePlot plot = new TimePlot("latency & merges", 10);
        plot.line("p50", "#000000", List.of(new double[] {0, 0.2}, new double[] {5, 0}, new double[] {10, 20}));
        plot.line("empty", "#111111", List.of());
        plot.span("merge", "#ff0000", 2, 4);
        plot.span("merge", "#ff0000", 6, 7);
        Document drawn = parse(plot.svg());
        assertEquals(1, drawn.getElementsByTagName("polyline").getLength());
        String points = drawn.getElementsByTagName("polyline").item(0).getAttributes().getNamedItem("points").getNodeValue();
        assertEquals(points, 2, points.split(" ").length);
        assertEquals("the ground, two spans, one legend", 4, drawn.getElementsByTagName("rect").getLength());
        parse(new TimePlot("nothing", 1).svg());
    }

    private static Document parse(String xml) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(xml)));
    }

    @Test
    public void aComparisonHasTheRatioOfWhatBothHave() {
        String before = new HtmlReport(MACHINE, List.of(report(100, 8))).json();
        String after = report(250, 4).json();
        String text = new Comparison(before, after).text();
        assertTrue(text, text.contains("A: " + MACHINE.line()));
        assertTrue(text, text.matches("(?s).*some-rate \\| \\(&\\(a=1\\)\\(b<=2\\)\\) \\| 8 \\| ops/s +100 +250 +2\\.50\n.*"));
        assertTrue(text, text.matches("(?s).*us/op +8 +4 +0\\.500\n.*"));
        assertTrue(text, text.endsWith("3 figures; 0 only in A, 0 only in B\n"));
    }

    @Test
    public void aComparisonCountsWhatOnlyOneHas() {
        String text = new Comparison(report(100, Double.NaN).json(), report(0, 4).json()).text();
        assertTrue(text, text.endsWith("2 figures; 0 only in A, 1 only in B\n"));
        assertTrue(text, new Comparison(report(0, 1).json(), report(1, 1).json()).text().matches("(?s).*ops/s +0 +1 +-\n.*"));
    }

    @Test
    public void aComparisonSaysWhichReportIsNone() {
        String good = report(1, 2).json();
        assertTrue(assertThrows(IllegalArgumentException.class, () -> new Comparison("{", good)).getMessage()
                .startsWith("the first report: JSON, offset 1"));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> new Comparison(good, "{\"a\": 1}")).getMessage()
                .startsWith("the second report has neither"));
    }
}
