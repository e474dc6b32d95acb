package org.alder.perf.report;

/** Text inside HTML and SVG. */
final class Markup {
    private Markup() {
    }

    static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }
}
