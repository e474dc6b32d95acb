package org.alder.server.clients;

import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.alder.partition.testing.Await;

/** A server that is a client of the directory, as a process that runs until it is closed. */
final class Background implements AutoCloseable {

    private final Process process;
    private final Path output;

    Background(List<String> command, Path output) throws IOException {
        this.output = output;
        process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
    }

    /** A port that nobody listens on at the moment. */
    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            return socket.getLocalPort();
        }
    }

    /** Waits until the process accepts connections. */
    Background awaitPort(int port) throws Exception {
        Await.until("a server on port " + port, () -> {
            assertTrue("it has ended: " + Files.readString(output), process.isAlive());
            return accepts(port);
        });
        return this;
    }

    private static boolean accepts(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(Await.SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
