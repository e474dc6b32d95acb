package org.alder.server.cli;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPConnectionOptions;
import com.unboundid.ldap.sdk.LDAPException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.ChildJava;

/**
 * {@code alder start} in a JVM of its own. Closing it stops it as SIGTERM does, and expects a clean end and no fault of its own
 * among what it has logged.
 */
public final class ServerProcess implements AutoCloseable {
    public static final String ADMIN = "cn=Directory Manager";
    private static final String LISTENING = "listening on ldap://127.0.0.1:";
    private static final Pattern LOGGED_FAULT = Pattern.compile("^\\S+ ERROR ");
    private static final String LISTENING_TLS = "listening on ldaps://127.0.0.1:";
    private static final int TERMINATED = 128 + 15;
    private static final int KILLED = 128 + 9;

    private final Process process;
    private final Path data;
    private final Path errors;
    private final BufferedReader out;
    private final int port;
    private final int tlsPort;
    private final List<String> said = new ArrayList<>();
    private boolean killed;

    private ServerProcess(Process process, Path data, Path errors) throws IOException {
        this.process = process;
        this.data = data;
        this.errors = errors;
        this.out = process.inputReader(StandardCharsets.UTF_8);
        String line = readLine("the server to listen");
        assertTrue("expected a server, found " + line + " and " + errorText(), line != null && line.startsWith(LISTENING));
        this.port = Integer.parseInt(line.substring(LISTENING.length()));
        line = readLine("the server to listen for TLS");
        assertTrue("expected a listener for TLS, found " + line, line != null && line.startsWith(LISTENING_TLS));
        this.tlsPort = Integer.parseInt(line.substring(LISTENING_TLS.length()));
    }

    /** Starts a server that is expected to listen, on a free port. */
    public static ServerProcess start(Path data, Object... options) throws IOException {
        return start(List.of(), data, options);
    }

    /** The same with options of Java's own. */
    public static ServerProcess start(List<String> javaOptions, Path data, Object... options) throws IOException {
        return start(List.of(), javaOptions, data, options);
    }

    /** The same in a process that may have so many file descriptors. */
    public static ServerProcess startWithDescriptors(int most, Path data, Object... options) throws IOException {
        return start(List.of("bash", "-c", "ulimit -n " + most + "; exec \"$0\" \"$@\""), List.of(), data, options);
    }

    private static ServerProcess start(List<String> starter, List<String> javaOptions, Path data, Object... options) throws IOException {
        Path errors = errorFile(data);
        List<String> all = new ArrayList<>(List.of("start", "--data", data.toString(), "--port", "0"));
        for (Object option : options) {
            all.add(option.toString());
        }
        ProcessBuilder builder = command(all).redirectError(errors.toFile());
        // Behind the options that they go before.
        builder.command().addAll(builder.command().indexOf("-cp"), javaOptions);
        builder.command().addAll(0, starter);
        Process process = builder.start();
        try {
            return new ServerProcess(process, data, errors);
        } catch (IOException | AssertionError e) {
            process.destroyForcibly();
            throw e;
        }
    }

    private static Path errorFile(Path data) throws IOException {
        return Files.createTempFile(data.toAbsolutePath().getParent(), data.getFileName().toString(), ".err");
    }

    /** Any command in a JVM of its own. */
    public static ProcessBuilder command(List<String> arguments) {
        List<String> command = ChildJava.command("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Dalder.home=..",
                "-Dlogback.configurationFile=../conf/logback-test.xml");
        command.add(Alder.class.getName());
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().remove("ALDER_ADMIN_PASSWORD");
        return builder;
    }

    /** Runs any command in a JVM of its own until it ends, standard output into a file. */
    public static CommandRun run(Path output, Object... arguments) throws IOException, InterruptedException {
        List<String> texts = new ArrayList<>();
        for (Object argument : arguments) {
            texts.add(argument.toString());
        }
        Path errors = errorFile(output);
        Process process = command(texts).redirectOutput(output.toFile()).redirectError(errors.toFile()).start();
        try {
            Await.end(texts.toString(), process);
        } finally {
            process.destroyForcibly();
        }
        return new CommandRun(process.exitValue(), Files.readString(output), Files.readString(errors));
    }

    public long pid() {
        return process.pid();
    }

    public int port() {
        return port;
    }

    /** Where TLS begins at once. */
    public int tlsPort() {
        return tlsPort;
    }

    /** The line after the listeners: a search to paste. */
    public String hint() throws IOException {
        String line = readLine("the line to try");
        // Where the path of the data folder is short enough, there is a socket in it.
        return line.startsWith("listening on ldapi://") ? readLine("the line to try") : line;
    }

    /** The lines that it has said on standard output, as far as they were asked for. */
    public List<String> said() {
        return List.copyOf(said);
    }

    private String readLine(String what) throws IOException {
        try {
            String line = Await.result(what, CompletableFuture.supplyAsync(() -> {
                try {
                    return out.readLine();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }, Await.THREADS));
            said.add(line);
            return line;
        } catch (ExecutionException e) {
            throw new IOException(what, e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(what, e);
        }
    }

    String errorText() {
        try {
            return Files.readString(errors);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A connection bound with the password in DATA/admin.password. */
    public LDAPConnection admin() throws LDAPException, IOException {
        return connect(Files.readString(data.resolve("admin.password")));
    }

    public LDAPConnection connect(String adminPassword) throws LDAPException {
        LDAPConnectionOptions options = new LDAPConnectionOptions();
        options.setResponseTimeoutMillis(Await.MILLIS);
        return new LDAPConnection(options, "127.0.0.1", port, ADMIN, adminPassword);
    }

    /** SIGKILL, as nothing can be prepared for. */
    public void kill() throws InterruptedException {
        killed = true;
        Await.end("the killed server", process.destroyForcibly());
    }

    @Override
    public void close() {
        process.destroy();
        try {
            Await.end("the server", process);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } finally {
            process.destroyForcibly();
        }
        assertEquals("the server ended with " + errorText(), killed ? KILLED : TERMINATED, process.exitValue());
        assertFalse("faults of the server in " + errorText(), errorText().lines().anyMatch(line -> LOGGED_FAULT.matcher(line).find()));
    }
}
