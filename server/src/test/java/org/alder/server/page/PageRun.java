package org.alder.server.page;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldif.LDIFException;
import com.unboundid.ldif.LDIFReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.alder.partition.testing.Await;
import org.alder.server.cli.CommandRun;
import org.alder.server.cli.ServerProcess;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.ConfigurationReader;
import org.alder.server.config.ConfigurationText;
import org.alder.server.config.SettingOverride;

/**
 * Follows a page in a folder of its own, box by box, as its reader would: commands in a shell, whose {@code bin/alder} is this program;
 * entries and changes in LDIF over LDAP, as the administrator; lines of a configuration by what reads configurations. Only ports and folders
 * differ from those of the page. A server that the page starts goes on until the page starts it again, or ends. One thread.
 */
final class PageRun implements AutoCloseable {
    private static final String SHELL = """
            set -eu -o pipefail
            . "$PAGE_STATE/variables"
            trap 'echo "line $LINENO of the box ends with status $?" >&2' ERR
            . "$PAGE_STATE/box"
            export -p >"$PAGE_STATE/variables"
            """;
    private static final Pattern FILE = Pattern.compile("[\\w-]+\\.\\w+");
    private static final int SHOWN = 3000;
    private static final Pattern LINE_OF_CONFIGURATION = Pattern.compile("(\\w+): (.*?)(\\s{2,}#.*)?");

    private final Path folder;
    private final Path state;
    private final Relay relay;
    private final Map<String, Supplier<String>> replaced = new LinkedHashMap<>();
    private final Map<Path, ServerProcess> servers = new LinkedHashMap<>();
    private Path newestData;
    private String http;

    /** @param folder an empty one, where the shell runs; its data folder is {@code data}, as that of a checkout */
    PageRun(Path folder) throws IOException {
        this.folder = folder;
        this.state = Files.createDirectories(folder.resolve(".state"));
        Files.writeString(state.resolve("variables"), "");
        this.relay = Relay.open(folder.resolve("bin/alder"), state, this::call);
        with("127.0.0.1:10389", () -> "127.0.0.1:" + newest().port());
        with("127.0.0.1:10636", () -> "127.0.0.1:" + newest().tlsPort());
        with("localhost:10389", () -> "localhost:" + newest().port());
        with("localhost:10636", () -> "localhost:" + newest().tlsPort());
        with("http://127.0.0.1:9389", () -> http);
    }

    /** The page has this text where its reader has another one, in commands as in what they print. Returns this. */
    PageRun with(String text, Supplier<String> another) {
        replaced.put(text, another);
        return this;
    }

    /** The same of a folder of the machine. */
    PageRun withFolder(String name, Path another) {
        return with(name, another::toString);
    }

    Path folder() {
        return folder;
    }

    Path data() {
        return folder.resolve("data");
    }

