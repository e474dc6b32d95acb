package org.alder.server.assembly;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.alder.partition.jdbm.backup.BackupWriter;
import org.alder.partition.jdbm.backup.ClusterContents;
import org.alder.partition.jdbm.disk.AtomicFile;
import org.alder.server.config.Key;
import org.alder.server.config.SecretReference;
import org.alder.server.config.ServerConfiguration;
import org.alder.server.config.ServerKeys;

/**
 * What of a data folder and its configuration a backup holds: the partitions' stores, whatever else is in the folder but logs, with the
 * folder's own configuration and its history, the files that the configuration names, and the schema files of the installation. What
 * is not of the data folder is below {@code conf}, so that a configuration that is not the folder's own finds there what it names by
 * a relative path. Of a member of a cluster its ZooKeeper's and its bookie's files are left out: they say which of the members it is. Immutable.
 */
public final class DataBackup implements BackupWriter.SmallFiles {
    /** Where a configuration that is not the folder's own is in a data folder that was restored. */
    public static final String CONFIGURATION = "conf/config.ldif";
    /** Below this is what the configuration names by an absolute path: nothing finds it there by itself. */
    public static final String ELSEWHERE = "conf/elsewhere/";
    /** Below this are the schema files of the installation. */
    public static final String SCHEMA = "conf/schema/";

    private static final List<Key<String>> FILES = List.of(ServerKeys.TLS_CERTIFICATE_FILE, ServerKeys.TLS_KEY_FILE,
            ServerKeys.TLS_KEY_STORE_FILE, ServerKeys.TLS_AUTHORITY_FILE, ServerKeys.KERBEROS_KEYTAB_FILE,
            ServerKeys.PASSWORD_POLICY_DICTIONARY_FILE);
    private static final List<Key<SecretReference>> SECRETS = List.of(ServerKeys.TLS_PASSWORD_FILE, ServerKeys.ADMINISTRATOR_PASSWORD);

    private final DataFolder data;
    private final Path configurationFile;
    private final ServerConfiguration configuration;
    private final ClusterContents cluster;
    private final List<BackupWriter.Source> sources = new ArrayList<>();
    private final List<String> suffixesWithoutStore = new ArrayList<>();

    /** @param cluster of which this is a member's folder; null where it stands alone */
    public DataBackup(DataFolder data, Path configurationFile, ServerConfiguration configuration, List<PartitionFolder> partitions, ClusterContents cluster)
            throws IOException {
        this.cluster = cluster;
        this.data = data;
        this.configurationFile = configurationFile;
        this.configuration = configuration;
        for (PartitionFolder each : partitions) {
            if (BackupWriter.isStore(each.path())) {
                sources.add(new BackupWriter.Source(each.name(), each.path(), cluster));
            } else if (cluster != null && cluster.has(each.name())) {
                sources.add(new BackupWriter.Source(each.name(), null, cluster));
            } else {
                suffixesWithoutStore.add(each.label());
            }
        }
    }

    /** The stores, also those that only other members of the cluster hold; partitions that have none in files are not among them. */
    public List<BackupWriter.Source> sources() {
        return List.copyOf(sources);
    }

    /** Of the partitions that {@link #sources} leaves out: they were never opened, or are in memory alone. */
    public List<String> suffixesWithoutStore() {
        return List.copyOf(suffixesWithoutStore);
    }

    /** The schema of the cluster, which the log is written by: the member's file may be older. */
    @Override
    public Map<String, byte[]> given() throws IOException {
        byte[] schema = cluster == null ? null : cluster.schema();
        return schema == null ? Map.of() : Map.of(data.onlineSchema().getFileName().toString(), schema);
    }

    @Override
    public Map<String, Path> list() throws IOException {
        Map<String, Path> files = new TreeMap<>();
        addDataFolder(files);
        if (!configurationFile.equals(data.configuration())) {
            files.putIfAbsent(CONFIGURATION, configurationFile);
        }
        for (Path schema : DataFolder.installedSchemaFiles()) {
            files.putIfAbsent(SCHEMA + schema.getFileName(), schema);
        }
        for (String named : named()) {
            Path file = configuration.settings().path(named);
            if (Files.isRegularFile(file)) {
                files.putIfAbsent(nameOf(named), file);
            }
        }
        return files;
    }

    private List<String> named() {
        List<String> named = new ArrayList<>(configuration.get(ServerKeys.SCHEMA_FILE));
        named.addAll(configuration.get(ServerKeys.TLS_REVOCATION_FILE));
        for (Key<String> key : FILES) {
            if (configuration.get(key) != null) {
                named.add(configuration.get(key));
            }
        }
        for (Key<SecretReference> key : SECRETS) {
            SecretReference secret = configuration.get(key);
            if (secret != null && secret.kind() == SecretReference.Kind.FILE) {
                named.add(secret.name());
            }
        }
        return named;
    }

    /** Beside the configuration, where it names it relative to itself. */
    private static String nameOf(String named) {
        Path path = Path.of(named).normalize();
        boolean below = !path.isAbsolute() && !path.startsWith("..");
        StringBuilder name = new StringBuilder(below ? "conf" : ELSEWHERE.substring(0, ELSEWHERE.length() - 1));
        for (Path part : path) {
            name.append('/').append(part.toString().equals("..") ? "up" : part);
        }
        return name.toString();
    }

    private void addDataFolder(Map<String, Path> files) throws IOException {
        List<Path> others = List.of(data.path().resolve(DataFolder.PARTITIONS), data.cluster(), data.audit().getParent(),
                data.accessLog().getParent(), data.rejects());
        Files.walkFileTree(data.path(), new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return others.contains(folder) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (attributes.isRegularFile() && !others.contains(file) && !file.toString().endsWith(AtomicFile.NEW_SUFFIX)) {
                    files.put(data.path().relativize(file).toString().replace(file.getFileSystem().getSeparator(), "/"), file);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException exception) throws IOException {
                if (Files.exists(file)) {
                    throw exception;
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
