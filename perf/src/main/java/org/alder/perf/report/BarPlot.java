package org.alder.perf.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Horizontal bars from zero, each with its name and figure, written as SVG. One thread. */
public final class BarPlot {
    private static final int WIDTH = 900;
    private static final int LEFT = 330;
    private static final int RIGHT = 110;
    private static final int TOP = 50;
    private static final int STEP = 26;

    private final String title;
    private final List<Bar> bars = new ArrayList<>();

    private record Bar(String name, double value) {
    }

    public BarPlot(String title) {
        this.title = title;
    }

    /** A figure of this run: nobody else's, measured elsewhere, belongs beside it. Nothing is drawn for what is not a number. */
    public BarPlot bar(String name, double value) {
        if (!Double.isNaN(value)) {
            bars.add(new Bar(name, value));
        }
        return this;
    }

    public String svg() {
        double most = bars.stream().mapToDouble(Bar::value).max().orElse(0);
        double scale = most > 0 ? (WIDTH - LEFT - RIGHT) / most : 0;
        StringBuilder out = new StringBuilder(String.format(Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
                + " font-family=\"sans-serif\" font-size=\"12\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n",
                WIDTH,
                TOP + STEP * bars.size() + 20));
        text(out, 20, 25, "start", title);
        for (int i = 0; i < bars.size(); i++) {
            Bar bar = bars.get(i);
            int y = TOP + STEP * i;
            double length = Math.max(0, bar.value * scale);
            text(out, LEFT - 10, y + 14, "end", bar.name);
            out.append(String.format(Locale.ROOT,
                    "<rect class=\"bar\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"18\" fill=\"%s\"/>%n",
                    LEFT, y, length, "#1e8449"));
            text(out, LEFT + length + 8, y + 14, "start", ReportTable.figure(bar.value));
        }
        return out.append("</svg>\n").toString();
    }

    private static void text(StringBuilder out, double x, double y, String anchor, String text) {
        out.append(String.format(Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n", x, y, anchor,
                Markup.escape(text)));
    }
}
