package org.alder.server.directory.own;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.IndexBuild;
import org.alder.partition.tree.EntryView;
import org.alder.server.directory.EntryCursor;
import org.alder.server.directory.FollowedContexts;
import org.alder.server.directory.SearchRequest;
import org.alder.server.resource.Counters;
import org.alder.server.resource.Holders;
import org.alder.server.resource.OpenSessions;
import org.alder.server.resource.ProcessFigures;
import org.alder.server.resource.UnindexedSearches;

/**
 * The figures of the running server as entries: {@code cn=Monitor}, below it one entry for each group of {@link Counters} and for
 * each partition, and below these one for each cache, each open connection ({@link MonitoredConnections}) and each index that searches lacked
 * (conf/schema/monitor.ldif, docs/monitor.md). Made anew for each search. Thread safe.
 */
public final class Monitor {
    static final String DN = "cn=Monitor";
    private static final String MEMORY = "cn=memory," + DN;
    private static final String HELD_OF_KIND = "alderHeldBytesOfKind";
    /** They are nobody's alone, so no account of a client has them. */
    private static final String HELD_LAYERS = "memoryLayers";
    private static final String UNINDEXED = "cn=unindexed," + DN;
    private static final String PARTITION = "partition-";

    private final Schema schema;
    private final Supplier<List<Partition>> partitions;
    private final Counters counters;
    private final OpenSessions sessions;
    private final MonitoredConnections connections;
    private final FollowedContexts followed;

    /**
     * @param partitions in the order of the configuration, by which they are numbered from 1
     * @param followed   which of them are copies
     */
    public Monitor(Schema schema, Supplier<List<Partition>> partitions, Counters counters, OpenSessions sessions, FollowedContexts followed) {
        this.followed = followed;
        this.sessions = sessions;
        this.connections = new MonitoredConnections(schema, sessions);
        this.counters = counters;
        this.schema = schema;
        this.partitions = partitions;
    }

    /** Whether the DN is that of the monitor, or below it. */
    public static boolean contains(Dn dn) {
        return !dn.isRoot() && "monitor".equals(ServerEntry.commonName(dn.rdn(dn.size() - 1)));
    }

    /** The entries of connections, which can be deleted. */
    public MonitoredConnections connections() {
        return connections;
    }

    /** @throws DirectoryException noSuchObject if there is no such entry */
    public EntryCursor search(SearchRequest request) throws DirectoryException {
        List<ServerEntry> found = new ArrayList<>();
        boolean baseExists = connections.has(request.base());
        for (EntryView entry : entries(ServerEntry.isInScope(Dn.parse(schema, MEMORY), request))) {
            Dn dn = Dn.parse(schema, entry.dn());
            baseExists |= dn.equals(request.base());
            if (ServerEntry.isInScope(dn, request)) {
                found.add(new ServerEntry(schema, entry));
            }
        }
        if (!baseExists) {
            throw new DirectoryException(ResultCode.NO_SUCH_OBJECT, "there is no entry \"" + request.base().text()
                    + "\"; search below " + DN + " for those there are");
        }
        return new EntryListCursor(Stream.concat(found.stream(), connections.inScope(request)).iterator(), request);
    }

    /** @param holders whether it is wanted who holds memory: that is added up over all connections */
    private List<EntryView> entries(boolean holders) {
        return ServedPartitions.read(partitions, all -> entries(all, holders));
    }

    private List<EntryView> entries(List<Partition> all, boolean holders) {
        List<EntryView> entries = new ArrayList<>();
        List<String> overloads = counters.overload().look(System.nanoTime());
        add(entries, "cn=Monitor", "", new Figures("alderMonitor", "Monitor")
                .text("alderStartTime", Subschema.GENERALIZED_TIME.format(counters.started())).all(ProcessFigures.now())
                .text("alderReady", overloads.isEmpty() ? "TRUE" : "FALSE").texts("alderOverload", overloads));
        addCounters(entries, all, holders);
        for (int i = 0; i < all.size(); i++) {
            addPartition(entries, PARTITION + (i + 1), all.get(i));
        }
        addUnindexed(entries);
        return entries;
    }

    /** Groups such as {@code operations/search} stand below their first part. */
    private void addCounters(List<EntryView> entries, List<Partition> all, boolean holders) {
        Map<String, Figures> groups = new TreeMap<>();
        for (Counters.Figure figure : counters.figures()) {
            String[] path = figure.group().split("/");
            groups.computeIfAbsent(path[0], name -> new Figures("alderCounterMonitor", name));
            Figures group = groups.computeIfAbsent(figure.group(), name -> new Figures("alderCounterMonitor", path[1]));
            if (figure.label().isEmpty()) {
                group.text(figure.name(), figure.value());
            } else {
                group.value(figure.name(), figure.label() + " " + figure.value());
            }
        }
        if (holders) {
            addHolders(groups.computeIfAbsent("memory", name -> new Figures("alderCounterMonitor", name)), all);
        }
        groups.forEach((group, figures) -> {
            String[] path = group.split("/");
            add(entries, "cn=" + path[path.length - 1], (path.length == 1 ? "," : ",cn=" + path[0] + ",") + DN, figures);
        });
    }

