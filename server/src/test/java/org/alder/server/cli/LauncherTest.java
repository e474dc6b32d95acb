package org.alder.server.cli;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.alder.partition.testing.Await;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * bin/alder with a program in place of Java that says what it is called with; and what both launchers do before there is a Java
 * ({@code bin/launch.sh}), on machines and in containers that are folders of this test.
 */
public class LauncherTest {
    private static final long GIB = 1L << 30;

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private Path executable(String name, String text) throws IOException {
        Path file = temporary.getRoot().toPath().resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    public void aServiceWithoutAHomeRunsTheBuildThatIsThere() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")));
        Path root = temporary.getRoot().toPath();
        Path launcher = executable("bin/alder", Files.readString(Path.of("../bin/alder")));
        executable("bin/launch.sh", Files.readString(Path.of("../bin/launch.sh")));
        executable("jdk/bin/java", "#!/bin/sh\n[ \"$2\" = -version ] && echo java.specification.version = 17 || echo started \"$@\"\n");
        Path built = executable("distribution/target/alder/built", "");
        Files.setLastModifiedTime(built, FileTime.fromMillis(1_000_000));
        executable("pom.xml", "");
        executable("perf/pom.xml", "");
        executable("perf/src/main/a", "");
        ProcessBuilder builder = new ProcessBuilder(launcher.toString(), "start", "--port", "0");
        builder.environment().put("JAVA_HOME", root.resolve("jdk").toString());
        builder.environment().put("HOME", root.resolve("none").toString());
        Process process = builder.redirectOutput(root.resolve("out").toFile()).redirectError(root.resolve("err").toFile()).start();
        int status = Await.end("the launcher", process);
        String errors = Files.readString(root.resolve("err"));
        assertEquals(errors, 0, status);
        assertTrue(errors, errors.contains("running the build that is there"));
        String out = Files.readString(root.resolve("out"));
        assertTrue(out, out.startsWith("started ") && out.contains("org.alder.server.cli.Alder start --port 0"));
    }

