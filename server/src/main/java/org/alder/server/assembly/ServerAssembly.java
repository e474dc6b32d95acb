package org.alder.server.assembly;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.alder.partition.Partition;
import org.alder.partition.file.OwnerOnly;
import org.alder.partition.filter.FilterLimits;
import org.alder.partition.schema.Schema;
import org.alder.server.ServerSettings;
import org.alder.server.access.AccessRule;
import org.alder.server.access.AccessRuleException;
import org.alder.server.access.AccessRules;
import org.alder.server.access.Limit;
import org.alder.server.access.LimitRule;
import org.alder.server.access.Right;
import org.alder.server.audit.AccessLogSettings;
import org.alder.server.audit.AuditSettings;
import org.alder.server.audit.LogFiles;
import org.alder.server.auth.PasswordSettings;
import org.alder.server.auth.scheme.Argon2Cost;
import org.alder.server.config.AnonymousAccess;
import org.alder.server.config.AuditWhenFull;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.HttpListenerLine;
import org.alder.server.config.Key;
import org.alder.server.config.ServerConfiguration;
import org.alder.server.config.ServerKeys;
import org.alder.server.config.SocketAdministrators;
import org.alder.server.control.RequestLimits;
import org.alder.server.directory.guard.Limits;
import org.alder.server.directory.own.OnlineSchema;
import org.alder.server.http.HttpSettings;
import org.alder.server.login.IdentityRule;
import org.alder.server.login.KerberosService;
import org.alder.server.login.SaslMechanisms;
import org.alder.server.login.SaslSettings;
import org.alder.server.protocol.TransactionLimits;
import org.alder.server.resource.MemoryLimits;
import org.alder.server.wire.ConnectionLimits;
import org.alder.server.wire.WireSettings;
import org.alder.server.wire.layer.TlsEngines;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes what a server is made of from its configuration. Stateless. */
public final class ServerAssembly {
    private static final Logger LOG = LoggerFactory.getLogger(ServerAssembly.class);
    private static final int OLDER_ACCESS_LOGS = 7;

    private ServerAssembly() {
    }

    /**
     * @param partitions opened by the caller, who closes them after the server
     * @param data       where the server's own socket is, and the audit log, unless the configuration says another place
     * @param password   the administrator's; null if nobody is to log in as the one of the configuration
     * @param tls        opened by the caller, who closes it after the server; null if there is no TLS
     * @throws ConfigurationException naming file, line and key, where the schema is needed to see that a value cannot be used
     */
    public static ServerSettings settings(ServerConfiguration configuration, DataFolder data, Schema schema, List<Partition> partitions,
            byte[] password, OnlineSchema onlineSchema, TlsEngines tls) throws ConfigurationException {
        ServerSettings.Draft draft = new ServerSettings.Draft(ServerSettings.of(configuration.get(ServerKeys.LISTEN_HOST),
                configuration.get(ServerKeys.LISTEN_PORT), schema, partitions,
                AdministratorAssembly.administrator(configuration, schema, partitions, password)));
        draft.wire = wire(draft.wire, configuration, data, tls);
        draft.limits = limits(configuration, schema);
        draft.requestLimits = new RequestLimits(new FilterLimits(configuration.get(ServerKeys.MAX_FILTER_ITEMS),
                configuration.get(ServerKeys.MAX_FILTER_DEPTH), Math.toIntExact(configuration.get(ServerKeys.MAX_FILTER_BYTES))),
                configuration.get(ServerKeys.MAX_REQUESTED_ATTRIBUTES), configuration.get(ServerKeys.MAX_SORT_KEYS),
                configuration.get(ServerKeys.MAX_LIST_VIEW_ENTRIES));
        draft.transactionLimits = new TransactionLimits(configuration.get(ServerKeys.TRANSACTION_UPDATES),
                configuration.get(ServerKeys.TRANSACTION_BYTES), configuration.get(ServerKeys.TRANSACTION_SECONDS));
        draft.accessRules = accessRules(configuration, schema);
        draft.superiorReferrals = configuration.get(ServerKeys.SUPERIOR_REFERRAL);
        draft.onlineSchema = onlineSchema;
        int workers = configuration.get(ServerKeys.WORKER_THREADS);
        draft.workerThreads = workers > 0 ? workers : draft.workerThreads;
        draft.workerQueue = configuration.get(ServerKeys.WORKER_QUEUE);
        draft.passwords = passwords(configuration);
        draft.passwordPolicy = PolicyAssembly.settings(configuration, schema);
        draft.sasl = sasl(configuration);
        draft.memory = new MemoryLimits(configuration.get(ServerKeys.UNFINISHED_BYTES), configuration.get(ServerKeys.OPERATION_BYTES));
        draft.audit = audit(configuration, data);
        draft.accessLog = accessLog(configuration, data);
        draft.http = http(configuration, tls);
        return draft.settings();
    }