    private void addHolders(Figures memory, List<Partition> all) {
        Holders holders = Holders.of(sessions);
        holders.all().bytes().forEach((what, bytes) -> memory.value(HELD_OF_KIND, what.label() + " " + bytes));
        long layers = all.stream().mapToLong(partition -> partition.store().maintenance().status().heldBytes()).sum();
        if (layers > 0) {
            memory.value(HELD_OF_KIND, HELD_LAYERS + " " + layers);
        }
        holders.largestIdentities().forEach((identity, bytes) -> memory.value("alderHeldBytesOfIdentity", identity + " " + bytes));
        holders.largestConnections().forEach((id, bytes) -> memory.value("alderHeldBytesOfConnection", id + " " + bytes));
    }

    private void addPartition(List<EntryView> entries, String name, Partition partition) {
        Figures ofPartition = new Figures("alderPartitionMonitor", name).all(PartitionFigures.of(partition));
        counters.indexUse().searches(partition.label()).forEach((index, searches) -> ofPartition.value(PartitionFigures.INDEX_SEARCHES, index + " " + searches));
        PartitionFigures.indexSizes(partition).forEach((index, size) -> {
            ofPartition.value(PartitionFigures.INDEX_BYTES, index + " " + size.bytes());
            ofPartition.value(PartitionFigures.INDEX_KEYS, index + " " + size.keys());
        });
        ReplicaFigures.ofMembers(partition.store().replica()).forEach((figure, members) ->
                members.forEach((member, value) -> ofPartition.value(figure, member + " " + value)));
        addIndexes(ofPartition, partition);
        FollowedContexts.Copy copy = partition.shard().hasCopyOfSuffix() ? null : followed.of(partition.suffix());
        if (copy != null) {
            ofPartition.all(copy.figures());
        }
        add(entries, "cn=" + name, "," + DN, ofPartition);
        PartitionFigures.ofCaches(partition).forEach((cache, figures) ->
                add(entries, "cn=" + cache, ",cn=" + name + "," + DN, new Figures("alderCacheMonitor", cache).all(figures)));
    }

    private static void addIndexes(Figures figures, Partition partition) {
        Set<AttributeType> unfinished = partition.unfinishedIndexes();
        figures.texts("alderIndex", partition.indexes().stream().map(index -> index.type().name() + " " + index.kindNames()
                + (unfinished.contains(index.type()) ? " building" : "")).toList());
        IndexBuild build = partition.store().maintenance().indexBuild();
        if (build == null) {
            return;
        }
        figures.texts("alderIndexBuild", build.indexes()).text("alderIndexBuildPhase", build.phase())
                .number("alderIndexBuildDone", build.done())
                .number("alderIndexBuildSeconds", TimeUnit.NANOSECONDS.toSeconds(build.elapsedNanos()));
        if (build.total() >= 0) {
            figures.number("alderIndexBuildTotal", build.total());
        }
        if (build.leftNanos() >= 0) {
            figures.number("alderIndexBuildSecondsLeft", TimeUnit.NANOSECONDS.toSeconds(build.leftNanos()));
        }
        figures.textIfAny("alderIndexBuildFailure", build.failure());
    }

    /** What searches lacked, with the index to add; named after the partition and the attribute, as the figures change. */
    private void addUnindexed(List<EntryView> entries) {
        List<UnindexedSearches.Row> rows = counters.unindexed().rows();
        add(entries, UNINDEXED.substring(0, UNINDEXED.indexOf(',')), "," + DN, new Figures("alderCounterMonitor", "unindexed"));
        for (UnindexedSearches.Row row : rows) {
            String name = name(row.missing());
            add(entries, "cn=" + name, "," + UNINDEXED, new Figures("alderUnindexedMonitor", name)
                    .text("alderSuffix", row.missing().suffix())
                    .text("alderAttribute", row.missing().attribute())
                    .text("alderIndexToAdd", row.missing().attribute() + ' ' + row.missing().index())
                    .number("alderSearches", row.searches())
                    .number("alderSlow", row.slow())
                    .number("alderLatencyMicros", row.micros())
                    .number("alderExaminedEntries", row.examined())
                    .number("alderReturnedEntries", row.entries())
                    .text("alderLastTime", Subschema.GENERALIZED_TIME.format(row.last())));
        }
    }

    private String name(UnindexedSearches.Missing missing) {
        List<Partition> all = partitions.get();
        int number = 1;
        while (number < all.size() && !all.get(number - 1).suffix().text().equals(missing.suffix())) {
            number++;
        }
        return PARTITION + number + ' ' + missing.attribute() + ' ' + missing.index();
    }

    private static void add(List<EntryView> entries, String rdn, String parent, Figures figures) {
        entries.add(figures.entry(entries.size() + 1L, rdn, parent));
    }
}
