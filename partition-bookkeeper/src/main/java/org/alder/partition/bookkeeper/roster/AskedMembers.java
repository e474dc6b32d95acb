package org.alder.partition.bookkeeper.roster;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.alder.partition.bookkeeper.ask.AskedMember;
import org.alder.partition.bookkeeper.member.ClusterFile.Node;
import org.alder.partition.bookkeeper.socket.Sockets;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The other members to whom updates can be handed on: those of this member's file, and those that have joined, where they say that they are. Looks for them once a second.
 * Thread safe; its owner closes it.
 */
public final class AskedMembers implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(AskedMembers.class);
    private static final int LOOK_MILLIS = 1_000;
    private static final int LIMIT_MILLIS = 5_000;

    private final MemberNodes nodes;
    private final List<Node> file;
    private final String own;
    private final Sockets sockets;
    private final Thread thread;
    /** Replaced as a whole, under the lock of this object. */
    private volatile Map<String, Asked> byName = Map.of();
    private boolean closed;

    /** @param line by which it is asked */
    private record Asked(Node line, AskedMember member) {
    }

    private AskedMembers(MemberNodes nodes, List<Node> file, String own, Sockets sockets) {
        this.nodes = nodes;
        this.file = file;
        this.own = own;
        this.sockets = sockets;
        this.thread = new Thread(this::look, "looks-for-members");
        thread.setDaemon(true);
    }

    /**
     * @param file what this member's file says
     * @param own  its name
     */
    public static AskedMembers start(MemberNodes nodes, List<Node> file, String own, Sockets sockets) {
        AskedMembers members = new AskedMembers(nodes, file, own, sockets);
        Map<String, Node> first = new TreeMap<>();
        file.forEach(each -> first.put(each.name(), each));
        members.take(first);
        members.thread.start();
        return members;
    }

    /** Null where it takes no updates from others, or nothing is known of it. */
    public AskedMember of(String name) {
        Asked asked = byName.get(name);
        return asked == null ? null : asked.member;
    }

    public boolean isEmpty() {
        return byName.isEmpty();
    }

    private void look() {
        try {
            while (!isClosed()) {
                lookOnce();
                Thread.sleep(LOOK_MILLIS);
            }
        } catch (InterruptedException e) {
            // It is closed.
            return;
        }
    }

    private void lookOnce() {
        try {
            take(nodes.all(file, Deadline.in(LIMIT_MILLIS)));
        } catch (IOException e) {
            LOG.debug("The members are looked for later", e);
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private synchronized void take(Map<String, Node> lines) {
        if (closed) {
            return;
        }
        Map<String, Asked> before = byName;
        Map<String, Asked> next = new TreeMap<>();
        lines.forEach((name, line) -> {
            if (line.updatesPort() > 0 && !name.equals(own)) {
                Asked known = before.get(name);
                boolean isSame = known != null && known.line.host().equals(line.host()) && known.line.updatesPort() == line.updatesPort();
                next.put(name, isSame ? known : new Asked(line, new AskedMember(sockets, own, name, InetSocketAddress.createUnresolved(line.host(), line.updatesPort()))));
            }
        });
        byName = next;
        before.forEach((name, asked) -> {
            if (next.get(name) != asked) {
                LOG.info("Updates are handed on to {} at {} no more: it {}", name, asked.line.host(), next.containsKey(name) ? "is elsewhere" : "takes none");
                asked.member.close();
            }
        });
    }

    @Override
    public void close() throws IOException {
        Map<String, Asked> last;
        synchronized (this) {
            closed = true;
            last = byName;
            byName = Map.of();
        }
        thread.interrupt();
        last.values().forEach(each -> each.member.close());
        Deadline.join(thread);
    }
}
