package org.alder.server.clients;

import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.alder.partition.file.OwnerOnly;
import org.alder.partition.testing.Await;
import org.alder.partition.x509.CertifiedKey;
import org.alder.server.TestAuthority;
import org.alder.server.cli.CommandRun;
import org.alder.server.cli.ServerProcess;
import org.junit.rules.ExternalResource;
import org.junit.rules.TemporaryFolder;

/**
 * {@code alder start} as it is installed, but for {@link #PATIENCE}, in a JVM of its own, with the entries of
 * docs/clients/site.ldif. Clients know it by the certificate that its first start makes, or by that of an authority. A class rule.
 */
final class Site extends ExternalResource {
    static final String SUFFIX = "dc=example,dc=com";
    static final String PEOPLE = "ou=people," + SUFFIX;
    static final String GROUPS = "ou=groups," + SUFFIX;
    static final String READER = "cn=reader,ou=services," + SUFFIX;
    static final String READER_PASSWORD = "reader-password";
    static final String ALICE = "uid=alice," + PEOPLE;
    static final String ALICE_PASSWORD = "alice-password";
    static final String BOB_PASSWORD = "b\u00f6b-password";
    static final String CAROL_PASSWORD = "carol-password";

    /** On the pages, the file of the certificate by which clients know the server. */
    static final String AUTHORITY = "/etc/ssl/alder.pem";

    /**
     * The beginning of a configuration of servers for clients that are programs of their own. Beside much else these take longer than
     * the 30 seconds that they have by default from the connection to the first request, and for a handshake.
     */
    static final String PATIENCE = "dn: cn=config\nobjectClass: alderServer\nfirstMessageTimeoutSeconds: " + Await.SECONDS
            + "\ntlsHandshakeTimeoutSeconds: " + Await.SECONDS + "\n";

    private final Callable<Void> requirement;
    private final boolean hasAuthority;
    private final TemporaryFolder folder = new TemporaryFolder();
    private final TemporaryFolder publicFolder = new TemporaryFolder();
    private Path data;
    private Path authority;
    private ServerProcess server;

    Site() {
        this(() -> null);
    }

    /** @param requirement called first; throws where the client is not installed */
    Site(Callable<Void> requirement) {
        this(requirement, false);
    }

    private Site(Callable<Void> requirement, boolean hasAuthority) {
        this.requirement = requirement;
        this.hasAuthority = hasAuthority;
    }

    /** A server with a certificate that an authority of its own has signed. @param requirement as above */
    static Site withAuthority(Callable<Void> requirement) {
        return new Site(requirement, true);
    }

    @Override
    protected void before() throws Throwable {
        requirement.call();
        folder.create();
        publicFolder.create();
        assertTrue(publicFolder.getRoot().setExecutable(true, false));
        data = folder.getRoot().toPath().resolve("data");
        CommandRun.of("import", "--data", data, Recipe.FOLDER.resolve("site.ldif")).succeeds();
        if (hasAuthority) {
            TestAuthority signer = new TestAuthority(newFolder());
            authority = published(signer.file());
            server = start(PATIENCE + keysOf(signer.signedServer("server")));
        } else {
            server = start(PATIENCE);
            authority = published(data.resolve("tls.crt"));
        }
    }

    /** Many clients give up the rights of root, and others never had them. */
    private Path published(Path certificate) throws IOException {
        Path copy = Files.createTempFile(publicFolder.getRoot().toPath(), "", ".pem");
        Files.copy(certificate, copy, StandardCopyOption.REPLACE_EXISTING);
        assertTrue(copy.toFile().setReadable(true, false));
        return copy;
    }

    private ServerProcess start(String configuration) throws IOException {
        return ServerProcess.start(data, "--conf", Files.writeString(newFolder().resolve("config.ldif"), configuration));
    }

    private String keysOf(Path keyStore) throws IOException {
        Path password = newFolder().resolve("password");
        Files.createFile(password, OwnerOnly.file(password));
        Files.writeString(password, TestAuthority.PASSWORD);
        return "tlsKeyStoreFile: " + keyStore + "\ntlsPasswordFile: " + password + "\n";
    }

    @Override
    protected void after() {
        try {
            server.close();
        } finally {
            folder.delete();
            publicFolder.delete();
        }
    }

    int port() {
        return server.port();
    }

    String url() {
        return "ldap://127.0.0.1:" + port();
    }

    LDAPConnection admin() throws LDAPException, IOException {
        return server.admin();
    }

    String adminPassword() throws IOException {
        return Files.readString(data.resolve("admin.password"));
    }

    int tlsPort() {
        return server.tlsPort();
    }

    /** By which clients know the server. */
    Path authority() {
        return authority;
    }

    /** Who takes this for the server's must not take the server. */
    Path stranger() throws IOException {
        Path certificate = newFolder().resolve("stranger.pem");
        Files.writeString(certificate, CertifiedKey.selfSigned(List.of("127.0.0.1", "localhost"), Instant.now(), 30).certificatePem());
        return published(certificate);
    }

    /** A page's, for clients of this server. */
    Recipe recipe(String page) throws IOException {
        // How long clients wait for a connection, TLS and all, and for an answer: 5 and 30 seconds are enough where nothing else runs.
        Recipe recipe = new Recipe(page).with("5000", "500000").with("TIMEOUT, 5)", "TIMEOUT, 500)").with("timeout=5)", "timeout=500)");
        recipe.with("30000", "500000").with("TIMEOUT, 30)", "TIMEOUT, 500)").with("timeout=30)", "timeout=500)");
        return recipe.with("10389", port()).with("10636", tlsPort()).with(AUTHORITY, authority);
    }

    /** An empty folder that goes with the server. */
    Path newFolder() throws IOException {
        return folder.newFolder().toPath();
    }
}
