package org.alder.perf.report;

import java.util.List;

/**
 * The figures Alder is held against, each with its unit, its target, and what OpenLDAP 2.5.13 with mdb reached on the project's
 * measuring machine on 2026-11-20 (100,000 entries / 2 million), for where OpenLDAP is not installed.
 */
public enum TargetFigure {
    LOAD_RATE("bulk load", "entries/s", Target.ratioAtLeast(2.5), 23_000, 16_000),
    LOAD_CPU("bulk load", "CPU us/entry", null, 60, 75),
    DISK("disk after the load", "bytes/entry", Target.atMost(700), 1900, 1650),
    COLD("(initials=aa), page cache dropped", "ms", Target.ratioAtMost(0.25), 190, 3200),
    EMPTY_CACHES("(initials=aa), caches off", "ms", Target.atMost(60), Double.NaN, 88),
    WARM("(initials=aa), warm", "ms", Target.atMost(15), Double.NaN, 88),
    UID_1_RATE("(uid=user.i), 1 connection", "searches/s", null, 12_000, Double.NaN),
    UID_1_CPU("(uid=user.i), 1 connection", "CPU us/search", null, 47, Double.NaN),
    UID_8_RATE("(uid=user.i), 8 connections", "searches/s", Target.ratioAtLeast(1.4), 28_500, 27_000),
    UID_8_CPU("(uid=user.i), 8 connections", "CPU us/search", Target.ratioAtMost(0.7), 41, 57),
    UID_32_RATE("(uid=user.i), 32 connections", "searches/s", Target.ratioAtLeast(1.4), 34_000, 34_000),
    UID_32_CPU("(uid=user.i), 32 connections", "CPU us/search", Target.ratioAtMost(0.7), 35, 33),
    INITIALS_ALL("(initials=xx), all attributes", "CPU us/entry", Target.ratioAtMost(0.25), 9.7, 9.7),
    INITIALS_NONE("(initials=xx), 1.1", "CPU us/entry", Target.ratioAtMost(0.3), 6.0, 6.0),
    AND_TWO("AND of two large sets, 1.1", "ms", Target.ratioAtMost(0.05), 29, 3170),
    AND_THREE("AND of two large sets and a small one, 1.1", "ms", Target.ratioAtMost(0.05), 0.56, 13.0),
    UNINDEXED("(description=...), not indexed", "ms", Target.ratioAtMost(0.5), 119, 1900),
    OPEN_P50("(uid=user.i) at a fixed rate, 8 connections", "p50 ms", null),
    OPEN_P99("(uid=user.i) at a fixed rate, 8 connections", "p99 ms", null),
    OPEN_P999("(uid=user.i) at a fixed rate, 8 connections", "p99.9 ms", null),
    AND_TWO_RANGES("AND of two large sets, 1.1, OpenLDAP with its own idlexp", "ms", null),
    AND_THREE_RANGES("AND of two large sets and a small one, 1.1, OpenLDAP with its own idlexp", "ms", null),
    WRITER_P99("(uid=user.i), 8 connections, with a writer", "p99 ms", Target.ratioAtMost(1), 1.0, 1.1),
    ADD_1_RATE("durable adds, 1 connection", "adds/s", Target.ratioAtLeast(2), 555, 555),
    ADD_1_CPU("durable adds, 1 connection", "CPU us/add", Target.ratioAtMost(0.25), 740, 740),
    ADD_8_RATE("durable adds, 8 connections", "adds/s", Target.ratioAtLeast(8), 538, 538),
    ADD_8_CPU("durable adds, 8 connections", "CPU us/add", Target.ratioAtMost(0.25), 740, 740),
    ADD_32_RATE("durable adds, 32 connections", "adds/s", Target.ratioAtLeast(15), Double.NaN, Double.NaN),
    ADD_32_CPU("durable adds, 32 connections", "CPU us/add", Target.ratioAtMost(0.25), Double.NaN, Double.NaN),
    MODIFY_8_RATE("durable modifies, 8 connections", "modifies/s", Target.ratioAtLeast(6), 1229, 1229),
    MODIFY_8_CPU("durable modifies, 8 connections", "CPU us/modify", Target.ratioAtMost(0.3), 330, 330),
    MEMORY("resident memory after all of the above", "MiB", Target.atMost(3150), 219, 3150),
    LOAD_FLAT("bulk load, largest size against smallest", "ratio of entries/s", Target.atLeast(0.85)),
    BINDS_P99("search p99, 8 clients that bind with Argon2id against none", "ratio", Target.atMost(2)),
    BYSTANDER_SEARCH_P99("search p99, 8 clients that scan and 64 scans of one at once against none", "ratio", Target.atMost(3)),
    BYSTANDER_BIND_P99("bind p99, 8 clients that scan and 64 scans of one at once against none", "ratio", Target.atMost(3)),
    MERGE_P99("search p99, full merge against idle", "ratio", Target.atMost(1.3)),
    INDEX_P99("search p99, an index being built against idle", "ratio", Target.atMost(1.3)),
    VALUE_CPU("one value of a large group against its record rewritten", "times less CPU", Target.atLeast(100)),
    VALUE_BYTES("one value of a large group against its record rewritten", "times fewer bytes", Target.atLeast(100)),
    VALUE_MICROS("one member of the largest group added, removed or tested", "CPU us", Target.atMost(1000)),
    KEY_RATE("key lookups in one thread, slowest kind of key", "lookups/s", Target.atLeast(1_000_000)),
    KEY_BYTES("keys in memory, largest kind of key", "bytes/key", Target.atMost(8)),
    ACCESS_ALL_ONE("(uid=user.i) under ten rules, of who may read all against the administrator", "ratio of CPU", Target.atMost(1.05)),
    ACCESS_ALL_MANY("(initials=xx) under ten rules, of who may read all against the administrator", "ratio of CPU",
            Target.atMost(1.05)),
    ACCESS_ATTRIBUTES_ONE("(uid=user.i) under attribute rules against the administrator", "ratio of CPU", Target.atMost(1.3)),
    ACCESS_ATTRIBUTES_MANY("(initials=xx) under attribute rules against the administrator", "ratio of CPU", Target.atMost(1.3)),
    INLINE_AVERAGE("inline filter against plain AND", "times shorter average", Target.atLeast(12)),
    INLINE_P999("inline filter against plain AND", "times shorter p99.9", Target.atLeast(13));

