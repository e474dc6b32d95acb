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
import java.util.concurrent.ThreadLocalRandom;
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

    /** Where a server listens. */
    record Address(String host, int port) {
        @Override
        public String toString() {
            return host + ":" + port;
        }
    }

    /**
     * Where a server can listen that does not choose a port itself: at an address of its own among those that mean this machine.
     * A port that is free at 127.0.0.1 would be anybody's until the server has it; this one is free to all others elsewhere.
     */
    static Address freeAddress() throws IOException {
        byte[] own = {127, 0, 0, 0};
        ThreadLocalRandom random = ThreadLocalRandom.current();
        for (int i = 1; i < own.length; i++) {
            own[i] = (byte) random.nextInt(1, 255);
        }
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByAddress(own))) {
            return new Address(socket.getInetAddress().getHostAddress(), socket.getLocalPort());
        }
    }

    /** Waits until the process accepts connections. */
    Background awaitListening(Address address) throws Exception {
        Await.until("a server at " + address, () -> {
            assertTrue("it has ended: " + Files.readString(output), process.isAlive());
            return accepts(address);
        });
        return this;
    }

    private static boolean accepts(Address address) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address.host(), address.port()));
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
