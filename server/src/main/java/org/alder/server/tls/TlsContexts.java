package org.alder.server.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.KeyStore;
import java.security.cert.CRL;
import java.security.cert.CertStore;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CRL;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.net.ssl.CertPathTrustManagerParameters;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.alder.server.wire.layer.ClientCertificates;
import org.alder.server.wire.layer.TlsEngines;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS of the keys and certificates in files, also after these have changed, or others are taken in their place: from then on new
 * connections have what is new, and those that are open keep what they have. Files that cannot be used change nothing but the log.
 * Thread safe.
 */
public final class TlsContexts implements TlsEngines, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TlsContexts.class);
    /** TLS 1.2 remembers sessions here; those of TLS 1.3 are kept by clients. */
    private static final int SESSIONS = 10_000;
    private static final int SESSION_SECONDS = 3600;
    private static final char[] NO_PASSWORD = {};

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(TlsContexts::clockThread);
    private String lastFault;
    private volatile Use use;
    private volatile Listener listener = (taken, detail) -> { };

    /** What new connections have, and where it was read. Immutable. */
    public static final class Use {
        private final TlsFiles files;
        private final List<String> protocols;
        private final List<String> cipherSuites;
        private final int warningDays;
        private final TlsMaterial.Contents contents;
        private final TlsMaterial material;
        private final SSLContext context;

        private Use(TlsFiles files, List<String> protocols, List<String> cipherSuites, int warningDays, TlsMaterial.Contents contents)
                throws TlsFileException {
            this.files = files;
            this.protocols = List.copyOf(protocols);
            this.cipherSuites = List.copyOf(cipherSuites);
            this.warningDays = warningDays;
            this.contents = contents;
            this.material = TlsMaterial.load(contents);
            this.context = TlsContexts.context(material);
        }

        /**
         * Reads the files.
         *
         * @param protocols such as TLSv1.3
         * @param cipherSuites by the names that Java has for them; empty for those of Java, the best first
         * @param warningDays how long before its expiry the log begins to warn of the server's certificate, once a day
         * @throws TlsFileException if a file cannot be used
         * @throws IllegalArgumentException for a protocol or a cipher suite that Java does not have; the message names it
         */
        public static Use of(TlsFiles files, List<String> protocols, List<String> cipherSuites, int warningDays) throws TlsFileException {
            Use made = new Use(files, protocols, cipherSuites, warningDays, TlsMaterial.Contents.read(files));
            made.newEngine(ClientCertificates.OFF);
            return made;
        }

        /** The same of what is in the files now; null if that is the same. */
        private Use again() throws TlsFileException {
            TlsMaterial.Contents now = TlsMaterial.Contents.read(files);
            return now.sameAs(contents) ? null : new Use(files, protocols, cipherSuites, warningDays, now);
        }

        private SSLEngine newEngine(ClientCertificates clients) {
            SSLEngine engine = context.createSSLEngine();
            engine.setUseClientMode(false);
            SSLParameters parameters = engine.getSSLParameters();
            parameters.setProtocols(protocols.toArray(String[]::new));
            if (!cipherSuites.isEmpty()) {
                parameters.setCipherSuites(cipherSuites.toArray(String[]::new));
            }
            parameters.setUseCipherSuitesOrder(true);
            if (clients == ClientCertificates.REQUIRED) {
                parameters.setNeedClientAuth(true);
            } else {
                parameters.setWantClientAuth(clients == ClientCertificates.OPTIONAL);
            }
            engine.setSSLParameters(parameters);
            return engine;
        }

        private String certificate() {
            return material.chain().get(0).getSubjectX500Principal().toString();
        }

        private Instant notAfter() {
            return material.chain().get(0).getNotAfter().toInstant();
        }
    }

    /**
     * Looks at the files from now on.
     *
     * @param lookMillis how often to look for changes
     */
    public static TlsContexts open(Use first, long lookMillis) {
        TlsContexts contexts = new TlsContexts(first);
        contexts.clock.scheduleWithFixedDelay(contexts::look, lookMillis, lookMillis, TimeUnit.MILLISECONDS);
        contexts.clock.scheduleAtFixedRate(() -> contexts.warnOfExpiry(Instant.now()), 1, 1, TimeUnit.DAYS);
        return contexts;
    }

    private TlsContexts(Use first) {
        hold(first);
    }

    private static Thread clockThread(Runnable task) {
        Thread thread = new Thread(task, "alder-certificates");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public SSLEngine newEngine(ClientCertificates clients) {
        return use.newEngine(clients);
    }

    /** New connections have this from now on, and its files are looked at. */
    public synchronized void take(Use next) {
        hold(next);
        LOG.info("new connections have the new certificates");
        listener.changed(true, next.certificate() + " until " + next.notAfter());
    }

    /** Takes what is new in the files, if it can be used. */
    private synchronized void look() {
        try {
            Use next = use.again();
            lastFault = null;
            if (next != null) {
                take(next);
            }
        } catch (TlsFileException e) {
            if (!e.getMessage().equals(lastFault)) {
                lastFault = e.getMessage();
                LOG.warn("new certificates are not used, the old ones stay: {}", lastFault);
                listener.changed(false, lastFault);
            }
        } catch (RuntimeException e) {
            LOG.warn("new certificates are not used, the old ones stay", e);
        }
    }

    private void hold(Use next) {
        use = next;
        LOG.info("TLS: the certificate of {} is valid until {}", next.certificate(), next.notAfter());
        warnOfExpiry(Instant.now());
    }

    @Override
    public void follow(Listener other) {
        listener = other;
    }

    @Override
    public Instant notAfter() {
        return use.notAfter();
    }

    /** Of all that clients are shown, and of lists of revocations, without which no client is let in. */
    void warnOfExpiry(Instant now) {
        Use held = use;
        for (X509Certificate certificate : held.material.chain()) {
            Instant end = certificate.getNotAfter().toInstant();
            if (now.isAfter(end)) {
                LOG.warn("TLS: the certificate of {} has expired on {}, and clients refuse it", certificate.getSubjectX500Principal(), end);
            } else if (now.isAfter(end.minus(Duration.ofDays(held.warningDays)))) {
                LOG.warn("TLS: the certificate of {} expires on {}, in {} days", certificate.getSubjectX500Principal(), end,
                        Duration.between(now, end).toDays());
            }
        }
        for (CRL list : held.material.revocations()) {
            if (list instanceof X509CRL crl && crl.getNextUpdate() != null && now.isAfter(crl.getNextUpdate().toInstant())) {
                LOG.warn("TLS: the list of revocations of {} has run out on {}, and its certificates of clients are refused",
                        crl.getIssuerX500Principal(), crl.getNextUpdate().toInstant());
            }
        }
    }

    private static SSLContext context(TlsMaterial material) {
        try {
            SSLContext made = SSLContext.getInstance("TLS");
            made.init(keys(material), trust(material), null);
            made.getServerSessionContext().setSessionCacheSize(SESSIONS);
            made.getServerSessionContext().setSessionTimeout(SESSION_SECONDS);
            return made;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("keys and certificates that were read cannot be used: " + e.getMessage(), e);
        }
    }

    /** Of SunX509, which holds the key: the newer PKIX decrypts it anew for each handshake, and that costs more than the rest of it. */
    private static KeyManager[] keys(TlsMaterial material) throws GeneralSecurityException {
        KeyStore store = empty();
        store.setKeyEntry("server", material.key(), NO_PASSWORD, material.chain().toArray(X509Certificate[]::new));
        KeyManagerFactory factory = KeyManagerFactory.getInstance("SunX509");
        factory.init(store, NO_PASSWORD);
        return factory.getKeyManagers();
    }

    private static KeyStore empty() throws GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try {
            store.load(null, null);
        } catch (IOException e) {
            throw new IllegalStateException("nothing is read", e);
        }
        return store;
    }

    /**
     * Without authorities nobody is trusted: null would stand for those that Java knows. With lists of revocations, every certificate
     * of a chain has to be in none of them, and each authority needs a list.
     */
    private static TrustManager[] trust(TlsMaterial material) throws GeneralSecurityException {
        if (material.authorities().isEmpty()) {
            return new TrustManager[0];
        }
        Set<TrustAnchor> anchors = material.authorities().stream().map(each -> new TrustAnchor(each, null))
                .collect(Collectors.toSet());
        try {
            PKIXBuilderParameters parameters = new PKIXBuilderParameters(anchors, new X509CertSelector());
            parameters.setRevocationEnabled(!material.revocations().isEmpty());
            parameters.addCertStore(CertStore.getInstance("Collection",
                    new CollectionCertStoreParameters(material.revocations())));
            TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
            factory.init(new CertPathTrustManagerParameters(parameters));
            return factory.getTrustManagers();
        } catch (InvalidAlgorithmParameterException e) {
            throw new GeneralSecurityException(e);
        }
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
