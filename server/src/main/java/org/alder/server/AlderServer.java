package org.alder.server;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.function.Supplier;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.Schema;
import org.alder.server.access.AccessPolicy;
import org.alder.server.access.AccessRule;
import org.alder.server.access.LimitPolicy;
import org.alder.server.audit.AccessLog;
import org.alder.server.audit.AuditLog;
import org.alder.server.audit.AuditTrail;
import org.alder.server.audit.ShownRequests;
import org.alder.server.auth.Passwords;
import org.alder.server.cluster.ClusterMembers;
import org.alder.server.cluster.HandedRequests;
import org.alder.server.cluster.MemberQuestions;
import org.alder.server.console.Console;
import org.alder.server.control.ControlRegistry;
import org.alder.server.directory.Administrators;
import org.alder.server.directory.AuthorizationIdentities;
import org.alder.server.directory.Directory;
import org.alder.server.directory.FollowedContexts;
import org.alder.server.directory.Groups;
import org.alder.server.directory.guard.AccessControlledDirectory;
import org.alder.server.directory.guard.AdministratorsDirectory;
import org.alder.server.directory.guard.LimitedDirectory;
import org.alder.server.directory.guard.PasswordChangeFirst;
import org.alder.server.directory.guard.PasswordHashingDirectory;
import org.alder.server.directory.guard.PolicyEntriesDirectory;
import org.alder.server.directory.local.PartitionAccounts;
import org.alder.server.directory.local.PartitionDirectory;
import org.alder.server.directory.local.PartitionGroups;
import org.alder.server.directory.local.RulesOfEntries;
import org.alder.server.directory.own.ClusterSchema;
import org.alder.server.directory.own.RootDse;
import org.alder.server.directory.own.RunningConfiguration;
import org.alder.server.directory.own.SchemaUpdates;
import org.alder.server.extended.Compaction;
import org.alder.server.extended.ExtendedOperation;
import org.alder.server.extended.Invitations;
import org.alder.server.extended.PasswordModify;
import org.alder.server.extended.WhoAmI;
import org.alder.server.follow.Followers;
import org.alder.server.http.Metrics;
import org.alder.server.http.Readiness;
import org.alder.server.login.Authenticator;
import org.alder.server.login.IdentityMapping;
import org.alder.server.login.Logins;
import org.alder.server.login.SaslMechanisms;
import org.alder.server.policy.AccountLogins;
import org.alder.server.policy.PasswordPolicies;
import org.alder.server.policy.PasswordUpdates;
import org.alder.server.protocol.Accounting;
import org.alder.server.protocol.LdapService;
import org.alder.server.protocol.OtherMembers;
import org.alder.server.protocol.operation.Controls;
import org.alder.server.protocol.operation.Operations;
import org.alder.server.resource.Counters;
import org.alder.server.resource.FairWorkers;
import org.alder.server.resource.HashingThreads;
import org.alder.server.resource.Lag;
import org.alder.server.resource.MemoryBudget;
import org.alder.server.resource.OpenSessions;
import org.alder.server.wire.Acceptor;
import org.alder.server.wire.Listener;

/**
 * A running LDAP server: the one place where its parts are put together. Thread safe.
 *
 * <p>It does not own the partitions: the caller closes them after the server.
 */
public final class AlderServer implements AutoCloseable {
    private static final String VENDOR_NAME = "Alder";
    /** How long clients that do not read may delay the stop. */
    private static final long FAREWELL_MILLIS = 1000;

    private final FairWorkers workers;
    private final HashingThreads hashing;
    private final AccountLogins logins;
    private final Memory memory;
    private final LdapService service;
    private final Acceptor acceptor;
    private final Followers followers;
    private final LiveSettings live;
    private final AuditLog audit;
    private final AccessLog access;
    private final LiveHttp http;

    private AlderServer(FairWorkers workers, HashingThreads hashing, AccountLogins logins, Memory memory, LdapService service,
            Acceptor acceptor, Followers followers, LiveSettings live, AuditLog audit, AccessLog access, LiveHttp http) {
        this.workers = workers;
        this.hashing = hashing;
        this.logins = logins;
        this.memory = memory;
        this.service = service;
        this.acceptor = acceptor;
        this.followers = followers;
        this.live = live;
        this.audit = audit;
        this.access = access;
        this.http = http;
    }

    /**
     * Serves as soon as it returns.
     *
     * @throws IOException if the address cannot be listened on, or a log cannot be written; the message names it
     */
    public static AlderServer start(ServerSettings settings) throws IOException {
        return start(new LiveSettings(settings));
    }

