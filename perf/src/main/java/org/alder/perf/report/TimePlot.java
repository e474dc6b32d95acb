package org.alder.perf.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/**
 * Figures over time: seconds on a linear axis, milliseconds on a logarithmic one, and shaded spans for what went on meanwhile,
 * written as SVG. Points that are not positive are left out. One thread.
 */
public final class TimePlot {
    private static final int WIDTH = 1100;
    private static final int HEIGHT = 480;
    private static final int LEFT = 70;
    private static final int RIGHT = 190;
    private static final int TOP = 50;
    private static final int BOTTOM = 50;

    private final String title;
    private final double seconds;
    private final List<Line> lines = new ArrayList<>();
    private final List<Span> spans = new ArrayList<>();

    private record Line(String name, String color, List<double[]> points) {
    }

    private record Span(String name, String color, double from, double to) {
    }

    /** @param seconds the end of the time axis, which begins at 0 */
    public TimePlot(String title, double seconds) {
        this.title = title;
        this.seconds = seconds;
    }

    /** @param points seconds and milliseconds */
    public void line(String name, String color, List<double[]> points) {
        List<double[]> usable = points.stream().filter(point -> point[1] > 0).toList();
        if (!usable.isEmpty()) {
            lines.add(new Line(name, color, usable));
        }
    }

    public void span(String name, String color, double fromSeconds, double toSeconds) {
        spans.add(new Span(name, color, fromSeconds, toSeconds));
    }

    public String svg() {
        double least = Math.floor(logarithms().min().orElse(-1));
        double most = Math.max(least + 1, Math.ceil(logarithms().max().orElse(1)));
        StringBuilder out = new StringBuilder(String.format(Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
                + " font-family=\"sans-serif\" font-size=\"12\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n",
                WIDTH, HEIGHT));
        text(out, LEFT, 25, "start", title);
        drawSpans(out);
        for (double decade = least; decade <= most; decade++) {
            double y = y(decade, least, most);
            out.append(String.format(Locale.ROOT, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#dddddd\"/>%n",
                    LEFT, y,
                    WIDTH - RIGHT, y));
            text(out, LEFT - 8, y + 4, "end", decade >= 0 ? String.format(Locale.ROOT, "%.0f ms", Math.pow(10, decade))
                    : String.format(Locale.ROOT, "%." + (int) -decade + "f ms", Math.pow(10, decade)));
        }
        for (int tick = 0; tick <= 10; tick++) {
            text(out, x(seconds * tick / 10), HEIGHT - BOTTOM + 18, "middle", ReportTable.figure(seconds * tick / 10) + " s");
        }
        for (int i = 0; i < lines.size(); i++) {
            drawLine(out, lines.get(i), i, least, most);
        }
        return out.append("</svg>\n").toString();
    }

    private DoubleStream logarithms() {
        return lines.stream().flatMap(line -> line.points.stream()).mapToDouble(point -> Math.log10(point[1]));
    }

    private void drawSpans(StringBuilder out) {
        List<String> named = new ArrayList<>();
        for (Span span : spans) {
            out.append(String.format(Locale.ROOT,
                    "<rect class=\"span\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\""
                    + " fill-opacity=\"0.25\"/>%n", x(span.from), TOP, Math.max(1, x(span.to) - x(span.from)),
                    HEIGHT - TOP - BOTTOM,
                    span.color));
            if (!named.contains(span.name)) {
                named.add(span.name);
                double y = HEIGHT - BOTTOM - 20.0 * named.size();
                out.append(String.format(Locale.ROOT, "<rect x=\"%d\" y=\"%.1f\" width=\"30\" height=\"12\" fill=\"%s\""
                        + " fill-opacity=\"0.25\"/>%n", WIDTH - RIGHT + 20, y - 10, span.color));
                text(out, WIDTH - RIGHT + 58, y, "start", span.name);
            }
        }
    }

    private void drawLine(StringBuilder out, Line line, int position, double least, double most) {
        StringBuilder path = new StringBuilder();
        for (double[] point : line.points) {
            path.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(point[0]), y(Math.log10(point[1]), least, most)));
        }
        out.append(String.format(Locale.ROOT, "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"/>%n",
                path.toString().trim(),
                line.color));
        int legendY = TOP + 10 + position * 22;
        out.append(String.format(Locale.ROOT,
                "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"2\"/>%n",
                WIDTH - RIGHT + 20,
                legendY, WIDTH - RIGHT + 50, legendY, line.color));
        text(out, WIDTH - RIGHT + 58, legendY + 4, "start", line.name);
    }

    private double x(double second) {
        return LEFT + Math.min(1, Math.max(0, second / seconds)) * (WIDTH - LEFT - RIGHT);
    }

    private static double y(double log, double least, double most) {
        return HEIGHT - BOTTOM - (log - least) / (most - least) * (HEIGHT - TOP - BOTTOM);
    }

    private static void text(StringBuilder out, double x, double y, String anchor, String text) {
        out.append(String.format(Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n", x, y, anchor,
                Markup.escape(text)));
    }
}