    private static AuditSettings audit(ServerConfiguration configuration, DataFolder data) {
        return new AuditSettings(configuration.get(ServerKeys.AUDIT),
                new LogFiles(auditFile(configuration, data), configuration.get(ServerKeys.AUDIT_FILE_BYTES),
                        configuration.get(ServerKeys.AUDIT_FILE_HOURS), configuration.get(ServerKeys.AUDIT_FILES_KEPT)),
                configuration.get(ServerKeys.AUDIT_WHEN_FULL) == AuditWhenFull.BLOCK);
    }

    private static HttpSettings http(ServerConfiguration configuration, TlsEngines tls) throws ConfigurationException {
        HttpListenerLine line = configuration.get(ServerKeys.HTTP_LISTENER);
        boolean console = configuration.get(ServerKeys.HTTP_CONSOLE);
        if (console && line == null) {
            throw configuration.settings().fault(ServerKeys.HTTP_CONSOLE, "httpConsole is true, and there is no httpListener: expected one");
        } else if (console && !line.isSecure() && !isLoopback(line.host())) {
            throw configuration.settings().fault(ServerKeys.HTTP_CONSOLE, "httpConsole is true, and httpListener is http at " + line.host()
                    + ", where passwords would cross the network in clear: expected https, or an address of this machine alone");
        } else if (line == null) {
            return null;
        } else if (line.isSecure() && tls == null) {
            throw configuration.settings().fault(ServerKeys.HTTP_LISTENER, "httpListener is https, and tls is none: expected http, or TLS");
        }
        return new HttpSettings(line.host(), line.port(), line.isSecure() ? tls : null, console);
    }

