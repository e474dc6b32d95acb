package org.alder.partition.bookkeeper.zookeeper;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.apache.zookeeper.server.embedded.ExitHandler;
import org.apache.zookeeper.server.embedded.ZooKeeperServerEmbedded;

/**
 * A ZooKeeper server in this process: alone, or one of an ensemble. It has no administration server and answers no four-letter commands.
 * ZooKeeper reads some of its settings from system properties, so those of the first server in a process hold for all. Where
 * {@link ZooKeeperTls} is on when it starts, all of its ports take TLS alone. Any thread; whoever starts it closes it.
 */
public final class EmbeddedZooKeeper implements Closeable {
    private static final long START_MILLIS = 120_000;
    private static final int MOST_CONNECTIONS = 1000;
    private static final int MOST_CONNECTIONS_OF_ONE_ADDRESS = 200;
    /** Of the transaction log's files, which are made ahead. */
    private static final String FILE_KIB = "4096";
    /** Without this file a server that has nothing does not vote (ZOOKEEPER-261). It is gone when the server has begun. */
    private static final String MAY_BE_EMPTY = "initialize";

    private final ZooKeeperServerEmbedded server;

    private EmbeddedZooKeeper(ZooKeeperServerEmbedded server) {
        this.server = server;
    }

    /**
     * One server of an ensemble.
     *
     * @param host         where it listens, for clients and for the others
     * @param clientPort   for clients
     * @param peerPort     for those who follow the one that leads
     * @param electionPort for the election of that one
     */
    public record Server(String host, int clientPort, int peerPort, int electionPort) {
    }

    /**
     * Starts a server, and returns when it listens.
     *
     * @param folder     its own, made where it is not there
     * @param number     which of the servers it is, from 1; never another one with the same folder
     * @param servers    all of the ensemble, the same on each; a single one stands alone
     * @param tickMillis ZooKeeper's unit of time: sessions last twice as long at least, and twenty times at most
     * @param founds     whether it begins an ensemble with the others where it has nothing; one that does not takes what they have, and votes when it has that
     */
    public static EmbeddedZooKeeper start(Path folder, int number, List<Server> servers, int tickMillis, boolean founds) throws IOException {
        // One that cannot read or write its files says so only when it should have started long ago.
        ZooKeeperFiles.requireDisk(folder);
        Path data = Files.createDirectories(folder.resolve("data"));
        if (founds) {
            Files.writeString(data.resolve(MAY_BE_EMPTY), "");
        } else {
            Files.deleteIfExists(data.resolve(MAY_BE_EMPTY));
        }
        Files.writeString(data.resolve("myid"), Integer.toString(number));
        try {
            ZooKeeperServerEmbedded server = ZooKeeperServerEmbedded.builder().baseDir(folder)
                    .configuration(properties(data, number, servers, tickMillis)).exitHandler(ExitHandler.LOG_ONLY).build();
            server.start(START_MILLIS);
            return new EmbeddedZooKeeper(server);
        } catch (InterruptedException e) {
            throw Deadline.interrupted(e);
        } catch (Exception e) {
            throw new IOException("ZooKeeper cannot start with folder " + folder + " as " + servers.get(number - 1) + ": " + e.getMessage(), e);
        }
    }

    private static Properties properties(Path data, int number, List<Server> servers, int tickMillis) {
        Server own = servers.get(number - 1);
        Properties properties = new Properties();
        properties.setProperty("dataDir", data.toString());
        boolean isTls = ZooKeeperTls.isOn();
        properties.setProperty(isTls ? "secureClientPort" : "clientPort", Integer.toString(own.clientPort));
        properties.setProperty(isTls ? "secureClientPortAddress" : "clientPortAddress", own.host);
        properties.setProperty("sslQuorum", Boolean.toString(isTls));
        properties.setProperty("tickTime", Integer.toString(tickMillis));
        properties.setProperty("maxClientCnxns", Integer.toString(MOST_CONNECTIONS_OF_ONE_ADDRESS));
        properties.setProperty("maxCnxns", Integer.toString(MOST_CONNECTIONS));
        properties.setProperty("admin.enableServer", "false");
        properties.setProperty("4lw.commands.whitelist", "");
        properties.setProperty("preAllocSize", FILE_KIB);
        properties.setProperty("db.autocreate", "false");
        properties.setProperty("autopurge.purgeInterval", "24");
        properties.setProperty("autopurge.snapRetainCount", "3");
        properties.setProperty("metricsProvider.className", ServerFailures.class.getName());
        if (servers.size() > 1) {
            properties.setProperty("initLimit", "20");
            properties.setProperty("syncLimit", "10");
            for (int i = 0; i < servers.size(); i++) {
                Server server = servers.get(i);
                properties.setProperty("server." + (i + 1), server.host + ":" + server.peerPort + ":" + server.electionPort);
            }
        }
        return properties;
    }

    @Override
    public void close() {
        server.close();
    }
}
