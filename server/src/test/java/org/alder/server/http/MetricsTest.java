package org.alder.server.http;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.DereferencePolicy;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.PersistentSearchChangeType;
import com.unboundid.ldap.sdk.controls.PersistentSearchRequestControl;
import com.unboundid.util.json.JSONObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.store.JdbmStore;
import org.alder.partition.testing.Await;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.ClusterService;
import org.alder.partition.store.Replica;
import org.alder.server.AlderServer;
import org.alder.server.FollowingListener;
import org.alder.server.TestReplica;
import org.alder.server.TestServer;
import org.alder.server.TestTls;
import org.alder.server.audit.AccessLogSettings;
import org.alder.server.audit.AuditLevel;
import org.alder.server.audit.AuditSettings;
import org.alder.server.audit.LogFiles;
import org.alder.server.audit.ShownValues;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What /metrics says is what cn=Monitor says, in a form that Prometheus reads, under names that are written down. */
public class MetricsTest {
    private static final Path PAGE = Path.of("../docs/metrics.md");
    private static final Path MONITORING = Path.of("../conf/monitoring");
    private static final HttpSettings HTTP = new HttpSettings("127.0.0.1", 0, null, false);
    private static final String BEGIN = "<!-- table of metrics -->\n";
    private static final String END = "<!-- end of table -->\n";
    /** What servers here do not have; ShardTransactionTest asks for it. */
    private static final String OF_SHARDS = "alder_undecided_transactions";
    /** Shown in another way, or in words. */
    private static final Set<String> NOT_IN_METRICS = Set.of("alderLatency", "alderLatencyMicros", "alderCacheHitPercent", "alderSuffix", "alderOverload",
            "alderReadOnlyReason", "alderAttribute", "alderIndexToAdd", "alderSlow", "alderExaminedEntries", "alderReturnedEntries", "alderLastTime",
            "alderIndex", "alderHeldBytesOfKind", "alderHeldBytesOfIdentity", "alderHeldBytesOfConnection", "alderReplicaRole", "alderReplicaLeader", "alderReplicaProblem", "alderComparisonDifference", "objectClass", "cn");

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final TestReplica replica = new TestReplica();
    private int stores;

    private TestServer server() {
        Path logs = folder.getRoot().toPath();
        return new TestServer(settings -> settings.with(draft -> {
            draft.http = HTTP;
            draft.audit = new AuditSettings(AuditLevel.ALL, new LogFiles(logs.resolve("audit.jsonl"), 1 << 20, 0, 0), false);
            draft.accessLog = new AccessLogSettings(AccessLogSettings.Told.ALL, new LogFiles(logs.resolve("access.jsonl"), 1 << 20, 0, 0),
                    ShownValues.CUT, 1);
        }), indexer -> replica.in(JdbmStore.open(logs.resolve("store" + stores++), StoreSettings.defaults().withCacheBytes(1 << 20, 1 << 20),
                indexer)), true);
    }

    private static String scrape(TestServer server) throws IOException, InterruptedException {
        return scrape(server.server());
    }

    private static String scrape(AlderServer server) throws IOException, InterruptedException {
        HttpResponse<String> response = HttpClient.newHttpClient().send(HttpRequest.newBuilder(URI.create(server.httpUrl() + "/metrics"))
                .timeout(java.time.Duration.ofMillis(Await.MILLIS)).build(), HttpResponse.BodyHandlers.ofString());
        assertEquals(200, response.statusCode());
        assertTrue(response.headers().firstValue("Content-Type").orElseThrow().startsWith("text/plain; version=0.0.4"));
        return response.body();
    }

