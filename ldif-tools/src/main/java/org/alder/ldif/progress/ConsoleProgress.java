package org.alder.ldif.progress;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Shows progress as text: a bar redrawn in place on a terminal, lines every few seconds elsewhere, or JSON lines. Except in
 * JSON, a phase of less than two seconds prints nothing. Thread-safe. Drawing happens in the calls of the working
 * threads, in one of them at a time while the others go on; there is no thread of its own, so what does not report does
 * not redraw. The stream is neither owned nor closed.
 */
public final class ConsoleProgress implements Progress {

    /** How to show it; AUTO is BAR on a terminal, LINES elsewhere. */
    public enum Style {
        AUTO, BAR, LINES, JSON, NONE;

        /** As it is written on the command line, and shown in messages. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final long QUIET_NANOS = 2_000_000_000L;
    private static final long BAR_INTERVAL_NANOS = 200_000_000L;
    private static final long LINE_INTERVAL_NANOS = 5_000_000_000L;
    private static final long JSON_INTERVAL_NANOS = 1_000_000_000L;

    private final PrintStream out;
    private final ProgressRenderer renderer;
    private final LongSupplier nanoClock;
    private final int columns;
    private final long intervalNanos;
    private final boolean inPlace;
    private final boolean quietStart;
    private final AtomicLong done = new AtomicLong();
    private final AtomicLong nextDrawNanos = new AtomicLong();

    private volatile boolean running;
    private String phase;
    private Unit unit;
    private long total;
    private long startNanos;
    private RateWindow window;
    private int drawnLength;

    /** {@code columns} is only used by the bar; {@code style} is BAR, LINES or JSON. */
    ConsoleProgress(PrintStream out, Style style, int columns, LongSupplier nanoClock) {
        this.out = out;
        this.columns = columns;
        this.nanoClock = nanoClock;
        this.inPlace = style == Style.BAR;
        this.quietStart = style != Style.JSON;
        this.renderer = switch (style) {
            case BAR -> new BarRenderer();
            case JSON -> new JsonRenderer();
            default -> new LineRenderer();
        };
        this.intervalNanos = switch (style) {
            case BAR -> BAR_INTERVAL_NANOS;
            case JSON -> JSON_INTERVAL_NANOS;
            default -> LINE_INTERVAL_NANOS;
        };
    }

    /** Progress on standard error. */
    public static Progress onStandardError(Style style) {
        if (style == Style.NONE) {
            return Progress.NONE;
        }
        int columns = Terminal.columns();
        Style chosen = style == Style.AUTO ? columns > 0 ? Style.BAR : Style.LINES : style;
        // The last column stays free: terminals wrap when it is written.
        return new ConsoleProgress(System.err, chosen, Math.max(columns - 1, 20), System::nanoTime);
    }

    @Override
    public synchronized void begin(String newPhase, Unit newUnit, long newTotal) {
        finish();
        phase = newPhase;
        unit = newUnit;
        total = newTotal;
        done.set(0);
        startNanos = nanoClock.getAsLong();
        window = new RateWindow(startNanos);
        nextDrawNanos.set(startNanos + (quietStart ? QUIET_NANOS : intervalNanos));
        running = true;
        if (!quietStart) {
            draw(startNanos, false);
        }
    }

    @Override
    public void update(long newDone) {
        done.set(newDone);
        drawWhenDue();
    }

    @Override
    public void advance(long delta) {
        done.addAndGet(delta);
        drawWhenDue();
    }

    @Override
    public synchronized void finish() {
        if (!running) {
            return;
        }
        running = false;
        long now = nanoClock.getAsLong();
        if (!quietStart || now - startNanos >= QUIET_NANOS) {
            draw(now, true);
        }
    }

    private void drawWhenDue() {
        long now = nanoClock.getAsLong();
        long due = nextDrawNanos.get();
        if (now - due >= 0 && running && nextDrawNanos.compareAndSet(due, now + intervalNanos)) {
            drawRunning(now);
        }
    }

    private synchronized void drawRunning(long now) {
        if (running) {
            draw(now, false);
        }
    }

    private void draw(long now, boolean finished) {
        String line = renderer.render(state(now, finished), columns);
        if (!inPlace) {
            out.println(line);
            out.flush();
            return;
        }
        out.print("\r" + line + " ".repeat(Math.max(0, drawnLength - line.length())) + (finished ? System.lineSeparator() : ""));
        out.flush();
        drawnLength = finished ? 0 : line.length();
    }

    private ProgressState state(long now, boolean finished) {
        long current = done.get();
        double elapsed = (now - startNanos) / 1e9;
        double recent = window.rate(now, current);
        double rate = !finished ? recent : elapsed > 0 ? current / elapsed : 0;
        double eta = finished ? 0 : total >= 0 && rate > 0 ? Math.max(0, total - current) / rate : -1;
        return new ProgressState(phase, unit, current, total, rate, eta, elapsed, finished);
    }
}
