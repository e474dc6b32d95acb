package org.alder.partition.bookkeeper.copy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** How members that copy from each other speak. Thread safe. */
public interface CopySockets {
    /** Without encryption: whoever can connect is given everything. */
    CopySockets PLAIN = new CopySockets() {
        @Override
        public ServerSocket listening(int port, int backlog, InetAddress address) throws IOException {
            return new ServerSocket(port, backlog, address);
        }

        @Override
        public Socket connecting() {
            return new Socket();
        }
    };

    /** Whose connections have been, or will be, held to who may copy. */
    ServerSocket listening(int port, int backlog, InetAddress address) throws IOException;

    /** Not connected yet. */
    Socket connecting() throws IOException;
}
