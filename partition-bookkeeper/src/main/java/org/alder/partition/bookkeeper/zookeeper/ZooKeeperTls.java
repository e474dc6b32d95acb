package org.alder.partition.bookkeeper.zookeeper;

import java.io.Closeable;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.alder.partition.bookkeeper.member.MemberKeys;
import org.alder.partition.error.StoreException;
import org.apache.zookeeper.ClientCnxnSocketNetty;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.auth.X509AuthenticationProvider;

/**
 * TLS of ZooKeeper: of its clients, and among its servers, which all show certificates of the cluster's authority. ZooKeeper's servers, and
 * BookKeeper where it is a client, take keys from system properties alone. So all members in a process have the same keys, and while they have,
 * nothing in it speaks to a ZooKeeper without TLS. Any thread.
 */
public final class ZooKeeperTls {
    private static final String SERVER_FACTORY = "org.apache.zookeeper.server.NettyServerCnxnFactory";

    private static Path folder;
    private static int uses;

    private ZooKeeperTls() {
    }

    /**
     * Has ZooKeeper's servers and clients in this process use these keys, until that is closed.
     *
     * @throws StoreException where they use others
     */
    public static synchronized Closeable use(MemberKeys keys) {
        if (uses > 0 && !folder.equals(keys.folder())) {
            throw new StoreException(StoreException.Kind.REFUSED, "this process uses the keys in " + folder + ", so it cannot use those in "
                    + keys.folder() + " at the same time");
        }
        folder = keys.folder();
        uses++;
        properties(folder).forEach(System::setProperty);
        return ZooKeeperTls::unuse;
    }

    public static synchronized boolean isOn() {
        return uses > 0;
    }

    private static synchronized void unuse() {
        uses--;
        if (uses == 0) {
            properties(folder).keySet().forEach(System::clearProperty);
        }
    }

    private static Map<String, String> properties(Path keys) {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put(ServerCnxnFactory.ZOOKEEPER_SERVER_CNXN_FACTORY, SERVER_FACTORY);
        properties.put(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, ClientCnxnSocketNetty.class.getName());
        properties.put(ZKClientConfig.SECURE_CLIENT, "true");
        // Else clients ask for the name of an address, and hold that against the certificate.
        properties.put(ZKClientConfig.ENABLE_CLIENT_SASL_KEY, "false");
        properties.put("zookeeper.authProvider.x509", X509AuthenticationProvider.class.getName());
        for (String prefix : new String[] {"zookeeper.ssl.", "zookeeper.ssl.quorum."}) {
            properties.put(prefix + "keyStore.type", "PEM");
            properties.put(prefix + "keyStore.location", keys.resolve(MemberKeys.MEMBER_FILE).toString());
            properties.put(prefix + "trustStore.type", "PEM");
            properties.put(prefix + "trustStore.location", keys.resolve(MemberKeys.AUTHORITY_FILE).toString());
            properties.put(prefix + "protocol", "TLSv1.3");
            properties.put(prefix + "clientAuth", "NEED");
            // Whoever is connected to has to be who was meant; whoever connects may come from any address of its machine.
            properties.put(prefix + "hostnameVerification", "true");
            properties.put(prefix + "clientHostnameVerification", "false");
        }
        return properties;
    }
}
