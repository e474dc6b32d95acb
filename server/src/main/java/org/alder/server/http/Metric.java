package org.alder.server.http;

import java.util.List;

/**
 * One metric of {@code /metrics}: a name, and which figures of the server it shows. Immutable.
 *
 * @param type as Prometheus has it
 * @param name without the {@code _total} that counters get behind it
 * @param help for whoever reads it
 * @param group the first part of the figures' groups
 * @param figure their name; null for what has a type of its own
 * @param labels names for the rest of the group and for the figure's label, in this order
 * @param scale by which the figure is multiplied, to be of the base unit
 */
record Metric(Type type, String name, String help, String group, String figure, List<String> labels, double scale) {
    enum Type {
        COUNTER, GAUGE, HISTOGRAM
    }

    static Metric counter(String name, String group, String figure, String help, String... labels) {
        return new Metric(Type.COUNTER, name, help, group, figure, List.of(labels), 1);
    }

    static Metric gauge(String name, String group, String figure, String help, String... labels) {
        return new Metric(Type.GAUGE, name, help, group, figure, List.of(labels), 1);
    }

    static Metric histogram(String name, String group, String figure, String help, String... labels) {
        return new Metric(Type.HISTOGRAM, name, help, group, figure, List.of(labels), 1);
    }

    /** @param unit of the figure, in the base unit, such as 1e-3 for milliseconds */
    Metric in(double unit) {
        return new Metric(type, name, help, group, figure, labels, unit);
    }

    /** As a scrape has it. */
    String shownName() {
        return type == Type.COUNTER ? name + "_total" : name;
    }
}
