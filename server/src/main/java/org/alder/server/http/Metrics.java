package org.alder.server.http;

import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.Exemplars;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.alder.partition.Partition;
import org.alder.server.directory.own.PartitionFigures;
import org.alder.server.directory.own.ReplicaFigures;
import org.alder.server.directory.own.ServedPartitions;
import org.alder.server.resource.Counters;
import org.alder.server.resource.Latencies;
import org.alder.server.resource.ProcessFigures;
import org.alder.server.resource.UnindexedSearches;

/**
 * The figures of the server in Prometheus' text format: those that cn=Monitor shows, under the names of {@link MetricTable}. Made anew
 * each time. Thread safe.
 */
public final class Metrics {
    static final String CONTENT_TYPE = PrometheusTextFormatWriter.CONTENT_TYPE;
    private static final double[] BOUNDS_SECONDS = boundsSeconds();

    private final Counters counters;
    private final Supplier<List<Partition>> partitions;

    public Metrics(Counters counters, Supplier<List<Partition>> partitions) {
        this.counters = counters;
        this.partitions = partitions;
    }

    /** Which figures are shown by one metric. */
    private record Source(String group, String figure) {
    }

    /** A value with what its labels are. */
    private record Sample(List<String> labels, String value) {
    }

    private static double[] boundsSeconds() {
        double[] bounds = Arrays.copyOf(Arrays.stream(Latencies.boundsMicros()).mapToDouble(micros -> micros / 1e6).toArray(),
                Latencies.boundsMicros().length + 1);
        bounds[bounds.length - 1] = Double.POSITIVE_INFINITY;
        return bounds;
    }

    void write(OutputStream out) throws IOException {
        PrometheusTextFormatWriter.create().write(out, snapshots());
    }

    private MetricSnapshots snapshots() {
        Map<Source, List<Sample>> samples = ServedPartitions.read(partitions, this::samples);
        List<MetricSnapshot> shown = new ArrayList<>();
        for (Metric metric : MetricTable.ALL) {
            List<Sample> found = samples.getOrDefault(new Source(metric.group(), metric.figure()), List.of());
            if (metric.type() == Metric.Type.HISTOGRAM) {
                shown.add(histogram(metric));
            } else if (!found.isEmpty()) {
                shown.add(snapshot(metric, found));
            }
        }
        return new MetricSnapshots(shown);
    }

    private static MetricMetadata metadata(Metric metric) {
        return new MetricMetadata(metric.name(), metric.help());
    }

    private static MetricSnapshot snapshot(Metric metric, List<Sample> samples) {
        if (metric.type() == Metric.Type.COUNTER) {
            return new CounterSnapshot(metadata(metric), samples.stream().map(sample ->
                    new CounterSnapshot.CounterDataPointSnapshot(number(metric, sample), labels(metric, sample.labels), null, 0)).toList());
        }
        return new GaugeSnapshot(metadata(metric), samples.stream().map(sample ->
                new GaugeSnapshot.GaugeDataPointSnapshot(number(metric, sample), labels(metric, sample.labels), null)).toList());
    }

    private MetricSnapshot histogram(Metric metric) {
        List<HistogramSnapshot.HistogramDataPointSnapshot> points = new ArrayList<>();
        counters.latencies(metric.figure()).forEach((group, latencies) -> points.add(new HistogramSnapshot.HistogramDataPointSnapshot(
                ClassicHistogramBuckets.of(BOUNDS_SECONDS, latencies.counts()), latencies.seconds(), labels(metric, path(group)), Exemplars.EMPTY, 0)));
        return new HistogramSnapshot(metadata(metric), points);
    }

    private static Labels labels(Metric metric, List<String> values) {
        return Labels.of(metric.labels(), values);
    }

    private static double number(Metric metric, Sample sample) {
        String value = sample.value;
        return switch (value) {
            case "TRUE" -> 1;
            case "FALSE" -> 0;
            default -> value.endsWith("Z") ? Instant.parse(value).getEpochSecond() : Double.parseDouble(value) * metric.scale();
        };
    }

    private Map<Source, List<Sample>> samples(List<Partition> all) {
        Map<Source, List<Sample>> samples = new HashMap<>();
        add(samples, "", "alderStartTime", List.of(), counters.started().toString());
        ProcessFigures.now().forEach((name, value) -> add(samples, "", name, List.of(), value));
        add(samples, "", "alderReady", List.of(), counters.overload().look(System.nanoTime()).isEmpty() ? "TRUE" : "FALSE");
        for (Counters.Figure figure : counters.figures()) {
            List<String> labels = new ArrayList<>(path(figure.group()));
            if (!figure.label().isEmpty()) {
                labels.add(figure.label());
            }
            add(samples, figure.group().split("/", 2)[0], figure.name(), labels, figure.value());
        }
        for (Partition partition : all) {
            addPartition(samples, partition);
        }
        for (UnindexedSearches.Row row : counters.unindexed().rows()) {
            List<String> labels = List.of(row.missing().suffix(), row.missing().attribute(), row.missing().index());
            add(samples, "unindexed", "alderSearches", labels, Long.toString(row.searches()));
            add(samples, "unindexed", "alderLatencyMicros", labels, Long.toString(row.micros()));
        }
        return samples;
    }

    private void addPartition(Map<Source, List<Sample>> samples, Partition partition) {
        String suffix = partition.label();
        PartitionFigures.of(partition).forEach((name, value) -> add(samples, "partition", name, List.of(suffix), value));
        counters.indexUse().searches(partition.label()).forEach((index, searches) ->
                add(samples, "partition", PartitionFigures.INDEX_SEARCHES, List.of(suffix, index), Long.toString(searches)));
        PartitionFigures.indexSizes(partition).forEach((index, size) -> {
            add(samples, "partition", PartitionFigures.INDEX_BYTES, List.of(suffix, index), Long.toString(size.bytes()));
            add(samples, "partition", PartitionFigures.INDEX_KEYS, List.of(suffix, index), Long.toString(size.keys()));
        });
        ReplicaFigures.ofMembers(partition.store().replica()).forEach((figure, members) ->
                members.forEach((member, value) -> add(samples, "partition", figure, List.of(suffix, member), Long.toString(value))));
        PartitionFigures.ofCaches(partition).forEach((cache, figures) ->
                figures.forEach((name, value) -> add(samples, "cache", name, List.of(suffix, cache), value)));
    }

    private static void add(Map<Source, List<Sample>> samples, String group, String figure, List<String> labels, String value) {
        samples.computeIfAbsent(new Source(group, figure), none -> new ArrayList<>()).add(new Sample(labels, value));
    }

    /** What of a group is behind its first part, as labels. */
    private static List<String> path(String group) {
        int slash = group.indexOf('/');
        return slash < 0 ? List.of() : List.of(group.substring(slash + 1));
    }
}
