package org.alder.partition.bookkeeper.bookie;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.alder.partition.bookkeeper.log.BookieTls;
import org.alder.partition.bookkeeper.log.ClusterSettings;
import org.alder.partition.bookkeeper.log.LogCluster;
import org.alder.partition.bookkeeper.member.MemberKeys;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.bookkeeper.zookeeper.ZooKeeperSession;
import org.apache.bookkeeper.bookie.BookieCriticalThread;
import org.apache.bookkeeper.client.BookKeeperAdmin;
import org.apache.bookkeeper.client.DefaultEnsemblePlacementPolicy;
import org.apache.bookkeeper.common.allocator.PoolingPolicy;
import org.apache.bookkeeper.common.component.LifecycleComponentStack;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.apache.bookkeeper.meta.exceptions.MetadataException;
import org.apache.bookkeeper.server.EmbeddedServer;
import org.apache.bookkeeper.server.conf.BookieConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A bookie in this process. It syncs each entry to its journal before it acknowledges it, keeps entries in files without a database beside
 * them. What it holds in memory is bounded: about 32 MiB, and what is on its way.
 * A bookie that finds its folder empty although it had entries refuses to start: then it has lost them, and must come back under another name ({@link BookieDisk}).
 * Any thread; whoever starts it closes it.
 */
