package org.alder.partition.bookkeeper.zookeeper;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.zookeeper.KeeperException;

/** Asks each server of an ensemble by itself. One answers clients when it has what the one that leads has: so one that has lost its disk does not before it has got all of it. */
public final class ServingServers {
    private static final int MOST_AT_ONCE = 16;
    private static final long ANSWER_MILLIS = 3000;

    private ServingServers() {
    }

    /** Returns after some seconds at most. @param addresses {@code host:port}, by names  @return by the same names whether it answers */
    public static Map<String, Boolean> among(Map<String, String> addresses, int sessionMillis) throws IOException {
        Map<String, Boolean> serving = new TreeMap<>();
        if (addresses.isEmpty()) {
            return serving;
        }
        ExecutorService threads = Executors.newFixedThreadPool(Math.min(MOST_AT_ONCE, addresses.size()));
        try {
            Map<String, Future<Boolean>> asked = new TreeMap<>();
            addresses.forEach((name, address) -> asked.put(name, threads.submit(() -> serves(address, sessionMillis))));
            for (Map.Entry<String, Future<Boolean>> each : asked.entrySet()) {
                serving.put(each.getKey(), each.getValue().get());
            }
            return serving;
        } catch (InterruptedException e) {
            throw Deadline.interrupted(e);
        } catch (ExecutionException e) {
            throw new IOException("the servers of ZooKeeper cannot be asked: " + e.getCause(), e);
        } finally {
            threads.shutdownNow();
        }
    }

    private static boolean serves(String address, int sessionMillis) {
        try (ZooKeeperSession session = new ZooKeeperSession(address, sessionMillis)) {
            session.call(Deadline.in(ANSWER_MILLIS), zooKeeper -> zooKeeper.exists("/", false));
            return true;
        } catch (IOException | KeeperException e) {
            return false;
        }
    }
}
