package org.alder.server.cli;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.ClusterService;
import org.alder.partition.store.Snapshot;
import org.alder.partition.text.JsonText;
import org.alder.server.AlderServer;
import org.alder.server.LiveSettings;
import org.alder.server.ServerSettings;
import org.alder.server.WarmUp;
import org.alder.server.assembly.AdministratorAssembly;
import org.alder.server.assembly.DataFolder;
import org.alder.server.assembly.LiveConfiguration;
import org.alder.server.assembly.OpenPartitions;
import org.alder.server.assembly.PartitionFolder;
import org.alder.server.assembly.SharedAssembly;
import org.alder.server.assembly.StoredConfiguration;
import org.alder.server.assembly.TlsAssembly;
import org.alder.server.cli.client.AdminPassword;
import org.alder.server.cli.client.FolderConfiguration;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.DataOptions;
import org.alder.server.cli.option.JsonOption;
import org.alder.server.cli.option.ProgressOption;
import org.alder.server.cli.option.Verb;
import org.alder.server.cli.option.WrongCallException;
import org.alder.server.cli.output.TerminalText;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.ConfigurationText;
import org.alder.server.config.ServerConfiguration;
import org.alder.server.config.ServerKeys;
import org.alder.server.config.SettingOverride;
import org.alder.server.tls.TlsContexts;
import org.alder.server.warmup.PageMemory;
import org.alder.server.wire.Listener;
import org.alder.server.wire.PlaintextBind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs the server in the foreground until it is told to stop. */
@Command(name = "start", mixinStandardHelpOptions = true, description = "Run the server in the foreground.",
        footer = {"  alder start --data /var/lib/alder",
                "  alder start --sample 1000",
                "  alder start --data /var/lib/alder --cluster /etc/alder/cluster.conf",
                "  alder start --data /var/lib/alder --join node1.example.com:10389 --join-token-file token",
                "  alder start --data /var/lib/alder --conf /etc/alder/config.ldif --host 0.0.0.0"})
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

    @Option(names = "--sample", paramLabel = "N", description = "On an empty data folder, first load a company of N people, with"
            + " departments, groups and an account for applications. Some of them get passwords, which are printed once.")
    private long sampleEntries;

    @Option(names = "--admin-password-file", paramLabel = "F",
            description = "A file with the administrator's password. Default: ALDER_ADMIN_PASSWORD, else DATA/admin.password, which the first "
                    + "start generates.")
    private Path adminPasswordFile;

    @Mixin
    private JoinOptions membership;

    @Mixin
    private JsonOption json;

    @Mixin
    private ProgressOption progressOption;

    private final CountDownLatch stopped = new CountDownLatch(1);

    @Override
    public Integer call()
            throws IOException, DirectoryException, ConfigurationException, CommandException, InterruptedException {
        checkOptions();
        if (Files.notExists(data.data().path())) {
            // What cannot be started makes none.
            FolderConfiguration.check(data.data(), data.configuration());
        }
        try (Closeable held = data.data().hold()) {
            return run();
        }
    }

    /** In a folder that nobody changes meanwhile. */
    private int run() throws IOException, DirectoryException, ConfigurationException, CommandException, InterruptedException {
        StoredConfiguration.Chosen chosen = data.chosen();
        List<SettingOverride> overrides = new ArrayList<>(chosen.text().overrides());
        overrides.addAll(SettingOverride.ofListener(host, port));
        ConfigurationText own = chosen.text().with(overrides);
        ServerConfiguration configuration = own.configuration();
        Schema schema = data.schema();
        DataFolder folder = data.data();
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
        SampleLoad sample = new SampleLoad(sampleEntries, configuration, folder);
        try {
            try (ClusterService.Cluster cluster = membership.join(folder);
                    SharedAssembly shared = SharedAssembly.begin(cluster, schema, folder)) {
                run(chosen, shared.configuration(own), schema, password, sample, cluster, shared);
            }
            System.err.println("alder: stopped");
        } finally {
            stopped.countDown();
        }
        return 0;
    }

    /** @param text what was chosen, with what this start was told, and what the cluster has in common */
    private void run(StoredConfiguration.Chosen chosen, ConfigurationText text, Schema schema, AdminPassword password, SampleLoad sample,
            ClusterService.Cluster cluster, SharedAssembly shared)
            throws IOException, DirectoryException, ConfigurationException, CommandException, InterruptedException {
        ServerConfiguration configuration = text.configuration();
        DataFolder folder = data.data();
        try (PageMemory pages = PageMemory.start(folder.partitionsFolder(), folder.hotPages(), folder.files(), configuration.get(ServerKeys.REMEMBER_PAGES));
                OpenPartitions partitions = open(configuration, schema, AdministratorAssembly.dn(configuration, schema), sample, cluster);
                SharedAssembly serving = shared.serve(partitions);
                TlsContexts tls = TlsAssembly.open(configuration, folder)) {
            StoredConfiguration stored = new StoredConfiguration(folder);
            LiveConfiguration live = new LiveConfiguration(stored, text, schema, partitions, password.bytes(), serving.onlineSchema(), tls);
            stored.take(chosen);
            serving.follow(live, text, stored);
            serve(live.settings(), configuration.get(ServerKeys.WARM_UP_SECONDS), password, sample);
            // While the partitions are open: their files are mapped.
            pages.note();
        }
    }

    /** The schema of a cluster is taken before: it may have what the configuration names. */
    private OpenPartitions open(ServerConfiguration configuration, Schema schema, Dn administrator, SampleLoad sample,
            ClusterService.Cluster cluster) throws IOException, DirectoryException, ConfigurationException, CommandException {
        List<PartitionFolder> folders = data.data().partitions(configuration, schema);
        sample.load(schema, folders.subList(0, folders.get(0).configuration().shards()), administrator, progressOption.progress());
        folders.stream().filter(PartitionFolder::isFirst).forEach(partition -> partition.configuration().heapNote().ifPresent(LOG::info));
        return OpenPartitions.open(folders, cluster);
    }

    @Override
    public String whenInterrupted() {
        return null;
    }

    private void checkOptions() throws CommandException {
        membership.check();
        if (port != null && (port < 0 || port > MAX_PORT)) {
            throw new WrongCallException("--port " + port + ": expected a number from 0 to " + MAX_PORT);
        }
        if (sampleEntries < 0) {
            throw new WrongCallException("--sample " + sampleEntries + ": expected a number that is not negative");
        }
    }

    /** Serves until the process is told to stop; the hook waits until everything is closed, so that a stop is a clean one. */
    private void serve(LiveSettings live, int warmUpSeconds, AdminPassword password, SampleLoad sample) throws IOException, InterruptedException {
        ServerSettings settings = live.now();
        CountDownLatch stop = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            stop.countDown();
            awaitStopped();
        }, "alder-stop"));
        new WarmUp(settings, warmUpSeconds, () -> stop.getCount() == 0).run();
        try (AlderServer server = AlderServer.start(live); ServiceManager manager = ServiceManager.of(System.getenv())) {
            String url = urlForPasswords(server.urls(), settings.wire().listeners().get(0).plaintextBind());
            server.urls().forEach(each -> tell("listening", each, "listening on "));
            if (server.httpUrl() != null) {
                tell("monitoring", server.httpUrl() + "/metrics", "monitoring on ");
            }
            if (server.consoleUrl() != null) {
                tell("console", server.consoleUrl(), "console on ");
            }
            Partition first = settings.partitions().get(0);
            String connection = "-x -H " + url + " -D " + login(settings, password);
            boolean isEmpty = isEmpty(first);
            tell("try", FirstSteps.search(connection, first.suffix(), isEmpty, sample.isLoaded()), "try: ");
            String firstEntry = isEmpty ? FirstSteps.firstEntry(connection, first.suffix()) : null;
            if (firstEntry != null) {
                tell("firstEntry", firstEntry, "no entries yet: the next line makes the first one, and docs/first-steps.md goes on from there\n");
            } else if (isEmpty && !json.isOn()) {
                System.out.println("no entries yet: docs/first-steps.md shows how the first ones are loaded");
            }
            sample.print(json.isOn());
            System.out.flush();
            manager.tellReady(server::listeners, first.suffix().text());
            stop.await();
            LOG.info("stopping");
            manager.tellStopping();
        }
    }

    /** @param before what stands before it, for people */
    private void tell(String name, String value, String before) {
        System.out.println(json.isOn() ? JsonText.of(Map.of(name, value)) : before + value);
    }

    /** What whoever sits at this machine can log in to: where passwords are not taken in clear, the socket, or else TLS. */
    private static String urlForPasswords(List<String> urls, PlaintextBind inClear) {
        return inClear != PlaintextBind.NONE ? urls.get(0) : Stream.of(Listener.Scheme.LDAPI, Listener.Scheme.LDAPS)
                .flatMap(scheme -> urls.stream().filter(url -> url.startsWith(scheme.text() + "://"))).findFirst().orElse(urls.get(0));
    }

    private static String login(ServerSettings settings, AdminPassword password) {
        if (password.password() == null) {
            return "DN -W";
        }
        return TerminalText.quoted(settings.administrator().dn().text()) + " " + (password.file() == null ? "-w \"$" + password.variable() + '"'
                : "-y " + TerminalText.quoted(password.file().toString()));
    }

    private static boolean isEmpty(Partition partition) {
        if (partition.isElsewhere()) {
            return false;
        }
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
