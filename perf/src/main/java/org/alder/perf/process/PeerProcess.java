package org.alder.perf.process;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Another directory server, started by {@link Peer#serve} and stopped by {@link #close()}. One thread. */
public final class PeerProcess extends MeasuredServer {
    private static final int POLL_MILLIS = 20;
    private static final int START_SECONDS = 120;

    private final int tlsPort;

    private PeerProcess(Process process, int port, int tlsPort) {
        super(process, port);
        this.tlsPort = tlsPort;
    }

    /**
     * Waits until it listens.
     *
     * @param command  one that becomes the server itself, whose CPU and memory are measured
     * @param messages gets what it says
     * @param port     a free one, at which it is to listen: none of these servers can choose one itself
     * @param tlsPort  the same; 0 where it has no certificate
     */
    static PeerProcess start(ProcessBuilder command, Path messages, int port, int tlsPort) throws IOException, InterruptedException {
        Process process = command.redirectErrorStream(true).redirectOutput(messages.toFile()).start();
        PeerProcess server = new PeerProcess(process, port, tlsPort);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (!listens(port)) {
            if (process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS) || System.nanoTime() > end) {
                server.close();
                throw new IOException(command.command().get(0) + " did not answer on port " + port + "; it said: " + Files.readString(messages).strip());
            }
        }
        return server;
    }

    private static boolean listens(int port) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", port));
            return true;
        } catch (ConnectException e) {
            return false;
        }
    }

    @Override
    public int tlsPort() throws IOException {
        if (tlsPort == 0) {
            throw new IOException("this server has no certificate, and speaks no TLS");
        }
        return tlsPort;
    }
}
