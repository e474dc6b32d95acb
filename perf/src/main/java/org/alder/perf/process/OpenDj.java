package org.alder.perf.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * An OpenDJ of this machine, of which each folder of the benchmark gets a copy, as that is how it is set up. Immutable.
 *
 * @param home what its zip file has, not set up
 */
public record OpenDj(Path home) implements Peer {
    private static final String ADMINISTRATOR = "cn=Directory Manager";
    private static final String BACKEND = "ds-cfg-backend-id=userRoot,cn=Backends,cn=config";
    private static final String CONNECTIONS = "cn=LDAP Connection Handler,cn=Connection Handlers,cn=config";
    private static final String JAVA_HOME = "OPENDJ_JAVA_HOME";
    private static final Pattern VERSION = Pattern.compile("Server (\\S+)");
    private static final long MOST_HEAP_MIB = 4096;

    /** @throws IOException where there is none, or it is set up already */
    public static OpenDj at(Path home) throws IOException {
        if (!Files.isExecutable(home.resolve("setup")) || !Files.isExecutable(home.resolve("bin/import-ldif"))) {
            throw new IOException(home + " has no OpenDJ: expected the folder opendj of its zip file");
        } else if (Files.exists(home.resolve("config/config.ldif"))) {
            throw new IOException("the OpenDJ in " + home + " is set up already: expected one as it comes out of its zip file, of which copies are set up");
        }
        return new OpenDj(home.toAbsolutePath().normalize());
    }

    @Override
    public String name() {
        return "OpenDJ";
    }

    @Override
    public String version() throws IOException {
        return Peer.version(command(home.resolve("bin/start-ds"), "--version"), VERSION);
    }

    @Override
    public String administrator() {
        return ADMINISTRATOR;
    }

    @Override
    public String setUp() {
        return "OpenDJ is as it sets itself up, with JE, which syncs here, a heap of " + heapMib() + " MiB, without an access log, limits on searches and checks of syntaxes; indexes have the IDs of"
                + " values with up to 4,000 entries, which is what it has by itself.";
    }

    @Override
    public ProcessRun load(Path folder, Path ldif, long entries) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        Path own = own(folder);
        copy(home, own);
        List<Integer> ports = FreePorts.find(3);
        ProcessRun.of(own + "/setup", command(own.resolve("setup"), "--cli", "-n", "--acceptLicense", "-O", "-Q", "-h", "localhost", "-p",
                ports.get(0).toString(), "--adminConnectorPort", ports.get(1).toString(), "-x", ports.get(2).toString(),
                "-D", ADMINISTRATOR, "-w", PASSWORD, "-b", "dc=example,dc=com", "-a", "-S"), folder.resolve("setup.out"));
        Path file = own.resolve("config/config.ldif");
        Files.writeString(file, configuration(Files.readString(file)).text());
        Path java = own.resolve("config/java.properties");
        Files.writeString(java, Files.readString(java).replaceAll("(?m)^(start-ds|import-ldif\\.offline)\\.java-args=.*",
                "$1.java-args=-server -Xms" + heapMib() + "m -Xmx" + heapMib() + "m"));
        Path rejects = folder.resolve("rejects");
        ProcessRun run = ProcessRun.of(own + "/bin/import-ldif", command(own.resolve("bin/import-ldif"), "-n", "userRoot", "-l", ldif.toAbsolutePath().toString(), "--offline",
                "-R", rejects.toString()), folder.resolve("import-ldif.out"));
        if (Files.exists(rejects) && Files.size(rejects) > 0) {
            try (Stream<String> lines = Files.lines(rejects)) {
                throw new IOException("OpenDJ does not load all entries: " + lines.findFirst().orElse(""));
            }
        }
        return run;
    }

    private static ConfigurationText configuration(String setUp) {
        ConfigurationText text = new ConfigurationText(setUp)
                .without("ds-cfg-attribute=(?:cn|sn|mail|uid|givenName|telephoneNumber),cn=Index,ds-cfg-backend-id=userRoot,")
                .with(BACKEND, "ds-cfg-db-txn-no-sync: false", "ds-cfg-db-txn-write-no-sync: false")
                .with("cn=config", "ds-cfg-size-limit: 0", "ds-cfg-time-limit: 0 seconds", "ds-cfg-lookthrough-limit: 0",
                        // Letters are no telephone numbers, and the generated users have some.
                        "ds-cfg-invalid-attribute-syntax-behavior: accept",
                        // Else it refuses what no index answers.
                        "ds-cfg-disabled-privilege: unindexed-search")
                // As the generated users have them.
                .with("cn=Default Password Policy,cn=Password Policies,cn=config", "ds-cfg-allow-pre-encoded-passwords: true")
                .with("cn=File-Based Access Logger,cn=Loggers,cn=config", "ds-cfg-enabled: false");
        for (String attribute : BenchmarkIndexes.EQUALITY) {
            List<String> index = new ArrayList<>(List.of("dn: ds-cfg-attribute=" + attribute + ",cn=Index," + BACKEND, "objectClass: top",
                    "objectClass: ds-cfg-backend-index", "ds-cfg-attribute: " + attribute, "ds-cfg-index-type: equality"));
            if (BenchmarkIndexes.SUBSTRING.contains(attribute)) {
                index.add("ds-cfg-index-type: substring");
            }
            text = text.and(index);
        }
        return text;
    }

    /** About as much as OpenLDAP maps of the same data, and no more than half of the machine. */
    private static long heapMib() {
        return Math.min(MOST_HEAP_MIB, Machine.here().memoryBytes() / 2 >> 20);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path each : all.toList()) {
                Files.copy(each, to.resolve(from.relativize(each)), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    /** With the Java that this process has. */
    private static ProcessBuilder command(Path program, String... arguments) {
        List<String> all = new ArrayList<>(List.of(program.toString()));
        all.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(all);
        builder.environment().put(JAVA_HOME, System.getProperty("java.home"));
        return builder;
    }

    private static Path own(Path folder) {
        return folder.resolve("opendj");
    }

    @Override
    public Path database(Path folder) {
        return own(folder).resolve("db");
    }

    @Override
    public PeerProcess serve(Path folder) throws IOException, InterruptedException {
        Path file = own(folder).resolve("config/config.ldif");
        int port = FreePorts.find(1).get(0);
        Files.writeString(file, new ConfigurationText(Files.readString(file)).with(CONNECTIONS, "ds-cfg-listen-port: " + port, "ds-cfg-listen-address: 127.0.0.1").text());
        return PeerProcess.start(command(own(folder).resolve("bin/start-ds"), "-Q", "--nodetach"), folder.resolve("start-ds.out"), port, 0);
    }
}