    /** The program in place of Java is called with the jars where they are, whatever the folder is called. */
    @Test
    public void anInstallationMayHaveAnyNameButOneWithAColon() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")));
        Path jdk = executable("jdk/bin/java", "#!/bin/sh\n[ \"$2\" = -version ] && echo java.specification.version = 17 || printf '%s\\n' \"$@\"\n");
        for (String script : List.of("../bin/alder", "../distribution/src/bin/alder")) {
            String strange = "a b%20$(c)'*";
            List<String> called = calledIn(strange, script, jdk, 0);
            Path home = temporary.getRoot().toPath().toRealPath().resolve(strange);
            assertTrue(called.toString(), called.contains("-Dalder.home=" + home));
            assertEquals(called.toString(), script.startsWith("../bin") ? home + "/distribution/target/alder/lib/*" : home + "/lib/a.jar:" + home + "/lib/b.jar",
                    called.get(called.indexOf("-cp") + 1));
            Path colon = temporary.getRoot().toPath().toRealPath().resolve("a:b");
            assertEquals(List.of("alder: the path " + colon + " has a colon, which no class path of Java can have: put Alder into a folder without one"),
                    calledIn("a:b", script, jdk, 69));
        }
    }

    private List<String> calledIn(String home, String script, Path jdk, int status) throws IOException, InterruptedException {
        Path launcher = executable(home + "/bin/alder", Files.readString(Path.of(script)));
        executable(home + "/bin/launch.sh", Files.readString(Path.of("../bin/launch.sh")));
        write(home + "/lib/a.jar", "");
        write(home + "/lib/b.jar", "");
        write(home + "/pom.xml", "");
        write(home + "/perf/pom.xml", "");
        write(home + "/perf/src/main/a", "");
        write(home + "/distribution/target/alder/built", "");
        ProcessBuilder builder = new ProcessBuilder(launcher.toString(), "status").redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", jdk.getParent().getParent().toString());
        builder.environment().put("LC_ALL", "C.UTF-8");
        Process process = builder.start();
        List<String> said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        assertEquals(said.toString(), status, process.waitFor());
        return said;
    }

    private Process launch(Path launcher, String name) throws IOException {
        Path root = temporary.getRoot().toPath();
        ProcessBuilder builder = new ProcessBuilder(launcher.toString(), "start");
        builder.environment().put("JAVA_HOME", root.resolve("jdk").toString());
        builder.environment().put("HOME", root.toString());
        builder.environment().put("PATH", root.resolve("maven") + ":" + System.getenv("PATH"));
        return builder.redirectOutput(root.resolve(name + ".out").toFile()).redirectError(root.resolve(name + ".err").toFile()).start();
    }

    /** As when a second terminal is used before the first one has built. */
    @Test
    public void twoThatBeginTogetherBuildOnce() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")) && Files.isExecutable(Path.of("/usr/bin/flock")));
        Path root = temporary.getRoot().toPath();
        Path launcher = executable("bin/alder", Files.readString(Path.of("../bin/alder")));
        executable("bin/launch.sh", Files.readString(Path.of("../bin/launch.sh")));
        executable("jdk/bin/java", "#!/bin/sh\n[ \"$2\" = -version ] && echo java.specification.version = 17 || echo started \"$@\"\n");
        executable("maven/mvn", "#!/bin/sh\necho called >>calls\nmkdir -p distribution/target/alder\nuntil [ -e go ]; do sleep 0.1; done\n");
        executable("pom.xml", "");
        executable("perf/pom.xml", "");
        executable("perf/src/main/a", "");
        Process one = launch(launcher, "one");
        Process other = launch(launcher, "other");
        for (String name : List.of("one", "other")) {
            Await.until(name + " to want a build", () -> Files.readString(root.resolve(name + ".err")).contains("alder: building"));
        }
        Files.writeString(root.resolve("go"), "");
        for (Process each : List.of(one, other)) {
            assertEquals(Files.readString(root.resolve("one.err")) + Files.readString(root.resolve("other.err")), 0, Await.end("a launcher", each));
        }
        assertEquals("called\n", Files.readString(root.resolve("calls")));
        assertTrue(Files.readString(root.resolve("other.out")).startsWith("started "));
    }

    private void machine(long memoryBytes, String groups) throws IOException {
        write("proc/meminfo", "MemFree: 1 kB\nMemTotal:  " + memoryBytes / 1024 + " kB\nSwapTotal: 0 kB\n");
        write("proc/self/cgroup", groups);
    }

    private void write(String name, String text) throws IOException {
        Path file = temporary.getRoot().toPath().resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    /** Calls a function of the script. */
    private static String call(String function, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("bash", "-euo", "pipefail", "-c", ". ../bin/launch.sh; \"$@\"", "bash", function));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertEquals(said, 0, process.waitFor());
        return said;
    }

    private String memoryMib() throws IOException, InterruptedException {
        return call("memory_mib", temporary.getRoot().toString());
    }

    @Test
    public void onlyWhoAsksForAClusterHasItsJars() throws Exception {
        assertEquals("", call("cluster_class_path", "/lib", "start", "--data", "cluster"));
        assertEquals(":/lib/cluster/*", call("cluster_class_path", "/lib", "start", "--cluster", "node1.conf"));
        assertEquals(":/lib/cluster/*", call("cluster_class_path", "/lib", "cluster", "status", "--cluster=node1.conf"));
        assertEquals(":/lib/cluster/*", call("cluster_class_path", "/lib", "start", "--join", "localhost:10389", "--join-token-file", "token"));
        assertEquals(":/lib/cluster/*", call("cluster_class_path", "/lib", "start", "--join=localhost:10389"));
        assertEquals(":/lib/cluster/*", call("cluster_class_path", "/lib", "perf", "cluster", "--entries", "50"));
        assertEquals("", call("cluster_class_path", "/lib", "perf", "openldap"));
    }

    @Test
    public void withoutALimitTheMemoryIsTheMachines() throws Exception {
        machine(24 * GIB, "0::/user.slice/session-1.scope\n");
        write("sys/fs/cgroup/user.slice/session-1.scope/memory.max", "max\n");
        assertEquals("24576", memoryMib());
    }

    @Test
    public void aContainersLimitIsItsMemory() throws Exception {
        machine(24 * GIB, "0::/\n");
        write("sys/fs/cgroup/memory.max", 2 * GIB + "\n");
        assertEquals("2048", memoryMib());
    }

    @Test
    public void aServicesLimitHoldsAndThatOfTheSliceAroundIt() throws Exception {
        machine(24 * GIB, "0::/system.slice/alder.service\n");
        write("sys/fs/cgroup/system.slice/alder.service/memory.max", 8 * GIB + "\n");
        assertEquals("8192", memoryMib());
        write("sys/fs/cgroup/system.slice/memory.max", 4 * GIB + "\n");
        assertEquals("4096", memoryMib());
    }

    @Test
    public void limitsOfTheFirstVersionHoldToo() throws Exception {
        machine(24 * GIB, "12:cpu,cpuacct:/docker/1\n5:memory:/docker/1\n");
        write("sys/fs/cgroup/memory/docker/1/memory.limit_in_bytes", "9223372036854771712\n");
        assertEquals("24576", memoryMib());
        write("sys/fs/cgroup/memory/memory.limit_in_bytes", 3 * GIB + "\n");
        assertEquals("3072", memoryMib());
    }

    @Test
    public void aSystemThatTellsNothingHasNoNumber() throws Exception {
        assertEquals("0", memoryMib());
    }

    @Test
    public void theHeapIsA24thAtLeastHalfAGibibyteAndAtMostHalf() throws Exception {
        assertEquals("1024", call("heap_mib", "24576"));
        assertEquals("512", call("heap_mib", "4096"));
        assertEquals("512", call("heap_mib", "1024"));
        assertEquals("256", call("heap_mib", "512"));
    }

    @Test
    public void onlyOneCollectorIsChosen() throws Exception {
        String options = "ALDER_JAVA_OPTS=%s; java_version=17; choose_java_options /home import; echo ${java_options[*]}";
        assertTrue(call("eval", String.format(Locale.ROOT, options, "-Xss1m")).contains("-XX:+UseParallelGC"));
        assertFalse(call("eval", String.format(Locale.ROOT, options, "-XX:+UseSerialGC")).contains("-XX:+UseParallelGC"));
    }

    @Test
    public void theJavaOfJavaHomeIsTakenAndItsVersionKnownWithoutStartingIt() throws Exception {
        write("jdk/bin/java", "#!/bin/sh\nexit 3\n");
        assertTrue(temporary.getRoot().toPath().resolve("jdk/bin/java").toFile().setExecutable(true));
        write("jdk/release", "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"25.0.1\"\nJAVA_VERSION_DATE=\"2025-10-21\"\n");
        assertEquals("25", call("eval", "JAVA_HOME='" + temporary.getRoot() + "/jdk'; find_java x; echo $java_version"));
    }

    @Test
    public void anOlderJavaIsRefusedWithWhatToInstall() throws Exception {
        write("jdk/bin/java", "#!/bin/sh\nexit 3\n");
        assertTrue(temporary.getRoot().toPath().resolve("jdk/bin/java").toFile().setExecutable(true));
        write("jdk/release", "JAVA_VERSION=\"11.0.2\"\n");
        assertEquals("alder: Java 11 found at " + temporary.getRoot() + "/jdk/bin/java, but 17 or newer is needed: apt-get install -y a-jre",
                call("eval", "JAVA_HOME='" + temporary.getRoot() + "/jdk'; (find_java a-jre) || [ $? = 69 ]"));
    }
}
