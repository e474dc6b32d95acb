package org.alder.perf.process;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** OpenLDAP's server, started by {@link OpenLdap#serve} and stopped by {@link #close()}. One thread. */
public final class SlapdProcess extends MeasuredServer {
    private static final int POLL_MILLIS = 20;
    private static final int START_SECONDS = 60;

    private final int tlsPort;

    private SlapdProcess(Process process, int port, int tlsPort) {
        super(process, port);
        this.tlsPort = tlsPort;
    }

    /**
     * Waits until it answers.
     *
     * @param port    a free one
     * @param tlsPort the same; 0 where the configuration has no certificate
     */
    static SlapdProcess start(Path slapd, Path configuration, Path messages, int port, int tlsPort) throws IOException, InterruptedException {
        String urls = "ldap://127.0.0.1:" + port + (tlsPort == 0 ? "" : " ldaps://127.0.0.1:" + tlsPort);
        Process process = new ProcessBuilder(slapd.toString(), "-d", "0", "-f", configuration.toString(), "-h",
                urls).redirectErrorStream(true).redirectOutput(messages.toFile()).start();
        SlapdProcess server = new SlapdProcess(process, port, tlsPort);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (!listens(port)) {
            if (process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS) || System.nanoTime() > end) {
                server.close();
                throw new IOException("slapd did not answer on port " + port + "; it said: "
                        + Files.readString(messages).strip());
            }
        }
        return server;
    }

    /** slapd cannot choose a port itself. */
    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
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
            throw new IOException("this slapd has no certificate, and speaks no TLS");
        }
        return tlsPort;
    }
}
