package org.alder.partition.bookkeeper.log;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.alder.partition.bookkeeper.member.MemberKeys;
import org.alder.partition.error.StoreException;
import org.apache.bookkeeper.auth.AuthCallbacks.GenericCallback;
import org.apache.bookkeeper.auth.AuthToken;
import org.apache.bookkeeper.auth.BookieAuthProvider;
import org.apache.bookkeeper.client.BKException;
import org.apache.bookkeeper.conf.AbstractConfiguration;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.apache.bookkeeper.proto.BookieConnectionPeer;
import org.apache.bookkeeper.tls.SecurityException;
import org.apache.bookkeeper.tls.SecurityHandlerFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS 1.3 between a bookie and its clients, which both show certificates of the cluster's authorities. BookKeeper makes one for each bookie, and
 * for each bookie that a client talks to. A connection begins in clear, with the client's request for TLS; a bookie answers nothing else on it
 * (see {@link Clients}). Safe for several threads.
 */
public final class BookieTls implements SecurityHandlerFactory {
    private static final Logger LOG = LoggerFactory.getLogger(BookieTls.class);
    private static final String FOLDER = "alderMemberKeys";
    /** The one that BookKeeper looks for in a connection. */
    private static final String HANDLER = "tls";
    private static final long CERTIFICATE_SECONDS = 10;

    private SslContext context;
    private ByteBufAllocator allocator;
    private boolean isClient;

    /** Has those who are given this configuration speak TLS. @param keys null where they do not */
    public static void configure(AbstractConfiguration<?> configuration, MemberKeys keys) {
        if (keys != null) {
            configuration.setTLSProviderFactoryClass(BookieTls.class.getName());
            // What has a meaning in values of the configuration is escaped in a URI, but for commas.
            configuration.setProperty(FOLDER, keys.folder().toUri().toString().replace(",", "%2C"));
            if (configuration instanceof ServerConfiguration server) {
                server.setBookieAuthProviderFactoryClass(Clients.class.getName());
            }
        }
    }

    @Override
    public String getHandlerName() {
        return HANDLER;
    }

    @Override
    @SuppressWarnings("rawtypes")
    public void init(NodeType type, AbstractConfiguration configuration, ByteBufAllocator buffers) throws SecurityException {
        try {
            MemberKeys keys = MemberKeys.read(Path.of(URI.create(configuration.getString(FOLDER))));
            isClient = type == NodeType.Client;
            allocator = buffers;
            SslContextBuilder builder = isClient ? SslContextBuilder.forClient().keyManager(keys.key(), keys.certificate())
                    : SslContextBuilder.forServer(keys.key(), keys.certificate()).clientAuth(ClientAuth.REQUIRE).startTls(true);
            context = builder.trustManager(keys.authorities()).sslProvider(SslProvider.JDK).protocols("TLSv1.3").build();
        } catch (IOException | StoreException e) {
            throw new SecurityException("no TLS with bookies: " + e.getMessage(), e);
        }
    }

    @Override
    public SslHandler newTLSHandler() {
        SslHandler handler = context.newHandler(allocator);
        if (isClient) {
            // BookKeeper tells the name that the name service has for an address, also where members are known by their addresses.
            SSLParameters parameters = handler.engine().getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("");
            handler.engine().setSSLParameters(parameters);
            handler.handshakeFuture().addListener(done -> checkHost(handler));
        }
        return handler;
    }

    @Override
    public SslHandler newTLSHandler(String host, int port) {
        return newTLSHandler();
    }

    /** Runs before anything is said on the connection. */
    private static void checkHost(SslHandler handler) {
        if (!handler.handshakeFuture().isSuccess()) {
            return;
        }
        InetSocketAddress address = (InetSocketAddress) handler.handshakeFuture().getNow().remoteAddress();
        try {
            X509Certificate certificate = (X509Certificate) handler.engine().getSession().getPeerCertificates()[0];
            if (MemberKeys.isFor(certificate, address)) {
                return;
            }
            LOG.warn("The bookie at {} shows the certificate of {}, which is for another host: it is not talked to", address,
                    certificate.getSubjectX500Principal());
        } catch (SSLPeerUnverifiedException e) {
            LOG.warn("The bookie at {} shows no certificate: it is not talked to", address);
        }
        handler.handshakeFuture().getNow().close();
    }

    /** A bookie's clients: one that has shown no certificate may ask for TLS, and for nothing else. Stateless. */
    public static final class Clients implements BookieAuthProvider.Factory {
        @Override
        public void init(ServerConfiguration configuration) {
            // What it needs to know the connection knows.
        }

        @Override
        public String getPluginName() {
            return "alder";
        }

        @Override
        public BookieAuthProvider newProvider(BookieConnectionPeer connection, GenericCallback<Void> complete) {
            CompletableFuture.delayedExecutor(CERTIFICATE_SECONDS, TimeUnit.SECONDS).execute(() -> {
                if (!hasShownCertificate(connection)) {
                    connection.disconnect();
                }
            });
            return new BookieAuthProvider() {
                @Override
                public void process(AuthToken token, GenericCallback<AuthToken> answered) {
                    answered.operationComplete(BKException.Code.UnauthorizedAccessException, null);
                }

                /** Comes also where the handshake has failed. */
                @Override
                public void onProtocolUpgrade() {
                    complete.operationComplete(hasShownCertificate(connection) ? BKException.Code.OK
                            : BKException.Code.UnauthorizedAccessException, null);
                }
            };
        }

        private static boolean hasShownCertificate(BookieConnectionPeer connection) {
            return connection.isSecure() && !connection.getProtocolPrincipals().isEmpty();
        }
    }
}
