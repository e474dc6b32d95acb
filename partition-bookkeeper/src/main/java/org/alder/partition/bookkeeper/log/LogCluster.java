package org.alder.partition.bookkeeper.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.alder.partition.bookkeeper.level.LevelNode;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.bookkeeper.zookeeper.ZooKeeperSession;
import org.alder.partition.error.StoreException;
import org.apache.bookkeeper.client.BookKeeper;
import org.apache.bookkeeper.client.BookKeeperAdmin;
import org.apache.bookkeeper.client.DefaultEnsemblePlacementPolicy;
import org.apache.bookkeeper.client.api.BKException;
import org.apache.bookkeeper.client.api.DigestType;
import org.apache.bookkeeper.client.api.LedgerMetadata;
import org.apache.bookkeeper.client.api.ReadHandle;
import org.apache.bookkeeper.client.api.WriteHandle;
import org.apache.bookkeeper.conf.ClientConfiguration;
import org.apache.bookkeeper.meta.LedgerManager;
import org.apache.bookkeeper.net.BookieId;
import org.apache.bookkeeper.util.AvailabilityOfEntriesOfLedger;
import org.apache.bookkeeper.versioning.Versioned;

/**
 * A machine's connections to the bookies and to ZooKeeper, by which it reads and writes the logs of all partitions. Safe for several
 * threads; whoever has connected closes it, after the logs and sources.
 */
public final class LogCluster implements Closeable {
    /** Each entry is synced on two bookies before it is acknowledged, and on its way to a third one where there is one. */
    static final int COPIES = 3;
    public static final int ACKNOWLEDGED_COPIES = 2;
    /** Where BookKeeper keeps what it knows of its ledgers. */
    public static final String BOOKKEEPER_ROOT = "/ledgers";
    /** Below which the znodes of the logs of all partitions are. */
    public static final String LOGS = "/alder/logs";
    private static final String EPOCH = "alder-epoch";
    private static final String LOG = "alder-log";

    private final ClusterSettings settings;
    private final BookKeeper bookKeeper;
    private final ZooKeeperSession session;
    private final SchemaVersions schema;
    private final ConfigurationVersions configuration;
    private final LevelNode level;

    private LogCluster(ClusterSettings settings, BookKeeper bookKeeper) {
        this.settings = settings;
        this.bookKeeper = bookKeeper;
        this.session = new ZooKeeperSession(settings.zooKeeper(), settings.sessionMillis());
        this.schema = new SchemaVersions(session, settings.resolveMillis());
        this.configuration = new ConfigurationVersions(session, settings.resolveMillis());
        this.level = new LevelNode(session);
    }

    /** @throws IOException where ZooKeeper does not answer, or no bookie has ever been there */
    public static LogCluster connect(ClusterSettings settings) throws IOException {
        useOneLocale();
        try {
            return new LogCluster(settings, BookKeeper.forConfig(client(settings)).build());
        } catch (BKException e) {
            throw new IOException("cannot connect to BookKeeper by ZooKeeper at " + settings.zooKeeper() + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            throw Deadline.interrupted(e);
        }
    }

    /**
     * BookKeeper writes numbers into the names of znodes as the process's locale has them, which some do in other digits: members and commands
     * of different locales would not find each other's ledgers.
     */
    public static void useOneLocale() {
        Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT);
    }

    /** BookKeeper's name for where it keeps what it knows. */
    public static String metadataUri(String zooKeeper) {
        return "zk+hierarchical://" + zooKeeper.replace(',', ';') + BOOKKEEPER_ROOT;
    }

    private static ClientConfiguration client(ClusterSettings settings) {
        ClientConfiguration client = new ClientConfiguration();
        int seconds = settings.appendMillis() / 1000;
        client.setMetadataServiceUri(metadataUri(settings.zooKeeper()));
        client.setZkTimeout(Math.max(settings.sessionMillis(), 1000));
        // A ledger goes on with two of its three bookies. A change of ensemble would write to ZooKeeper in the middle of an append.
        client.setDelayEnsembleChange(true);
        client.setExplictLacInterval(settings.lacMillis());
        client.setAddEntryTimeout(seconds);
        client.setReadEntryTimeout(seconds);
        client.setClientConnectTimeoutMillis(settings.appendMillis());
        // Racks are nobody's business with three bookies; the policy for these looks up names for each of them.
        client.setEnsemblePlacementPolicy(DefaultEnsemblePlacementPolicy.class);
        client.setNumIOThreads(1);
        client.setNumWorkerThreads(2);
        client.setThrottleValue(0);
        BookieTls.configure(client, settings.keys());
        return client;
    }

    /**
     * Makes the log of a store, where there is none; without ledgers.
     *
     * @param path of its znode
     */
    public void createLog(String path, UUID storeId) throws IOException {
        Deadline deadline = Deadline.in(settings.resolveMillis());
        node(path).create(storeId, level.level(deadline), deadline);
    }

