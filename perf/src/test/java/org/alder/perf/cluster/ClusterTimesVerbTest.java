package org.alder.perf.cluster;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.ChildJava;
import org.alder.partition.text.JsonReader;
import org.alder.perf.process.OpenLdap;
import org.alder.server.cli.Alder;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The benchmark of a cluster with few entries: that it comes to its end, with all of its lines, and leaves nothing. */
public class ClusterTimesVerbTest {
    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private Path file(String name) {
        return temporary.getRoot().toPath().resolve(name);
    }

    @Test
    public void fewEntries() throws Exception {
        List<String> command = ChildJava.command("-Xmx256m", "-XX:TieredStopAtLevel=1", "-Dalder.home=..", "-Dlogback.configurationFile=../conf/logback-test.xml");
        command.addAll(List.of(Alder.class.getName(), "perf", "cluster", "--work", file("work").toString(), "--report", file("report").toString(),
                "--entries", "50", "--seconds", "0.2", "--warm-up-seconds", "0.2", "--rounds", "1", "--connections", "4", "--lag-rate", "50,100", "--join-rate", "50"));
        Process process = new ProcessBuilder(command).redirectOutput(file("out").toFile()).redirectError(file("err").toFile()).start();
        int status;
        try {
            status = Await.end("the benchmark", process);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        assertEquals(Files.readString(file("err")), 0, status);
        String text = Files.readString(file("out"));
        List<String> lines = new ArrayList<>(List.of("adds +4 +one server alone", "adds +4 +three members", "modifies +4 +three members",
                "one server alone", "the leader", "a replica", "all three at once", "node. +50", "node. +100", "50 ", "the leader is killed", "it hands over", "adds +4 +one partition", "modifies +4 +4 shards"));
        if (OpenLdap.installed().isPresent()) {
            lines.addAll(List.of("adds +4 +OpenLDAP, two in mirror mode", "modifies +4 +OpenLDAP, two in mirror mode"));
        }
        for (String line : lines) {
            assertTrue(line + ": " + text, text.lines().anyMatch(each -> each.matches(line + ".*")));
        }
        String report = JsonReader.parse(Files.readString(file("report").resolve("cluster.json"))).toString();
        assertTrue(report, report.contains("the leader is killed"));
        try (Stream<Path> left = Files.list(file("work"))) {
            assertEquals("nothing is left", List.of(), left.toList());
        }
    }
}