    /** Of a name, whether all of its addresses are. */
    private static boolean isLoopback(String host) {
        try {
            return Arrays.stream(InetAddress.getAllByName(host)).allMatch(InetAddress::isLoopbackAddress);
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** The file that is written to and those that are kept are together what the key allows. */
    private static AccessLogSettings accessLog(ServerConfiguration configuration, DataFolder data) {
        return new AccessLogSettings(configuration.get(ServerKeys.ACCESS_LOG),
                new LogFiles(accessFile(configuration, data),
                        configuration.get(ServerKeys.ACCESS_LOG_BYTES) / (OLDER_ACCESS_LOGS + 1), 0, OLDER_ACCESS_LOGS),
                configuration.get(ServerKeys.ACCESS_LOG_VALUES), TimeUnit.MILLISECONDS.toMicros(configuration.get(ServerKeys.SLOW_MILLIS)));
    }

    /** Which file the audit log is written to. */
    public static Path auditFile(ServerConfiguration configuration, DataFolder data) {
        String file = configuration.get(ServerKeys.AUDIT_FILE);
        return file == null ? data.audit() : configuration.settings().path(file);
    }

    /** Which file the access log is written to. */
    public static Path accessFile(ServerConfiguration configuration, DataFolder data) {
        String file = configuration.get(ServerKeys.ACCESS_LOG_FILE);
        return file == null ? data.accessLog() : configuration.settings().path(file);
    }

    private static Limits limits(ServerConfiguration configuration, Schema schema) throws ConfigurationException {
        List<LimitRule> rules = new ArrayList<>();
        for (String line : configuration.get(ServerKeys.LIMIT_RULE)) {
            try {
                rules.add(LimitRule.parse(schema, line, "limitRule " + (rules.size() + 1)));
            } catch (AccessRuleException e) {
                throw configuration.settings().fault(ServerKeys.LIMIT_RULE, rules.size(), e.getMessage());
            }
        }
        return new Limits(Limits.of(limit(configuration, ServerKeys.SIZE_LIMIT_UNASKED, ServerKeys.SIZE_LIMIT),
                limit(configuration, ServerKeys.TIME_LIMIT_SECONDS_UNASKED, ServerKeys.TIME_LIMIT_SECONDS),
                Limit.ofKey(0, configuration.get(ServerKeys.EXAMINED_LIMIT), ServerKeys.EXAMINED_LIMIT.name())), rules,
                configuration.get(ServerKeys.MAX_FOLLOWED_SEARCHES), configuration.get(ServerKeys.MAX_FOLLOWED_SEARCHES_PER_IDENTITY));
    }

    private static Limit limit(ServerConfiguration configuration, Key<Integer> soft, Key<Integer> hard) {
        return Limit.ofKey(configuration.get(soft), configuration.get(hard), configuration.get(soft) == 0 ? hard.name() : soft + " and " + hard);
    }

    /** @throws ConfigurationException naming file, line, key and column, if one is no rule, or names what the schema has not */
    public static List<AccessRule> accessRules(ServerConfiguration configuration, Schema schema) throws ConfigurationException {
        boolean anonymousRead = configuration.get(ServerKeys.ANONYMOUS_ACCESS) == AnonymousAccess.ALL;
        List<AccessRule> rules = new ArrayList<>();
        int index = 0;
        for (String line : configuration.get(ServerKeys.ACCESS_RULE)) {
            try {
                AccessRules.add(schema, line, configuration.settings().place(ServerKeys.ACCESS_RULE, index), anonymousRead, rules);
            } catch (AccessRuleException e) {
                throw configuration.settings().fault(ServerKeys.ACCESS_RULE, index, e.getMessage());
            }
            index++;
        }
        if (rules.stream().noneMatch(rule -> rule.granted().contains(Right.AUTHENTICATE))) {
            LOG.warn("no accessRule grants authenticate: nobody but the administrator can log in");
        }
        return rules;
    }

    private static SaslSettings sasl(ServerConfiguration configuration) throws ConfigurationException {
        List<String> mechanisms = configuration.get(ServerKeys.SASL_MECHANISM);
        for (String name : mechanisms) {
            if (!SaslMechanisms.NAMES.contains(name)) {
                throw configuration.settings().fault(ServerKeys.SASL_MECHANISM, "saslMechanism \"" + name + "\" is not one of "
                        + String.join(", ", SaslMechanisms.NAMES));
            }
        }
        List<IdentityRule> rules = new ArrayList<>();
        for (String rule : configuration.get(ServerKeys.IDENTITY_RULE)) {
            try {
                rules.add(IdentityRule.parse(rule));
            } catch (IllegalArgumentException e) {
                throw configuration.settings().fault(ServerKeys.IDENTITY_RULE, rules.size(), "identityRule \"" + rule + "\" is not a regular"
                        + " expression, blanks, and a DN or ldap:///BASE??SCOPE?FILTER");
            }
        }
        return new SaslSettings(mechanisms, rules,
                configuration.get(ServerKeys.SOCKET_ADMINISTRATORS) == SocketAdministrators.OWNERS, kerberos(configuration));
    }

    /** @return null if the server is no service of Kerberos */
    private static KerberosService kerberos(ServerConfiguration configuration) throws ConfigurationException {
        String file = configuration.get(ServerKeys.KERBEROS_KEYTAB_FILE);
        if (file == null) {
            return null;
        }
        Path keytab = configuration.settings().path(file);
        try {
            KerberosService service = KerberosService.open(keytab, configuration.get(ServerKeys.KERBEROS_PRINCIPAL));
            warnOfOthers(keytab);
            return service;
        } catch (IllegalArgumentException | IOException e) {
            throw configuration.settings().fault(ServerKeys.KERBEROS_KEYTAB_FILE, e.getMessage());
        }
    }

    /** Whoever reads a keytab can be this server. */
    private static void warnOfOthers(Path keytab) throws IOException {
        String owner = Files.getOwner(keytab).getName();
        if (OwnerOnly.isOpenToOthers(keytab)) {
            LOG.warn("{} is open to other users of this machine, and whoever reads it can be this server: chmod o= {}", keytab,
                    keytab);
        } else if (!owner.equals(System.getProperty("user.name")) && !owner.equals("root")) {
            LOG.warn("{} belongs to {}, who can be this server: expected the user that the server runs as, or root", keytab, owner);
        }
    }

    /** How import stores clear text. */
    public static PasswordSettings importedPasswords(ServerConfiguration configuration) throws ConfigurationException {
        return passwords(configuration).withScheme(configuration.get(ServerKeys.IMPORT_PASSWORD_SCHEME));
    }

    /** How passwords are stored that are new. */
    public static PasswordSettings passwords(ServerConfiguration configuration) throws ConfigurationException {
        int threads = configuration.get(ServerKeys.PASSWORD_THREADS);
        Argon2Cost argon2 = new Argon2Cost(Math.toIntExact(configuration.get(ServerKeys.ARGON2_BYTES) >> 10),
                configuration.get(ServerKeys.ARGON2_PASSES), 1);
        if (argon2.kibibytes() > Argon2Cost.mostKibibytes()) {
            throw configuration.settings().fault(ServerKeys.ARGON2_BYTES, "argon2Bytes is " + argon2.kibibytes()
                    + " KiB, expected at most a quarter of the heap, " + Argon2Cost.mostKibibytes() + " KiB");
        }
        return PasswordSettings.STANDARD.withThreads(threads > 0 ? threads : PasswordSettings.STANDARD.threads())
                .withMostWaiting(configuration.get(ServerKeys.PASSWORD_QUEUE)).withArgon2(argon2)
                .withScheme(configuration.get(ServerKeys.PASSWORD_SCHEME))
                .withPbkdf2Rounds(configuration.get(ServerKeys.PBKDF2_ROUNDS))
                .withUpgrade(configuration.get(ServerKeys.PASSWORD_UPGRADE))
                .withReadyHashes(configuration.get(ServerKeys.READY_HASHES));
    }

    private static WireSettings wire(WireSettings standard, ServerConfiguration configuration, DataFolder data, TlsEngines tls) {
        int handshakeThreads = configuration.get(ServerKeys.TLS_HANDSHAKE_THREADS);
        return standard.withListeners(TlsAssembly.listeners(configuration, data), tls)
                .withHandshakeThreads(handshakeThreads > 0 ? handshakeThreads
                        : Math.max(1, Runtime.getRuntime().availableProcessors() / 2))
                .withMessageBytes(Math.toIntExact(configuration.get(ServerKeys.MAX_REQUEST_BYTES_BEFORE_BIND)),
                        Math.toIntExact(configuration.get(ServerKeys.MAX_REQUEST_BYTES)))
                .withHighWaterBytes(Math.toIntExact(configuration.get(ServerKeys.WRITE_HIGH_WATER_BYTES)))
                .withLimits(connections(configuration));
    }

    private static ConnectionLimits connections(ServerConfiguration configuration) {
        int most = configuration.get(ServerKeys.MAX_CONNECTIONS);
        int all = most > 0 ? most : ConnectionLimits.affordable();
        int mostOfAddress = configuration.get(ServerKeys.MAX_CONNECTIONS_PER_ADDRESS);
        int handshakes = configuration.get(ServerKeys.MAX_TLS_HANDSHAKES);
        int mostOfIdentity = configuration.get(ServerKeys.MAX_CONNECTIONS_PER_IDENTITY);
        int mostBeforeBind = configuration.get(ServerKeys.MAX_CONNECTIONS_BEFORE_BIND);
        int half = Math.max(1, all / 2);
        return new ConnectionLimits(all, mostOfAddress > 0 ? mostOfAddress : half, mostOfIdentity > 0 ? mostOfIdentity : half,
                mostBeforeBind > 0 ? mostBeforeBind : half, configuration.get(ServerKeys.MAX_OPERATIONS_PER_CONNECTION),
                configuration.get(ServerKeys.FIRST_MESSAGE_TIMEOUT_SECONDS), configuration.get(ServerKeys.MESSAGE_TIMEOUT_SECONDS),
                configuration.get(ServerKeys.IDLE_TIMEOUT_SECONDS_BEFORE_BIND), configuration.get(ServerKeys.BIND_TIMEOUT_SECONDS),
                configuration.get(ServerKeys.IDLE_TIMEOUT_SECONDS), configuration.get(ServerKeys.ANSWER_TIMEOUT_SECONDS),
                configuration.get(ServerKeys.STOP_TIMEOUT_SECONDS),
                handshakes > 0 ? handshakes : ConnectionLimits.affordableHandshakes(all),
                configuration.get(ServerKeys.TLS_HANDSHAKE_TIMEOUT_SECONDS));
    }
}
