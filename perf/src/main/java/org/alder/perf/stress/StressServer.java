package org.alder.perf.stress;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.alder.perf.process.ServerProcess;

/** The server under test in a process of its own, again and again on one data folder, and the other verbs on that. Thread safe but for its start. */
final class StressServer {
    static final String ADMINISTRATOR = "cn=Directory Manager";
    static final String PASSWORD = "stress";
    private static final Pattern LOGGED_FAULT = Pattern.compile("^\\S+ ERROR .*");

    private final List<String> javaOptions;
    private final Path work;
    private final Path data;
    private final Path configuration;
    private final SmallDisk disk;
    private final AtomicInteger files = new AtomicInteger();
    private ServerProcess process;
    private Path messages;

    /**
     * @param home of the installation
     * @param disk null for none
     */
    StressServer(Path home, Path work, SmallDisk disk) throws IOException {
        this.javaOptions = List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-Dalder.home=" + home.toAbsolutePath(),
                "-Dalder.log.level=warn", "-Dlogback.configurationFile=" + home.resolve("conf").resolve("logback.xml").toAbsolutePath());
        this.work = work;
        this.disk = disk;
        this.data = (disk == null ? work : disk.folder()).resolve("data");
        this.configuration = work.resolve("config.ldif");
        Files.writeString(work.resolve("password"), PASSWORD + "\n");
    }

    Path configuration() {
        return configuration;
    }

    private List<String> prefix() {
        return disk == null ? List.of() : disk.prefix();
    }

    private Path file(String name) {
        return work.resolve(name + files.incrementAndGet());
    }

    /** @throws DifferenceException if it does not start: whatever happened to it before, it has to */
    void start() throws IOException, DifferenceException {
        messages = file("server.log");
        try {
            process = ServerProcess.start(prefix(), javaOptions, List.of("start", "--data", data.toString(), "--conf",
                    configuration.toString(), "--port", "0", "--admin-password-file", work.resolve("password").toString()), messages);
        } catch (IOException e) {
            throw new DifferenceException(e.getMessage() + ": " + Files.readString(messages).strip());
        }
    }

    int port() {
        return process.port();
    }

    void kill() throws InterruptedException {
        process.kill();
    }

    /** As SIGTERM does. */
    void stop() {
        process.close();
    }

    /** @throws DifferenceException if it has logged a fault since its start */
    void requireNoFault() throws IOException, DifferenceException {
        try (var lines = Files.lines(messages, StandardCharsets.UTF_8)) {
            String fault = lines.filter(line -> LOGGED_FAULT.matcher(line).matches()).findFirst().orElse(null);
            if (fault != null) {
                throw new DifferenceException("the server logged a fault: " + fault + " (" + messages + ")");
            }
        }
    }

    /** Exports everything into a new file, whether or not the server runs. */
    Path export() throws IOException, InterruptedException, DifferenceException {
        Path ldif = file("export.ldif");
        run("export", "--output", ldif.toString());
        return ldif;
    }

    void verify() throws IOException, InterruptedException, DifferenceException {
        run("verify");
    }

    private void run(String verb, String... options) throws IOException, InterruptedException, DifferenceException {
        Path output = file(verb + ".out");
        Path errors = file(verb + ".err");
        List<String> arguments = new ArrayList<>(List.of(verb, "--data", data.toString(), "--conf",
                configuration.toString()));
        arguments.addAll(List.of(options));
        int status = ServerProcess.run(prefix(), javaOptions, arguments, output, errors);
        if (status != 0) {
            throw new DifferenceException(verb + " ended with status " + status + ": " + Files.readString(output).strip() + " "
                    + Files.readString(errors).strip());
        }
        Files.delete(output);
        Files.delete(errors);
    }

    /** Copies the data folder, for who looks into it later. */
    void copyData(Path target) throws IOException, InterruptedException {
        if (disk != null) {
            disk.copyTo(target);
            return;
        }
        try (var all = Files.walk(data)) {
            for (Path source : (Iterable<Path>) all::iterator) {
                Path copy = target.resolve(data.relativize(source).toString());
                if (Files.isDirectory(source)) {
                    Files.createDirectories(copy);
                } else if (Files.isRegularFile(source)) {
                    Files.copy(source, copy);
                }
            }
        }
    }
}
