package org.alder.perf.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.alder.partition.testing.Await;
import org.alder.perf.process.Machine;
import org.alder.perf.report.Report;
import org.alder.perf.report.ReportRow;
import org.alder.perf.report.ReportTable;
import org.alder.perf.report.TargetFigure;
import org.alder.perf.report.TargetSummary;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import picocli.CommandLine;

/** A small run of the benchmark: what it measures is there, and its figures are of the index it built. */
public class IndexBuildVerbTest {
    private static final int ENTRIES = 300;

    private String homeBefore;

    /** Tests run in their module's folder. */
    @Before
    public void findConfiguration() {
        homeBefore = System.setProperty("alder.home", Path.of("..").toAbsolutePath().normalize().toString());
    }

    @After
    public void forgetConfiguration() {
        if (homeBefore == null) {
            System.clearProperty("alder.home");
        } else {
            System.setProperty("alder.home", homeBefore);
        }
    }

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Test(timeout = Await.MILLIS)
    public void anIndexIsBuiltBesideRequestsAndAlone() throws Exception {
        IndexBuildVerb verb = new IndexBuildVerb();
        Path reports = folder.getRoot().toPath().resolve("reports");
        new CommandLine(verb).parseArgs("--entries", String.valueOf(ENTRIES), "--seconds", "0.5", "--rounds", "1", "--rate", "100", "--modifies", "20",
                "--kinds", "eq,sub", "--work", folder.getRoot().toString(), "--report", reports.toString());
        Report report = verb.measure(Machine.here());
        ReportTable searches = table(report, TargetSummary.INDEX_SEARCHES);
        assertEquals(4, searches.rows().size());
        for (ReportRow row : searches.rows()) {
            assertTrue(row.toString(), row.figures().get(0) > 0 && row.figures().get(2) >= row.figures().get(1));
        }
        ReportTable builds = table(report, "The build, means of all rounds");
        for (ReportRow row : builds.rows()) {
            double bytesPerEntry = row.figures().get(builds.figureNames().indexOf("bytes/entry"));
            assertTrue("20 characters, with their substrings: " + row, bytesPerEntry > 20);
        }
        verb.options().write(report);
        assertTrue(Files.readString(reports.resolve("index.json")).contains(TargetSummary.INDEX_RATIO));
        Report targets = TargetSummary.report(Machine.here(), ENTRIES, List.of(report), List.of());
        double ratio = searches.rows().get(3).figures().get(4);
        ReportRow target = TargetFigure.INDEX_P99.row(Double.NaN, ratio);
        assertTrue(targets.tables().get(0).rows().toString(), targets.tables().get(0).rows().stream()
                .anyMatch(row -> row.labels().equals(target.labels()) && row.figures().get(1) == ratio));
        assertEquals("nothing is left", List.of("reports"), List.of(folder.getRoot().list()));
    }

    private static ReportTable table(Report report, String title) {
        return report.tables().stream().filter(each -> each.title().equals(title)).findFirst().orElseThrow();
    }
}
