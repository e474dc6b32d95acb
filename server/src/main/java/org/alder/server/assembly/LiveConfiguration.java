package org.alder.server.assembly;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.request.Modification;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.SharedConfiguration.Version;
import org.alder.partition.store.Snapshot;
import org.alder.partition.text.Counted;
import org.alder.partition.text.Utf8;
import org.alder.server.LiveSettings;
import org.alder.server.ServerSettings;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.ConfigurationText;
import org.alder.server.config.PartitionConfiguration;
import org.alder.server.config.PartitionKeys;
import org.alder.server.config.ServerConfiguration;
import org.alder.server.config.ServerKeys;
import org.alder.server.config.Settings;
import org.alder.server.directory.own.ConfigurationTree;
import org.alder.server.directory.own.OnlineSchema;
import org.alder.server.directory.own.RunningConfiguration;
import org.alder.server.follow.FollowOrders;
import org.alder.server.follow.FollowSettings;
import org.alder.server.follow.Follows;
import org.alder.server.tls.TlsContexts;
import org.alder.server.wire.layer.TlsEngines;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The configuration of a running server: a change is held against all that a start would hold it against, written to the data folder,
 * and then what the server goes by where its keys say so; the others wait for the next start. Thread safe.
 */
public final class LiveConfiguration implements RunningConfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(LiveConfiguration.class);

    private final StoredConfiguration stored;
    private final DataFolder data;
    private final Schema schema;
    private final OpenPartitions partitions;
    private final LiveIndexes indexes;
    private final LiveRules rules;
    private final byte[] password;
    private final OnlineSchema onlineSchema;
    private final TlsContexts tls;
    private final LiveSettings live;
    private final LogLevels logLevels = new LogLevels();
    private final FollowOrders followOrders = new FollowOrders();
    private final Executor oneByOne;
    /** Of the thread that makes changes, with what the server goes by. */
    private ConfigurationText text;
    private ServerConfiguration effective;
    private volatile List<Part> parts;
    /** Null where the server stands alone. */
    private volatile ClusterConfiguration common;

    /**
     * The other parameters are those of {@link ServerAssembly#settings}.
     *
     * @param stored where changes are written
     * @param text   what the server begins with
     */
    public LiveConfiguration(StoredConfiguration stored, ConfigurationText text, Schema schema, OpenPartitions partitions, byte[] password,
            OnlineSchema onlineSchema, TlsContexts tls) throws ConfigurationException, IOException {
        this.stored = stored;
        // It is written to another folder than it may have been read from.
        this.text = text.absolute();
        this.data = stored.data();
        this.schema = schema;
        this.partitions = partitions;
        this.indexes = new LiveIndexes(schema, partitions);
        this.rules = new LiveRules(schema, partitions, data);
        this.password = password;
        this.onlineSchema = onlineSchema;
        this.tls = tls;
        this.effective = this.text.configuration();
        this.live = new LiveSettings(settings(effective, partitions.list(), tls));
        logLevels.set(effective.get(ServerKeys.LOG_LEVEL));
        ThreadPoolExecutor thread = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
            Thread made = new Thread(task, "alder-configuration");
            made.setDaemon(true);
            return made;
        });
        thread.allowCoreThreadTimeOut(true);
        this.oneByOne = thread;
        show(effective);
    }

    /** Goes by what the members of a cluster have in common, from now on. @param cluster is closed by the caller */
    public void follow(ClusterConfiguration cluster) {
        // With what the start has written.
        show(effective);
        common = cluster;
        cluster.follow(() -> change(() -> {
            takeNewer();
            return "";
        }).exceptionally(told -> "").join());
    }

    @Override
    public String hindrance() {
        ClusterConfiguration cluster = common;
        return cluster == null ? null : cluster.hindrance();
    }

    /** What the server goes by. */
    public LiveSettings settings() {
        return live;
    }

    private ServerSettings settings(ServerConfiguration configuration, List<Partition> served, TlsEngines engines) throws ConfigurationException {
        List<FollowSettings> follows = FollowAssembly.settings(configuration, schema);
        return ServerAssembly.settings(configuration, data, schema, served, password, onlineSchema, engines)
                .with(draft -> {
                    draft.configuration = this;
                    draft.follows = new Follows(follows, followOrders);
                    draft.cluster = partitions.cluster();
                });
    }

    @Override
    public List<Part> parts() {
        return parts;
    }

    private void show(ServerConfiguration said) {
        Map<String, List<String>> waiting = effective.differences(said);
        Map<String, List<String>> facts = new LinkedHashMap<>();
        try {
            List<String> changes = stored.history().stream().map(StoredConfiguration.Past::summary).toList();
            if (!changes.isEmpty()) {
                facts.put(CHANGES, changes);
            }
        } catch (IOException e) {
            LOG.warn("the history of the configuration cannot be shown: {}", e.toString());
        }
        List<Part> all = new ArrayList<>();
        all.add(part(ServerConfiguration.DN, ServerConfiguration.SERVER_CLASS, said.settings(), waiting, facts));
        for (PartitionConfiguration each : said.partitions()) {
            all.add(part(ServerConfiguration.dn(each.name()), ServerConfiguration.PARTITION_CLASS, each.settings(), waiting, Map.of()));
        }
        parts = List.copyOf(all);
    }

    private static Part part(String dn, String objectClass, Settings settings, Map<String, List<String>> waiting, Map<String, List<String>> more) {
        Map<String, List<String>> facts = new LinkedHashMap<>(more);
        if (waiting.containsKey(dn)) {
            facts.put(WAITING, waiting.get(dn));
        }
        return new Part(dn, objectClass, settings.said(), settings.defaults(), facts);
    }

    /** A change, on the thread that makes them. */
    @FunctionalInterface
    private interface Asked {
        String make() throws DirectoryException, ConfigurationException, IOException;
    }

    @Override
    public CompletableFuture<String> modify(Dn dn, List<Modification> modifications, String who, boolean dryRun) {
        return change(() -> modifyNow(dn, modifications, who, dryRun));
    }

    @Override
    public CompletableFuture<String> add(Dn dn, List<Modification> keys, String who, boolean dryRun) {
        return change(() -> addNow(dn, keys, who, dryRun));
    }

    @Override
    public CompletableFuture<String> delete(Dn dn, String who, boolean dryRun) {
        return change(() -> deleteNow(dn, who, dryRun));
    }

    private CompletableFuture<String> change(Asked asked) {
        CompletableFuture<String> result = new CompletableFuture<>();
        oneByOne.execute(() -> {
            try {
                result.complete(asked.make());
            } catch (ConfigurationException e) {
                result.completeExceptionally(new DirectoryException(code(e.kind()), e.getMessage()));
            } catch (IOException e) {
                LOG.warn("the configuration cannot be written: {}", e.toString());
                result.completeExceptionally(new DirectoryException(ResultCode.UNWILLING_TO_PERFORM,
                        "the change is not in effect: the configuration cannot be written: " + e.getMessage()));
            } catch (StoreException e) {
                // A schema file that cannot be read, or the folder of a new partition.
                boolean isRefused = e.kind() == StoreException.Kind.REFUSED || e.kind() == StoreException.Kind.CORRUPT;
                result.completeExceptionally(new DirectoryException(isRefused ? ResultCode.CONSTRAINT_VIOLATION : ResultCode.UNWILLING_TO_PERFORM,
                        "the change is not in effect: " + e.getMessage()));
            } catch (DirectoryException | RuntimeException | Error e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    private static ResultCode code(ConfigurationException.Kind kind) {
        return switch (kind) {
            case UNKNOWN_KEY -> ResultCode.UNDEFINED_ATTRIBUTE_TYPE;
            case SYNTAX -> ResultCode.INVALID_ATTRIBUTE_SYNTAX;
            case UNUSABLE -> ResultCode.CONSTRAINT_VIOLATION;
        };
    }

    /** @throws DirectoryException noSuchObject if there is none of this name */
    private Part part(Dn dn) throws DirectoryException {
        for (Part each : parts) {
            if (Dn.parse(schema, each.dn()).equals(dn)) {
                return each;
            }
        }
        throw DirectoryException.noSuchObject(dn.text(), ServerConfiguration.DN);
    }

    private String modifyNow(Dn dn, List<Modification> modifications, String who, boolean dryRun) throws DirectoryException,
            ConfigurationException, IOException {
        Part part = part(dn);
        boolean ofServer = part == parts.get(0);
        if (ofServer && modifications.stream().anyMatch(each -> each.description().equalsIgnoreCase(CHANGES))) {
            return undo(modifications, who, dryRun);
        }
        if (modifications.stream().anyMatch(each -> each.description().equalsIgnoreCase(REBUILD))) {
            return rebuild(parts.indexOf(part), modifications, dryRun);
        }
        if (modifications.stream().anyMatch(each -> each.description().equalsIgnoreCase(FOLLOW))) {
            return order(parts.indexOf(part), modifications, dryRun);
        }
        ConfigurationText next = changed(now -> now.modified(part.dn(), modifications));
        String summary = summary(who, part.dn() + ": " + Modification.shown(modifications));
        Taken taken = takeAsked(next, dryRun, (before, after) -> stored.change(before, after, summary));
        LOG.info("configuration changed: {}", summary);
        return taken.note(taken.waiting.getOrDefault(part.dn(), List.of()).stream().filter(key ->
                modifications.stream().anyMatch(each -> each.description().equalsIgnoreCase(key))).toList());
    }

    /** Changes nothing of the configuration. @param part which of the parts, the first of which is the server's */
    private String rebuild(int part, List<Modification> modifications, boolean dryRun) throws DirectoryException {
        Modification asked = modifications.get(0);
        if (part == 0 || modifications.size() > 1 || asked.kind() != Modification.Kind.ADD) {
            throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, REBUILD + " can only be added to the entry of a partition, and in a"
                    + " request of its own: its values are the attributes whose indexes are built anew");
        }
        List<String> attributes = asked.values().stream().map(Utf8::shown).toList();
        indexes.rebuild(effective.partitions().get(part - 1).name(), attributes, dryRun);
        return new Taken(Map.of(), attributes).note(List.of());
    }

    /** Changes nothing of the configuration. @param part which of the parts, the first of which is the server's */
    private String order(int part, List<Modification> modifications, boolean dryRun) throws DirectoryException {
        Modification asked = modifications.get(0);
        FollowOrders.Order order = asked.values().size() == 1 ? FollowOrders.Order.of(Utf8.shown(asked.values().get(0))) : null;
        if (part == 0 || modifications.size() > 1 || asked.kind() != Modification.Kind.ADD || order == null) {
            throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, FOLLOW + " can only be added to the entry of a partition, in a"
                    + " request of its own, with one of these values: allowDeletions, refresh");
        }
        Dn suffix = Dn.parse(schema, effective.partitions().get(part - 1).suffix());
        if (effective.partitions().get(part - 1).get(PartitionKeys.FOLLOW_PROVIDER) == null) {
            throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, "the partition of \"" + suffix.text() + "\" follows no server");
        }
        if (dryRun) {
            throw new DirectoryException(ResultCode.NO_OPERATION, "nothing was changed, as asked; the change is a valid one");
        }
        return followOrders.give(suffix, order) ? "" : "the partition does not follow yet";
    }

    private String addNow(Dn dn, List<Modification> keys, String who, boolean dryRun) throws DirectoryException, ConfigurationException, IOException {
        if (dn.size() != ConfigurationTree.DEPTH || dn.rdn().avas().size() > 1) {
            throw new DirectoryException(ResultCode.NAMING_VIOLATION, "\"" + dn.text() + "\" is no name of a partition's entry, expected cn=NAME,"
                    + ServerConfiguration.DN);
        }
        String name = Utf8.shown(dn.rdn().avas().get(0).value());
        String entry = ServerConfiguration.dn(name);
        String summary = summary(who, entry + ": added: " + Modification.shown(keys));
        takeAsked(changed(now -> now.added(entry, keys)), dryRun, (before, after) -> stored.change(before, after, summary));
        LOG.info("configuration changed: {}", summary);
        long entries = partitions.named(name).stream().mapToLong(added -> added.store().maintenance().status().entries()).sum();
        return entries == 0 ? "" : "it is served with " + Counted.of(entries, "entry") + " that " + path(name) + " held";
    }

    private Path path(String partition) {
        return data.path().resolve(DataFolder.PARTITIONS).resolve(partition).toAbsolutePath().normalize();
    }

    private String deleteNow(Dn dn, String who, boolean dryRun) throws DirectoryException, ConfigurationException, IOException {
        Part part = part(dn);
        if (part == parts.get(0)) {
            throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, "the configuration of the server itself cannot be deleted");
        }
        String summary = summary(who, part.dn() + ": deleted");
        takeAsked(changed(now -> now.removed(part.dn())), dryRun, (before, after) -> stored.change(before, after, summary));
        LOG.info("configuration changed: {}", summary);
        return "its data stay in " + path(Utf8.shown(dn.rdn().avas().get(0).value()));
    }

    private static String summary(String who, String what) {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS) + " " + who + ": " + what;
    }

    /** How a change is written: what the configuration said before, and says now. */
    @FunctionalInterface
    private interface Writing {
        void write(byte[] before, byte[] after) throws IOException, ConfigurationException, DirectoryException;
    }

    /** What a change makes of a configuration. */
    @FunctionalInterface
    private interface Edit {
        ConfigurationText of(ConfigurationText now) throws DirectoryException, ConfigurationException;
    }

    /** What members have in common is changed as it is by now. */
    private ConfigurationText changed(Edit edit) throws DirectoryException, ConfigurationException, IOException {
        ConfigurationText next = edit.of(text);
        if (common == null || !common.isConcerned(text, next)) {
            return next;
        }
        takeNewer();
        return edit.of(text);
    }

    /** A change that this server was asked for: of what members have in common all others take it, too. */
    private Taken takeAsked(ConfigurationText next, boolean dryRun, Writing writing) throws ConfigurationException, DirectoryException, IOException {
        ConfigurationText now = text;
        return take(next, dryRun, common == null ? writing : (before, after) -> common.make(now, next, () -> writing.write(before, after)));
    }

    /** Goes by the newest of what members have in common, in the order in which it was made. */
    private void takeNewer() throws DirectoryException, ConfigurationException, IOException {
        for (Version next = common.next(); next != null; next = common.next()) {
            try {
                takeCommon(next);
            } catch (DirectoryException | ConfigurationException | IOException | RuntimeException e) {
                common.hinderedBy(next, e);
                Version newest = common.newest();
                if (newest == null || newest.number() == next.number()) {
                    throw e;
                }
                // A later one may mend what is wrong with it.
                takeCommon(newest);
            }
        }
    }

    private void takeCommon(Version version) throws DirectoryException, ConfigurationException, IOException {
        ConfigurationText next = ClusterConfiguration.taken(text, version);
        if (!next.fingerprint().equals(text.fingerprint())) {
            String summary = summary(version.by(), "version " + version.number() + " of the cluster's configuration: "
                    + text.with(List.of()).configuration().differences(next.with(List.of()).configuration()));
            take(next, false, (before, after) -> stored.change(before, after, summary));
            LOG.info("configuration changed: {}", summary);
        }
        common.adopted(version);
    }

    /**
     * What came of a change.
     *
     * @param waiting  what waits for the next start
     * @param building the names of indexes that are being built for it
     */
    private record Taken(Map<String, List<String>> waiting, List<String> building) {
        String note(List<String> keys) {
            List<String> notes = new ArrayList<>();
            if (!building.isEmpty()) {
                notes.add("used as soon as they are built, which cn=Monitor shows: the indexes of " + String.join(", ", building));
            }
            if (!keys.isEmpty()) {
                notes.add("takes effect at the next start: " + withReasons(keys));
            }
            return String.join("; ", notes);
        }

        /** @param keys each may have the name of its entry before it, and a blank */
        private static String withReasons(List<String> keys) {
            Map<String, List<String>> byReason = new LinkedHashMap<>();
            keys.forEach(key -> byReason.computeIfAbsent(ServerConfiguration.whyItWaits(key.substring(key.lastIndexOf(' ') + 1)),
                    reason -> new ArrayList<>()).add(key));
            return byReason.entrySet().stream().map(each -> String.join(", ", each.getValue()) + " (" + each.getKey() + ")")
                    .collect(Collectors.joining("; "));
        }
    }

    private Taken take(ConfigurationText next, boolean dryRun, Writing writing) throws ConfigurationException,
            DirectoryException, IOException {
        ServerConfiguration said = next.configuration();
        checkPartitions(said);
        ServerConfiguration mixed = effective.live(said);
        TlsAssembly.check(mixed);
        stored.requireUnchanged(text);
        List<Partition> known = partitions.known(mixed);
        for (PartitionConfiguration each : mixed.partitions()) {
            if (!partitions.isOpen(each.name())) {
                for (PartitionFolder added : PartitionFolder.all(schema, each, data)) {
                    requireOwnNames(added, known);
                    if (dryRun) {
                        added.tryOut();
                    }
                }
            }
        }
        if (dryRun) {
            check(said, known);
            settings(mixed, known, tls);
            indexes.change(mixed);
            rules.change(effective, mixed).check();
            throw new DirectoryException(ResultCode.NO_OPERATION, "nothing was changed, as asked; the change is a valid one");
        }
        LiveRules.Change ofRules;
        synchronized (onlineSchema) {
            ofRules = rules.change(effective, mixed);
            ofRules.begin();
        }
        try {
            // Definitions may be added meanwhile, however many entries there are.
            ofRules.look();
            return new Taken(mixed.differences(said), take(next, said, mixed, ofRules, writing));
        } finally {
            ofRules.giveUp();
        }
    }

    /** A partition is opened by a schema that does not change meanwhile. @return the names of indexes that are being built */
    private List<String> take(ConfigurationText next, ServerConfiguration said, ServerConfiguration mixed, LiveRules.Change ofRules, Writing writing)
            throws ConfigurationException, DirectoryException, IOException {
        synchronized (onlineSchema) {
            OpenPartitions.Change change = partitions.change(mixed, schema, data, ofRules.otherGroups());
            List<String> building;
            boolean taken = false;
            try {
                check(said, change.list());
                building = take(next, mixed, change, ofRules, writing);
                taken = true;
            } finally {
                if (!taken) {
                    change.giveUp();
                }
            }
            show(said);
            retire(change);
            return building;
        }
    }

    /** The configuration is another one, whatever goes wrong now. */
    private static void retire(OpenPartitions.Change change) {
        try {
            change.retireRemoved();
        } catch (RuntimeException e) {
            LOG.error("A partition that is no longer served could not be closed: its folder stays locked until the process ends", e);
        }
    }

    /** All or nothing. @return the names of indexes that are being built */
    private List<String> take(ConfigurationText next, ServerConfiguration mixed, OpenPartitions.Change change, LiveRules.Change ofRules,
            Writing writing) throws ConfigurationException, DirectoryException, IOException {
        TlsContexts.Use certificates = tls != null && TlsAssembly.differ(effective, mixed) ? TlsAssembly.use(mixed, data) : null;
        LiveIndexes.Change ofIndexes = indexes.change(mixed);
        LiveSettings.Prepared prepared = prepare(settings(mixed, change.list(), tls));
        boolean written = false;
        try {
            ofIndexes.make();
            ofRules.hold();
            writing.write(stored(text), stored(next));
            written = true;
        } finally {
            if (written) {
                ofRules.take();
            } else {
                prepared.giveUp().run();
                ofRules.giveUp();
                ofIndexes.undo();
            }
        }
        text = next;
        effective = mixed;
        if (certificates != null) {
            tls.take(certificates);
        }
        change.take();
        prepared.take().run();
        logLevels.set(mixed.get(ServerKeys.LOG_LEVEL));
        return ofIndexes.building();
    }

    /** Entries of another partition would be there no more for those who look for them by their names. */
    private static void requireOwnNames(PartitionFolder added, List<Partition> known) throws DirectoryException {
        for (Partition other : known) {
            try (Snapshot snapshot = other.snapshot()) {
                if (other.suffix().equals(added.suffix()) || other.resolve(snapshot, added.suffix()) != HierarchyKeys.NO_PARENT) {
                    throw new DirectoryException(ResultCode.CONSTRAINT_VIOLATION, "the partition of \"" + other.suffix().text()
                            + "\" has an entry \"" + added.suffix().text() + "\", which nobody would find any more: expected a suffix"
                            + " without entries, or these to be exported and deleted first");
                }
            }
        }
    }

    private LiveSettings.Prepared prepare(ServerSettings settings) throws DirectoryException {
        try {
            return live.prepare(settings);
        } catch (IOException e) {
            throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, "the change is not in effect: " + e.getMessage());
        }
    }

    /** Without what only this start was told. */
    private static byte[] stored(ConfigurationText text) throws ConfigurationException {
        return text.with(List.of()).configuration().ldif();
    }

    private void checkPartitions(ServerConfiguration said) throws ConfigurationException, IOException {
        boolean sameSchema = said.get(ServerKeys.SCHEMA_FILE).equals(effective.get(ServerKeys.SCHEMA_FILE));
        data.partitions(said, sameSchema ? schema : data.schema(said, List.of()));
    }

    /** As a start would. */
    private void check(ServerConfiguration said, List<Partition> served) throws ConfigurationException, IOException {
        if (said.get(ServerKeys.TLS) == effective.get(ServerKeys.TLS)) {
            TlsAssembly.check(said);
            settings(said, served, tls);
        } else {
            try (TlsContexts other = TlsAssembly.open(said, data)) {
                settings(said, served, other);
            }
        }
    }

    /** The newest change, by its whole text or its number, or by no value at all. */
    private String undo(List<Modification> modifications, String who, boolean dryRun) throws DirectoryException, ConfigurationException,
            IOException {
        if (common != null) {
            takeNewer();
        }
        List<StoredConfiguration.Past> history = stored.history();
        if (history.isEmpty()) {
            throw new DirectoryException(ResultCode.NO_SUCH_ATTRIBUTE, "there is no change of the configuration to be undone");
        }
        StoredConfiguration.Past newest = history.get(0);
        Modification asked = modifications.get(0);
        boolean meansNewest = asked.kind() == Modification.Kind.DELETE && (asked.values().isEmpty()
                || asked.values().size() == 1 && isNamed(newest, asked.values().get(0)));
        if (modifications.size() > 1 || !meansNewest) {
            throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, CHANGES + " can only be changed by deleting its newest value, which"
                    + " undoes that change: " + newest.summary());
        }
        String summary = summary(who, "undone: " + newest.summary());
        Taken taken = takeAsked(stored.before(newest).with(text.overrides()), dryRun, (before, after) -> stored.undo(newest, after));
        LOG.info("configuration changed: {}", summary);
        return taken.note(taken.waiting.entrySet().stream().flatMap(entry -> entry.getValue().stream().map(key -> entry.getKey() + " " + key))
                .toList());
    }

    private static boolean isNamed(StoredConfiguration.Past past, byte[] value) {
        String text = Utf8.shown(value);
        return text.equals(past.summary()) || text.equals(Integer.toString(past.number()));
    }
}