    @Test
    public void theFiguresAreThoseOfTheServer() throws Exception {
        try (TestServer server = server(); LDAPConnection admin = server.admin()) {
            admin.search(TestServer.SUFFIX, SearchScope.SUB, "(uid=user.1)");
            admin.search(TestServer.SUFFIX, SearchScope.SUB, "(sn=Number1)");
            assertThrows(LDAPException.class, () -> admin.delete("cn=x," + TestServer.SUFFIX));
            assertThrows(LDAPException.class, () -> server.anonymous().bind(TestServer.userDn(1), "wrong"));
            Map<String, Double> samples = TextFormat.read(scrape(server)).samples();
            assertEquals(2.0, samples.get("alder_operations_total{operation=\"search\",result=\"success\"}"), 0);
            assertEquals(1.0, samples.get("alder_operations_total{operation=\"delete\",result=\"noSuchObject\"}"), 0);
            assertEquals(1.0, samples.get("alder_operations_total{operation=\"bind\",result=\"invalidCredentials\"}"), 0);
            assertEquals(2.0, samples.get("alder_operation_duration_seconds_count{operation=\"search\"}"), 0);
            assertTrue(samples.get("alder_operation_duration_seconds_sum{operation=\"search\"}") > 0);
            assertEquals(1.0, samples.get("alder_searches_unindexed_total{operation=\"search\"}"), 0);
            assertEquals(1.0, samples.get("alder_missing_index_searches{attribute=\"sn\",index=\"eq\",suffix=\"" + TestServer.SUFFIX + "\"}"), 0);
            assertEquals(0.0, samples.get("alder_index_bytes{attribute=\"uid\",suffix=\"" + TestServer.SUFFIX + "\"}"), 0);
            assertEquals(TestServer.USERS + 2.0, samples.get("alder_entries{suffix=\"" + TestServer.SUFFIX + "\"}"), 0);
            assertEquals(1.0, samples.get("alder_writable{suffix=\"" + TestServer.OTHER_SUFFIX + "\"}"), 0);
            assertEquals(1.0, samples.get("alder_ready"), 0);
            assertTrue(samples.get("alder_free_disk_bytes{suffix=\"" + TestServer.SUFFIX + "\"}") > 0);
            assertEquals("half of the cache of indexes", (double) (1 << 19), samples.get("alder_cache_limit_bytes{cache=\"id-sets\",suffix=\"" + TestServer.SUFFIX + "\"}"), 0);
        }
    }

    private String sample(String metric, String labels) {
        return metric + "{" + labels + "suffix=\"" + TestServer.SUFFIX + "\"}";
    }

    @Test
    public void aMemberOfAClusterTellsWhatItDoesAndWhatItKnowsOfTheOthers() throws Exception {
        replica.behind = 2;
        replica.problem = new StoreException(StoreException.Kind.DISK_FULL, "no room for a segment");
        try (TestServer server = server(); LDAPConnection admin = server.admin()) {
            Map<String, Double> samples = TextFormat.read(scrape(server)).samples();
            assertEquals(0.0, samples.get(sample("alder_replica_leads", "")), 0);
            assertEquals(0.0, samples.get(sample("alder_replica_applies", "")), 0);
            assertEquals(7.0, samples.get(sample("alder_replica_epoch", "")), 0);
            assertEquals(2.0, samples.get(sample("alder_replica_lag_transactions", "")), 0);
            assertEquals(3.0, samples.get(sample("alder_comparisons_total", "")), 0);
            assertEquals(130.0, samples.get(sample("alder_comparison_sequence", "")), 0);
            assertEquals(1.0, samples.get(sample("alder_comparison_differences", "")), 0);
            assertEquals(0.25, samples.get(sample("alder_replica_lag_seconds", "")), 0);
            assertEquals(1.0, samples.get(sample("alder_feature_level", "")), 0);
            assertEquals("what the oldest build of a member knows", 2.0, samples.get(sample("alder_feature_level_known", "")), 0);
            assertEquals(100.0, samples.get(sample("alder_shared_log_first_sequence", "")), 0);
            assertEquals(2.0, samples.get(sample("alder_shared_log_parts", "")), 0);
            assertEquals(4096.0, samples.get(sample("alder_shared_log_bytes", "")), 0);
            assertEquals(1.0, samples.get(sample("alder_member_here", "member=\"node2\",")), 0);
            assertEquals(0.0, samples.get(sample("alder_member_here", "member=\"node3\",")), 0);
            assertEquals(1.0, samples.get(sample("alder_member_dropped", "member=\"node3\",")), 0);
            assertEquals(0.0, samples.get(sample("alder_member_dropped", "member=\"node1\",")), 0);
            assertEquals(1.0, samples.get(sample("alder_member_differs", "member=\"node3\",")), 0);
            assertEquals(0.0, samples.get(sample("alder_member_differs", "member=\"node1\",")), 0);
            assertEquals(138.0, samples.get(sample("alder_member_sequence", "member=\"node2\",")), 0);
            assertNull("of who is not there", samples.get(sample("alder_member_sequence", "member=\"node3\",")));
            assertEquals(12.0, samples.get(sample("alder_member_flushed_sequence", "member=\"node3\",")), 0);
            SearchResultEntry shown = admin.getEntry("cn=partition-1,cn=Monitor");
            assertEquals("replica", shown.getAttributeValue("alderReplicaRole"));
            assertEquals("node1", shown.getAttributeValue("alderReplicaLeader"));
            assertEquals("index mail, key ann@example.com (node3)", shown.getAttributeValue("alderComparisonDifference"));
            assertEquals("no room for a segment", shown.getAttributeValue("alderReplicaProblem"));
            assertEquals(Set.of("node1 0", "node2 0", "node3 1"), Set.of(shown.getAttributeValues("alderMemberDropped")));
        }
    }

