package org.alder.perf.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An OpenLDAP installation of this machine, with what it takes to load and serve an mdb database that has the indexes of
 * conf/benchmark.ldif and syncs each change to disk (mdb's default). Immutable.
 *
 * @param slapd   the program, which also loads ({@code -T add})
 * @param modules where back_mdb and syncprov are to be loaded from; null where they are built in
 * @param exactSets whether sets of up to 16 million IDs are exact, as Alder's are; by default those of more than 65,536 become ranges
 */
public record OpenLdap(Path slapd, Path schema, Path modules, boolean exactSets) implements Peer {
    /** The name mdb's administrator has to have is one below the suffix. */
    public static final String ADMINISTRATOR = "cn=Manager,dc=example,dc=com";

    private static final List<String> PROGRAM_FOLDERS = List.of("/usr/sbin", "/usr/local/sbin", "/usr/local/libexec",
            "/usr/libexec", "/usr/lib/openldap", "/opt/symas/lib", "/opt/symas/sbin");
    private static final List<String> SCHEMA_FOLDERS = List.of("/etc/ldap/schema", "/etc/openldap/schema",
            "/usr/local/etc/openldap/schema", "/opt/symas/etc/openldap/schema");
    private static final List<String> MODULE_FOLDERS = List.of("/usr/lib/ldap", "/usr/lib64/openldap",
            "/usr/lib/openldap", "/usr/local/libexec/openldap", "/opt/symas/lib/openldap");
    private static final String MESSAGES = "slapd.out";
    private static final String DATA = "data.mdb";
    private static final Pattern VERSION = Pattern.compile("slapd (\\d+\\.\\d+\\.\\d+)");
    private static final int EXACT_SLOT_EXPONENT = 24;
    private static final int DEFAULT_SLOT_EXPONENT = 16;
    /** As many entries have sets of IDs that are ranges by default. */
    public static final long MOST_EXACT_BY_DEFAULT = 1L << DEFAULT_SLOT_EXPONENT;
    private static final long LEAST_MAP_BYTES = 1L << 30;
    /** A load of these entries takes 2 KB each; changes take more. */
    private static final long MAP_BYTES_PER_ENTRY = 10_240;

    /** Empty if slapd or the schema files are not found in the PATH or where distributions put them. */
    public static Optional<OpenLdap> installed() {
        Optional<Path> slapd = program("slapd");
        Optional<Path> schema = folder(SCHEMA_FOLDERS, "inetorgperson.schema");
        return slapd.isEmpty() || schema.isEmpty() ? Optional.empty() : Optional.of(new OpenLdap(slapd.get(), schema.get(), modules(MODULE_FOLDERS), true));
    }

    /**
     * Another one than that which is found by itself: a build of one's own. Its schema and its modules are those below the folder that it was installed in, as
     * {@code make install} puts them; without a schema there, those that are found by themselves.
     *
     * @param slapd in {@code sbin} or {@code libexec} of that folder
     * @throws IOException where it is no program, or there is no schema
     */
    public static OpenLdap at(Path slapd) throws IOException {
        if (!Files.isExecutable(slapd) || Files.isDirectory(slapd)) {
            throw new IOException(slapd + " is no program");
        }
        Path prefix = slapd.toAbsolutePath().normalize().getParent().getParent();
        List<String> schemas = new ArrayList<>(List.of(prefix + "/etc/openldap/schema"));
        schemas.addAll(SCHEMA_FOLDERS);
        Path schema = folder(schemas, "inetorgperson.schema").orElseThrow(() -> new IOException("there is no inetorgperson.schema in any of " + schemas));
        return new OpenLdap(slapd.toAbsolutePath(), schema, modules(List.of(prefix + "/libexec/openldap", prefix + "/lib/openldap")), true);
    }

    private static Path modules(List<String> folders) {
        return folder(folders, "back_mdb.so").or(() -> folder(folders, "back_mdb.la")).orElse(null);
    }

    private static Optional<Path> program(String name) {
        List<String> folders = new ArrayList<>(Arrays.asList(System.getenv().getOrDefault("PATH", "").split(":")));
        folders.addAll(PROGRAM_FOLDERS);
        return folders.stream().filter(folder -> !folder.isEmpty()).map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable).findFirst();
    }

    private static Optional<Path> folder(List<String> folders, String file) {
        return folders.stream().map(Path::of).filter(folder -> Files.isReadable(folder.resolve(file))).findFirst();
    }

    /** The same, with sets of IDs as they are where nobody configures them. */
    public OpenLdap withDefaultSets() {
        return new OpenLdap(slapd, schema, modules, false);
    }

    @Override
    public String name() {
        return "OpenLDAP";
    }

    @Override
    public String administrator() {
        return ADMINISTRATOR;
    }

    @Override
    public String setUp() {
        return "Disk and memory: of OpenLDAP the blocks its file uses, and what of it is mapped and resident."
                + " Caches off: mdb has none of its own, so its warm figure stands beside. OpenLDAP has idlexp " + EXACT_SLOT_EXPONENT + ", so that its sets of IDs"
                + " are exact too, and shows nobody userPassword, as Alder does.";
    }

    @Override
    public String version() throws IOException {
        return Peer.version(new ProcessBuilder(slapd.toString(), "-V"), VERSION);
    }

    /** With {@code slapadd -q}. @param entries mdb wants to know how large it may become */
    @Override
    public ProcessRun load(Path folder, Path ldif, long entries) throws IOException, InterruptedException {
        return load(folder, ldif, configurationText(folder, entries, null), List.of());
    }

    private ProcessRun load(Path folder, Path ldif, String text, List<String> options) throws IOException, InterruptedException {
        Files.createDirectories(database(folder));
        Files.writeString(configuration(folder), text);
        Path messages = folder.resolve("slapadd.out");
        List<String> command = new ArrayList<>(List.of(slapd.toString(), "-Tadd", "-q", "-f", configuration(folder).toString(), "-j",
                Integer.toString(firstRecordLine(ldif)), "-l", ldif.toString()));
        command.addAll(options);
        return ProcessRun.of(slapd + " -Tadd -l " + ldif, new ProcessBuilder(command), messages);
    }

    /**
     * Loads LDIF into two databases, and starts a server of its own process for each, which copies what the other one takes (multi-provider replication).
     *
     * @param folder made here
     * @return both; the caller closes them
     */
    public List<PeerProcess> serveMirrored(Path folder, Path ldif, long entries) throws IOException, InterruptedException {
        List<Integer> ports = FreePorts.find(2);
        Path first = folder.resolve("server1");
        load(first, ldif, configurationText(first, entries, new Mirror(1, ports.get(1))), List.of("-w", "-S", "1"));
        Path second = folder.resolve("server2");
        Files.createDirectories(database(second));
        Files.copy(database(first).resolve(DATA), database(second).resolve(DATA));
        Files.writeString(configuration(second), configurationText(second, entries, new Mirror(2, ports.get(0))));
        List<PeerProcess> servers = new ArrayList<>();
        try {
            servers.add(serve(first, configuration(first), ports.get(0), 0));
            servers.add(serve(second, configuration(second), ports.get(1), 0));
            return List.copyOf(servers);
        } finally {
            if (servers.size() < ports.size()) {
                servers.forEach(PeerProcess::close);
            }
        }
    }

    /**
     * What makes a server one of two that copy each other.
     *
     * @param server 1 or 2
     */
    private record Mirror(int server, int otherPort) {
        /** {@code mirrormode} is what versions before 2.5 call it, and later ones know. */
        List<String> databaseLines() {
            return List.of("index entryUUID,entryCSN eq", "syncrepl rid=00" + server + " provider=ldap://127.0.0.1:" + otherPort + " type=refreshAndPersist retry=\"1 +\""
                    + " searchbase=\"dc=example,dc=com\" bindmethod=simple binddn=\"" + ADMINISTRATOR + "\" credentials=" + PASSWORD, "mirrormode on", "overlay syncprov",
                    "syncprov-sessionlog 10000");
        }
    }

    /** slapadd takes no version line (RFC 2849) in front of the records. */
    private static int firstRecordLine(Path ldif) throws IOException {
        try (var lines = Files.lines(ldif)) {
            return 1 + (int) lines.takeWhile(line -> !line.startsWith("dn:")).count();
        }
    }

    @Override
    public PeerProcess serve(Path folder) throws IOException, InterruptedException {
        return serve(folder, configuration(folder), FreePorts.find(1).get(0), 0);
    }

    private PeerProcess serve(Path folder, Path configuration, int port, int tlsPort) throws IOException, InterruptedException {
        String urls = "ldap://127.0.0.1:" + port + (tlsPort == 0 ? "" : " ldaps://127.0.0.1:" + tlsPort);
        return PeerProcess.start(new ProcessBuilder(slapd.toString(), "-d", "0", "-f", configuration.toString(), "-h", urls), folder.resolve(MESSAGES), port, tlsPort);
    }

    /** The same with TLS. @param certificate in PEM, as the key is */
    public PeerProcess serve(Path folder, Path certificate, Path key) throws IOException, InterruptedException {
        Path configuration = folder.resolve("slapd-tls.conf");
        Files.writeString(configuration, "TLSCertificateFile " + certificate + "\nTLSCertificateKeyFile " + key + "\n"
                + Files.readString(configuration(folder)));
        List<Integer> ports = FreePorts.find(2);
        return serve(folder, configuration, ports.get(0), ports.get(1));
    }

    @Override
    public Path database(Path folder) {
        return folder.resolve("db");
    }

    private static Path configuration(Path folder) {
        return folder.resolve("slapd.conf");
    }

    /** @param mirror null for a server that stands alone */
    private String configurationText(Path folder, long entries, Mirror mirror) {
        List<String> lines = new ArrayList<>();
        for (String name : List.of("core", "cosine", "inetorgperson")) {
            lines.add("include " + schema.resolve(name + ".schema"));
        }
        lines.add("pidfile " + folder.resolve("slapd.pid"));
        if (modules != null) {
            lines.add("modulepath " + modules);
            lines.add("moduleload back_mdb");
        }
        if (modules != null && mirror != null) {
            lines.add("moduleload syncprov");
        }
        if (mirror != null) {
            lines.add("serverID " + mirror.server);
        }
        lines.addAll(List.of("sizelimit unlimited", "timelimit unlimited", "loglevel 0",
                "tool-threads " + Runtime.getRuntime().availableProcessors(), "access to attrs=userPassword by * auth", "access to * by * read",
                "backend mdb", "idlexp " + (exactSets ? EXACT_SLOT_EXPONENT : DEFAULT_SLOT_EXPONENT), "database mdb",
                "suffix \"dc=example,dc=com\"", "rootdn \"" + ADMINISTRATOR + "\"", "rootpw " + PASSWORD,
                "directory " + database(folder), "maxsize " + (LEAST_MAP_BYTES + entries * MAP_BYTES_PER_ENTRY),
                "index objectClass eq"));
        BenchmarkIndexes.EQUALITY.forEach(attribute -> lines.add("index " + attribute + (BenchmarkIndexes.SUBSTRING.contains(attribute) ? " eq,sub" : " eq")));
        if (mirror != null) {
            lines.addAll(mirror.databaseLines());
        }
        return String.join("\n", lines) + "\n";
    }
}
