package org.alder.server.tls;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Where the server's key and certificates are, and what those of clients are held against. Immutable. Either the first two are
 * given, or the key store.
 *
 * @param certificates PEM: the server's certificate, and those that lead to its authority; or null
 * @param key PEM: the private key of the certificate; null if it is in that file too
 * @param keyStore PKCS#12, with key and certificates, or null
 * @param password that of an encrypted key or of the key store, or null
 * @param authorities PEM: the authorities whose certificates clients may show, or null
 * @param revocations lists of certificates that are void, PEM or DER
 */
public record TlsFiles(Path certificates, Path key, Path keyStore, Password password, Path authorities, List<Path> revocations) {
    /** Where a password is: as one line of a file, or in a variable of the environment; the other is null. */
    public record Password(Path file, String variable) {}

    public TlsFiles {
        revocations = List.copyOf(revocations);
    }

    /** With a key and a certificate, and no client certificates. */
    public static TlsFiles of(Path certificates, Path key) {
        return new TlsFiles(certificates, key, null, null, null, List.of());
    }

    public TlsFiles withAuthorities(Path other, List<Path> otherRevocations) {
        return new TlsFiles(certificates, key, keyStore, password, other, otherRevocations);
    }

    /** All that are given. */
    List<Path> all() {
        List<Path> all = new ArrayList<>();
        all.add(certificates);
        all.add(key);
        all.add(keyStore);
        all.add(password == null ? null : password.file());
        all.add(authorities);
        all.addAll(revocations);
        return all.stream().filter(Objects::nonNull).distinct().toList();
    }
}
