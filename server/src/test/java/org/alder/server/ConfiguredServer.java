package org.alder.server;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.IntSupplier;
import org.alder.partition.file.FileReplacement;
import org.alder.partition.store.FeatureLevel;
import org.alder.partition.store.SharedConfiguration;
import org.alder.partition.store.Store;
import org.alder.server.assembly.ClusterConfiguration;
import org.alder.server.assembly.DataFolder;
import org.alder.server.assembly.LiveConfiguration;
import org.alder.server.assembly.OpenPartitions;
import org.alder.server.assembly.StoredConfiguration;
import org.alder.server.assembly.TlsAssembly;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.ConfigurationText;
import org.alder.server.config.ServerConfiguration;
import org.alder.server.directory.own.OnlineSchema;
import org.alder.server.tls.TlsContexts;

/** A server of a configuration file, in this process, on a free port, without TLS unless the file says so. */
public final class ConfiguredServer implements AutoCloseable {
    /** What all configurations here begin with. */
    public static final String SERVER = "dn: cn=config\nobjectClass: alderServer\ntls: none\nlistener: ldap://127.0.0.1:0\n";
    /** A partition without a folder. */
    public static final String PARTITION = "\ndn: cn=first,cn=config\nobjectClass: alderPartition\nsuffix: " + TestServer.SUFFIX
            + "\nengine: memory\n";

    private final LoggedFaults faults = new LoggedFaults();
    private final OpenPartitions partitions;
    /** Null if it has none. */
    private final TlsContexts tls;
    private final AlderServer server;
    /** Null if it is no member of a cluster. */
    private final ClusterConfiguration common;

    private ConfiguredServer(Path data, Path file, FileReplacement files, ClusterConfiguration common) throws IOException, ConfigurationException {
        this.common = common;
        DataFolder folder = new DataFolder(data);
        StoredConfiguration stored = new StoredConfiguration(folder, files == null ? folder.files() : files);
        StoredConfiguration.Chosen chosen = stored.choose(file);
        ConfigurationText text = common == null ? chosen.text() : common.begin(chosen.text());
        ServerConfiguration configuration = text.configuration();
        tls = TlsAssembly.open(configuration, folder);
        partitions = OpenPartitions.open(folder.partitions(configuration, TestServer.SCHEMA));
        boolean started = false;
        try {
            LiveConfiguration live = new LiveConfiguration(stored, text, TestServer.SCHEMA, partitions,
                    TestServer.ADMIN_PASSWORD.getBytes(StandardCharsets.UTF_8), new OnlineSchema(folder.onlineSchema(), folder.files()), tls);
            stored.take(chosen);
            if (common != null) {
                common.keep(text, stored);
                live.follow(common);
            }
            server = AlderServer.start(live.settings());
            started = true;
        } finally {
            if (!started) {
                partitions.close();
            }
        }
    }

    /** @param text of the configuration file that is written into the folder */
    public static ConfiguredServer start(Path folder, String text) throws IOException, ConfigurationException {
        return start(folder, text, null);
    }

    /** @param files writes the folder's configuration; null for the one of the program */
    static ConfiguredServer start(Path folder, String text, FileReplacement files) throws IOException, ConfigurationException {
        return new ConfiguredServer(Files.createDirectories(folder.resolve("data")), Files.writeString(folder.resolve("my.ldif"), text), files, null);
    }

    /** One that is configured like other members of a cluster. @param folder its own */
    static ConfiguredServer startMember(Path folder, String text, SharedConfiguration shared, String name) throws IOException, ConfigurationException {
        return startMember(folder, text, shared, name, () -> FeatureLevel.NEWEST);
    }

    /** @param level of the cluster */
    static ConfiguredServer startMember(Path folder, String text, SharedConfiguration shared, String name, IntSupplier level) throws IOException, ConfigurationException {
        return new ConfiguredServer(Files.createDirectories(folder.resolve("data")), Files.writeString(folder.resolve("my.ldif"), text), null,
                new ClusterConfiguration(shared, name, level));
    }

    AlderServer server() {
        return server;
    }

    /** That of the first partition. */
    Store store() {
        return partitions.list().get(0).store();
    }

    public int port() {
        return server.port();
    }

    public String httpUrl() {
        return server.httpUrl();
    }

    public LDAPConnection anonymous() throws LDAPException {
        return new LDAPConnection(TestServer.patience(), "127.0.0.1", server.port());
    }

    public LDAPConnection admin() throws LDAPException {
        LDAPConnection connection = anonymous();
        connection.bind(TestServer.ADMIN, TestServer.ADMIN_PASSWORD);
        return connection;
    }

    /** Fails if the server logged a fault of its own. */
    @Override
    public void close() {
        try (faults) {
            if (common != null) {
                common.close();
            }
            server.close();
            partitions.close();
            if (tls != null) {
                tls.close();
            }
        }
    }
}
