package org.alder.ldif.progress;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.alder.partition.testing.Await;
import org.junit.Test;

public class ConsoleProgressTest {

    private final AtomicLong millis = new AtomicLong(5_000_000);
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private ConsoleProgress progress(ConsoleProgress.Style style) {
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        return new ConsoleProgress(out, style, 79, () -> millis.get() * 1_000_000);
    }

    private String printed() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** Works for {@code millisTotal} at 100 per second. */
    private void run(Progress progress, int millisTotal) {
        for (int i = 10; i <= millisTotal; i += 10) {
            millis.addAndGet(10);
            progress.advance(1);
        }
    }

    @Test
    public void shortPhasesPrintNothing() {
        for (ConsoleProgress.Style style : List.of(ConsoleProgress.Style.BAR, ConsoleProgress.Style.LINES)) {
            ConsoleProgress progress = progress(style);
            progress.begin("load", Progress.Unit.ENTRIES, 190);
            run(progress, 1900);
            progress.finish();
            progress.finish();
            assertEquals("", printed());
        }
    }

    @Test
    public void jsonReportsShortPhasesToo() {
        ConsoleProgress progress = progress(ConsoleProgress.Style.JSON);
        progress.begin("load \"x\\\"", Progress.Unit.BYTES, Progress.UNKNOWN);
        run(progress, 100);
        progress.finish();
        assertEquals(List.of(
            "{\"phase\":\"load \\\"x\\\\\\\"\",\"done\":0,\"total\":null,\"unit\":\"bytes\",\"ratePerSecond\":0.0,"
                + "\"etaSeconds\":null,\"elapsedSeconds\":0.0,\"finished\":false}",
            "{\"phase\":\"load \\\"x\\\\\\\"\",\"done\":10,\"total\":null,\"unit\":\"bytes\",\"ratePerSecond\":100.0,"
                + "\"etaSeconds\":0.0,\"elapsedSeconds\":0.1,\"finished\":true}"), printed().lines().toList());
    }

    @Test
    public void linesComeEveryFiveSecondsAndAtTheEnd() {
        ConsoleProgress progress = progress(ConsoleProgress.Style.LINES);
        progress.begin("load", Progress.Unit.ENTRIES, 1600);
        run(progress, 16_000);
        progress.finish();
        assertEquals(List.of("load: 12%, 200/1,600 entries, 100/s, ETA 0:14", "load: 43%, 700/1,600 entries, 100/s, ETA 0:09",
            "load: 75%, 1,200/1,600 entries, 100/s, ETA 0:04", "load: 100%, 1,600/1,600 entries, 100/s, took 0:16"),
            printed().lines().toList());
    }

    @Test
    public void theBarIsRedrawnAtMostFiveTimesASecondInOneLine() {
        ConsoleProgress progress = progress(ConsoleProgress.Style.BAR);
        progress.begin("load", Progress.Unit.ENTRIES, 1000);
        run(progress, 10_000);
        progress.finish();
        String[] drawn = printed().split("\r");
        assertEquals("one empty piece, 41 redraws, the last line", 43, drawn.length);
        assertTrue(drawn[1], drawn[1].startsWith("load  20% [=====>   "));
        assertTrue(drawn[42], drawn[42].matches("load 100% \\[=+\\] 1,000/1,000 entries, 100/s, took 0:10 *\n"));
        assertEquals(printed().length() - 1, printed().indexOf('\n'));
        for (String line : drawn) {
            assertTrue(line, line.stripTrailing().length() <= 79);
        }
    }

    @Test
    public void aShorterBarWipesTheLongerOne() {
        ConsoleProgress progress = progress(ConsoleProgress.Style.BAR);
        progress.begin("load", Progress.Unit.ENTRIES, Progress.UNKNOWN);
        millis.addAndGet(2000);
        progress.update(1_000_000_000);
        millis.addAndGet(2000);
        progress.update(1);
        String[] drawn = printed().split("\r");
        assertEquals(drawn[1].length(), drawn[2].length());
        assertTrue(drawn[2], drawn[2].startsWith("load 1 entry, 0/s") && drawn[2].endsWith("   "));
    }

