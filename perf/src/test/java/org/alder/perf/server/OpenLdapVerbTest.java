package org.alder.perf.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.alder.ldif.LdifGenerator;
import org.alder.partition.testing.Await;
import org.alder.perf.bench.LoadedData;
import org.alder.perf.bench.SampleUsers;
import org.alder.perf.bench.SampleValues;
import org.alder.perf.client.LdapConnection;
import org.alder.perf.process.ServerProcess;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What the benchmark measures is held against the data set. */
public class OpenLdapVerbTest {
    private static final int ENTRIES = 700;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private String homeBefore;

    /** Tests run in their module's folder. */
    @Before
    public void findConfiguration() {
        homeBefore = System.setProperty("alder.home", Path.of("..").toAbsolutePath().normalize().toString());
    }

    @After
    public void forgetConfiguration() {
        if (homeBefore == null) {
            System.clearProperty("alder.home");
        } else {
            System.setProperty("alder.home", homeBefore);
        }
    }

    @Test(timeout = Await.MILLIS)
    public void aServerThatReturnsOtherValuesIsNotMeasured() throws Exception {
        LdifGenerator generator = new LdifGenerator(7);
        Path work = folder.getRoot().toPath();
        Path ldif = work.resolve("users.ldif");
        SampleUsers users = SampleUsers.write(generator, ENTRIES, ldif);
        LoadedData data = LoadedData.load(work, users, ldif, "data", List.of());
        Files.delete(ldif);
        String initials = users.value(1, "initials");
        SampleValues values = new SampleValues(generator);
        try (ServerProcess server = data.serve(); LdapConnection client = LoadedData.ADMINISTRATOR.connect(server.port())) {
            values.check(server.port(), 1, ENTRIES, users, initials);
            client.replace(LdifGenerator.userDn(1), "description", "another one").expect(0);
            IOException refused = assertThrows(IOException.class, () -> values.check(server.port(), 2, ENTRIES, users, initials));
            assertTrue(refused.getMessage(), refused.getMessage().contains(LdifGenerator.userDn(1)) && refused.getMessage().contains("another one"));
            client.replace(LdifGenerator.userDn(1), "description", users.value(1, "description")).expect(0);
            client.replace(LdifGenerator.userDn(1), "initials", "zz").expect(0);
            refused = assertThrows(IOException.class, () -> values.check(server.port(), 2, ENTRIES, users, initials));
            assertEquals("a search for the initials " + initials + " found " + (users.withInitials(initials) - 1) + " entries, but the data set has "
                    + users.withInitials(initials), refused.getMessage());
        }
    }
}
