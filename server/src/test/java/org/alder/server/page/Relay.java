package org.alder.server.page;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.testing.Await;
import org.alder.server.cli.CommandRun;

/**
 * A program {@code alder} for shells whose verbs run in this JVM, so that none of them waits for one of its own: it hands over its folder, its
 * arguments and its standard input, and gets back a status and what was said. Closing it ends it.
 */
final class Relay implements AutoCloseable {
    /** Does what one call asks for. */
    interface Calls {
        CommandRun call(Path folder, byte[] standardInput, List<String> arguments) throws IOException;
    }

    private static final String PROGRAM = """
            #!/usr/bin/env bash
            set -eu
            call=$(mktemp -d "FOLDER/call.XXXXXX")
            cat >"$call/in"
            printf '%s\\0' "$@" >"$call/arguments"
            exec 3<>/dev/tcp/127.0.0.1/PORT
            printf '%s\\n%s\\n' "$call" "$PWD" >&3
            read -r status <&3
            cat "$call/out"
            cat "$call/err" >&2
            rm -r "$call"
            exit "$status"
            """;

    private final ServerSocket socket;
    private final Calls calls;

    private Relay(ServerSocket socket, Calls calls) {
        this.socket = socket;
        this.calls = calls;
    }

    /** Writes the program. @param folder for what is handed over */
    static Relay open(Path program, Path folder, Calls calls) throws IOException {
        Relay relay = new Relay(new ServerSocket(0, 0, InetAddress.getByName("127.0.0.1")), calls);
        Files.createDirectories(folder);
        Files.createDirectories(program.getParent());
        Files.writeString(program, PROGRAM.replace("FOLDER", folder.toString()).replace("PORT", Integer.toString(relay.socket.getLocalPort())));
        program.toFile().setExecutable(true);
        CompletableFuture.runAsync(relay::accept, Await.THREADS);
        return relay;
    }

    private void accept() {
        while (true) {
            try {
                Socket client = socket.accept();
                CompletableFuture.runAsync(() -> answer(client), Await.THREADS);
            } catch (IOException e) {
                return;
            }
        }
    }

    private void answer(Socket client) {
        try (client; BufferedReader in = new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8))) {
            Path call = Path.of(in.readLine());
            Path folder = Path.of(in.readLine());
            String[] arguments = Files.readString(call.resolve("arguments")).split("\0", -1);
            CommandRun run;
            try {
                run = calls.call(folder, Files.readAllBytes(call.resolve("in")), List.of(arguments).subList(0, arguments.length - 1));
            } catch (IOException | RuntimeException | AssertionError e) {
                run = new CommandRun(99, "", "the test could not run this: " + e + "\n");
            }
            Files.writeString(call.resolve("out"), run.out());
            Files.writeString(call.resolve("err"), run.err());
            client.getOutputStream().write((run.status() + "\n").getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
