package org.alder.partition.bookkeeper.socket;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** How members connect that copy from each other, or ask each other. Thread safe. */
public interface Sockets {
    /** Without encryption: whoever can connect is trusted as a member. */
    Sockets PLAIN = new Sockets() {
        @Override
        public ServerSocket listening(int port, int backlog, InetAddress address) throws IOException {
            return new ServerSocket(port, backlog, address);
        }

        @Override
        public Socket connecting() {
            return new Socket();
        }
    };

    /** Whose connections have been, or will be, held to who is a member. */
    ServerSocket listening(int port, int backlog, InetAddress address) throws IOException;

    /** Not connected yet. */
    Socket connecting() throws IOException;
}
