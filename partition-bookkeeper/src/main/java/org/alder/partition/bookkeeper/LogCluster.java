package org.alder.partition.bookkeeper;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.alder.partition.error.StoreException;
import org.apache.bookkeeper.client.BookKeeperAdmin;
import org.apache.bookkeeper.client.DefaultEnsemblePlacementPolicy;
import org.apache.bookkeeper.client.api.BKException;
import org.apache.bookkeeper.client.api.BookKeeper;
import org.apache.bookkeeper.client.api.DigestType;
import org.apache.bookkeeper.client.api.LedgerMetadata;
import org.apache.bookkeeper.client.api.ReadHandle;
import org.apache.bookkeeper.client.api.WriteHandle;
import org.apache.bookkeeper.conf.ClientConfiguration;
import org.apache.bookkeeper.net.BookieId;

/**
 * A machine's connections to the bookies and to ZooKeeper, by which it reads and writes the logs of all partitions. Safe for several
 * threads; whoever has connected closes it, after the logs and sources.
 */
public final class LogCluster implements Closeable {
    /** Each entry is synced on two bookies before it is acknowledged, and on its way to a third one where there is one. */
    static final int COPIES = 3;
    static final int ACKNOWLEDGED_COPIES = 2;
    /** Where BookKeeper keeps what it knows of its ledgers. */
    static final String BOOKKEEPER_ROOT = "/ledgers";
    /** Below which the znodes of the logs of all partitions are. */
    static final String LOGS = "/alder/logs";
    private static final String EPOCH = "alder-epoch";
    private static final String LOG = "alder-log";

    private final ClusterSettings settings;
    private final BookKeeper bookKeeper;
    private final ZooKeeperSession session;
    private final SchemaVersions schema;

    private LogCluster(ClusterSettings settings, BookKeeper bookKeeper) {
        this.settings = settings;
        this.bookKeeper = bookKeeper;
        this.session = new ZooKeeperSession(settings.zooKeeper(), settings.sessionMillis());
        this.schema = new SchemaVersions(session, settings.resolveMillis());
    }

    /** @throws IOException where ZooKeeper does not answer, or no bookie has ever been there */
    public static LogCluster connect(ClusterSettings settings) throws IOException {
        useOneLocale();
        try {
            return new LogCluster(settings, BookKeeper.newBuilder(client(settings)).build());
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
    static void useOneLocale() {
        Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT);
    }

    /** BookKeeper's name for where it keeps what it knows. */
    static String metadataUri(String zooKeeper) {
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
        node(path).create(storeId, Deadline.in(settings.resolveMillis()));
    }

    /** The log read back, whoever writes it; several may be open. */
    public BookKeeperSource source(String path, UUID storeId) {
        return new BookKeeperSource(this, node(path), storeId, id -> null);
    }

    /** The log followed from a transaction on. One thread; whoever asks closes it. */
    public LogTail tail(String path, UUID storeId, long after) {
        return new LogTail(this, node(path), storeId, after);
    }

    /** A client of its own, by which copies are made. @param bytesPerSecond at most */
    BookKeeperAdmin administrator(int bytesPerSecond) throws IOException, BKException, InterruptedException {
        ClientConfiguration client = client(settings);
        client.setReplicationRateByBytes(bytesPerSecond);
        return new BookKeeperAdmin(client);
    }

    LedgerListNode node(String path) {
        return new LedgerListNode(session, path);
    }

    FlushedNodes flushedNodes(String path) {
        return new FlushedNodes(session, path);
    }

    ClusterSettings settings() {
        return settings;
    }

    SchemaVersions schema() {
        return schema;
    }

    ZooKeeperSession session() {
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
    ReadHandle open(long ledger, boolean recover, Deadline deadline) throws IOException, BKException {
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
    long endedBytes(long ledger, Deadline deadline) throws IOException {
        LedgerMetadata known = metadata(ledger, deadline);
        return known != null && known.isClosed() ? known.getLength() : -1;
    }

    /** What BookKeeper knows of a ledger; null where it is gone. */
    LedgerMetadata metadata(long ledger, Deadline deadline) throws IOException {
        try {
            return await(bookKeeper.getLedgerMetadata(ledger), deadline, "asking for ledger " + ledger);
        } catch (BKException e) {
            return null;
        }
    }

    /** The ledgers of all logs that name one of these bookies. */
    SortedMap<Long, LedgerMetadata> ledgersOf(Set<BookieId> bookies, Deadline deadline) throws IOException {
        SortedMap<Long, LedgerMetadata> found = new TreeMap<>();
        for (String log : session.children(LOGS, deadline)) {
            for (LedgerList.Ledger ledger : node(LOGS + "/" + log).read(deadline).ledgers()) {
                LedgerMetadata known = metadata(ledger.id(), deadline);
                if (known != null && known.getAllEnsembles().values().stream().flatMap(List::stream).anyMatch(bookies::contains)) {
                    found.put(ledger.id(), known);
                }
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

    static IOException failed(String what, BKException e) {
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
