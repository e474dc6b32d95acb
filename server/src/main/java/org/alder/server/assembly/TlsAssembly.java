package org.alder.server.assembly;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.alder.partition.x509.CertifiedKey;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.Key;
import org.alder.server.config.ListenerLine;
import org.alder.server.config.SecretReference;
import org.alder.server.config.ServerConfiguration;
import org.alder.server.config.ServerKeys;
import org.alder.server.config.Tls;
import org.alder.server.tls.TlsContexts;
import org.alder.server.tls.TlsFileException;
import org.alder.server.tls.TlsFiles;
import org.alder.server.wire.Listener;
import org.alder.server.wire.PlaintextBind;
import org.alder.server.wire.UnixSocket;
import org.alder.server.wire.layer.ClientCertificates;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the listeners and the TLS of a server from its configuration. Stateless. */
public final class TlsAssembly {
    private static final Logger LOG = LoggerFactory.getLogger(TlsAssembly.class);
    private static final long LOOK_MILLIS = 2000;
    private static final int SELF_SIGNED_DAYS = 3650;
    /** As 636 is to 389. */
    private static final int LDAPS_DISTANCE = 247;
    private static final int MOST_PORT = 65_535;

    /** What {@link #use} is made of. */
    private static final List<Key<?>> USED = List.of(ServerKeys.TLS_CERTIFICATE_FILE, ServerKeys.TLS_KEY_FILE, ServerKeys.TLS_KEY_STORE_FILE,
            ServerKeys.TLS_PASSWORD_FILE, ServerKeys.TLS_AUTHORITY_FILE, ServerKeys.TLS_REVOCATION_FILE, ServerKeys.TLS_PROTOCOL,
            ServerKeys.TLS_CIPHER_SUITE, ServerKeys.TLS_EXPIRY_WARNING_DAYS);

    private TlsAssembly() {
    }

    /**
     * Reads keys and certificates; makes a pair in the data folder if the configuration names none and there is none.
     *
     * @return to be closed after the server; null if there is no TLS
     * @throws ConfigurationException naming file, line and key, if they cannot be used
     */
    public static TlsContexts open(ServerConfiguration configuration, DataFolder data) throws ConfigurationException, IOException {
        check(configuration);
        if (configuration.get(ServerKeys.TLS) == Tls.NONE) {
            return null;
        }
        return TlsContexts.open(use(configuration, data), LOOK_MILLIS);
    }

    /**
     * Reads the same for a server that has TLS already.
     *
     * @throws ConfigurationException naming file, line and key, if they cannot be used
     */
    static TlsContexts.Use use(ServerConfiguration configuration, DataFolder data) throws ConfigurationException, IOException {
        TlsFiles files = files(configuration, data);
        try {
            return TlsContexts.Use.of(files, configuration.get(ServerKeys.TLS_PROTOCOL),
                    configuration.get(ServerKeys.TLS_CIPHER_SUITE), configuration.get(ServerKeys.TLS_EXPIRY_WARNING_DAYS));
        } catch (TlsFileException e) {
            throw fault(configuration, files, e);
        } catch (IllegalArgumentException e) {
            throw configuration.settings().fault(ServerKeys.TLS_CIPHER_SUITE, e.getMessage());
        }
    }

    /** Whether connections would have other keys, certificates or ways of TLS. */
    static boolean differ(ServerConfiguration configuration, ServerConfiguration other) {
        return USED.stream().anyMatch(key -> !Objects.equals(configuration.get(key), other.get(key)));
    }

    /** The files with keys and passwords that the configuration names. */
    public static List<Path> secretFiles(ServerConfiguration configuration) {
        Stream<Path> keys = Stream.of(ServerKeys.TLS_KEY_FILE, ServerKeys.TLS_KEY_STORE_FILE).map(configuration::get)
                .filter(Objects::nonNull).map(configuration.settings()::path);
        SecretReference password = configuration.get(ServerKeys.TLS_PASSWORD_FILE);
        boolean inFile = password != null && password.kind() == SecretReference.Kind.FILE;
        return Stream.concat(keys, inFile ? Stream.of(configuration.settings().path(password.name())) : Stream.empty()).toList();
    }

