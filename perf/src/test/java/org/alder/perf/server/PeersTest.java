package org.alder.perf.server;

import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.nio.file.Path;
import java.util.Optional;
import org.alder.ldif.LdifGenerator;
import org.alder.partition.testing.Await;
import org.alder.perf.bench.SampleUsers;
import org.alder.perf.bench.SampleValues;
import org.alder.perf.client.LdapConnection;
import org.alder.perf.client.Load;
import org.alder.perf.process.NetscapeServer;
import org.alder.perf.process.OpenLdap;
import org.alder.perf.process.Peer;
import org.alder.perf.process.PeerProcess;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The servers that Alder is held against have what is loaded into them, show it to everybody, and let the administrator change it. */
public class PeersTest {
    private static final int ENTRIES = 300;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Test(timeout = Await.MILLIS)
    public void openLdap() throws Exception {
        holds(OpenLdap.installed());
    }

    @Test(timeout = Await.MILLIS)
    public void netscape() throws Exception {
        holds(NetscapeServer.installed());
    }

    private void holds(Optional<? extends Peer> installed) throws Exception {
        assumeTrue(installed.isPresent());
        Peer peer = installed.get();
        LdifGenerator generator = new LdifGenerator(7);
        Path ldif = folder.getRoot().toPath().resolve("users.ldif");
        Path data = folder.newFolder().toPath();
        SampleUsers users = SampleUsers.write(generator, ENTRIES, ldif);
        assertTrue(peer.load(data, ldif, ENTRIES).wallSeconds() > 0);
        // The second start takes what the first one has left.
        for (int start = 0; start < 2; start++) {
            try (PeerProcess server = peer.serve(data); LdapConnection client = new Load.Login(peer.administrator(), Peer.PASSWORD).connect(server.port())) {
                new SampleValues(generator).check(server.port(), 1, ENTRIES, users, users.value(1, "initials"));
                client.replace(LdifGenerator.userDn(1), "description", users.value(1, "description")).expect(0);
            }
        }
    }
}
