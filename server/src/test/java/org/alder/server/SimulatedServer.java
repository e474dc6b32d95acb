package org.alder.server;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.alder.partition.Partition;
import org.alder.partition.entry.Attribute;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
import org.alder.partition.memory.MemoryStore;
import org.alder.partition.rule.EntryRules;
import org.alder.partition.update.UpdateOrigin;
import org.alder.partition.update.Updates;
import org.alder.server.access.AccessRule;
import org.alder.server.access.AccessRuleException;
import org.alder.server.access.AccessRules;
import org.alder.server.audit.AccessLog;
import org.alder.server.audit.AuditLog;
import org.alder.server.audit.ShownRequests;
import org.alder.server.auth.Administrator;
import org.alder.server.directory.FollowedContexts;
import org.alder.server.directory.local.PartitionAccounts;
import org.alder.server.policy.AccountLogins;
import org.alder.server.policy.PasswordPolicies;
import org.alder.server.protocol.Accounting;
import org.alder.server.protocol.LdapService;
import org.alder.server.protocol.OtherMembers;
import org.alder.server.protocol.TransactionLimits;
import org.alder.server.resource.Counters;
import org.alder.server.resource.FairWorkers;
import org.alder.server.resource.HashingThreads;
import org.alder.server.resource.MemoryBudget;
import org.alder.server.wire.ConnectionLimits;
import org.alder.server.wire.SimulatedWire;
import org.alder.server.wire.WireSettings;

/**
 * A whole server but for what listens, on a memory store: its users 1 and 2 may change what is in {@value #OPEN}, and nobody but the
 * administrator knows of {@value #SECRET}.
 */
public final class SimulatedServer implements AutoCloseable {
    public static final String OPEN = "ou=open," + TestServer.SUFFIX;
    public static final String SECRET = "ou=secret," + TestServer.SUFFIX;
    private static final int HIGH_WATER_BYTES = 2000;
    private static final long BUDGET_BYTES = 4 << 20;
    private static final TransactionLimits TRANSACTIONS = new TransactionLimits(8, 4000, 40);
    private static final List<AccessRule> RULES = rules();

    private final Counters counters = new Counters();
    private final MemoryBudget unfinished = new MemoryBudget("unfinishedBytes", BUDGET_BYTES);
    private final MemoryBudget operations = new MemoryBudget("operationBytes", BUDGET_BYTES);
    private final MemoryStore memory;
    private final SnapshotCountingStore store;
    private final Partition partition;
    private final FairWorkers workers;
    private final HashingThreads hashing;
    private final AccountLogins logins;
    private final LdapService service;
    private final SimulatedWire wire;

    /** @param operationsOfOne requests that one connection may have under way */
    public SimulatedServer(int workerThreads, int operationsOfOne) {
        List<IndexDefinition> indexes = List.of(new IndexDefinition(TestServer.SCHEMA.attributeType("objectClass"),
                Set.of(IndexKind.EQUALITY), 1000));
        memory = new MemoryStore(new AttributeIndexer(TestServer.SCHEMA, indexes));
        store = new SnapshotCountingStore(memory);
        partition = new Partition(TestServer.SCHEMA, TestServer.dn(TestServer.SUFFIX), indexes, store, EntryRules.standard(TestServer.SCHEMA),
                Set.of());
        fill();
        WireSettings wireSettings = WireSettings.of("127.0.0.1", 0).withHighWaterBytes(HIGH_WATER_BYTES)
                .withLimits(ConnectionLimits.standard().withOperations(operationsOfOne).withSeconds(30, 20, 60, 100));
        ServerSettings settings = ServerSettings.of("127.0.0.1", 0, TestServer.SCHEMA, List.of(partition),
                new Administrator(TestServer.dn(TestServer.ADMIN), TestServer.ADMIN_PASSWORD.getBytes(StandardCharsets.UTF_8)))
                .with(draft -> {
                    draft.passwords = TestServer.QUICK_PASSWORDS;
                    draft.accessRules = RULES;
                    draft.transactionLimits = TRANSACTIONS;
                    draft.wire = wireSettings;
                });
        workers = new FairWorkers(workerThreads, settings.workerQueue(), counters);
        hashing = new HashingThreads(1, settings.passwords().mostWaiting(), counters);
        PartitionAccounts accounts = new PartitionAccounts(settings.schema(), settings::partitions);
        logins = new AccountLogins(new PasswordPolicies(settings.schema(), accounts::partitionOf, settings.passwordPolicy()));
        service = AlderServer.service(new LiveSettings(settings), accounts, logins, workers, hashing, new Accounting(counters, AuditLog.none(), AccessLog.none(), ShownRequests.NO_VALUES, () -> 1_000_000),
                operations, counters, FollowedContexts.NONE, OtherMembers.NONE);
        wire = new SimulatedWire(wireSettings, service, unfinished, operations, counters);
    }

    private static List<AccessRule> rules() {
        List<AccessRule> rules = new ArrayList<>();
        try {
            for (String line : List.of("deny all in \"" + SECRET + "\" to anyone", "grant all in \"" + OPEN + "\" to users", AccessRules.DEFAULT)) {
                AccessRules.add(TestServer.SCHEMA, line, "the simulation", false, rules);
            }
            return rules;
        } catch (AccessRuleException e) {
            throw new IllegalStateException(e);
        }
    }

    private void fill() {
        add(TestServer.SUFFIX, "objectClass: domain", "dc: example");
        add(OPEN, "objectClass: organizationalUnit", "ou: open");
        add(SECRET, "objectClass: organizationalUnit", "ou: secret");
        add("ou=users," + TestServer.SUFFIX, "objectClass: organizationalUnit", "ou: users");
        for (int i = 1; i <= 2; i++) {
            add(TestServer.userDn(i), "objectClass: person", "objectClass: organizationalPerson", "objectClass: inetOrgPerson", "uid: user." + i,
                    "cn: User " + i, "sn: Number" + i, "userPassword: " + TestServer.USER_PASSWORD);
        }
        for (int i = 1; i <= 8; i++) {
            add("cn=old." + i + "," + OPEN, "objectClass: device", "cn: old." + i, "description: " + "x".repeat(300));
        }
    }

    /** Behind the server's back. */
    public void add(String dn, String... lines) {
        List<Attribute> attributes = new ArrayList<>();
        for (String description : Arrays.stream(lines).map(line -> line.substring(0, line.indexOf(':'))).distinct().toList()) {
            attributes.add(new Attribute(description, Arrays.stream(lines).filter(line -> line.startsWith(description + ": "))
                    .map(line -> line.substring(description.length() + 2).getBytes(StandardCharsets.UTF_8)).toList()));
        }
        new Updates(partition).add(TestServer.dn(dn), attributes, new UpdateOrigin(TestServer.ADMIN, Instant.EPOCH)).join();
    }

    public Partition partition() {
        return partition;
    }

    /** Nobody can be told what was changed up to now. */
    public void forgetChanges() {
        memory.forgetChanges();
    }

    public LdapService service() {
        return service;
    }

    public SimulatedWire wire() {
        return wire;
    }

    /** Of all that clients made the server hold, what it still has. */
    public long heldBytes() {
        return unfinished.heldBytes() + operations.heldBytes();
    }

    /** What was not closed. */
    public int openSnapshots() {
        return store.openSnapshots();
    }

    public int waitingTasks() {
        return workers.waitingTasks() + hashing.waiting();
    }

    @Override
    public void close() {
        hashing.close();
        workers.close();
        logins.close();
        partition.close();
    }
}
