package org.alder.partition.bookkeeper.zookeeper;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;

/**
 * What znodes hold, for who looks at them again and again: each is asked for once, and again when ZooKeeper has said that it is another one now, or may not
 * be able to say so. So what is found is no older than what the server shows that this process is connected to. One is kept for each znode that was ever asked
 * for. Thread safe.
 */
public final class WatchedNodes {
    private final Runnable whenChanged;
    private final Map<String, Watched<byte[]>> contents = new ConcurrentHashMap<>();
    private final Map<String, Watched<List<String>>> children = new ConcurrentHashMap<>();

    /** @param whenChanged told, on a thread of ZooKeeper's client, when one is another one, or the connection is lost or there again */
    public WatchedNodes(Runnable whenChanged) {
        this.whenChanged = whenChanged;
    }

    /** What is asked of ZooKeeper, which tells the watcher of the next change of that. */
    @FunctionalInterface
    private interface Question<T> {
        T ask(ZooKeeper zooKeeper, String node, Watcher watcher) throws KeeperException, InterruptedException;
    }

    /** @param changes that had been told of when it was asked for */
    private record Seen<T>(ZooKeeper by, long changes, T what) {
    }

    private final class Watched<T> implements Watcher {
        private final String node;
        private final Question<T> question;
        private final AtomicLong changes = new AtomicLong();
        private volatile Seen<T> seen;

        Watched(String node, Question<T> question) {
            this.node = node;
            this.question = question;
        }

        /** Also of each change of the connection: until it is there again nothing is told. */
        @Override
        public void process(WatchedEvent event) {
            changes.incrementAndGet();
            whenChanged.run();
        }

        T get(ZooKeeper zooKeeper) throws KeeperException, InterruptedException {
            Seen<T> now = seen;
            if (now != null && now.by == zooKeeper && now.changes == changes.get()) {
                return now.what;
            }
            long before = changes.get();
            T found = ask(zooKeeper);
            seen = new Seen<>(zooKeeper, before, found);
            return found;
        }

        private T ask(ZooKeeper zooKeeper) throws KeeperException, InterruptedException {
            while (true) {
                try {
                    return question.ask(zooKeeper, node, this);
                } catch (KeeperException.NoNodeException e) {
                    // Only whether one is there is watched where it is not.
                    if (zooKeeper.exists(node, this) == null) {
                        return null;
                    }
                }
            }
        }
    }

    /** What a znode holds, the same array as long as that is so; null where it is not there. */
    public byte[] content(ZooKeeper zooKeeper, String node) throws KeeperException, InterruptedException {
        return contents.computeIfAbsent(node, path -> new Watched<>(path, (client, asked, watcher) -> client.getData(asked, watcher, null))).get(zooKeeper);
    }

    /** The names of the znodes below one; null where that is not there. */
    List<String> children(ZooKeeper zooKeeper, String node) throws KeeperException, InterruptedException {
        return children.computeIfAbsent(node, path -> new Watched<>(path, ZooKeeper::getChildren)).get(zooKeeper);
    }

    /** This process has changed it, or those below it: that is seen from now on, also where the server's word of it is still to come. */
    public void changed(String node) {
        forget(contents.get(node));
        forget(children.get(node));
        forget(children.get(node.substring(0, Math.max(1, node.lastIndexOf('/')))));
    }

    private static void forget(Watched<?> watched) {
        if (watched != null) {
            watched.changes.incrementAndGet();
        }
    }
}
