package org.alder.perf.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * A line plot with two logarithmic axes, written as SVG. Points with a coordinate that is not a positive number are left out. One
 * thread.
 */
final class LogPlot {
    private static final int WIDTH = 900;
    private static final int HEIGHT = 560;
    private static final int LEFT = 80;
    private static final int RIGHT = 270;
    private static final int TOP = 50;
    private static final int BOTTOM = 60;
    private static final double ROUNDING = 1e-9;
    private static final double MOST_DECADES_WITH_STEPS = 2;

    private final String title;
    private final String xLabel;
    private final String yLabel;
    private final List<Line> lines = new ArrayList<>();

    private record Line(String name, String color, boolean dashed, List<double[]> points) {
    }

    LogPlot(String title, String xLabel, String yLabel) {
        this.title = title;
        this.xLabel = xLabel;
        this.yLabel = yLabel;
    }

    void line(String name, String color, boolean dashed, List<double[]> points) {
        List<double[]> usable = points.stream().filter(point -> point[0] > 0 && point[1] > 0).toList();
        if (!usable.isEmpty()) {
            lines.add(new Line(name, color, dashed, usable));
        }
    }

    String svg() {
        double[] x = range(0);
        double[] y = range(1);
        StringBuilder out = new StringBuilder();
        out.append(String.format(Locale.ROOT, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                + "font-family=\"sans-serif\" "
                + "font-size=\"12\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n", WIDTH, HEIGHT));
        text(out, LEFT, 25, "start", title);
        text(out, LEFT + (WIDTH - LEFT - RIGHT) / 2.0, HEIGHT - 15, "middle", xLabel);
        text(out, LEFT - 60, TOP - 10, "start", yLabel);
        for (double at : ticks(x)) {
            grid(out, px(at, x), TOP, px(at, x), HEIGHT - BOTTOM);
            text(out, px(at, x), HEIGHT - BOTTOM + 18, "middle", label(at));
        }
        for (double at : ticks(y)) {
            grid(out, LEFT, py(at, y), WIDTH - RIGHT, py(at, y));
            text(out, LEFT - 8, py(at, y) + 4, "end", label(at));
        }
        for (int i = 0; i < lines.size(); i++) {
            draw(out, lines.get(i), i, x, y);
        }
        return out.append("</svg>\n").toString();
    }

    /** From the last to the first of 1, 2 and 5 of a power of ten that enclose all points in one dimension: their logarithms. */
    private double[] range(int dimension) {
        double[] all = lines.stream().flatMap(line -> line.points.stream()).mapToDouble(point -> Math.log10(point[dimension]))
                .toArray();
        double least = Arrays.stream(all).min().orElse(0);
        double most = Arrays.stream(all).max().orElse(1);
        double from = Arrays.stream(steps(least, most)).filter(step -> step <= least + ROUNDING).max().orElseThrow();
        double to = Arrays.stream(steps(least, most)).filter(step -> step >= most - ROUNDING && step > from).min().orElseThrow();
        return new double[] {from, to};
    }

    /** The logarithms of 1, 2 and 5 of each power of ten around and between two others. */
    private static double[] steps(double least, double most) {
        return IntStream.rangeClosed((int) Math.floor(least), (int) Math.floor(most) + 1).boxed()
                .flatMapToDouble(decade -> DoubleStream.of(1, 2, 5).map(step -> decade + Math.log10(step))).toArray();
    }

    /** Where lines of the grid are: at all steps, or over several decades at powers of ten only. */
    private static double[] ticks(double[] range) {
        return Arrays.stream(steps(range[0], range[1])).filter(step -> step > range[0] - ROUNDING && step < range[1] + ROUNDING)
                .filter(step -> range[1] - range[0] < MOST_DECADES_WITH_STEPS || step == Math.rint(step)).toArray();
    }

    private static double px(double log, double[] range) {
        return LEFT + (log - range[0]) / (range[1] - range[0]) * (WIDTH - LEFT - RIGHT);
    }

    private static double py(double log, double[] range) {
        return HEIGHT - BOTTOM - (log - range[0]) / (range[1] - range[0]) * (HEIGHT - TOP - BOTTOM);
    }

    private static String label(double logarithm) {
        int decimals = (int) Math.max(0, Math.ceil(-logarithm - ROUNDING));
        return String.format(Locale.ROOT, "%,." + decimals + "f", Math.pow(10, logarithm));
    }

    private static void draw(StringBuilder out, Line line, int position, double[] x, double[] y) {
        StringBuilder path = new StringBuilder();
        for (double[] point : line.points) {
            path.append(String.format(Locale.ROOT, "%.1f,%.1f ", px(Math.log10(point[0]), x), py(Math.log10(point[1]), y)));
        }
        String dash = line.dashed ? " stroke-dasharray=\"6 4\"" : "";
        out.append(String.format(Locale.ROOT, "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s/>%n",
                path.toString().trim(),
                line.color, dash));
        for (String point : path.toString().trim().split(" ")) {
            String[] at = point.split(",");
            out.append(String.format(Locale.ROOT,
                    "<circle cx=\"%s\" cy=\"%s\" r=\"3\" fill=\"%s\"/>%n", at[0], at[1], line.color));
        }
        int legendY = TOP + 10 + position * 22;
        int legendX = WIDTH - RIGHT + 20;
        out.append(String.format(Locale.ROOT,
                "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"2\"%s/>%n", legendX,
                legendY,
                legendX + 30, legendY, line.color, dash));
        text(out, legendX + 38, legendY + 4, "start", line.name);
    }

    private static void grid(StringBuilder out, double x1, double y1, double x2, double y2) {
        out.append(String.format(Locale.ROOT, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#dddddd\"/>%n", x1,
                y1, x2, y2));
    }

    private static void text(StringBuilder out, double x, double y, String anchor, String text) {
        out.append(String.format(Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n", x, y, anchor,
                text.replace("&", "&amp;").replace("<", "&lt;")));
    }
}