    /** The log read back, whoever writes it; several may be open. */
    public BookKeeperSource source(String path, UUID storeId) {
        return new BookKeeperSource(this, node(path), storeId, id -> null, schema);
    }

    /** The same for somebody who is no member, and applies nothing of it. */
    public BookKeeperSource sourceForCopies(String path, UUID storeId) {
        return new BookKeeperSource(this, node(path), storeId, id -> null, null);
    }

    /** The log followed from a transaction on. One thread; whoever asks closes it. */
    public LogTail tail(String path, UUID storeId, long after) {
        return new LogTail(this, node(path), storeId, after);
    }

    /** A client of its own, by which copies are made. @param bytesPerSecond at most */
    public BookKeeperAdmin administrator(int bytesPerSecond) throws IOException, BKException, InterruptedException {
        ClientConfiguration client = client(settings);
        client.setReplicationRateByBytes(bytesPerSecond);
        return new BookKeeperAdmin(client);
    }

    /** The same, by which a bookie that lacks entries gets these itself. @param bytesPerSecond at most */
    public BookKeeperAdmin administratorInPlace(int bytesPerSecond) throws IOException, BKException, InterruptedException {
        ClientConfiguration client = client(settings);
        client.setReplicationRateByBytes(bytesPerSecond);
        client.setEnsemblePlacementPolicy(SameBookies.class);
        return new BookKeeperAdmin(client);
    }

    public LedgerListNode node(String path) {
        return new LedgerListNode(session, path);
    }

    public FlushedNodes flushedNodes(String path) {
        return new FlushedNodes(session, path);
    }

    public ClusterSettings settings() {
        return settings;
    }

    public SchemaVersions schema() {
        return schema;
    }

    public ConfigurationVersions configuration() {
        return configuration;
    }

    public LevelNode level() {
        return level;
    }

    public ZooKeeperSession session() {
        return session;
    }

    /** A new ledger, on three bookies, or on two where there are no more: then each entry is on both. */
    WriteHandle create(String path, long epoch, Deadline deadline) throws IOException, BKException {
        try {
            return create(COPIES, path, epoch, deadline);
        } catch (BKException e) {
            if (e.getCode() != BKException.Code.NotEnoughBookiesException) {
                throw e;
            }
            return create(ACKNOWLEDGED_COPIES, path, epoch, deadline);
        }
    }

    private WriteHandle create(int copies, String path, long epoch, Deadline deadline) throws IOException, BKException {
        return await(bookKeeper.newCreateLedgerOp().withEnsembleSize(copies).withWriteQuorumSize(copies)
                .withAckQuorumSize(ACKNOWLEDGED_COPIES).withDigestType(DigestType.CRC32C).withPassword(settings.password())
                .withCustomMetadata(Map.of(LOG, path.getBytes(StandardCharsets.UTF_8),
                        EPOCH, Long.toString(epoch).getBytes(StandardCharsets.US_ASCII)))
                .execute(), deadline, "making a ledger for " + path);
    }

    /** @param recover whether nobody may write to it any more: it is fenced and ended */
    public ReadHandle open(long ledger, boolean recover, Deadline deadline) throws IOException, BKException {
        try {
            return open(ledger, recover, settings.password(), deadline);
        } catch (BKException e) {
            if (e.getCode() != BKException.Code.UnauthorizedAccessException || settings.keys() == null) {
                throw e;
            }
            // Of the time when the members of this cluster spoke without TLS.
            return open(ledger, recover, ClusterSettings.OPEN_PASSWORD.getBytes(StandardCharsets.US_ASCII), deadline);
        }
    }

    private ReadHandle open(long ledger, boolean recover, byte[] password, Deadline deadline) throws IOException, BKException {
        return await(bookKeeper.newOpenLedgerOp().withLedgerId(ledger).withRecovery(recover).withDigestType(DigestType.CRC32C)
                .withPassword(password).execute(), deadline, (recover ? "recovering" : "opening") + " ledger " + ledger);
    }

    /** What is in a ledger that has ended, as one copy takes; -1 where it has not, or is gone. */
    public long endedBytes(long ledger, Deadline deadline) throws IOException {
        LedgerMetadata known = metadata(ledger, deadline);
        return known != null && known.isClosed() ? known.getLength() : -1;
    }

    /** What BookKeeper knows of a ledger; null where it is gone. */
    public LedgerMetadata metadata(long ledger, Deadline deadline) throws IOException {
        try {
            return await(bookKeeper.getLedgerMetadata(ledger), deadline, "asking for ledger " + ledger);
        } catch (BKException e) {
            return null;
        }
    }

    /** The path of the log that a ledger is of. */
    public static String log(LedgerMetadata ledger) {
        return new String(ledger.getCustomMetadata().getOrDefault(LOG, new byte[0]), StandardCharsets.UTF_8);
    }

