package org.alder.server.http;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.alder.partition.error.StoreException;
import org.alder.partition.memory.MemoryStore;
import org.alder.partition.store.Replica;
import org.alder.partition.testing.Await;
import org.alder.server.TestReplica;
import org.alder.server.TestServer;
import org.junit.After;
import org.junit.Test;

/** What /readyz says of a member of a cluster. */
public class ReadinessTest {
    private final TestReplica replica = new TestReplica();
    private final TestServer server = new TestServer(settings -> settings.with(draft -> draft.http = new HttpSettings("127.0.0.1", 0, null, false)),
            indexer -> replica.in(new MemoryStore(indexer)), true);

    @After
    public void close() throws Exception {
        server.close();
    }

    private HttpResponse<String> readyz() throws Exception {
        return HttpClient.newHttpClient().send(HttpRequest.newBuilder(URI.create(server.server().httpUrl() + "/readyz"))
                .timeout(Duration.ofMillis(Await.MILLIS)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private void assertNotReady(String reason) throws Exception {
        HttpResponse<String> answer = readyz();
        assertEquals(503, answer.statusCode());
        assertTrue(answer.body(), answer.body().contains(reason));
    }

    private void assertReady() throws Exception {
        HttpResponse<String> answer = readyz();
        assertEquals(answer.body(), 200, answer.statusCode());
        assertEquals("ready\n", answer.body());
    }

    @Test
    public void aReplicaThatIsNearTheLeaderIsReadyAlthoughItTakesNoUpdates() throws Exception {
        replica.behind = 10_000;
        assertReady();
    }

    @Test
    public void oneThatIsFarBehindIsNot() throws Exception {
        replica.behind = 10_001;
        assertNotReady("the replica of " + TestServer.SUFFIX + " is 10001 transactions behind the leader, expected at most 10000");
        replica.behind = 0;
        assertReady();
    }

    @Test
    public void oneThatAppliesNothingIsNotAndSaysWhy() throws Exception {
        replica.role = Replica.Role.FAILED;
        replica.problem = new StoreException(StoreException.Kind.OUTDATED, "the log begins with 200, this replica has up to 100");
        assertNotReady("the replica of " + TestServer.SUFFIX + " applies nothing: the log begins with 200, this replica has up to 100");
    }

    @Test
    public void howFarBehindMayBeUnknownAsBeforeALeaderWasHeardOf() throws Exception {
        replica.behind = -1;
        assertReady();
    }
}