    @Test
    public void theRateFollowsTheLastSeconds() {
        ConsoleProgress progress = progress(ConsoleProgress.Style.LINES);
        progress.begin("load", Progress.Unit.ENTRIES, 10_000);
        run(progress, 22_000);
        for (int i = 0; i < 150; i++) {
            millis.addAndGet(100);
            progress.advance(1);
        }
        String last = printed().lines().reduce((a, b) -> b).orElse("");
        assertTrue(last, last.contains(" 10/s"));
    }

    @Test
    public void aNewPhaseEndsTheOldOneAndStartsAtZero() {
        ConsoleProgress progress = progress(ConsoleProgress.Style.JSON);
        progress.begin("read", Progress.Unit.BYTES, 10);
        progress.update(10);
        progress.begin("build", Progress.Unit.ENTRIES, 0);
        progress.finish();
        progress.update(99);
        List<String> lines = printed().lines().toList();
        assertEquals(4, lines.size());
        assertTrue(lines.get(1), lines.get(1).contains("\"read\",\"done\":10,") && lines.get(1).contains("\"finished\":true"));
        assertTrue(lines.get(2), lines.get(2).contains("\"build\",\"done\":0,"));
    }

    @Test
    public void manyThreadsLoseNoCount() throws Exception {
        ConsoleProgress progress = progress(ConsoleProgress.Style.JSON);
        progress.begin("load", Progress.Unit.ENTRIES, 40_000);
        CountDownLatch finished = new CountDownLatch(4);
        for (int t = 0; t < 4; t++) {
            new Thread(() -> {
                for (int i = 0; i < 10_000; i++) {
                    millis.incrementAndGet();
                    progress.advance(1);
                }
                finished.countDown();
            }).start();
        }
        Await.latch("the counting threads", finished);
        progress.finish();
        List<String> lines = printed().lines().toList();
        assertTrue(lines.get(lines.size() - 1), lines.get(lines.size() - 1).contains("\"done\":40000,"));
        assertTrue("lines " + lines.size(), lines.size() <= 42);
        for (String line : lines) {
            assertTrue(line, line.startsWith("{") && line.endsWith("}"));
        }
    }

    @Test
    public void theBarFitsAnyWidth() {
        BarRenderer renderer = new BarRenderer();
        for (int columns = 0; columns <= 200; columns++) {
            for (long done : new long[] {0, 1, 499, 500, 999, 1000, 2000}) {
                ProgressState state = new ProgressState("import", Progress.Unit.BYTES, done, 1000, 1e6, 3, 4, false);
                String line = renderer.render(state, columns);
                assertTrue(line, line.length() <= columns);
            }
        }
        assertFalse(renderer.render(new ProgressState("x", Progress.Unit.BYTES, 1, -1, 0, -1, 0, false), 80).contains("["));
        assertTrue(renderer.render(new ProgressState("x", Progress.Unit.BYTES, 1000, 1000, 0, -1, 0, false), 80).contains("==]"));
    }

    @Test
    public void quantitiesReadWell() {
        assertEquals("1,234,567", Quantities.amount(1_234_567, Progress.Unit.ENTRIES));
        assertEquals("512 B", Quantities.amount(512, Progress.Unit.BYTES));
        assertEquals("1.5 KiB", Quantities.amount(1536, Progress.Unit.BYTES));
        assertEquals("2.0 GiB", Quantities.amount(2L << 30, Progress.Unit.BYTES));
        assertEquals("0:05", Quantities.duration(5.2));
        assertEquals("59:59", Quantities.duration(3599));
        assertEquals("1:02:03", Quantities.duration(3723));
    }
}
