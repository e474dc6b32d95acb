package org.alder.server.assembly;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.alder.server.config.ClientCertificate;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.Key;
import org.alder.server.config.ListenerLine;
import org.alder.server.config.PlaintextBind;
import org.alder.server.config.ServerConfiguration;
import org.alder.server.config.ServerKeys;
import org.alder.server.config.Tls;
import org.alder.server.tls.SelfSigned;
import org.alder.server.tls.TlsContexts;
import org.alder.server.tls.TlsFileException;
import org.alder.server.tls.TlsFiles;
import org.alder.server.wire.ClientCertificates;
import org.alder.server.wire.Listener;
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
        TlsFiles files = files(configuration, data);
        try {
            return TlsContexts.open(files, configuration.get(ServerKeys.TLS_PROTOCOL),
                    configuration.get(ServerKeys.TLS_CIPHER_SUITE), LOOK_MILLIS);
        } catch (TlsFileException e) {
            throw fault(configuration, files, e);
        } catch (IllegalArgumentException e) {
            throw configuration.settings().fault(ServerKeys.TLS_CIPHER_SUITE, e.getMessage());
        }
    }

    private static void check(ServerConfiguration configuration) throws ConfigurationException {
        boolean tls = configuration.get(ServerKeys.TLS) != Tls.NONE;
        boolean authorities = configuration.get(ServerKeys.TLS_AUTHORITY_FILE) != null;
        if (configuration.get(ServerKeys.TLS_CLIENT_CERTIFICATE) != ClientCertificate.OFF && !authorities) {
            throw configuration.settings().fault(ServerKeys.TLS_CLIENT_CERTIFICATE, "expected tlsAuthorityFile with the authorities"
                    + " that sign clients' certificates");
        }
        List<ListenerLine> lines = configuration.get(ServerKeys.LISTENER);
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).scheme().equals("ldaps") && !tls) {
                throw configuration.settings().fault(ServerKeys.LISTENER, i, "ldaps:// and tls: none, expected tls: on");
            }
            if (lines.get(i).clientCertificate() != null && lines.get(i).clientCertificate() != ClientCertificate.OFF && !authorities) {
                throw configuration.settings().fault(ServerKeys.LISTENER, i, "expected tlsAuthorityFile with the authorities that"
                        + " sign clients' certificates");
            }
        }
        if (configuration.get(ServerKeys.TLS_KEY_STORE_FILE) != null && configuration.get(ServerKeys.TLS_CERTIFICATE_FILE) != null) {
            throw configuration.settings().fault(ServerKeys.TLS_KEY_STORE_FILE,
                    "tlsCertificateFile is given too, expected one of the two");
        }
        if (configuration.get(ServerKeys.TLS_KEY_FILE) != null && configuration.get(ServerKeys.TLS_CERTIFICATE_FILE) == null) {
            throw configuration.settings().fault(ServerKeys.TLS_KEY_FILE, "expected tlsCertificateFile with its certificate");
        }
    }

    private static TlsFiles files(ServerConfiguration configuration, DataFolder data) throws IOException {
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
        return new TlsFiles(certificates, key, keyStore, path.apply(ServerKeys.TLS_PASSWORD_FILE),
                path.apply(ServerKeys.TLS_AUTHORITY_FILE),
                configuration.get(ServerKeys.TLS_REVOCATION_FILE).stream().map(configuration.settings()::path).toList());
    }

    /** The certificate is written last: without it both are made anew. */
    private static void makeIfMissing(ServerConfiguration configuration, DataFolder data) throws IOException {
        if (!Files.exists(data.tlsCertificate())) {
            List<String> hosts = listeners(configuration, true).stream().map(Listener::host).distinct().toList();
            SelfSigned pair = SelfSigned.make(hosts, Instant.now(), SELF_SIGNED_DAYS);
            data.files().replace(data.tlsKey(), pair.keyPem().getBytes(StandardCharsets.US_ASCII));
            data.files().replace(data.tlsCertificate(), pair.certificatePem().getBytes(StandardCharsets.US_ASCII));
            LOG.info("made a key and a certificate that it signs itself: {}, {}", data.tlsKey(), data.tlsCertificate());
        }
    }

    private static ConfigurationException fault(ServerConfiguration configuration, TlsFiles files, TlsFileException e) {
        for (Key<String> key : List.of(ServerKeys.TLS_KEY_FILE, ServerKeys.TLS_CERTIFICATE_FILE, ServerKeys.TLS_KEY_STORE_FILE,
                ServerKeys.TLS_PASSWORD_FILE, ServerKeys.TLS_AUTHORITY_FILE)) {
            String value = configuration.get(key);
            if (value != null && configuration.settings().path(value).equals(e.file())) {
                return configuration.settings().fault(key, e.getMessage());
            }
        }
        int revocations = files.revocations().indexOf(e.file());
        return revocations >= 0 ? configuration.settings().fault(ServerKeys.TLS_REVOCATION_FILE, revocations, e.getMessage())
                : new ConfigurationException(e.getMessage() + "; delete tls.crt there, and the next start makes a new pair", e);
    }

    /** @param tls whether there is TLS */
    static List<Listener> listeners(ServerConfiguration configuration, boolean tls) {
        List<ListenerLine> lines = configuration.get(ServerKeys.LISTENER);
        if (lines.isEmpty()) {
            String host = configuration.get(ServerKeys.LISTEN_HOST);
            int port = configuration.get(ServerKeys.LISTEN_PORT);
            ListenerLine clear = new ListenerLine("ldap", host, port, null, null);
            int secure = port == 0 || port + LDAPS_DISTANCE > MOST_PORT ? 0 : port + LDAPS_DISTANCE;
            lines = tls ? List.of(clear, new ListenerLine("ldaps", host, secure, null, null)) : List.of(clear);
        }
        return lines.stream().map(line -> listener(configuration, line)).toList();
    }

    private static Listener listener(ServerConfiguration configuration, ListenerLine line) {
        ClientCertificate clients = line.clientCertificate() != null ? line.clientCertificate()
                : configuration.get(ServerKeys.TLS_CLIENT_CERTIFICATE);
        PlaintextBind passwords = line.plaintextBind() != null ? line.plaintextBind() : configuration.get(ServerKeys.PLAINTEXT_BIND);
        return Listener.of(line.scheme().equals("ldaps") ? Listener.Scheme.LDAPS : Listener.Scheme.LDAP, line.host(), line.port())
                .withClients(ClientCertificates.valueOf(clients.name()))
                .withPasswordsInClear(passwords == PlaintextBind.ALL);
    }
}
