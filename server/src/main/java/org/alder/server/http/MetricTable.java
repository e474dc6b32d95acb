package org.alder.server.http;

import static org.alder.server.http.Metric.counter;
import static org.alder.server.http.Metric.gauge;
import static org.alder.server.http.Metric.histogram;

import java.util.List;

/** All metrics, in the order in which docs/metrics.md has them. Each shows figures that cn=Monitor has too. */
final class MetricTable {
    static final double MILLIS = 1e-3;
    static final double MICROS = 1e-6;
    private static final String SUFFIX = "suffix";
    private static final String CACHE = "cache";
    private static final String MEMBER = "member";
    private static final String OPERATION = "operation";

    static final List<Metric> ALL = List.of(
            gauge("alder_start_time_seconds", "", "alderStartTime", "When the server was started, in seconds since 1970."),
            gauge("alder_ready", "", "alderReady", "1 while the server takes new work, 0 while it is overloaded."),
            gauge("alder_heap_bytes", "", "alderHeapBytes", "Heap in use."),
            gauge("alder_heap_limit_bytes", "", "alderHeapLimitBytes", "Heap at most."),
            counter("alder_gc_seconds", "", "alderGcMillis", "Time that garbage collection took.").in(MILLIS),
            gauge("alder_threads", "", "alderThreads", "Threads of the process."),
            counter("alder_operations", "operations", "alderResults", "Operations that have ended, by kind and result.", OPERATION, "result"),
            counter("alder_operations_abandoned", "operations", "alderAbandoned",
                    "Operations that their clients abandoned.", OPERATION),
            counter("alder_operations_slow", "operations", "alderSlow", "Operations that took slowMillis or longer.", OPERATION),
            histogram("alder_operation_duration_seconds", "operations", "alderLatency",
                    "How long operations took, from when they were read until they were answered.", OPERATION),
            counter("alder_searches_unindexed", "operations", "alderUnindexedSearches",
                    "Searches that examined many entries, or took long, for want of an index.", OPERATION),
            gauge("alder_operations_running", "connections", "alderRunningRequests", "Running requests."),
            gauge("alder_searches_followed", "connections", "alderFollowedSearches",
                    "Running searches that follow changes, such as those of replicas."),
            gauge("alder_follower_lag_changes", "connections", "alderFollowerLagChanges",
                    "Changes not yet sent to searches that follow changes; for each client address the search with most.", "address"),
            gauge("alder_follower_lag_seconds", "connections", "alderFollowerLagMillis",
                    "How long the oldest of these changes has waited; for a search that still sends the initial content, since it began.", "address").in(MILLIS),
            gauge("alder_connections", "connections", "alderConnections", "Connections that are open."),
            gauge("alder_connections_limit", "connections", "alderConnectionLimit", "Connections that may be open."),
            gauge("alder_connections_before_bind", "connections", "alderConnectionsBeforeBind", "Connections that have not bound."),
            counter("alder_connections_accepted", "connections", "alderConnectionsAccepted", "Connections that were opened."),
            counter("alder_connections_refused", "connections", "alderConnectionsRefused", "Connections that were refused because there were too "
                    + "many."),
            counter("alder_connections_gave_way", "connections", "alderConnectionsGaveWay",
                    "Connections without a bind that were closed to make room for others."),
            counter("alder_accept_pauses", "connections", "alderAcceptPauses", "How often nothing was accepted for want of file descriptors."),
            counter("alder_received_bytes", "connections", "alderReadBytes", "Bytes read from clients."),
            counter("alder_sent_bytes", "connections", "alderWrittenBytes", "Bytes written to clients."),
            counter("alder_tls_handshakes", "connections", "alderTlsHandshakes", "TLS handshakes that succeeded."),
            counter("alder_tls_handshakes_failed", "connections", "alderTlsHandshakesFailed", "TLS handshakes that failed."),
            counter("alder_tls_handshakes_refused", "connections", "alderTlsHandshakesRefused", "TLS handshakes that were refused because there "
                    + "were too many."),
            gauge("alder_tls_handshakes_running", "connections", "alderTlsHandshakesRunning", "TLS handshakes that are under way."),
            gauge("alder_certificate_expiry_seconds", "connections", "alderCertificateNotAfter",
                    "When a listener's certificate expires, in seconds since 1970.", "listener"),
            gauge("alder_worker_queue", "workers", "alderWaitingTasks", "Tasks that wait for a worker thread."),
            counter("alder_worker_refusals", "workers", "alderTasksRefused", "Requests that were refused because too much waited for worker threads."),
            gauge("alder_password_queue", "passwords", "alderWaitingTasks", "Passwords that wait to be hashed."),
            counter("alder_logins_handed_on", "passwords", "alderLoginsHandedOn", "Logins that this member of a cluster has had the leader count."),
            counter("alder_logins_not_handed_on", "passwords", "alderLoginsNotHandedOn", "Logins that only this member of a cluster counts, as the leader could not be told."),
            counter("alder_password_refusals", "passwords", "alderTasksRefused", "Requests that were refused because too many passwords waited."),
            gauge("alder_held_bytes", "memory", "alderHeldBytes", "Heap that is held for clients, by the key that limits it.", "key"),
            gauge("alder_held_limit_bytes", "memory", "alderHeldBytesLimit", "Heap that may be held for clients.", "key"),
            counter("alder_audit_events", "audit", "alderAuditEvents", "Lines of the audit log."),
            counter("alder_audit_events_lost", "audit", "alderAuditEventsLost", "Events that were lost from the audit log."),
            counter("alder_access_lines", "access-log", "alderAccessLines", "Lines of the access log."),
            counter("alder_access_lines_lost", "access-log", "alderAccessLinesLost", "Operations that were lost from the access log."),
            gauge("alder_entries", "partition", "alderEntries", "Entries of a partition.", SUFFIX),
            gauge("alder_given_entry_ids", "partition", "alderGivenEntryIds",
                    "How many entry IDs were given; beyond 4294967295 those of deleted entries are given again.", SUFFIX),
            gauge("alder_writable", "partition", "alderWritable", "1 while the partition takes updates.", SUFFIX),
            gauge("alder_sequence", "partition", "alderSequence", "The newest acknowledged transaction.", SUFFIX),
            counter("alder_transactions", "partition", "alderTransactions", "Transactions that were acknowledged.", SUFFIX),
            gauge("alder_undecided_transactions", "partition", "alderUndecidedTransactions",
                    "Transactions of several shards that a shard has prepared, and whose end it does not know yet.", SUFFIX),
            counter("alder_log_syncs", "partition", "alderLogSyncs",
                    "Syncs of the commit log; transactions divided by these are the size of a group.", SUFFIX),
            gauge("alder_segments", "partition", "alderSegments", "Published segments.", SUFFIX),
            gauge("alder_surplus_segments", "partition", "alderSurplusSegments", "Segments beyond what merging aims at.", SUFFIX),
            gauge("alder_disk_bytes", "partition", "alderDiskBytes", "Bytes of segments and logs.", SUFFIX),
            gauge("alder_log_bytes", "partition", "alderLogBytes", "Bytes of logs.", SUFFIX),
            gauge("alder_free_disk_bytes", "partition", "alderFreeDiskBytes", "Free bytes on the disk of the partition.", SUFFIX),
            gauge("alder_memory_layer_bytes", "partition", "alderMemoryLayerBytes", "Heap of changes that are in no segment yet.", SUFFIX),
            gauge("alder_held_layer_bytes", "partition", "alderHeldLayerBytes",
                    "Heap of changes that are on disk already and kept in memory for older searches.", SUFFIX),
            gauge("alder_frozen_layers", "partition", "alderFrozenLayers", "Memory layers that wait for a flush.", SUFFIX),
            counter("alder_flushes", "partition", "alderFlushes", "Flushes of memory layers.", SUFFIX),
            counter("alder_flush_pause_seconds", "partition", "alderFlushPauseMillis", "Pauses of flushes.", SUFFIX).in(MILLIS),
            gauge("alder_merge_running", "partition", "alderMergeRunning", "1 while segments are merged.", SUFFIX),
            counter("alder_merges", "partition", "alderMerges", "Merges of segments.", SUFFIX),
            counter("alder_merged_bytes", "partition", "alderMergedBytes", "Bytes that merges read and wrote, approximately.", SUFFIX),
            counter("alder_merge_pause_seconds", "partition", "alderMergePauseMillis", "Pauses of merges.", SUFFIX).in(MILLIS),
            gauge("alder_writer_delay_seconds", "partition", "alderWriterDelayMicros", "How long each group of updates is delayed now.", SUFFIX)
                    .in(MICROS),
            counter("alder_writer_stall_seconds", "partition", "alderWriterStallMillis", "How long updates were delayed in all.", SUFFIX).in(MILLIS),
            counter("alder_long_updates", "partition", "alderLongUpdates", "Updates that delayed all others for more than 50 ms.", SUFFIX),
            gauge("alder_longest_update_seconds", "partition", "alderLongestUpdateMillis", "The longest time for which one update delayed all "
                    + "others.", SUFFIX)
                    .in(MILLIS),
            gauge("alder_replica_leads", "partition", "alderReplicaLeads",
                    "1 where this member of a cluster leads the partition, 0 where it follows another one, or nobody leads.", SUFFIX),
            gauge("alder_replica_applies", "partition", "alderReplicaApplies",
                    "0 where something keeps the replica from applying what the leader writes; alderReplicaProblem says what.", SUFFIX),
            gauge("alder_replica_epoch", "partition", "alderReplicaEpoch", "Counts the leaders that the partition has had, as far as is known here.", SUFFIX),
            gauge("alder_replica_lag_transactions", "partition", "alderReplicaLagTransactions",
                    "Transactions that the replica is behind what the leader has told.", SUFFIX),
            gauge("alder_replica_lag_seconds", "partition", "alderReplicaLagMillis",
                    "How old what the replica shows may be: since the leader told no more than that, which it does three times a second.", SUFFIX).in(MILLIS),
            gauge("alder_feature_level", "partition", "alderFeatureLevel", "The feature level of the cluster: no member's build knows less.", SUFFIX),
            gauge("alder_feature_level_known", "partition", "alderFeatureLevelKnown",
                    "The newest feature level that the builds of all members know: where it is greater, cluster upgrade raises the other one.", SUFFIX),
            gauge("alder_shared_log_first_sequence", "partition", "alderSharedLogFirstSequence", "The first transaction in the log that members share.",
                    SUFFIX),
            gauge("alder_shared_log_parts", "partition", "alderSharedLogParts", "Parts of the log that members share.", SUFFIX),
            gauge("alder_shared_log_bytes", "partition", "alderSharedLogBytes",
                    "Bytes of these, of each of three copies; of the part that is being written on the leader alone.", SUFFIX),
            counter("alder_comparisons", "partition", "alderComparisons", "Comparisons of what the members of a cluster hold.", SUFFIX),
            gauge("alder_comparison_sequence", "partition", "alderComparisonSequence", "The transaction as of which the last one ended.", SUFFIX),
            gauge("alder_comparison_differences", "partition", "alderComparisonDifferences",
                    "What it found to differ, 8 at most; alderComparisonDifference names the first one.", SUFFIX),
            gauge("alder_member_here", "partition", "alderMemberHere", "1 for each member of a cluster that is there, 0 for one that is not.", SUFFIX,
                    MEMBER),
            gauge("alder_member_dropped", "partition", "alderMemberDropped",
                    "1 for a member that was away for so long that the log does not wait for it any more: it needs a copy.", SUFFIX, MEMBER),
            gauge("alder_member_differs", "partition", "alderMemberDiffers", "1 for a member that the last comparison found to hold other than most do.",
                    SUFFIX, MEMBER),
            gauge("alder_member_sequence", "partition", "alderMemberSequence", "The newest transaction that a member shows.", SUFFIX, MEMBER),
            gauge("alder_member_flushed_sequence", "partition", "alderMemberFlushed",
                    "The newest transaction that a member has in its own segments; the log is kept from the least of these on.", SUFFIX, MEMBER),
            gauge("alder_cache_limit_bytes", CACHE, "alderCacheLimitBytes", "Heap that the cache may take.", SUFFIX, CACHE),
            gauge("alder_cache_bytes", CACHE, "alderCacheBytes", "Heap that the cache takes.", SUFFIX, CACHE),
            gauge("alder_cache_objects", CACHE, "alderCacheObjects", "Objects in the cache.", SUFFIX, CACHE),
            counter("alder_cache_hits", CACHE, "alderCacheHits", "Lookups that the cache answered.", SUFFIX, CACHE),
            counter("alder_cache_misses", CACHE, "alderCacheMisses", "Lookups that the cache did not answer.", SUFFIX, CACHE),
            gauge("alder_index_bytes", "partition", "alderIndexBytes", "Bytes that the keys of an index take on the disk.", SUFFIX, "attribute"),
            gauge("alder_index_keys", "partition", "alderIndexKeys", "Keys of an index on the disk; one in several segments counts in each.", SUFFIX, "attribute"),
            counter("alder_index_searches", "partition", "alderIndexSearches", "Searches that have read an index.", SUFFIX, "attribute"),
            gauge("alder_missing_index_searches", "unindexed", "alderSearches", "Searches that lacked an index, of those that are remembered.",
                    SUFFIX, "attribute", "index"),
            gauge("alder_missing_index_seconds", "unindexed", "alderLatencyMicros", "Time that these took together.", SUFFIX, "attribute", "index")
                    .in(MICROS));

    private MetricTable() {
    }
}