    /** The numbers of the ledgers of all logs. */
    public SortedSet<Long> ledgers(Deadline deadline) throws IOException {
        SortedSet<Long> found = new TreeSet<>();
        for (String log : session.children(LOGS, deadline)) {
            node(LOGS + "/" + log).read(deadline).ledgers().forEach(ledger -> found.add(ledger.id()));
        }
        return found;
    }

    /** Which entries of a ledger a bookie has. */
    public AvailabilityOfEntriesOfLedger entriesOn(BookieId bookie, long ledger, Deadline deadline) throws IOException, BKException {
        try {
            return await(new BookKeeperAdmin(bookKeeper).asyncGetListOfEntriesOfLedger(bookie, ledger), deadline, "asking " + bookie + " for ledger " + ledger);
        } catch (BKException e) {
            if (e.getCode() == BKException.Code.NoSuchLedgerExistsException || e.getCode() == BKException.Code.NoSuchEntryException) {
                return AvailabilityOfEntriesOfLedger.EMPTY_AVAILABILITYOFENTRIESOFLEDGER;
            }
            throw e;
        }
    }

    /** The last entry of a ledger that two bookies have, as far as these know; whoever writes it goes on. */
    public long lastEntry(long ledger, Deadline deadline) throws IOException, BKException {
        ReadHandle handle = open(ledger, false, deadline);
        try {
            return handle.getLastAddConfirmed();
        } finally {
            handle.closeAsync();
        }
    }

    /**
     * Enters a third bookie for an ended ledger that has two; it has nothing of it yet.
     *
     * @param third where it is not one of the two
     * @param here  that may be taken where it is
     * @return what BookKeeper knows of the ledger now; null where there is no third bookie
     * @throws BKException also where somebody else has changed it meanwhile
     */
    public LedgerMetadata putOnThree(long ledger, BookieId third, Set<BookieId> here, Deadline deadline) throws IOException, BKException {
        LedgerManager ledgers = bookKeeper.getLedgerManager();
        Versioned<LedgerMetadata> known = await(ledgers.readLedgerMetadata(ledger), deadline, "asking for ledger " + ledger);
        LedgerMetadata wider = LedgerEnsembles.onThree(known.getValue(), third, List.copyOf(here));
        return wider == null ? null : await(ledgers.writeLedgerMetadata(ledger, wider, known.getVersion()), deadline, "a third bookie for ledger " + ledger)
                .getValue();
    }

    /** The ledgers of all logs that name one of these bookies. */
    public SortedMap<Long, LedgerMetadata> ledgersOf(Set<BookieId> bookies, Deadline deadline) throws IOException {
        SortedMap<Long, LedgerMetadata> found = new TreeMap<>();
        for (long ledger : ledgers(deadline)) {
            LedgerMetadata known = metadata(ledger, deadline);
            if (known != null && known.getAllEnsembles().values().stream().flatMap(List::stream).anyMatch(bookies::contains)) {
                found.put(ledger, known);
            }
        }
        return found;
    }

    /** Nothing happens where it is gone. */
    void delete(long ledger, Deadline deadline) throws IOException, BKException {
        try {
            await(bookKeeper.newDeleteLedgerOp().withLedgerId(ledger).execute(), deadline, "deleting ledger " + ledger);
        } catch (BKException e) {
            if (e.getCode() != BKException.Code.NoSuchLedgerExistsException
                    && e.getCode() != BKException.Code.NoSuchLedgerExistsOnMetadataServerException) {
                throw e;
            }
        }
    }

    /**
     * What BookKeeper answers.
     *
     * @throws BKException where it refuses
     * @throws IOException where it does not answer in time; it may all the same do what it was asked for
     */
    static <T> T await(CompletableFuture<T> answer, Deadline deadline, String what) throws IOException, BKException {
        try {
            return answer.get(deadline.leftMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw Deadline.interrupted(e);
        } catch (TimeoutException e) {
            throw new IOException(what + ": no answer in time", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof BKException refused) {
                throw refused;
            }
            throw new IOException(what + ": " + e.getCause(), e.getCause());
        }
    }

    public static IOException failed(String what, BKException e) {
        return new IOException(what + ": " + e.getMessage(), e);
    }

    static StoreException notNow(String what, Exception cause) {
        return new StoreException(StoreException.Kind.READ_ONLY, what + "; nothing was done, and writes go on when two bookies and most of ZooKeeper"
                + " answer",
                cause);
    }

    @Override
    public void close() throws IOException {
        try {
            session.close();
            bookKeeper.close();
        } catch (BKException e) {
            throw failed("closing the connection to BookKeeper", e);
        } catch (InterruptedException e) {
            throw Deadline.interrupted(e);
        }
    }
}
