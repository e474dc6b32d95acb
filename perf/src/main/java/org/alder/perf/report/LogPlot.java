package org.alder.perf.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

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
        double[] x = decades(0);
        double[] y = decades(1);
        StringBuilder out = new StringBuilder();
        out.append(String.format(Locale.ROOT, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                + "font-family=\"sans-serif\" "
                + "font-size=\"12\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n", WIDTH, HEIGHT));
        text(out, LEFT, 25, "start", title);
        text(out, LEFT + (WIDTH - LEFT - RIGHT) / 2.0, HEIGHT - 15, "middle", xLabel);
        text(out, LEFT - 60, TOP - 10, "start", yLabel);
        for (double decade = x[0]; decade <= x[1]; decade++) {
            grid(out, px(decade, x), TOP, px(decade, x), HEIGHT - BOTTOM);
            text(out, px(decade, x), HEIGHT - BOTTOM + 18, "middle", label(decade));
        }
        for (double decade = y[0]; decade <= y[1]; decade++) {
            grid(out, LEFT, py(decade, y), WIDTH - RIGHT, py(decade, y));
            text(out, LEFT - 8, py(decade, y) + 4, "end", label(decade));
        }
        for (int i = 0; i < lines.size(); i++) {
            draw(out, lines.get(i), i, x, y);
        }
        return out.append("</svg>\n").toString();
    }

    /** The whole powers of ten that enclose all points in one dimension. */
    private double[] decades(int dimension) {
        double least = Double.MAX_VALUE;
        double most = -Double.MAX_VALUE;
        for (Line line : lines) {
            for (double[] point : line.points) {
                least = Math.min(least, Math.log10(point[dimension]));
                most = Math.max(most, Math.log10(point[dimension]));
            }
        }
        return new double[] {Math.floor(least), Math.max(Math.floor(least) + 1, Math.ceil(most))};
    }

    private static double px(double log, double[] range) {
        return LEFT + (log - range[0]) / (range[1] - range[0]) * (WIDTH - LEFT - RIGHT);
    }

    private static double py(double log, double[] range) {
        return HEIGHT - BOTTOM - (log - range[0]) / (range[1] - range[0]) * (HEIGHT - TOP - BOTTOM);
    }

    private static String label(double decade) {
        double value = Math.pow(10, decade);
        return value >= 1 ? String.format(Locale.ROOT, "%,.0f", value) : String.format(Locale.ROOT, "%." + (int) -decade + "f",
                value);
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
