package org.alder.server.clients;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.alder.server.cli.CommandRun;
import org.alder.server.cli.ServerProcess;

/**
 * {@code alder start} as it is installed, with conf/config.ldif, in a JVM of its own, with the entries of
 * docs/clients/site.ldif.
 */
final class Site implements AutoCloseable {
    static final String SUFFIX = "dc=example,dc=com";
    static final String PEOPLE = "ou=people," + SUFFIX;
    static final String GROUPS = "ou=groups," + SUFFIX;
    static final String READER = "cn=reader,ou=services," + SUFFIX;
    static final String READER_PASSWORD = "reader-password";
    static final String ALICE = "uid=alice," + PEOPLE;
    static final String ALICE_PASSWORD = "alice-password";
    static final String BOB_PASSWORD = "b\u00f6b-password";
    static final String CAROL_PASSWORD = "carol-password";

    private final Path data;
    private final ServerProcess server;

    /** @param folder empty, for the server's data */
    Site(Path folder, Object... options) throws IOException {
        data = folder.resolve("data");
        CommandRun.of("import", "--data", data, Recipe.FOLDER.resolve("site.ldif")).succeeds();
        server = ServerProcess.start(data, options);
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

    @Override
    public void close() {
        server.close();
    }
}