    /** The same with settings that may change while it runs. */
    public static AlderServer start(LiveSettings live) throws IOException {
        ServerSettings settings = live.now();
        Memory memory = new Memory(new MemoryBudget("unfinishedBytes", settings.memory().unfinishedBytes()),
                new MemoryBudget("operationBytes", settings.memory().operationBytes()));
        Counters counters = new Counters();
        FairWorkers workers = new FairWorkers(settings.workerThreads(), settings.workerQueue(), counters);
        AuditLog audit = AuditLog.open(settings.audit(), live.part(now -> now.audit().level()), description -> isSecret(settings.schema(), description), counters);
        AccessLog access = openAccessLog(settings, counters, audit);
        HashingThreads hashing = new HashingThreads(settings.passwords().threads(), settings.passwords().mostWaiting(), counters);
        PartitionAccounts accounts = new PartitionAccounts(settings.schema(), live.part(ServerSettings::partitions));
        AccountLogins logins =
                new AccountLogins(new PasswordPolicies(settings.schema(), accounts::partitionOf, live.part(ServerSettings::passwordPolicy)));
        Followers followers = new Followers(
                new SchemaUpdates(settings.schema(), live.part(ServerSettings::partitions), settings.onlineSchema()), settings.follows().orders());
        boolean started = false;
        Acceptor acceptor = null;
        LiveHttp http = null;
        try {
            memory.unfinished().showIn(counters);
            memory.operations().showIn(counters);
            ClusterMembers members = settings.cluster() == null ? null
                    : new ClusterMembers(settings.cluster(), live.part(ServerSettings::partitions), accounts::partitionOf, counters);
            LdapService service = service(live, accounts, logins, workers, hashing,
                    accounting(live, counters, audit, access), memory.operations(), counters, followers, members == null ? OtherMembers.NONE : members);
            acceptor = Acceptor.start(live.part(ServerSettings::wire), service, memory.unfinished(), memory.operations(), counters);
            http = openHttp(live, counters, acceptor, followers);
            AlderServer server = new AlderServer(workers, hashing, logins, memory, service, acceptor, followers, live, audit, access, http);
            audit.tell(AuditTrail.Kind.CONFIGURATION, "serverStarted", null, String.join(" ", server.urls()));
            if (settings.wire().tls() != null) {
                settings.wire().tls().follow((taken, detail) -> audit.tell(AuditTrail.Kind.CONFIGURATION,
                        taken ? "certificatesChanged" : "certificatesRefused", null, detail));
            }
            live.follow(server::prepare);
            followers.take(settings.follows().settings(), settings.partitions());
            if (members != null) {
                HandedRequests requests = new HandedRequests(acceptor::open, members);
                members.answerOwn(requests);
                settings.cluster().answerWith(new MemberQuestions(members, requests, settings.schema(), event -> logins.seenElsewhere(audit::tell, event),
                        question -> ClusterSchema.answer(settings.onlineSchema(), question))::answer);
                logins.tellElsewhere(members::tell);
            }
            started = true;
            return server;
        } finally {
            if (!started) {
                followers.close();
                closeAll(http, acceptor);
                hashing.close();
                workers.close();
                logins.close();
                closeLogs(audit, access);
            }
        }
    }

    private static Accounting accounting(LiveSettings live, Counters counters, AuditLog audit, AccessLog access) {
        Schema schema = live.now().schema();
        ShownRequests shown = new ShownRequests(description -> isSecret(schema, description), access::values);
        return new Accounting(counters, audit, access, shown, () -> live.now().accessLog().slowMicros());
    }

    /** What has to be done before other settings hold. */
    private LiveSettings.Prepared prepare(ServerSettings next) throws IOException {
        audit.prepare(next.audit());
        List<LiveSettings.Prepared> all = new ArrayList<>();
        boolean ready = false;
        try {
            AccessLog.Prepared ofAccess = access.prepare(next.accessLog());
            all.add(new LiveSettings.Prepared(ofAccess::take, ofAccess::giveUp));
            List<Listener> listeners = next.wire().listeners();
            if (!listeners.equals(live.now().wire().listeners())) {
                Acceptor.Prepared ofListeners = acceptor.prepare(listeners);
                all.add(new LiveSettings.Prepared(ofListeners::take, ofListeners::giveUp));
            }
            // The last, as a port that moves may be closed for a moment.
            all.add(http.prepare(next.http()));
            all.add(new LiveSettings.Prepared(() -> followers.take(next.follows().settings(), next.partitions()), () -> { }));
            ready = true;
        } finally {
            if (!ready) {
                all.forEach(each -> each.giveUp().run());
            }
        }
        return new LiveSettings.Prepared(() -> all.forEach(each -> each.take().run()), () -> all.forEach(each -> each.giveUp().run()));
    }