    private static final long LARGE_ENTRIES = 1_000_000;

    private final String subject;
    private final String unit;
    private final Target target;
    private final double published;
    private final double publishedLarge;

    TargetFigure(String subject, String unit, Target target) {
        this(subject, unit, target, Double.NaN, Double.NaN);
    }

    TargetFigure(String subject, String unit, Target target, double published, double publishedLarge) {
        this.subject = subject;
        this.unit = unit;
        this.target = target;
        this.published = published;
        this.publishedLarge = publishedLarge;
    }

    public String subject() {
        return subject;
    }

    /** OpenLDAP's figure of an earlier day, at the nearer of the two sizes; NaN if there is none. */
    public double published(long entries) {
        return entries >= LARGE_ENTRIES ? publishedLarge : published;
    }

    /** @param peer NaN where there is none, or it was not measured */
    public ReportRow row(double peer, double own) {
        return row(peer, own, Double.NaN, Double.NaN);
    }

    /** @param lowest the ratio in one of several turns, as {@code highest}; NaN where there was one */
    public ReportRow row(double peer, double own, double lowest, double highest) {
        String verdict = target == null ? "" : target + ": " + target.verdict(own, peer);
        return row(verdict, peer, own, lowest, highest);
    }

    /** The same beside another server than OpenLDAP, for which there is no target. */
    public ReportRow rowOfOther(double peer, double own, double lowest, double highest) {
        return row("", peer, own, lowest, highest);
    }

    private ReportRow row(String verdict, double peer, double own, double lowest, double highest) {
        return ReportRow.of(subject + ", " + unit, verdict, peer, own, own / peer, lowest, highest);
    }

    /** A table of such rows. */
    public static ReportTable table(String title, String peer, List<ReportRow> rows) {
        return new ReportTable(title, List.of("figure"), List.of(peer, "Alder", "ratio", "lowest", "highest"),
                "target", rows);
    }
}
