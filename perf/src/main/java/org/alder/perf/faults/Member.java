package org.alder.perf.faults;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.alder.perf.client.LdapClient;
import org.alder.perf.client.Request;

/** A member of the cluster under test, in a process of its own. Thread safe but for its starts and ends, which are one thread's. */
final class Member {
    static final String ADMINISTRATOR = "cn=Directory Manager";
    static final String PASSWORD = "faults";
    private static final int QUIT_MILLIS = 1000;
    private static final int STOP_SECONDS = 120;
    private static final double SECONDS_OF_A_DAY = 86_400;
    private static final String JAVA_OPTIONS = "-Xmx192m -XX:-UsePerfData -XX:+UseSerialGC -XX:TieredStopAtLevel=1";

    /**
     * Where it is.
     *
     * @param prefix what stands before its command, nothing for none
     * @param folder its disk
     * @param library what stands between it and its machine; null for nothing
     * @param file   of the cluster
     * @param configuration that it is started with; null for what holds by default
     */
    record Place(int number, List<String> prefix, Path folder, MachineLibrary library, Path file, Path configuration, Path password, Path messages, String host, int port) {
        String name() {
            return "node" + (number + 1);
        }

        private Path control() {
            return file.resolveSibling(name() + ".disk");
        }
    }

    private final Place place;
    private volatile Process process;
    private volatile boolean isPaused;
    private int starts;
    private long secondsAhead;
    private Path home;

    /** @param home where the build is that it runs */
    Member(Place place, Path home) {
        this.place = place;
        this.home = home;
    }

    Place place() {
        return place;
    }

    String name() {
        return place.name();
    }

    /** Where the build is that it runs, or is started with next. */
    Path home() {
        return home;
    }

    /** From its next start on it runs another build. */
    void setHome(Path other) {
        home = other;
    }

    void start() throws IOException {
        List<String> command = new ArrayList<>(place.prefix);
        command.addAll(List.of(home.resolve("bin").resolve("alder").toString(), "start", "--data", place.folder.resolve("data").toString(),
                "--host", place.host, "--port", Integer.toString(place.port), "--admin-password-file", place.password.toString(),
                "--cluster", place.file.toString(), "--set", "plaintextBind=all",
                // A certificate that it made is not valid yet when its clock goes back, and then it does not start.
                "--set", "tls=none"));
        if (place.configuration != null) {
            command.addAll(List.of("--conf", place.configuration.toString()));
        }
        Files.writeString(place.messages, startLine(++starts) + "\n", StandardCharsets.UTF_8,
                StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(place.messages.toFile()));
        builder.environment().put("ALDER_JAVA_OPTS", JAVA_OPTIONS);
        if (place.library != null) {
            place.library.put(builder.environment(), place.folder, place.control(), secondsAhead);
        }
        process = builder.start();
        process.getOutputStream().close();
    }

    /** From its next start on its clock is that far ahead, or behind where that is negative. */
    void setClock(long seconds) {
        secondsAhead = seconds;
    }

    /** How far it is from the others', as from its next start. */
    String clock() {
        return String.format(Locale.ROOT, "%.1f days %s", Math.abs(secondsAhead) / SECONDS_OF_A_DAY, secondsAhead < 0 ? "behind" : "ahead");
    }

    /** What of its disk fails from now on. */
    void failDisk(MachineLibrary.DiskFault fault) throws IOException {
        MachineLibrary.set(place.control(), fault);
    }

    /** Whether it runs, or is stopped for a while. */
    boolean isAlive() {
        return process != null && process.isAlive();
    }

    int status() {
        return process.exitValue();
    }

    /** At once, as where its machine dies. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
        isPaused = false;
    }

    /** Its disk has nothing of a folder any more. Not while it runs. */
    void wipe(String name) throws IOException {
        Path gone = place.folder.resolve(name);
        if (!Files.isDirectory(gone)) {
            return;
        }
        try (Stream<Path> all = Files.walk(gone)) {
            for (Path each : (Iterable<Path>) all.sorted(Comparator.reverseOrder())::iterator) {
                Files.delete(each);
            }
        }
    }

    /** As an administrator does. */
    void stop() throws InterruptedException, IOException {
        resume();
        process.destroy();
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            printThreads();
            kill();
            throw new IOException(name() + " did not end " + STOP_SECONDS + " s after it was told to; where its threads were is in " + place.messages);
        }
    }

    /** Nothing of it goes on until {@link #resume}. */
    void pause() throws IOException, InterruptedException {
        isPaused = true;
        signal("STOP");
    }

    void resume() throws IOException, InterruptedException {
        if (isPaused) {
            signal("CONT");
            isPaused = false;
        }
    }

    /** Where all its threads are, into its messages. */
    void printThreads() throws IOException, InterruptedException {
        signal("QUIT");
        Thread.sleep(QUIT_MILLIS);
    }

    private void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    }

    /** A connection of the administrator. */
    LdapClient connect(int waitMillis) throws IOException {
        LdapClient client = new LdapClient(place.host, place.port, waitMillis);
        boolean done = false;
        try {
            client.send(new Request.Bind(ADMINISTRATOR, PASSWORD)).expect(0);
            done = true;
            return client;
        } finally {
            if (!done) {
                client.close();
            }
        }
    }

    /** Whether it has said that it takes nothing more before it is started again. */
    boolean isReadOnly() throws IOException {
        List<String> all = Files.readAllLines(place.messages, StandardCharsets.UTF_8);
        return all.subList(all.lastIndexOf(startLine(starts)), all.size()).stream().anyMatch(line -> line.contains("is read-only until a restart"));
    }

    private static String startLine(int start) {
        return "--- start " + start;
    }

    /** The last lines that it has written. */
    String lastWords(int lines) throws IOException {
        List<String> all = Files.readAllLines(place.messages, StandardCharsets.UTF_8);
        return String.join("\n", all.subList(Math.max(0, all.size() - lines), all.size()));
    }
}
