package org.alder.server;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.alder.partition.testing.Await;

/** Hands on the bytes of connections to a server of this machine until they are cut, wherever they are. */
final class CutProxy implements Closeable {
    private static final int BUFFER_BYTES = 512;

    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final int target;

    CutProxy(int target) throws IOException {
        this.target = target;
        Await.THREADS.execute(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                open.add(client);
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                open.add(server);
                Await.THREADS.execute(() -> copy(client, server));
                Await.THREADS.execute(() -> copy(server, client));
            } catch (IOException e) {
                cut();
            }
        }
    }

    private void copy(Socket from, Socket to) {
        try (from; to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                out.write(buffer, 0, read);
            }
        } catch (IOException e) {
            // It was cut.
        }
        open.remove(from);
        open.remove(to);
    }

    /** Ends all connections there are. */
    void cut() {
        for (Socket each : open) {
            try {
                each.close();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        cut();
    }
}
