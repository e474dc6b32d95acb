package org.alder.server.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.alder.ldif.LdifEntry;
import org.alder.ldif.RejectFile;
import org.alder.ldif.SampleDirectory;
import org.alder.ldif.bulk.BulkImport;
import org.alder.ldif.progress.Progress;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.file.Folders;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.BulkLoad;
import org.alder.partition.store.Snapshot;
import org.alder.partition.update.UpdateOrigin;
import org.alder.server.AlderServer;
import org.alder.server.ServerSettings;
import org.alder.server.assembly.AdministratorAssembly;
import org.alder.server.assembly.DataFolder;
import org.alder.server.assembly.OpenPartitions;
import org.alder.server.assembly.PartitionFolder;
import org.alder.server.assembly.ServerAssembly;
import org.alder.server.assembly.TlsAssembly;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.DataOptions;
import org.alder.server.cli.option.MemoryOption;
import org.alder.server.cli.option.ProgressOption;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.ServerConfiguration;
import org.alder.server.config.ServerKeys;
import org.alder.server.directory.own.OnlineSchema;
import org.alder.server.tls.TlsContexts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs the server in the foreground until it is told to stop. */
@Command(name = "start", mixinStandardHelpOptions = true, description = "Run the server in the foreground.")
final class StartVerb implements Verb {
    private static final Logger LOG = LoggerFactory.getLogger(StartVerb.class);
    private static final int MAX_PORT = 65535;

    @Mixin
    private DataOptions data;

    @Option(names = "--host", paramLabel = "H",
            description = "Address to listen on. Default: that of the configuration, 127.0.0.1.")
    private String host;

    @Option(names = "--port", paramLabel = "P",
            description = "Port to listen on, 0 for a free one. Default: that of the configuration, 10389.")
    private Integer port;

    @Option(names = "--sample", paramLabel = "N", description = "On an empty data folder, first load N sample people, and groups of them.")
    private long sampleEntries;

    @Option(names = "--admin-password-file", paramLabel = "F",
            description = "The administrator's password. Default: ALDER_ADMIN_PASSWORD, else DATA/admin.password, which the"
                    + " first start makes.")
    private Path adminPasswordFile;

    @Mixin
    private ProgressOption progressOption;

    private final CountDownLatch stopped = new CountDownLatch(1);

    @Override
    public Integer call()
            throws IOException, DirectoryException, ConfigurationException, CommandException, InterruptedException {
        checkOptions();
        ServerConfiguration configuration = data.configuration().withListener(host, port);
        Schema schema = data.schema();
        List<PartitionFolder> folders = data.data().partitions(configuration, schema);
        DataFolder folder = data.data();
        Dn administrator = AdministratorAssembly.dn(configuration, schema);
        Folders.create(folder.path());
        boolean configured = adminPasswordFile == null && configuration.get(ServerKeys.ADMINISTRATOR_PASSWORD) != null;
        AdminPassword password = configured ? AdminPassword.configured(configuration)
                : AdminPassword.find(adminPasswordFile, folder.adminPassword(), folder.files());
        List<Path> secrets = new ArrayList<>(TlsAssembly.secretFiles(configuration));
        if (password.file() != null) {
            secrets.add(password.file());
        }
        for (Path open : folder.openToOthers(secrets)) {
            LOG.warn("{} is open to other users of this machine, and there are passwords or keys in it: chmod o= {}", open, open);
        }
        loadSample(schema, folders.get(0), administrator);
        folder.rememberConfiguration(data.configurationFile());
        folders.forEach(partition -> partition.configuration().heapNote().ifPresent(LOG::info));
        try {
            try (OpenPartitions partitions = OpenPartitions.open(folders);
                    TlsContexts tls = TlsAssembly.open(configuration, folder)) {
                serve(ServerAssembly.settings(configuration, folder, schema, partitions.list(), password.bytes(),
                        new OnlineSchema(folder.onlineSchema(), folder.files()), tls), password);
            }
            System.err.println("alder: stopped");
        } finally {
            stopped.countDown();
        }
        return 0;
    }

    @Override
    public String whenInterrupted() {
        return null;
    }

    private void checkOptions() throws CommandException {
        if (port != null && (port < 0 || port > MAX_PORT)) {
            throw new CommandException("--port " + port + ": expected a number from 0 to " + MAX_PORT);
        }
        if (sampleEntries < 0) {
            throw new CommandException("--sample " + sampleEntries + ": expected a number that is not negative");
        }
    }

    private void loadSample(Schema schema, PartitionFolder folder, Dn administrator)
            throws IOException, DirectoryException, CommandException {
        if (sampleEntries == 0) {
            return;
        }
        if (!folder.isEmpty()) {
            LOG.info("{} holds entries already: no sample is loaded", folder.path());
            return;
        }
        Progress progress = progressOption.progress();
        SampleDirectory sample = new SampleDirectory(sampleEntries);
        Iterator<LdifEntry> entries = sample.entries().peek(entry -> progress.advance(1)).iterator();
        try (RejectFile rejects = new RejectFile(data.data().rejects());
                BulkLoad load = folder.bulkLoad(MemoryOption.defaultBytes());
                BulkImport importing = new BulkImport(schema, folder.suffix(), new UpdateOrigin(administrator.text(), Instant.now()),
                        folder.rules(), load, rejects)) {
            progress.begin("generating and loading", Progress.Unit.ENTRIES, sample.count());
            importing.read(() -> entries.hasNext() ? entries.next() : null);
            progress.finish();
            importing.publish(progress);
            if (rejects.count() > 0) {
                throw new CommandException(rejects.count() + " sample entries do not fit this partition, see " + rejects.path());
            }
        }
    }

    /** Serves until the process is told to stop; the hook waits until everything is closed, so that a stop is a clean one. */
    private void serve(ServerSettings settings, AdminPassword password) throws IOException, InterruptedException {
        CountDownLatch stop = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            stop.countDown();
            awaitStopped();
        }, "alder-stop"));
        try (AlderServer server = AlderServer.start(settings)) {
            String url = server.urls().get(0);
            server.urls().forEach(each -> System.out.println("listening on " + each));
            if (server.httpUrl() != null) {
                System.out.println("monitoring on " + server.httpUrl() + "/metrics");
            }
            Partition first = settings.partitions().get(0);
            boolean isEmpty = isEmpty(first);
            System.out.println("try: " + FirstSteps.search("-x -H " + url + " -D " + login(settings, password), first.suffix(),
                    isEmpty, sampleEntries > 0));
            if (isEmpty) {
                System.out.println("no entries yet: docs/first-steps.md shows how the first ones are loaded");
            }
            System.out.flush();
            stop.await();
            LOG.info("stopping");
        }
    }

    private static String login(ServerSettings settings, AdminPassword password) {
        if (password.password() == null) {
            return "DN -W";
        }
        return FirstSteps.quoted(settings.administrator().dn().text()) + " " + (password.file() == null ? "-w \"$" + password.variable() + '"'
                : "-y " + FirstSteps.quoted(password.file().toString()));
    }

    private static boolean isEmpty(Partition partition) {
        try (Snapshot snapshot = partition.snapshot(); Snapshot.EntryCursor entries = snapshot.entries(0)) {
            return !entries.next();
        }
    }

    private void awaitStopped() {
        try {
            stopped.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
