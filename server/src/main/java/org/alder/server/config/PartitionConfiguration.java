package org.alder.server.config;

import java.util.List;
import java.util.Set;

/**
 * What conf/config.ldif says about one partition; the components are named as its keys. Sizes are in bytes. Immutable.
 *
 * @param name the RDN value of its configuration entry; also the name of its folder in the data folder
 * @param primaryKeys attributes of index lines with eq
 * @param memberOf likewise
 */
public record PartitionConfiguration(
        String name,
        String suffix,
        Durability durability,
        int durabilityIntervalMillis,
        long memoryLayerBytes,
        long entryCacheBytes,
        long indexCacheBytes,
        Compression compression,
        int snapshotTimeLimitSeconds,
        long diskLowBytes,
        long mergeBytesPerSecond,
        boolean warmSegments,
        int largeAttributeThreshold,
        boolean keyTables,
        long changeHistoryBytes,
        List<Index> indexes,
        Set<String> primaryKeys,
        Set<String> ignoredIndexes,
        Set<String> memberOf,
        RuleConfiguration rules) {

    /** When an update is acknowledged. */
    public enum Durability {
        SYNC, INTERVAL, NONE
    }

    /** How entry blocks are compressed. */
    public enum Compression {
        NONE, LZ4, ZSTD, ZSTD_DICTIONARY
    }

    /** The kinds an index line may name. */
    public enum Kind {
        EQ, SUB, PRES
    }

    /**
     * One {@code index:} line.
     *
     * @param inline the attributes whose values are kept beside those of this one
     */
    public record Index(String attribute, Set<Kind> kinds, int duplicateThreshold, List<String> inline) {
    }
}
