package org.alder.server.assembly;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.StoreException;
import org.alder.partition.file.FileReplacement;
import org.alder.partition.file.Folders;
import org.alder.partition.file.OwnerOnly;
import org.alder.partition.jdbm.disk.AtomicFile;
import org.alder.partition.jdbm.disk.FolderLock;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.schema.Schema;
import org.alder.partition.tree.Shard;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.PartitionConfiguration;
import org.alder.server.config.PartitionKeys;
import org.alder.server.config.ServerConfiguration;
import org.alder.server.config.ServerKeys;

/** Where the parts of a data folder are, and the schema of a server with these data. Immutable. */
public record DataFolder(Path path) {
    static final String PARTITIONS = "partitions";
    private static final String SHARD = ".shard-";
    private static final String OF = "-of-";

    /** Whether a server has been started, or something was loaded or configured here. */
    public boolean isThere() {
        return Stream.of(configuration(), lastConfigurationFile(), onlineSchema(), partitionsFolder()).anyMatch(Files::exists);
    }

    /** Whether there is anything in which entries are. */
    public boolean hasPartitions() {
        String[] names = partitionsFolder().toFile().list();
        return names != null && names.length > 0;
    }

    /**
     * Looks whether what is here can be seen: what cannot would be taken for what is not there.
     *
     * @throws AccessDeniedException if it cannot; a folder that is not there is none that is closed
     */
    public void requireOpen() throws IOException {
        if (Files.notExists(path)) {
            return;
        }
        if (Files.exists(path) && !Files.isDirectory(path)) {
            throw new IOException(path + " is no folder, expected the data folder");
        }
        if (!Files.isReadable(path) || !Files.isExecutable(path)) {
            throw new AccessDeniedException(path.toString());
        }
    }

    /**
     * Keeps what all partitions have in common, the configuration and the schema, for the caller alone until he closes the lock. Makes the
     * folder where it is not there. A server holds it as long as it runs.
     *
     * @throws StoreException of kind REFUSED, naming the process that has it
     */
    public Closeable hold() throws IOException {
        requireOpen();
        Folders.create(path);
        return FolderLock.acquire(SystemDisk.INSTANCE, path);
    }

    /** Where the store of this partition, or of this shard of it, is. */
    Path partition(PartitionConfiguration partition, Shard shard) {
        return partitionsFolder().resolve(storeName(partition.name(), shard));
    }

    /** By which the store of this partition, or of this shard of it, is known among the folders, and in a cluster among the logs. */
    static String storeName(String partition, Shard shard) {
        return partition + (shard.isPart() ? SHARD + shard.number() + OF + shard.count() : "");
    }

    /** Of all shards, in their order; of a partition that is not distributed its name. */
    public static List<String> storeNames(PartitionConfiguration partition) {
        return IntStream.range(0, partition.shards()).mapToObj(number -> storeName(partition.name(), new Shard(number, partition.shards()))).toList();
    }

    /** Is there while some shards of the partition have the entries of an import, and others have not. */
    Path cutOffImport(PartitionConfiguration partition) {
        return partitionsFolder().resolve(partition.name() + ".import");
    }

    /** @throws ConfigurationException if the folders that there are of this partition are those of another number of shards */
    void requireDistributed(PartitionConfiguration partition) throws ConfigurationException {
        String whole = partition.name();
        Pattern ofShard = Pattern.compile(Pattern.quote(whole + SHARD) + "\\d+" + OF + "(\\d+)");
        String[] names = partitionsFolder().toFile().list();
        for (String name : names == null ? new String[0] : names) {
            Matcher shard = ofShard.matcher(name);
            int shards = shard.matches() ? Integer.parseInt(shard.group(1)) : name.equals(whole) ? 1 : partition.shards();
            if (shards != partition.shards()) {
                throw partition.settings().fault(partition.shards() == 1 ? PartitionKeys.DISTRIBUTION : PartitionKeys.SHARDS,
                        partitionsFolder().resolve(name) + " is there, of " + (shards == 1 ? "the partition without distribution"
                        : "the partition with shards: " + shards) + ": expected that, or its entries to be exported before, its folders to be taken"
                        + " away, and the entries to be imported (docs/sharding.md)");
            }
        }
    }

    /**
     * All partitions of a configuration, and of one that is distributed its shards.
     *
     * @throws ConfigurationException naming file and line, if two have the same suffix, or one cannot be
     */
    public List<PartitionFolder> partitions(ServerConfiguration server, Schema schema) throws ConfigurationException {
        List<PartitionFolder> folders = new ArrayList<>();
        Set<Dn> suffixes = new HashSet<>();
        for (PartitionConfiguration partition : server.partitions()) {
            List<PartitionFolder> shards = PartitionFolder.all(schema, partition, this);
            if (!suffixes.add(shards.get(0).suffix())) {
                throw partition.settings().fault(PartitionKeys.SUFFIX, "another partition has the suffix \"" + partition.suffix()
                        + "\" too, expected one of its own");
            }
            folders.addAll(shards);
        }
        return folders;
    }

    /** What a member of a cluster has beside its partitions: its ZooKeeper's and its bookie's files. */
    public Path cluster() {
        return path.resolve("cluster");
    }