    /** What the page takes to be there. Returns this. */
    PageRun file(String name, String content) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
        return this;
    }

    private ServerProcess newest() {
        ServerProcess server = servers.get(newestData);
        assertNotNull("no server has been started for this page", server);
        return server;
    }

    /** A connection of the administrator to the server of that data folder. */
    LDAPConnection admin(Path data) throws LDAPException, IOException {
        return servers.get(data).admin();
    }

    /** {@code alder start} with its own data folder and these options; one that runs there is stopped first. Returns this. */
    PageRun start(Object... options) throws IOException {
        start(data(), List.of(options));
        return this;
    }

    private void start(Path data, List<?> options) throws IOException {
        stop(data);
        List<Object> all = new ArrayList<>(options);
        // What is measured of a warm server is measured elsewhere; a port of HTTP costs nothing.
        all.addAll(List.of("--set", "warmUpSeconds=0", "--set", "httpListener=http://127.0.0.1:0"));
        ServerProcess server = ServerProcess.start(data, all.toArray());
        servers.put(data, server);
        newestData = data;
        String line = server.hint();
        assertTrue(line, line.startsWith("monitoring on "));
        http = line.substring("monitoring on ".length(), line.lastIndexOf('/'));
    }

    /** Stops the server of a data folder, if there is one. */
    void stop(Path data) {
        ServerProcess server = servers.remove(data);
        if (server != null) {
            server.close();
        }
    }

    private CommandRun call(Path where, byte[] standardInput, List<String> arguments) throws IOException {
        if (!arguments.isEmpty() && arguments.get(0).equals("start")) {
            return startAsCalled(where, new ArrayList<>(arguments.subList(1, arguments.size())));
        }
        List<Object> all = new ArrayList<>();
        for (String argument : arguments) {
            // Some verbs look for files themselves, in the folder of the JVM.
            all.add(FILE.matcher(argument).matches() && Files.isRegularFile(where.resolve(argument)) ? where.resolve(argument) : argument);
        }
        int verb = Verbs.dataOptionAt(arguments);
        if (verb >= 0) {
            all.addAll(verb, List.of("--data", data()));
        }
        return CommandRun.in(where, standardInput, all.toArray());
    }

    private CommandRun startAsCalled(Path where, List<String> options) throws IOException {
        Path data = data();
        for (String name : List.of("--data", "--conf")) {
            int at = options.indexOf(name);
            if (at >= 0) {
                Path file = where.resolve(options.get(at + 1));
                options.set(at + 1, file.toString());
                if (name.equals("--data")) {
                    options.subList(at, at + 2).clear();
                    data = file;
                }
            }
        }
        start(data, options);
        return new CommandRun(0, String.join("\n", newest().said()) + "\n", "");
    }

    /** All boxes of a page but those that say that they are not run. */
    void follow(String page) throws Exception {
        for (Box box : Box.of(page)) {
            if (box.isRun()) {
                try {
                    follow(box);
                } catch (AssertionError | LDAPException | LDIFException | ConfigurationException e) {
                    AssertionError failure = new AssertionError(box + ": " + e.getMessage());
                    failure.setStackTrace(e.getStackTrace());
                    throw failure;
                }
            }
        }
    }

    private void follow(Box box) throws Exception {
        switch (box.language()) {
            case "sh" -> run(box);
            case "ldif" -> apply(ofReader(box.text()));
            default -> read(box);
        }
    }

    /** A text of the page, as its reader has it. */
    String ofReader(String text) {
        String result = text;
        for (Map.Entry<String, Supplier<String>> each : replaced.entrySet()) {
            if (result.contains(each.getKey())) {
                result = result.replace(each.getKey(), each.getValue().get());
            }
        }
        return result;
    }

    private void run(Box box) throws IOException, InterruptedException {
        Files.writeString(state.resolve("box"), ofReader(box.text()));
        Path output = state.resolve("printed");
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", SHELL).directory(folder.toFile()).redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile()).redirectOutput(output.toFile());
        builder.environment().put("PAGE_STATE", state.toString());
        builder.environment().put("HOME", folder.toString());
        builder.environment().put("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"));
        Process process = builder.start();
        boolean ended = process.waitFor(Await.SECONDS, TimeUnit.SECONDS);
        process.destroyForcibly();
        String printed = Files.readString(output);
        assertTrue("these commands do not end, and have printed\n" + printed, ended);
        String shown = printed.substring(Math.max(0, printed.length() - SHOWN));
        assertEquals("the status of these commands:\n" + box.text() + "which have printed:\n" + shown, box.status(), process.exitValue());
        if (box.printed() != null) {
            Printed.compare(ofReader(box.printed()), printed);
        }
    }

    /** Entries and changes of the administrator, over LDAP. */
    void apply(String ldif) throws IOException, LDIFException, LDAPException {
        int records = 0;
        try (LDAPConnection admin = newest().admin(); LDIFReader reader = new LDIFReader(new ByteArrayInputStream(ldif.getBytes(StandardCharsets.UTF_8)))) {
            for (var record = reader.readChangeRecord(true); record != null; record = reader.readChangeRecord(true)) {
                record.processChange(admin);
                records++;
            }
        }
        assertTrue("no entry and no change", records > 0);
    }

    /** Lines of the server and of a partition, each with its key, may stand side by side. */
    private void read(Box box) throws ConfigurationException {
        StringBuilder server = new StringBuilder("dn: cn=config\nobjectClass: alderServer\n");
        StringBuilder partition = new StringBuilder("\ndn: cn=example,cn=config\nobjectClass: alderPartition\nsuffix: dc=example,dc=com\n");
        Path file = folder.resolve("page.ldif");
        ConfigurationText empty = ConfigurationReader.text(file, (server.toString() + partition).getBytes(StandardCharsets.UTF_8));
        for (String line : box.text().lines().filter(line -> !line.isBlank()).toList()) {
            var matcher = LINE_OF_CONFIGURATION.matcher(line);
            assertTrue("this is no line of a configuration: " + line, matcher.matches());
            SettingOverride key = SettingOverride.ofOptions(List.of(matcher.group(1) + '=' + matcher.group(2))).get(0);
            (empty.dn(key).equals("cn=config") ? server : partition).append(matcher.group(1)).append(": ").append(matcher.group(2)).append('\n');
        }
        ConfigurationReader.text(file, (server.toString() + partition).getBytes(StandardCharsets.UTF_8)).configuration();
    }

    @Override
    public void close() throws IOException {
        relay.close();
        for (Path data : List.copyOf(servers.keySet())) {
            stop(data);
        }
    }
}