    /** What holds between keys, whatever is in the files. */
    static void check(ServerConfiguration configuration) throws ConfigurationException {
        checkClientCertificate(configuration, ServerKeys.TLS_CLIENT_CERTIFICATE, 0,
                configuration.get(ServerKeys.TLS_CLIENT_CERTIFICATE));
        List<ListenerLine> lines = configuration.get(ServerKeys.LISTENER);
        for (int i = 0; i < lines.size(); i++) {
            Listener listener = lines.get(i).listener();
            if (listener.scheme() == Listener.Scheme.LDAPS && configuration.get(ServerKeys.TLS) == Tls.NONE) {
                throw configuration.settings().fault(ServerKeys.LISTENER, i, "ldaps:// and tls: none, expected tls: on");
            }
            String tooLong = listener.socket() == null ? null : UnixSocket.tooLong(listener.socket().path());
            if (tooLong != null) {
                throw configuration.settings().fault(ServerKeys.LISTENER, i, tooLong);
            }
            checkClientCertificate(configuration, ServerKeys.LISTENER, i, lines.get(i).clientCertificate());
        }
        if (configuration.get(ServerKeys.TLS_KEY_STORE_FILE) != null && configuration.get(ServerKeys.TLS_CERTIFICATE_FILE) != null) {
            throw configuration.settings().fault(ServerKeys.TLS_KEY_STORE_FILE,
                    "tlsCertificateFile is given too, expected one of the two");
        }
        if (configuration.get(ServerKeys.TLS_KEY_FILE) != null && configuration.get(ServerKeys.TLS_CERTIFICATE_FILE) == null) {
            throw configuration.settings().fault(ServerKeys.TLS_KEY_FILE, "expected tlsCertificateFile with its certificate");
        }
    }

    /** @param index which of the key's values it is  @param clients what is said of client certificates there, or null */
    private static void checkClientCertificate(ServerConfiguration configuration, Key<?> key, int index, ClientCertificates clients)
            throws ConfigurationException {
        if (clients != null && clients != ClientCertificates.OFF && configuration.get(ServerKeys.TLS_AUTHORITY_FILE) == null) {
            throw configuration.settings().fault(key, index, "expected tlsAuthorityFile with the authorities that sign clients'"
                    + " certificates");
        }
    }

    private static TlsFiles.Password password(ServerConfiguration configuration) throws ConfigurationException {
        SecretReference reference = configuration.get(ServerKeys.TLS_PASSWORD_FILE);
        if (reference == null) {
            return null;
        } else if (reference.kind() == SecretReference.Kind.FILE) {
            return new TlsFiles.Password(configuration.settings().path(reference.name()), null);
        } else if (System.getenv(reference.name()) == null) {
            throw configuration.settings().fault(ServerKeys.TLS_PASSWORD_FILE, "the environment has no variable " + reference.name());
        }
        return new TlsFiles.Password(null, reference.name());
    }

    private static TlsFiles files(ServerConfiguration configuration, DataFolder data) throws ConfigurationException, IOException {
        Function<Key<String>, Path> path = key -> configuration.get(key) == null ? null
                : configuration.settings().path(configuration.get(key));
        Path certificates = path.apply(ServerKeys.TLS_CERTIFICATE_FILE);
        Path key = path.apply(ServerKeys.TLS_KEY_FILE);
        Path keyStore = path.apply(ServerKeys.TLS_KEY_STORE_FILE);
        if (certificates == null && keyStore == null) {
            certificates = data.tlsCertificate();
            key = data.tlsKey();
            makeIfMissing(configuration, data);
        }
        return new TlsFiles(certificates, key, keyStore, password(configuration),
                path.apply(ServerKeys.TLS_AUTHORITY_FILE),
                configuration.get(ServerKeys.TLS_REVOCATION_FILE).stream().map(configuration.settings()::path).toList());
    }