public final class EmbeddedBookie implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedBookie.class);
    /** The journal starts it when it has begun itself. */
    private static final String LAST_THREAD = "ForceWriteThread";
    private static final long START_MILLIS = 120_000;
    private static final int MEMORY_TABLE_BYTES = 16 << 20;
    private static final int INDEX_PAGES = 1024;
    private static final int JOURNAL_MIB = 64;
    private static final int BUFFER_BYTES = 256 << 10;

    private final EmbeddedServer server;

    private EmbeddedBookie(EmbeddedServer server) {
        this.server = server;
    }

    /**
     * Where a bookie is, and what it may take.
     *
     * @param folder         its own, made where it is not there
     * @param name           under which it is known for ever: letters, digits, dots and hyphens
     * @param host           where it listens, and others reach it
     * @param port           where it listens
     * @param mostDiskFilled the share of the disk, 0 to 1, beyond which it takes no entries
     * @param makesCopies    whether it takes part in bringing ledgers that miss a copy back to three; it takes up to half a minute to close then
     */
    public record Place(Path folder, String name, String host, int port, double mostDiskFilled, boolean makesCopies) {
    }

    /**
     * Starts a bookie, and returns when it takes entries. The first one makes what BookKeeper keeps in ZooKeeper.
     *
     * @param zooKeeper as {@link ClusterSettings#zooKeeper}
     * @param keys      as {@link ClusterSettings#keys}
     */
    public static EmbeddedBookie start(Place place, String zooKeeper, int sessionMillis, MemberKeys keys) throws IOException {
        LogCluster.useOneLocale();
        ServerConfiguration configuration = configuration(place, zooKeeper, sessionMillis);
        BookieTls.configure(configuration, keys);
        try {
            prepare(place, configuration, zooKeeper, sessionMillis);
            EmbeddedServer server = start(configuration, new ThreadGroup(place.name), Deadline.in(START_MILLIS));
            return new EmbeddedBookie(server);
        } catch (InterruptedException e) {
            throw Deadline.interrupted(e);
        } catch (Exception e) {
            throw new IOException("the bookie cannot start as " + place + ": " + e.getMessage(), e);
        }
    }

    /**
     * Starts it so that it does not end the process: the threads of a bookie that write its journal do so when something unforeseen befalls
     * them, also while the bookie is closed.
     */
    private static EmbeddedServer start(ServerConfiguration configuration, ThreadGroup group, Deadline deadline) throws Exception {
        EmbeddedServer server = in(group, () -> EmbeddedServer.builder(new BookieConfiguration(configuration)).build());
        try {
            in(group, () -> {
                server.getLifecycleComponentStack().start();
                return server;
            });
            while (server.getBookieService().getServer().isRunning() && !disarm(group) && !deadline.isOver()) {
                deadline.pause();
            }
            if (!server.getBookieService().getServer().isRunning()) {
                throw new IOException("it ended at once, as where its port is taken");
            }
            return server;
        } catch (Exception e) {
            disarm(group);
            server.getLifecycleComponentStack().close();
            throw e;
        }
    }

    /** Threads that are made meanwhile are of the group. */
    private static <T> T in(ThreadGroup group, Callable<T> work) throws Exception {
        FutureTask<T> task = new FutureTask<>(work);
        new Thread(group, task, "bookie-start").start();
        return task.get();
    }

    /** Whether the last of these threads runs, so that all of them have been found. */
    private static boolean disarm(ThreadGroup group) {
        Thread[] threads = new Thread[2 * group.activeCount() + 16];
        boolean complete = false;
        for (int i = group.enumerate(threads) - 1; i >= 0; i--) {
            if (threads[i] instanceof BookieCriticalThread && threads[i].getUncaughtExceptionHandler() == threads[i]) {
                threads[i].setUncaughtExceptionHandler((thread, cause) -> LOG.error("The bookie {} has lost its thread {}, and takes no entries"
                        + " any more", group.getName(), thread.getName(), cause));
                complete |= threads[i].getName().equals(LAST_THREAD);
            }
        }
        return complete;
    }

    private static ServerConfiguration configuration(Place place, String zooKeeper, int sessionMillis) throws IOException {
        // BookKeeper keeps the paths, and does not take a relative one for the absolute one that it is at the next start.
        Path folder = place.folder.toAbsolutePath().normalize();
        Path journal = Files.createDirectories(folder.resolve("journal"));
        Path ledgers = Files.createDirectories(folder.resolve("ledgers"));
        ServerConfiguration configuration = new ServerConfiguration();
        configuration.setMetadataServiceUri(LogCluster.metadataUri(zooKeeper));
        configuration.setZkTimeout(sessionMillis);
        configuration.setBookieId(place.name);
        configuration.setBookiePort(place.port);
        configuration.setAdvertisedAddress(place.host);
        // Else it would listen on all addresses of the machine; which interface is named does not matter.
        configuration.setListeningInterface(interfaceOf(place.host));
        configuration.setAllowLoopback(true);
        configuration.setJournalDirName(journal.toString());
        configuration.setLedgerDirNames(new String[] {ledgers.toString()});
        configuration.setAllowMultipleDirsUnderSameDiskPartition(true);
        configuration.setDiskUsageThreshold((float) place.mostDiskFilled);
        configuration.setDiskUsageWarnThreshold((float) place.mostDiskFilled);
        // Keeps up to where a leader has confirmed its ledger, beside the entries.
        configuration.setFileInfoFormatVersionToWrite(1);
        configuration.setHttpServerEnabled(false);
        // Of the client by which copies are made. Racks are nobody's business with three bookies.
        configuration.setProperty("ensemblePlacementPolicy", DefaultEnsemblePlacementPolicy.class.getName());
        // Appends come one after another: to wait for more of them before a sync gains nothing.
        configuration.setJournalMaxGroupWaitMSec(0);
        configuration.setJournalFlushWhenQueueEmpty(true);
        configuration.setAutoRecoveryDaemonEnabled(place.makesCopies);
        bound(configuration);
        return configuration;
    }

    private static String interfaceOf(String host) throws IOException {
        NetworkInterface found = NetworkInterface.getByInetAddress(InetAddress.getByName(host));
        if (found == null) {
            throw new IOException(host + " is no address of this machine");
        }
        return found.getName();
    }

    private static void bound(ServerConfiguration configuration) {
        configuration.setLedgerStorageClass(NamedLedgerStorage.class.getName());
        configuration.setSkipListSizeLimit(MEMORY_TABLE_BYTES);
        configuration.setPageLimit(INDEX_PAGES);
        configuration.setWriteBufferBytes(BUFFER_BYTES);
        configuration.setReadBufferBytes(BUFFER_BYTES);
        configuration.setMaxJournalSizeMB(JOURNAL_MIB);
        configuration.setMaxBackupJournals(0);
        configuration.setJournalMaxMemorySizeMb(JOURNAL_MIB);
        configuration.setEntryLogFilePreAllocationEnabled(false);
        configuration.setProperty("journalPreAllocSizeMB", 1);
        configuration.setProperty("allocatorPoolingPolicy", PoolingPolicy.UnpooledHeap.name());
        configuration.setServerNumIOThreads(1);
        configuration.setNumAddWorkerThreads(1);
        configuration.setNumReadWorkerThreads(1);
        configuration.setNumLongPollWorkerThreads(1);
        configuration.setNumHighPriorityWorkerThreads(1);
    }

    private static void prepare(Place place, ServerConfiguration configuration, String zooKeeper, int sessionMillis) throws Exception {
        Deadline deadline = Deadline.in(START_MILLIS);
        try (ZooKeeperSession session = new ZooKeeperSession(zooKeeper, sessionMillis)) {
            // Another bookie may do the same at this moment.
            while (session.call(deadline, client -> client.exists(LogCluster.BOOKKEEPER_ROOT + "/INSTANCEID", false)) == null) {
                tryToInitialize(configuration, deadline);
            }
            BookieNodes nodes = new BookieNodes(session);
            if (BookieDisk.isOf(place.folder, place.name) && isFree(place)) {
                nodes.forget(place.name, deadline);
            }
            for (String name : BookieNodes.upTo(place.name)) {
                awaitForgotten(name, nodes, deadline);
            }
        }
    }

    /** Whether nobody listens where it is to listen: then the one that ran on this disk is gone, whatever ZooKeeper still thinks. */
    private static boolean isFree(Place place) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(place.host, place.port), 1);
            return true;
        } catch (IOException e) {
            LOG.debug("{}:{} is taken", place.host, place.port, e);
            return false;
        }
    }

    /**
     * A bookie that was killed is there for ZooKeeper until its session ends, which may take more than once as long as a session where ZooKeeper got another
     * leader meanwhile. BookKeeper waits that long once, and then gives up. One whose disk is lost is waited for, too: this one listens where it did.
     */
    private static void awaitForgotten(String name, BookieNodes nodes, Deadline deadline) throws IOException {
        for (boolean isTold = false; nodes.here(deadline).contains(name); isTold = true) {
            if (deadline.isOver()) {
                throw new IOException("ZooKeeper hears of another bookie with this name, as where a member of the same name runs elsewhere");
            }
            if (!isTold) {
                LOG.info("ZooKeeper still has the bookie {} that ran here before; it starts when that is forgotten", name);
            }
            deadline.pause();
        }
    }

    private static void tryToInitialize(ServerConfiguration configuration, Deadline deadline) throws Exception {
        try {
            BookKeeperAdmin.initNewCluster(configuration);
        } catch (MetadataException | ExecutionException e) {
            if (deadline.isOver()) {
                throw e;
            }
            deadline.pause();
        }
    }

    /** Whether it takes requests. It may have ended itself, as after an error of its disk. */
    public boolean isRunning() {
        return server.getBookieService().getServer().isRunning();
    }

    /** As it does by itself where its journal cannot be written. */
    void end() {
        server.getBookieService().getServer().shutdown();
    }

    /** Has it take no more requests, as where its machine hangs, or take them again. */
    void pause(boolean paused) {
        if (paused) {
            server.getBookieService().getServer().suspendProcessing();
        } else {
            server.getBookieService().getServer().resumeProcessing();
        }
    }

    @Override
    public void close() {
        LifecycleComponentStack parts = server.getLifecycleComponentStack();
        parts.stop();
        parts.close();
    }
}
