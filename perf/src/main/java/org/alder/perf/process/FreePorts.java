package org.alder.perf.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** Ports of the loopback address that nobody has. Stateless. */
public final class FreePorts {
    /** Below those that the system gives to clients, so that nobody gets them by chance between two starts. */
    private static final int FIRST = 12_000;
    private static final int LAST = 32_000;

    private FreePorts() {
    }

    /** All of them different. */
    public static List<Integer> find(int count) {
        Set<Integer> found = new LinkedHashSet<>();
        while (found.size() < count) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"))) {
                found.add(socket.getLocalPort());
            } catch (IOException e) {
                // Somebody has it: another one.
                continue;
            }
        }
        return List.copyOf(found);
    }
}