    /** The certificate is written last: without it both are made anew. */
    private static void makeIfMissing(ServerConfiguration configuration, DataFolder data) throws IOException {
        if (!Files.exists(data.tlsCertificate())) {
            List<String> hosts = listeners(configuration, data).stream().map(Listener::host).filter(Objects::nonNull).distinct()
                    .toList();
            CertifiedKey pair = CertifiedKey.selfSigned(hosts, Instant.now(), SELF_SIGNED_DAYS);
            data.files().replace(data.tlsKey(), pair.keyPem().getBytes(StandardCharsets.US_ASCII));
            data.files().replace(data.tlsCertificate(), pair.certificatePem().getBytes(StandardCharsets.US_ASCII));
            LOG.info("made a key and a certificate that it signs itself: {}, {}", data.tlsKey(), data.tlsCertificate());
        }
    }

    private static ConfigurationException fault(ServerConfiguration configuration, TlsFiles files, TlsFileException e) {
        for (Key<String> key : List.of(ServerKeys.TLS_KEY_FILE, ServerKeys.TLS_CERTIFICATE_FILE, ServerKeys.TLS_KEY_STORE_FILE,
                ServerKeys.TLS_AUTHORITY_FILE)) {
            String value = configuration.get(key);
            if (value != null && configuration.settings().path(value).equals(e.file())) {
                return configuration.settings().fault(key, e.getMessage());
            }
        }
        if (files.password() != null && e.file().equals(files.password().file())) {
            return configuration.settings().fault(ServerKeys.TLS_PASSWORD_FILE, e.getMessage());
        }
        int revocations = files.revocations().indexOf(e.file());
        return revocations >= 0 ? configuration.settings().fault(ServerKeys.TLS_REVOCATION_FILE, revocations, e.getMessage())
                : new ConfigurationException(e.getMessage() + "; delete tls.crt there, and the next start makes a new pair", e);
    }

    /** Those of the configuration; without any, one in clear, one for TLS, and a socket in the data folder if its path is short enough. */
    static List<Listener> listeners(ServerConfiguration configuration, DataFolder data) {
        List<ListenerLine> lines = configuration.get(ServerKeys.LISTENER);
        List<Listener> listeners = new ArrayList<>();
        for (ListenerLine line : lines) {
            listeners.add(withPolicy(configuration, line));
        }
        if (lines.isEmpty()) {
            String host = configuration.get(ServerKeys.LISTEN_HOST);
            int port = configuration.get(ServerKeys.LISTEN_PORT);
            listeners.add(withPolicy(configuration, new ListenerLine(Listener.of(Listener.Scheme.LDAP, host, port), null, null)));
            if (configuration.get(ServerKeys.TLS) != Tls.NONE) {
                int secure = port == 0 || port + LDAPS_DISTANCE > MOST_PORT ? 0 : port + LDAPS_DISTANCE;
                listeners.add(withPolicy(configuration, new ListenerLine(Listener.of(Listener.Scheme.LDAPS, host, secure), null, null)));
            }
            Path socket = data.socket();
            if (UnixSocket.tooLong(socket) == null) {
                listeners.add(Listener.of(new UnixSocket(socket, UnixSocket.OWNER_ALONE, false)));
            } else {
                LOG.info("there is no unix-domain socket in the data folder: {}", UnixSocket.tooLong(socket));
            }
        }
        return listeners;
    }

    private static Listener withPolicy(ServerConfiguration configuration, ListenerLine line) {
        ClientCertificates clients = line.clientCertificate() != null ? line.clientCertificate()
                : configuration.get(ServerKeys.TLS_CLIENT_CERTIFICATE);
        PlaintextBind passwords = line.plaintextBind() != null ? line.plaintextBind() : configuration.get(ServerKeys.PLAINTEXT_BIND);
        return line.listener().withClients(clients).withPlaintextBind(passwords);
    }
}