    /** Those that are there. */
    private static void closeAll(LiveHttp http, Acceptor acceptor) {
        if (http != null) {
            http.close();
        }
        if (acceptor != null) {
            acceptor.close();
        }
    }

    private static LiveHttp openHttp(LiveSettings live, Counters counters, Acceptor acceptor, Followers followers) throws IOException {
        Schema schema = live.now().schema();
        Supplier<List<Partition>> partitions = live.part(ServerSettings::partitions);
        return new LiveHttp(live.now().http(), new Metrics(counters, partitions), new Readiness(counters.overload(), partitions, () -> missing(live, followers)),
                () -> new Console(acceptor::open, description -> isSecret(schema, description)));
    }

    /** What keeps the server from being what it is configured to be. */
    private static List<String> missing(LiveSettings live, Followers followers) {
        List<String> missing = new ArrayList<>(followers.missing());
        RunningConfiguration configuration = live.now().configuration();
        String hindrance = configuration == null ? null : configuration.hindrance();
        if (hindrance != null) {
            missing.add(hindrance);
        }
        return missing;
    }

    private static AccessLog openAccessLog(ServerSettings settings, Counters counters, AuditLog audit) throws IOException {
        boolean opened = false;
        try {
            AccessLog access = AccessLog.open(settings.accessLog(), description -> isSecret(settings.schema(), description), counters);
            opened = true;
            return access;
        } finally {
            if (!opened) {
                closeLogs(audit, null);
            }
        }
    }

    private static void closeLogs(AuditLog audit, AccessLog access) {
        audit.close();
        if (access != null) {
            access.close();
        }
    }

    /** What the schema does not know may be a misspelt password. */
    private static boolean isSecret(Schema schema, String text) {
        AttributeDescription description = schema.descriptionOrNull(text);
        return description == null || description.type().isSecret();
    }

    /** What clients hold of the heap: messages that are not whole, and all else. */
    public record Memory(MemoryBudget unfinished, MemoryBudget operations) {
    }

    /** All but what listens. */
    static LdapService service(LiveSettings live, PartitionAccounts accounts, AccountLogins logins, FairWorkers workers,
            HashingThreads hashing, Accounting accounting, MemoryBudget memory, Counters counters, FollowedContexts followed, OtherMembers members) {
        ServerSettings settings = live.now();
        OpenSessions sessions = new OpenSessions();
        Passwords passwords = new Passwords(live.part(ServerSettings::passwords));
        ControlRegistry controls = new ControlRegistry(Controls.ALL, live.part(ServerSettings::requestLimits));
        Supplier<List<Partition>> partitions = live.part(ServerSettings::partitions);
        Groups groups = new PartitionGroups(settings.schema(), partitions);
        Administrators administrators = new Administrators(live.part(ServerSettings::administrator), groups);
        Authenticator authenticator = new Authenticator(accounts, administrators, passwords, hashing, logins);
        PasswordUpdates updates = new PasswordUpdates(settings.schema(), passwords, logins);
        List<ExtendedOperation> extended = new ArrayList<>(
                List.of(new PasswordModify(settings.schema(), passwords, updates, authenticator), new WhoAmI(),
                        new Compaction(settings.schema(), () -> compactions(partitions.get()))));
        if (settings.cluster() != null) {
            extended.add(new Invitations(settings.cluster()::invitation));
        }
        RootDse rootDse = new RootDse(controls.oids(), Operations.extensions(extended, settings.wire().tls() != null),
                RootDse.FEATURES, VENDOR_NAME, version());
        Directory directory = new PartitionDirectory(settings.schema(), partitions, settings.administrator().dn(),
                rootDse, live.part(ServerSettings::superiorReferrals), settings.onlineSchema(), settings.configuration(), counters, sessions, followed);
        LimitPolicy limits = new LimitPolicy(live.limits(), groups::of, accounts::limits);
        directory = new PolicyEntriesDirectory(directory, settings.schema());
        directory = new PasswordHashingDirectory(directory, settings.schema(), passwords, updates, hashing, logins);
        directory = new AccessControlledDirectory(directory, settings.schema(),
                new AccessPolicy(settings.schema(), live.suffixes(),
                        new RulesOfEntries(settings.schema(), partitions, live.part(ServerSettings::accessRules)), groups::of));
        directory = new AdministratorsDirectory(directory, administrators);
        directory = new LimitedDirectory(directory, limits, live.part(ServerSettings::limits));
        directory = new PasswordChangeFirst(directory, settings.schema(), logins);
        AuthorizationIdentities identities = new AuthorizationIdentities(directory, settings.schema(),
                dn -> !administrators.isConfigured(dn) && logins.isOutOfUse(dn));
        Directory named = directory;
        SaslMechanisms mechanisms = new SaslMechanisms(sasl -> new Logins(authenticator, passwords, hashing,
                new IdentityMapping(named, settings.schema(), settings.administrator(), sasl, identities), identities),
                live.part(ServerSettings::sasl));
        LdapService service = new LdapService(Operations.of(directory, authenticator, mechanisms, settings.schema(), controls,
                live.part(ServerSettings::requestLimits), extended, logins, members),
                identities, mechanisms, administrators, limits, accounting, live.part(ServerSettings::transactionLimits),
                live.part(now -> now.wire().limits()), workers, memory,
                sessions, members);
        counters.gauge("connections", "alderRunningRequests", service::runningRequests);
        counters.gauge("connections", "alderFollowedSearches", service::followedSearches);
        counters.gauges("connections", "alderFollowerLagChanges", () -> figures(service.lags(), Lag::changes));
        counters.gauges("connections", "alderFollowerLagMillis", () -> figures(service.lags(), lag -> TimeUnit.NANOSECONDS.toMillis(lag.nanos())));
        return service;
    }

