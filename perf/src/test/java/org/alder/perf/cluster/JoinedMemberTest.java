package org.alder.perf.cluster;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.alder.ldif.LdifGenerator;
import org.alder.partition.store.ClusterService;
import org.alder.partition.testing.Await;
import org.alder.perf.bench.LoadedData;
import org.alder.perf.bench.PerfOptions;
import org.alder.perf.client.LdapConnection;
import org.alder.perf.process.ServerProcess;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Three members, each a process, and a fourth that is invited and joins as a user has it do. */
public class JoinedMemberTest {
    private static final int SUCCESS = 0;

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private String homeBefore;

    @Before
    public void setHome() {
        homeBefore = System.setProperty("alder.home", Path.of("..").toAbsolutePath().normalize().toString());
    }

    @After
    public void restoreHome() {
        if (homeBefore == null) {
            System.clearProperty("alder.home");
        } else {
            System.setProperty("alder.home", homeBefore);
        }
    }

    private Path file(String name) {
        return temporary.getRoot().toPath().resolve(name);
    }

    private static List<String> freePorts(int count) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return sockets.stream().map(each -> Integer.toString(each.getLocalPort())).toList();
        } finally {
            for (ServerSocket each : sockets) {
                each.close();
            }
        }
    }

    /** Between finding ports and listening on them somebody else may take one: then all over again. */
    private ServerProcess join(ClusterNodes nodes, Path configuration, int tries) throws Exception {
        List<String> ports = freePorts(4);
        int status = ServerProcess.run(List.of(), List.of(), List.of("cluster", "invite", "node4", "--cluster", file("node1.conf").toString(), "--host", "127.0.0.1", "--url",
                "ldap://127.0.0.1:" + ports.get(0), "--ports", String.join(",", ports.subList(1, 4))), file("token"), file("invited.log"));
        assertEquals(Files.readString(file("invited.log")), 0, status);
        Path data = file("joined" + tries);
        LoadedData.writePassword(data);
        try {
            return ServerProcess.start(List.of(), List.of(), List.of("start", "--data", data.toString(), "--conf", configuration.toString(), "--port", ports.get(0),
                    "--join", "127.0.0.1:" + nodes.port(1), "--join-token-file", file("token").toString()), file("joined.log"));
        } catch (IOException e) {
            if (tries == 3) {
                throw new IOException(e.getMessage() + ": " + Files.readString(file("joined.log")), e);
            }
            return join(nodes, configuration, tries + 1);
        }
    }

    @Test
    public void aFourthMemberJoinsByATokenAndHoldsWhatTheOthersHold() throws Exception {
        ClusterService service = ServiceLoader.load(ClusterService.class).findFirst().orElseThrow();
        Path configuration = PerfOptions.configuration(temporary.getRoot().toPath(), "joined.ldif", List.of());
        try (ClusterNodes nodes = new ClusterNodes(service, temporary.getRoot().toPath(), configuration)) {
            try (LdapConnection leader = nodes.connect(nodes.awaitLeader())) {
                leader.add(LdifGenerator.SUFFIX, List.of("objectClass", "dc"), List.of(List.of("domain".getBytes(StandardCharsets.UTF_8)),
                        List.of("example".getBytes(StandardCharsets.UTF_8)))).expect(SUCCESS);
                ClusterNodes.add(leader, "before").expect(SUCCESS);
                try (ServerProcess joined = join(nodes, configuration, 0); LdapConnection there = LoadedData.ADMINISTRATOR.connect(joined.port())) {
                    Await.until("what was there before", () -> ClusterNodes.has(there, "before"));
                    ClusterNodes.add(leader, "behind").expect(SUCCESS);
                    Await.until("what comes", () -> ClusterNodes.has(there, "behind"));
                    ClusterService.Status status = Await.value("all four", () -> service.status(file("node1.conf"), "example"), found -> found.members().stream()
                            .filter(each -> each.url() != null).count() == 4);
                    assertTrue(status.toString(), status.members().stream().anyMatch(each -> each.name().equals("node4")));
                }
            }
        }
    }
}
