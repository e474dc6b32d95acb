package org.alder.perf.report;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.List;
import org.junit.Test;

public class TargetTest {
    @Test
    public void aRatioIsOfOurFigureToTheOther() {
        assertEquals("met", Target.ratioAtMost(0.25).verdict(25, 100));
        assertEquals("missed", Target.ratioAtMost(0.25).verdict(26, 100));
        assertEquals("met", Target.ratioAtLeast(2).verdict(200, 100));
        assertEquals("missed", Target.ratioAtLeast(2).verdict(199, 100));
    }

    @Test
    public void aFigureOfItsOwnNeedsNoOther() {
        assertEquals("met", Target.atMost(60).verdict(60, Double.NaN));
        assertEquals("missed", Target.atMost(60).verdict(61, 1));
        assertEquals("missed", Target.atLeast(0.85).verdict(0.8, Double.NaN));
    }

    @Test
    public void whatIsMissingIsNeitherMetNorMissed() {
        assertEquals("nothing to compare with", Target.ratioAtMost(1).verdict(5, Double.NaN));
        assertEquals("not measured", Target.ratioAtMost(1).verdict(Double.NaN, 5));
        assertEquals("not measured", Target.atMost(1).verdict(Double.NaN, 5));
    }

    @Test
    public void aRowSaysTargetAndVerdict() {
        ReportRow row = TargetFigure.UNINDEXED.row(100, 20);
        assertEquals(List.of(100.0, 20.0, 0.2, Double.NaN, Double.NaN), row.figures());
        assertEquals("at most 0.500x: met", row.reference());
        assertEquals("a figure without a target", "", TargetFigure.UID_1_CPU.row(1, 2).reference());
        String text = TargetFigure.table("t", "OpenLDAP", List.of(row)).text();
        assertTrue(text, text.contains("target\n") && text.endsWith("at most 0.500x: met\n"));
    }

    @Test
    public void publishedFiguresAreThoseOfTheNearerSize() {
        assertEquals(29, TargetFigure.AND_TWO.published(200_000), 0);
        assertEquals(3170, TargetFigure.AND_TWO.published(2_000_000), 0);
    }
}