    private static Map<String, Long> figures(Map<String, Lag> lags, ToLongFunction<Lag> figure) {
        return lags.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, each -> figure.applyAsLong(each.getValue())));
    }

    private static Map<Dn, Runnable> compactions(List<Partition> partitions) {
        Map<Dn, Runnable> compactions = new LinkedHashMap<>();
        partitions.forEach(partition -> compactions.merge(partition.suffix(), partition.store().maintenance()::compact, (one, next) -> () -> {
            one.run();
            next.run();
        }));
        return compactions;
    }

    /** Who may do what with the entries of partitions. @param rules those of the configuration */
    public static AccessPolicy accessPolicy(Schema schema, List<Partition> partitions, List<AccessRule> rules) {
        List<Dn> suffixes = partitions.stream().map(Partition::suffix).toList();
        return new AccessPolicy(schema, () -> suffixes, new RulesOfEntries(schema, () -> partitions, () -> rules),
                new PartitionGroups(schema, () -> partitions)::of);
    }

    private static String version() {
        String version = AlderServer.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    /** The port that is listened on, also if the settings left the choice to the system. */
    public int port() {
        return acceptor.port();
    }

    /** Where clients find the server: one URL for each listener. */
    public List<String> urls() {
        return List.copyOf(listeners().keySet());
    }

    /** Where it listens now, by these URLs. */
    public Map<String, Listener> listeners() {
        return acceptor.listeners();
    }

    /** Where programs that watch the server ask it; null if they cannot. */
    public String httpUrl() {
        return http.url();
    }

    /** Where people at browsers find the console; null if there is none. */
    public String consoleUrl() {
        return http.consoleUrl();
    }

    /** For status and tests. */
    public LdapService service() {
        return service;
    }

    /** For status and tests. */
    public Memory memory() {
        return memory;
    }

    /** For status and tests. */
    public HashingThreads hashing() {
        return hashing;
    }

    /** For status and tests. */
    public AccountLogins logins() {
        return logins;
    }

    /**
     * Stops listening, begins nothing more, lets what has begun end within its time, tells the clients, and disconnects them.
     * Idempotent. It does not wait for clients that do not read, nor for passwords that wait to be hashed.
     */
    @Override
    public void close() {
        live.follow(next -> {
            throw new IOException("the server stops");
        });
        if (live.now().cluster() != null) {
            live.now().cluster().answerWith(null);
        }
        followers.close();
        closeAll(http, null);
        acceptor.unbind();
        service.drain();
        acceptor.awaitClosed(TimeUnit.SECONDS.toMillis(live.now().wire().limits().stopSeconds()));
        service.disconnectAll();
        acceptor.awaitClosed(FAREWELL_MILLIS);
        acceptor.close();
        hashing.close();
        workers.close();
        logins.close();
        audit.tell(AuditTrail.Kind.CONFIGURATION, "serverStopped", null, null);
        closeLogs(audit, access);
    }
}