    @Test
    public void whatIsNotKnownOfAClusterIsLeftOut() throws Exception {
        replica.role = Replica.Role.LEADER;
        replica.behind = -1;
        replica.behindMillis = -1;
        replica.cluster = new ClusterService.Status(null, 7, 100, 2, -1, List.of(), null, 1, null);
        try (TestServer server = server(); LDAPConnection admin = server.admin()) {
            Map<String, Double> samples = TextFormat.read(scrape(server)).samples();
            assertEquals(1.0, samples.get(sample("alder_replica_leads", "")), 0);
            assertEquals(1.0, samples.get(sample("alder_replica_applies", "")), 0);
            for (String unknown : List.of("alder_replica_lag_transactions", "alder_replica_lag_seconds", "alder_shared_log_bytes")) {
                assertNull(unknown, samples.get(sample(unknown, "")));
            }
            assertEquals("-", admin.getEntry("cn=partition-1,cn=Monitor").getAttributeValue("alderReplicaLeader"));
        }
    }

    /** Somebody who is told changes, until the connection is closed. */
    private static void follow(LDAPConnection client) throws LDAPException {
        SearchRequest request = new SearchRequest(new FollowingListener(), TestServer.SUFFIX, SearchScope.SUB, DereferencePolicy.NEVER, 0, 0, false,
                Filter.createPresenceFilter("objectClass"));
        request.addControl(new PersistentSearchRequestControl(EnumSet.allOf(PersistentSearchChangeType.class), true, false));
        client.asyncSearch(request);
    }

    @Test
    public void everyNumberOfTheMonitorIsAMetric() throws Exception {
        Set<String> shown = MetricTable.ALL.stream().map(Metric::figure).collect(Collectors.toSet());
        Set<String> missing = new TreeSet<>();
        try (TestServer server = server(); LDAPConnection admin = server.admin()) {
            admin.search(TestServer.SUFFIX, SearchScope.SUB, "(sn=Number1)");
            follow(admin);
            for (SearchResultEntry entry : admin.search("cn=Monitor", SearchScope.SUB, "(!(|(objectClass=alderConnection)(objectClass=alderOperation)))").getSearchEntries()) {
                entry.getAttributes().stream().map(attribute -> attribute.getName()).filter(name -> !shown.contains(name)).forEach(missing::add);
            }
        }
        missing.removeAll(NOT_IN_METRICS);
        assertEquals("a figure of cn=Monitor that MetricTable has not", Set.of(), missing);
    }

    @Test
    public void namesAreThoseOfTheFieldAndAllAreThere() throws Exception {
        Set<String> names = MetricTable.ALL.stream().map(Metric::shownName).collect(Collectors.toSet());
        assertEquals("none twice", MetricTable.ALL.size(), names.size());
        for (Metric metric : MetricTable.ALL) {
            assertTrue(metric.name(), metric.name().matches("alder_[a-z]+(_[a-z]+)*"));
            assertFalse("the writer adds it: " + metric.name(), metric.name().matches(".*_(total|count|sum|bucket|info)"));
            assertFalse("base units are seconds and bytes: " + metric.name(), metric.name().matches(".*_(millis|micros|nanos|kib|mib|percent)"));
            assertTrue(metric.help(), metric.help().endsWith("."));
        }
        try (TestServer server = server(); LDAPConnection admin = server.admin()) {
            admin.search(TestServer.SUFFIX, SearchScope.SUB, "(uid=user.1)");
            admin.search(TestServer.SUFFIX, SearchScope.SUB, "(sn=Number1)");
            follow(admin);
            Await.until("the search to be told changes", () -> scrape(server).contains("alder_follower_lag_seconds{address=\"127.0.0.1\"} 0.0\n"));
            Set<String> scraped = new TreeSet<>(TextFormat.read(scrape(server)).types().keySet());
            Set<String> expected = new TreeSet<>(names);
            expected.removeIf(name -> name.startsWith("alder_tls_") || name.equals("alder_certificate_expiry_seconds")
                    || name.startsWith("alder_logins_") || name.equals(OF_SHARDS));
            scraped.removeIf(name -> name.startsWith("alder_tls_"));
            assertEquals("but for those of TLS, of other members and of shards, which there are none of", expected, scraped);
        }
    }

