package org.alder.server.cli.data;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.DeleteRequest;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.SearchScope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.alder.server.cli.CommandRun;
import org.alder.server.cli.ServerProcess;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** An index with inline attributes, from the configuration to searches over LDAP. */
public class InlineIndexTest {
    private static final String SUFFIX = "dc=example,dc=com";
    private static final String PAIR = "(&(initials=aa)(employeeType=alpha))";

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();
    private Path data;

    /** 40 users, of whom 10 have both values of {@link #PAIR}. */
    @Before
    public void load() throws IOException {
        data = temporary.getRoot().toPath().resolve("data");
        StringBuilder ldif = new StringBuilder("dn: dc=example,dc=com\nobjectClass: domain\ndc: example\n\n");
        for (int i = 0; i < 40; i++) {
            ldif.append("dn: uid=u").append(i).append(",dc=example,dc=com\nobjectClass: inetOrgPerson\nuid: u").append(i)
                    .append("\ncn: c\nsn: s\ninitials: ").append(i % 4 < 2 ? "aa" : "bb").append("\nemployeeType: ")
                    .append(i % 2 == 0 ? "alpha" : "beta").append("\n\n");
        }
        CommandRun.importing(data, ldif.toString(), "--conf", configuration("plain", "index: initials eq")).succeeds();
    }

    private Path configuration(String name, String index) throws IOException {
        return Files.writeString(temporary.getRoot().toPath().resolve(name + ".ldif"),
                "dn: cn=config\nobjectClass: alderServer\n\ndn: cn=example,cn=config\nobjectClass: alderPartition\n"
                + "suffix: dc=example,dc=com\nindex: uid eq\n" + index + "\n");
    }

    private static int count(LDAPConnection connection, String filter) throws LDAPException {
        return connection.search(SUFFIX, SearchScope.SUB, filter, "1.1").getEntryCount();
    }

    /** The first start with another configuration builds the indexes anew; then updates keep them right. */
    @Test
    public void searchesAndUpdates() throws IOException, LDAPException {
        Path inline = configuration("inline", "index: initials eq inline=employeeType");
        CommandRun.of("explain", "--data", data, "--conf", inline, PAIR).fails(1, "than wanted: initials: start the server once");
        try (ServerProcess server = ServerProcess.start(data, "--conf", inline); LDAPConnection connection = server.admin()) {
            assertEquals(10, count(connection, PAIR));
            connection.modify("uid=u0," + SUFFIX, new Modification(ModificationType.REPLACE, "employeeType", "beta"));
            connection.modify("uid=u1," + SUFFIX, new Modification(ModificationType.ADD, "employeeType", "ALPHA", "gamma"));
            connection.modify("uid=u2," + SUFFIX, new Modification(ModificationType.REPLACE, "initials", "Aa"));
            connection.modifyDN("uid=u4," + SUFFIX, "uid=renamed", true);
            connection.delete(new DeleteRequest("uid=u8," + SUFFIX));
            assertEquals(10, count(connection, PAIR));
            assertEquals(1, count(connection, "(&(initials=aa)(employeeType=gamma))"));
            assertEquals(1, count(connection, "(&(initials=aa)(employeeType=gamma)(employeeType=alpha)(uid=u1))"));
            assertEquals(0, count(connection, "(&(initials=aa)(employeeType=delta))"));
            assertEquals(10, count(connection, "(&(initials=aa)(!(employeeType=alpha)))"));
        }
        CommandRun.of("verify", "--data", data, "--conf", inline).succeeds();
        String plan = CommandRun.of("explain", "--data", data, "--conf", inline, PAIR).succeeds().out();
        assertTrue(plan, plan.contains("inline employeeType in index initials for " + PAIR + ": 10 entries, 10 left\n"));
        String status = CommandRun.of("status", "--data", data, "--conf", inline).succeeds().out();
        assertTrue(status, status.contains("initials eq inline employeeType, nested above"));
    }

    @Test
    public void whatCannotBeInlineIsRefused() throws IOException {
        CommandRun.of("status", "--data", data, "--conf", configuration("none", "index: initials eq inline=colour"))
                .fails(1, "none.ldif, line 8, index: the schema has no attribute colour");
        CommandRun.of("status", "--data", data, "--conf", configuration("photo", "index: initials eq inline=jpegPhoto"))
                .fails(1, "attribute jpegPhoto has no equality rule: it cannot be inline in the index of initials");
        CommandRun.of("status", "--data", data, "--conf", configuration("kind", "index: initials sub inline=cn"))
                .fails(1, "the index of attribute initials has inline attributes, but is no equality index");
    }
}
