package org.alder.server.clients;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.alder.server.cli.CommandRun;
import org.alder.server.cli.ServerProcess;
import org.junit.rules.ExternalResource;
import org.junit.rules.TemporaryFolder;

/**
 * {@code alder start} as it is installed, with conf/config.ldif, in a JVM of its own, with the entries of
 * docs/clients/site.ldif. A class rule.
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

    private final Callable<Void> requirement;
    private final TemporaryFolder folder = new TemporaryFolder();
    private Path data;
    private ServerProcess server;

    Site() {
        this(() -> null);
    }

    /** @param requirement called first; throws where the client is not installed */
    Site(Callable<Void> requirement) {
        this.requirement = requirement;
    }

    @Override
    protected void before() throws Throwable {
        requirement.call();
        folder.create();
        data = folder.getRoot().toPath().resolve("data");
        CommandRun.of("import", "--data", data, Recipe.FOLDER.resolve("site.ldif")).succeeds();
        server = ServerProcess.start(data);
    }

    @Override
    protected void after() {
        try {
            server.close();
        } finally {
            folder.delete();
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

    /** An empty folder that goes with the server. */
    Path newFolder() throws IOException {
        return folder.newFolder().toPath();
    }
}
