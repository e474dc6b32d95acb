package org.alder.server;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;

/** An authority in a folder, as ca.pem, and key stores of those whose certificates it has signed or not. */
public final class TestAuthority {
    /** Of all its key stores. */
    public static final String PASSWORD = "password";

    private final Path folder;

    public TestAuthority(Path folder) throws Exception {
        this.folder = folder;
        pair("ca", "CN=ca", "-keyalg", "EC", "-ext", "bc:critical=ca:true", "-ext", "ku:critical=keyCertSign,cRLSign");
        keytool("ca", "-exportcert", "-alias", "ca", "-file", file(), "-rfc");
    }

    /** Its certificate. */
    public Path file() {
        return folder.resolve("ca.pem");
    }

    /** A key, and a certificate that it signs itself. @param options of keytool, -keyalg at least */
    void pair(String name, String subject, String... options) throws Exception {
        List<Object> arguments = new ArrayList<>(List.of("-genkeypair", "-alias", name, "-dname", subject));
        arguments.addAll(List.of(options));
        keytool(name, arguments.toArray());
    }

    /** A key, and a certificate that the authority signs. @param extensions options of keytool */
    public void signedPair(String name, String subject, String... extensions) throws Exception {
        pair(name, subject, "-keyalg", "EC");
        keytool(name, "-certreq", "-alias", name, "-file", folder.resolve(name + ".csr"));
        List<Object> signing = new ArrayList<>(List.of("-gencert", "-alias", "ca", "-infile", folder.resolve(name + ".csr"), "-outfile",
                folder.resolve(name + ".pem"), "-rfc"));
        signing.addAll(List.of(extensions));
        keytool("ca", signing.toArray());
        keytool(name, "-importcert", "-alias", "ca", "-file", file(), "-noprompt");
        keytool(name, "-importcert", "-alias", name, "-file", folder.resolve(name + ".pem"));
    }

    /** A key store with a key, and a certificate for a server on this machine that the authority signs. */
    public Path signedServer(String name) throws Exception {
        signedPair(name, "CN=" + name, "-ext", "san=ip:127.0.0.1,dns:localhost");
        return folder.resolve(name + ".p12");
    }

    /** A list that has one certificate. */
    public void revoke(String serial, Path list) throws Exception {
        keytool("ca", "-gencrl", "-alias", "ca", "-id", serial, "-file", list, "-rfc");
    }

    private void keytool(String store, Object... arguments) throws Exception {
        List<Object> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("-keystore", folder.resolve(store + ".p12"), "-storepass", PASSWORD));
        ToolRun.keytool(all.toArray());
    }

    private KeyStore store(String name) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(folder.resolve(name + ".p12"))) {
            store.load(in, PASSWORD.toCharArray());
        }
        return store;
    }

    X509Certificate certificate(String name) throws Exception {
        return (X509Certificate) store(name).getCertificate(name);
    }

    byte[] privateKey(String name) throws Exception {
        return store(name).getKey(name, PASSWORD.toCharArray()).getEncoded();
    }

    KeyManager[] keys(String name) throws Exception {
        KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
        factory.init(store(name), PASSWORD.toCharArray());
        return factory.getKeyManagers();
    }
}
