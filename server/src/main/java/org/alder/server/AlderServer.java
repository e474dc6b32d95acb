package org.alder.server;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.alder.server.auth.Passwords;
import org.alder.server.control.ControlRegistry;
import org.alder.server.control.Controls;
import org.alder.server.directory.AccessControlledDirectory;
import org.alder.server.directory.AccessPolicy;
import org.alder.server.directory.Directory;
import org.alder.server.directory.LimitedDirectory;
import org.alder.server.directory.PartitionDirectory;
import org.alder.server.directory.PasswordHashingDirectory;
import org.alder.server.directory.RootDse;
import org.alder.server.extended.ExtendedOperation;
import org.alder.server.extended.PasswordModify;
import org.alder.server.extended.WhoAmI;
import org.alder.server.protocol.LdapService;
import org.alder.server.wire.Acceptor;

/**
 * A running LDAP server: the one place where its parts are put together. Thread safe.
 *
 * <p>It does not own the partitions: the caller closes them after the server.
 */
public final class AlderServer implements AutoCloseable {
    private static final String VENDOR_NAME = "Alder";
    /** How long clients that do not read may delay the stop. */
    private static final long FAREWELL_MILLIS = 1000;
    private static final int STOP_SECONDS = 10;

    private final ExecutorService workers;
    private final LdapService service;
    private final Acceptor acceptor;

    private AlderServer(ExecutorService workers, LdapService service, Acceptor acceptor) {
        this.workers = workers;
        this.service = service;
        this.acceptor = acceptor;
    }

    /**
     * Serves as soon as it returns.
     *
     * @throws IOException if the address cannot be listened on; the message names it
     */
    public static AlderServer start(ServerSettings settings) throws IOException {
        ExecutorService workers = Executors.newFixedThreadPool(settings.workerThreads(), threads());
        boolean started = false;
        try {
            LdapService service = service(settings, workers);
            AlderServer server = new AlderServer(workers, service, Acceptor.start(settings.wire(), service));
            started = true;
            return server;
        } finally {
            if (!started) {
                workers.shutdown();
            }
        }
    }

    private static LdapService service(ServerSettings settings, ExecutorService workers) {
        Passwords passwords = new Passwords();
        ControlRegistry controls = new ControlRegistry(Controls.ALL);
        List<String> extensions = new ArrayList<>(List.of(PasswordModify.OID, WhoAmI.OID));
        extensions.addAll(LdapService.EXTENSIONS);
        RootDse rootDse = new RootDse(controls.oids(), extensions, RootDse.FEATURES, VENDOR_NAME, version());
        Directory directory = new PartitionDirectory(settings.schema(), settings.partitions(), settings.administrator(),
                passwords, rootDse, settings.superiorReferrals(), settings.onlineSchema());
        directory = new PasswordHashingDirectory(directory, settings.schema(), passwords);
        directory = new LimitedDirectory(directory, settings.limits());
        directory = new AccessControlledDirectory(directory, new AccessPolicy(settings.schema(), settings.anonymousRead()));
        List<ExtendedOperation> extended = List.of(new PasswordModify(directory, settings.schema(), passwords), new WhoAmI());
        return new LdapService(directory, settings.schema(), controls, extended, settings.transactionLimits(), workers);
    }

    private static String version() {
        String version = AlderServer.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    private static ThreadFactory threads() {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, "alder-worker-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** The port that is listened on, also if the settings left the choice to the system. */
    public int port() {
        return acceptor.port();
    }

    /** For status and tests. */
    public LdapService service() {
        return service;
    }

    /** Tells the clients, stops listening, and waits for what is running. Idempotent. */
    @Override
    public void close() {
        acceptor.unbind();
        service.disconnectAll();
        acceptor.awaitClosed(FAREWELL_MILLIS);
        acceptor.close();
        workers.shutdown();
        try {
            if (!workers.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                workers.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