    @Test
    public void theDashboardAndTheAlertsAskForMetricsThatThereAre() throws Exception {
        Set<String> names = new TreeSet<>();
        try (TestServer server = server(); LDAPConnection admin = server.admin();
                TestTls tls = new TestTls(folder.newFolder("tls").toPath(), settings -> settings.with(draft -> draft.http = HTTP))) {
            admin.search(TestServer.SUFFIX, SearchScope.SUB, "(uid=user.1)");
            admin.search(TestServer.SUFFIX, SearchScope.SUB, "(sn=Number1)");
            follow(admin);
            Await.until("the search to be told changes", () -> scrape(server.server()).contains("alder_follower_lag_seconds{"));
            for (AlderServer each : List.of(server.server(), tls.server().server())) {
                TextFormat.read(scrape(each)).samples().keySet().forEach(sample -> names.add(sample.replaceAll("\\{.*", "")));
            }
        }
        names.add(OF_SHARDS);
        int asked = 0;
        for (String file : List.of("grafana-dashboard.json", "prometheus-alerts.yml")) {
            String text = Files.readString(MONITORING.resolve(file));
            Matcher name = Pattern.compile("\\balder_[a-z_]+").matcher(text);
            while (name.find()) {
                assertTrue(file + ": " + name.group(), names.contains(name.group()));
                asked++;
            }
        }
        assertTrue(asked > 40);
        JSONObject dashboard = new JSONObject(Files.readString(MONITORING.resolve("grafana-dashboard.json")));
        assertTrue(dashboard.getFieldAsArray("panels").size() > 20);
        assertLabels(dashboard.toString());
        assertLabels(Files.readString(MONITORING.resolve("prometheus-alerts.yml")));
    }

    /** Sums go by labels that there are. */
    private static void assertLabels(String text) {
        Set<String> labels = MetricTable.ALL.stream().flatMap(metric -> metric.labels().stream()).collect(Collectors.toSet());
        labels.addAll(Set.of("instance", "le"));
        Matcher by = Pattern.compile("\\bby \\(([a-z, ]+)\\)").matcher(text);
        while (by.find()) {
            for (String label : by.group(1).split(", ")) {
                assertTrue(label, labels.contains(label));
            }
        }
    }

    @Test
    public void thePageHasAllMetrics() throws Exception {
        StringBuilder table = new StringBuilder("| metric | type | labels | what | in `cn=Monitor` |\n| --- | --- | --- | --- | --- |\n");
        for (Metric metric : MetricTable.ALL) {
            table.append("| `").append(metric.shownName()).append("` | ").append(metric.type().name().toLowerCase(Locale.ROOT)).append(" | ")
                    .append(metric.labels().stream().map(label -> '`' + label + '`').collect(Collectors.joining(", "))).append(" | ")
                    .append(metric.help()).append(" | `").append(metric.figure()).append("` |\n");
        }
        String page = Files.readString(PAGE);
        int begin = page.indexOf(BEGIN) + BEGIN.length();
        int end = page.indexOf(END);
        assertTrue(PAGE + " has a place for the table", begin > BEGIN.length() && end >= begin);
        if (Boolean.getBoolean("alder.settings.write")) {
            Files.writeString(PAGE, page.substring(0, begin) + table + page.substring(end));
        } else {
            assertEquals("-Dalder.settings.write=true writes the page anew", table.toString(), page.substring(begin, end));
        }
    }
}