    /** Is there where those definitions are the ones of the cluster. */
    public Path clusterSchema() {
        return cluster().resolve("schema");
    }

    /** Where definitions that are added over LDAP are kept. */
    public Path onlineSchema() {
        return path.resolve("schema.ldif");
    }

    /** The configuration that the folder has of its own. */
    public Path configuration() {
        return path.resolve("config.ldif");
    }

    /** What that was before. */
    Path configurationHistory() {
        return path.resolve("config-history");
    }

    public Path adminPassword() {
        return path.resolve("admin.password");
    }

    /**
     * Of this folder and other files, what users of the machine can get at that are neither the owner nor in the group: the data
     * are as secret as the passwords in them. What this program makes is the owner's alone; what was there before keeps its
     * permissions.
     *
     * @param files those that are not there are passed over
     */
    public List<Path> openToOthers(List<Path> files) throws IOException {
        List<Path> open = new ArrayList<>();
        for (Path each : Stream.concat(Stream.of(path), files.stream()).toList()) {
            if (Files.exists(each) && OwnerOnly.isOpenToOthers(each)) {
                open.add(each);
            }
        }
        return open;
    }

    /** The key that the first start makes if it is given none. */
    public Path tlsKey() {
        return path.resolve("tls.key");
    }

    /** Its certificate. */
    public Path tlsCertificate() {
        return path.resolve("tls.crt");
    }

    /** The unix-domain socket that a server listens on if its configuration names no listeners. */
    public Path socket() {
        return path.resolve("ldapi").toAbsolutePath().normalize();
    }

    /** The access log, unless the configuration says another place. */
    public Path accessLog() {
        return path.resolve("access").resolve("access.jsonl");
    }

    /** The audit log, unless the configuration says another place. */
    public Path audit() {
        return path.resolve("audit").resolve("audit.jsonl");
    }

    /** Where records go that an import refuses. */
    public Path rejects() {
        return path.resolve("rejects.ldif");
    }

    /**
     * The same with the files that a configuration names.
     *
     * @throws ConfigurationException naming file, line and key, if one is not there
     */
    public Schema schema(ServerConfiguration configuration, List<Path> further) throws IOException, ConfigurationException {
        List<Path> files = new ArrayList<>();
        for (String name : configuration.get(ServerKeys.SCHEMA_FILE)) {
            Path file = configuration.settings().path(name);
            if (!Files.isRegularFile(file)) {
                throw configuration.settings().fault(ServerKeys.SCHEMA_FILE, files.size(), "there is no file " + file);
            }
            files.add(file);
        }
        files.addAll(further);
        return schema(files);
    }

    /** The built-in schema, all files in conf/schema, these files, and what was added over LDAP. */
    public Schema schema(List<Path> further) throws IOException {
        List<Path> all = new ArrayList<>(installedSchemaFiles());
        all.addAll(further);
        return Schema.load(all, onlineSchema());
    }

    /** The built-in schema and all files in conf/schema. */
    public static Schema installedSchema() throws IOException {
        return Schema.load(installedSchemaFiles());
    }

    /** The configuration of the installation. */
    public static Path installedConfiguration() {
        return home().resolve("conf/config.ldif");
    }

    /** All files in conf/schema. */
    public static List<Path> installedSchemaFiles() throws IOException {
        try (Stream<Path> files = Files.list(home().resolve("conf/schema"))) {
            return files.filter(file -> file.toString().endsWith(".ldif") || file.toString().endsWith(".schema")).sorted().toList();
        }
    }

    private static Path home() {
        return Path.of(System.getProperty("alder.home", "."));
    }

    /** Where it is noted which parts of the partitions' files are in use: advice for the next start, which nobody misses. */
    public Path hotPages() {
        return path.resolve("hot-pages");
    }

    /** Where the files are of which it is noted. */
    public Path partitionsFolder() {
        return path.resolve(PARTITIONS);
    }

    /** How small files of a data folder are written. */
    public FileReplacement files() {
        return AtomicFile.onDisk();
    }

    /** Notes which file the folder's configuration was taken from, and what stands for what that said. The folder must be there. */
    void rememberConfiguration(Path configuration, String fingerprint) throws IOException {
        String note = configuration.toAbsolutePath().normalize() + "\n" + fingerprint + "\n";
        if (!Files.exists(lastConfigurationFile()) || !note.equals(Files.readString(lastConfigurationFile()))) {
            files().replace(lastConfigurationFile(), note.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** The file that {@link #rememberConfiguration} noted last; null if none. */
    public String lastConfiguration() throws IOException {
        return noted(0);
    }

    /** What stands for what that file said; null if nothing is noted. */
    String lastConfigurationFingerprint() throws IOException {
        return noted(1);
    }

    private String noted(int line) throws IOException {
        List<String> lines = Files.exists(lastConfigurationFile()) ? Files.readAllLines(lastConfigurationFile()) : List.of();
        return line < lines.size() && !lines.get(line).isBlank() ? lines.get(line).strip() : null;
    }

    Path lastConfigurationFile() {
        return path.resolve("last-configuration");
    }
}
