package org.alder.server;

import java.io.IOException;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.alder.partition.Partition;
import org.alder.partition.error.StoreException;
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
import org.alder.server.resource.Counters;
import org.alder.server.resource.FairWorkers;
import org.alder.server.resource.HashingThreads;
import org.alder.server.resource.MemoryBudget;
import org.alder.server.warmup.SampleSearches;
import org.alder.server.warmup.WarmUpClient;
import org.alder.server.wire.Acceptor;
import org.alder.server.wire.Connection;
import org.alder.server.wire.Listener;
import org.alder.server.wire.MessageReceiver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets Java compile what answers searches before clients wait for it: the first thousand searches of a server that was just started
 * take twenty times as much as later ones, most of it in code that is interpreted, and in compiling it.
 *
 * <p>A second server is put together over the same partitions, with figures, limits and an administrator of its own and without logs,
 * so that nothing of it shows or counts as a client's. It listens on a free port of the loopback address, where it serves nobody
 * but the connections that are opened here, and is gone before the real one listens. It is searched over TCP, as clients search, for
 * entries from everywhere in the partitions, by an administrator, by a user, and by nobody in particular. One thread.
 */
public final class WarmUp {
    private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);
    private static final int MOST_SEARCHES = 40_000;
    /** After so many it looks whether there is still much to compile. */
    private static final int ROUND = 2000;
    private static final int FEWEST_SEARCHES = 3 * ROUND;
    /** Of the time of a round: the share of compiling below which more searches make clients' searches hardly faster. */
    private static final double LITTLE_COMPILING = 0.2;
    private static final int CONNECTIONS = 3;
    private static final int USER_TRIALS = 20;
    private static final int PASSWORD_BYTES = 32;

    private final ServerSettings settings;
    private final byte[] password = new byte[PASSWORD_BYTES];
    private final Duration most;
    private final long beginNanos = System.nanoTime();
    private final BooleanSupplier isGivenUp;
    private final AtomicInteger done = new AtomicInteger();
    /** Null where Java does not tell. */
    private final CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
    private volatile boolean isWarm;
    private volatile int port;
    /** Guarded by this, as the next one. */
    private long roundNanos = beginNanos;
    private long roundCompiledMillis;
    private final Set<SocketAddress> own = ConcurrentHashMap.newKeySet();

    /**
     * @param settings those of the server that is to be started; the partitions are open
     * @param seconds the most that it may take; 0 for not at all
     * @param isGivenUp asked before each search: whether the server is to stop instead
     */
    public WarmUp(ServerSettings settings, int seconds, BooleanSupplier isGivenUp) {
        new SecureRandom().nextBytes(password);
        this.settings = settings.with(draft -> {
            draft.wire = draft.wire.withListeners(List.of(Listener.of(Listener.Scheme.LDAP, InetAddress.getLoopbackAddress().getHostAddress(), 0)), null);
            draft.administrator = new Administrator(draft.administrator.dn(), password).withGroup(draft.administrator.group());
            draft.workerThreads = 1;
        });
        this.most = Duration.ofSeconds(seconds);
        this.isGivenUp = isGivenUp;
    }

    /**
     * Returns when it is done, or when the time is over. Where it cannot be done the log says why, and the server is none the worse. Once.
     *
     * @return how many searches there were
     */
    public int run() {
        if (most.isZero()) {
            return 0;
        }
        List<Partition> filled = settings.partitions().stream().filter(SampleSearches::hasMany).toList();
        if (filled.isEmpty()) {
            return 0;
        }
        try {
            run(filled);
            LOG.info("warmed up by {} searches in {} ms", done.get(), TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNanos));
        } catch (IOException | StoreException e) {
            LOG.warn("the server starts without being warmed up, its first searches take longer: {}", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return done.get();
    }

    /** Where it listens meanwhile; 0 before and after. */
    int port() {
        return port;
    }

    private void run(List<Partition> filled) throws IOException, InterruptedException {
        LiveSettings live = new LiveSettings(settings);
        Counters counters = new Counters();
        MemoryBudget unfinished = new MemoryBudget("unfinishedBytes", settings.memory().unfinishedBytes());
        MemoryBudget operations = new MemoryBudget("operationBytes", settings.memory().operationBytes());
        PartitionAccounts accounts = new PartitionAccounts(settings.schema(), settings::partitions);
        try (FairWorkers workers = new FairWorkers(settings.workerThreads(), settings.workerQueue(), counters);
                HashingThreads hashing = new HashingThreads(1, settings.passwords().mostWaiting(), counters);
                AccountLogins logins = new AccountLogins(
                        new PasswordPolicies(settings.schema(), accounts::partitionOf, settings::passwordPolicy))) {
            LdapService service = AlderServer.service(live, accounts, logins, workers, hashing,
                    new Accounting(counters, AuditLog.none(), AccessLog.none(), ShownRequests.NO_VALUES, () -> TimeUnit.DAYS.toMicros(1)), operations, counters,
                    FollowedContexts.NONE, OtherMembers.NONE);
            try (Acceptor acceptor = Acceptor.start(settings::wire, connection -> opened(service, connection), unfinished, operations, counters)) {
                port = acceptor.port();
                search(filled);
            } finally {
                port = 0;
            }
        }
    }

    /** Nobody else is served: what may be read here is decided for the real listeners. */
    private MessageReceiver opened(LdapService service, Connection connection) {
        MessageReceiver receiver = service.opened(connection);
        if (!own.contains(connection.remoteAddress())) {
            receiver.overloaded("this is no place for clients");
        }
        return receiver;
    }

    private void search(List<Partition> filled) throws IOException, InterruptedException {
        List<Thread> threads = new ArrayList<>();
        List<WarmUpClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < CONNECTIONS; i++) {
                WarmUpClient client = new WarmUpClient();
                clients.add(client);
                own.add(client.address());
                client.connect(port);
                boolean isAdministrator = i > 0;
                if (isAdministrator) {
                    client.bind(settings.administrator().dn().text(), password);
                }
                boolean hasAsker = i == 2;
                Thread thread = new Thread(() -> search(filled, client, hasAsker), "alder-warm-up-" + i);
                thread.setDaemon(true);
                threads.add(thread);
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
        } finally {
            for (WarmUpClient client : clients) {
                client.close();
            }
        }
    }

    private void search(List<Partition> filled, WarmUpClient client, boolean hasAsker) {
        SplittableRandom random = new SplittableRandom();
        List<SampleSearches> samples = filled.stream().map(each -> new SampleSearches(each, random)).toList();
        String asker = hasAsker ? user(samples.get(0)) : null;
        try {
            for (int i = 0; ; i++) {
                for (byte[] request : samples.get(i % samples.size()).next(asker)) {
                    if (isWarm || System.nanoTime() - beginNanos > most.toNanos() || isGivenUp.getAsBoolean()) {
                        return;
                    }
                    client.ask(request);
                    int count = done.incrementAndGet();
                    if (count % ROUND == 0) {
                        endRound(count);
                    }
                }
            }
        } catch (IOException | StoreException e) {
            LOG.warn("the server is warmed up less: {}", e.toString());
        }
    }

    private synchronized void endRound(int count) {
        long now = System.nanoTime();
        boolean isTold = compiler != null && compiler.isCompilationTimeMonitoringSupported();
        long compiledMillis = isTold ? compiler.getTotalCompilationTime() : 0;
        double share = (compiledMillis - roundCompiledMillis) * 1e6 / (now - roundNanos);
        LOG.debug("{} searches, of the time of the last {} the share of compiling is {}", count, ROUND, share);
        isWarm = count >= MOST_SEARCHES || count >= FEWEST_SEARCHES && isTold && share < LITTLE_COMPILING;
        roundNanos = now;
        roundCompiledMillis = compiledMillis;
    }

    private static String user(SampleSearches samples) {
        String user = null;
        for (int i = 0; i < USER_TRIALS && user == null; i++) {
            user = samples.user();
        }
        return user;
    }
}
