package org.alder.server;

import java.util.List;
import java.util.function.Consumer;
import org.alder.partition.Partition;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.ClusterService;
import org.alder.server.access.AccessRule;
import org.alder.server.access.AccessRules;
import org.alder.server.audit.AccessLogSettings;
import org.alder.server.audit.AuditSettings;
import org.alder.server.auth.Administrator;
import org.alder.server.auth.PasswordSettings;
import org.alder.server.control.RequestLimits;
import org.alder.server.directory.guard.Limits;
import org.alder.server.directory.own.OnlineSchema;
import org.alder.server.directory.own.RunningConfiguration;
import org.alder.server.follow.Follows;
import org.alder.server.http.HttpSettings;
import org.alder.server.login.SaslSettings;
import org.alder.server.policy.PolicySettings;
import org.alder.server.protocol.TransactionLimits;
import org.alder.server.resource.MemoryLimits;
import org.alder.server.wire.WireSettings;

/**
 * All that a server is made of. Immutable.
 *
 * @param partitions opened by the caller, who closes them when the server goes by them no more: the same list as long as they are the same; the first one's suffix is the default naming context
 * @param limits what searches may cost
 * @param requestLimits what one request may ask for
 * @param accessRules who may do what, the first rule that says something of it deciding
 * @param superiorReferrals LDAP URLs of the servers that are asked for names under no suffix of this one; may be empty
 * @param onlineSchema where definitions that clients add are kept; null if they cannot
 * @param configuration what administrators are shown of it; null if there is nothing to show
 * @param workerThreads threads for what takes longer than an I/O thread may be kept
 * @param workerQueue from how many pieces of work that wait for them on more is refused
 * @param passwords how passwords are hashed and checked
 * @param passwordPolicy what they have to be like, and what wrong ones lead to
 * @param sasl how clients are authenticated by SASL
 * @param memory what all clients together may have of the heap
 * @param audit what is audited
 * @param accessLog which operations are written to the access log, and from when on one is slow
 * @param http where the HTTP port is; null if there is none
 * @param follows which partitions are copies of other servers
 * @param cluster of whose members this is one, which the caller leaves after it; null for none
 */
public record ServerSettings(WireSettings wire, Schema schema, List<Partition> partitions, Administrator administrator,
                             Limits limits, RequestLimits requestLimits, TransactionLimits transactionLimits, List<AccessRule> accessRules,
                             List<String> superiorReferrals, OnlineSchema onlineSchema, RunningConfiguration configuration, int workerThreads, int workerQueue,
                             PasswordSettings passwords, PolicySettings passwordPolicy, SaslSettings sasl,
                             MemoryLimits memory, AuditSettings audit, AccessLogSettings accessLog,
                             HttpSettings http, Follows follows, ClusterService.Cluster cluster) {
    private static final int WORKER_QUEUE = 10_000;

    public ServerSettings {
        partitions = List.copyOf(partitions);
        accessRules = List.copyOf(accessRules);
        superiorReferrals = List.copyOf(superiorReferrals);
    }

    /** Standard limits, no anonymous reading, two worker threads a processor. */
    public static ServerSettings of(String host, int port, Schema schema, List<Partition> partitions,
            Administrator administrator) {
        return new ServerSettings(WireSettings.of(host, port), schema, partitions, administrator, Limits.STANDARD,
                RequestLimits.STANDARD, TransactionLimits.STANDARD, AccessRules.ofDefault(schema, false), List.of(), null, null,
                2 * Runtime.getRuntime().availableProcessors(), WORKER_QUEUE, PasswordSettings.STANDARD, PolicySettings.STANDARD,
                SaslSettings.STANDARD, MemoryLimits.standard(), AuditSettings.OFF, AccessLogSettings.OFF, null, Follows.NONE, null);
    }

    /** With the rules of a server that is not told any. */
    public ServerSettings withAnonymousRead(boolean other) {
        return with(draft -> draft.accessRules = AccessRules.ofDefault(schema, other));
    }

    /** The same but for what is changed. */
    public ServerSettings with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.settings();
    }

    /** Settings while they are put together: fields of the same names. One thread. */
    public static final class Draft {
        public WireSettings wire;
        public Administrator administrator;
        public Limits limits;
        public RequestLimits requestLimits;
        public TransactionLimits transactionLimits;
        public List<AccessRule> accessRules;
        public List<String> superiorReferrals;
        public OnlineSchema onlineSchema;
        public RunningConfiguration configuration;
        public int workerThreads;
        public int workerQueue;
        public PasswordSettings passwords;
        public PolicySettings passwordPolicy;
        public SaslSettings sasl;
        public MemoryLimits memory;
        public AuditSettings audit;
        public AccessLogSettings accessLog;
        public HttpSettings http;
        public Follows follows;
        public ClusterService.Cluster cluster;
        private final Schema schema;
        private final List<Partition> partitions;

        public Draft(ServerSettings from) {
            wire = from.wire;
            schema = from.schema;
            partitions = from.partitions;
            administrator = from.administrator;
            limits = from.limits;
            requestLimits = from.requestLimits;
            transactionLimits = from.transactionLimits;
            accessRules = from.accessRules;
            superiorReferrals = from.superiorReferrals;
            onlineSchema = from.onlineSchema;
            configuration = from.configuration;
            workerThreads = from.workerThreads;
            workerQueue = from.workerQueue;
            passwords = from.passwords;
            passwordPolicy = from.passwordPolicy;
            sasl = from.sasl;
            memory = from.memory;
            audit = from.audit;
            accessLog = from.accessLog;
            http = from.http;
            follows = from.follows;
            cluster = from.cluster;
        }

        public ServerSettings settings() {
            return new ServerSettings(wire, schema, partitions, administrator, limits, requestLimits, transactionLimits, accessRules,
                    superiorReferrals, onlineSchema, configuration, workerThreads, workerQueue, passwords, passwordPolicy, sasl, memory, audit,
                    accessLog, http, follows, cluster);
        }
    }
}
