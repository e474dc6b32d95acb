package org.alder.partition.bookkeeper.zookeeper;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.alder.partition.bookkeeper.member.ClusterFile.Node;
import org.alder.partition.bookkeeper.socket.Sockets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a new ensemble of ZooKeeper from a member of one that has lost its disk. Both have nothing, but the second one must not vote: with one that lags behind it
 * could elect a leader who lacks what was acknowledged. So one that has nothing votes only where all others say that they have nothing, either; else it
 * takes what those have that elect a leader without it. Members answer that question on the port of their bookie, as long as that does not run,
 * which needs a ZooKeeper. Any thread; whoever starts it closes it, when most of ZooKeeper is there.
 */
public final class ZooKeeperFounding implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperFounding.class);
    private static final String QUESTION = "alder-zookeeper 1\n";
    private static final String EMPTY = "empty\n";
    private static final String DATA = "data \n";
    private static final int ANSWER_MILLIS = 3_000;
    private static final int BACKLOG = 50;

    private final Sockets sockets;
    private final Path folder;
    private final ServerSocket listening;
    private final Thread thread;

    private ZooKeeperFounding(Sockets sockets, Node own, Path folder) throws IOException {
        this.sockets = sockets;
        this.folder = folder;
        this.listening = sockets.listening(port(own), BACKLOG, InetAddress.getByName(own.host()));
        this.thread = new Thread(this::answer, "zookeeper-founding");
        thread.setDaemon(true);
    }

    /** What a member is asked on. */
    private static int port(Node member) {
        return member.bookiePort() > 0 ? member.bookiePort() : member.copyPort();
    }

    /**
     * Answers others from now on.
     *
     * @param folder of this member's ZooKeeper
     */
    public static ZooKeeperFounding start(Sockets sockets, Node own, Path folder) throws IOException {
        ZooKeeperFounding founding = new ZooKeeperFounding(sockets, own, folder);
        founding.thread.start();
        return founding;
    }

    /**
     * Whether no member has anything, so that this one is to begin an ensemble with the others.
     *
     * @throws IOException where others do not answer, and it is not known
     */
    public boolean isNew(List<Node> others, Deadline deadline) throws IOException {
        Set<String> waiting = new LinkedHashSet<>();
        others.forEach(each -> waiting.add(each.name()));
        LOG.info("ZooKeeper has nothing in {} yet: the other members are asked whether they have", folder);
        while (!waiting.isEmpty()) {
            for (Node each : others) {
                String answer = waiting.contains(each.name()) ? ask(each) : null;
                if (answer != null && !answer.equals(EMPTY)) {
                    LOG.warn("ZooKeeper has nothing in {}, but {} has: it takes that of the others, and votes when it has it", folder, each.name());
                    return false;
                }
                if (answer != null) {
                    waiting.remove(each.name());
                }
            }
            if (deadline.isOver()) {
                throw new IOException("ZooKeeper has nothing in " + folder + ", and whether the cluster is a new one cannot be told: " + String.join(" and ", waiting)
                        + " did not answer. A new cluster begins when all of its members have been started; one that has lost its disk comes back while the"
                        + " others are there");
            }
            deadline.pause();
        }
        LOG.info("No member has anything: a new cluster begins");
        return true;
    }

    /** Null where there is no answer. What is no answer of ours comes from a bookie, which runs where there is a ZooKeeper. */
    private String ask(Node member) {
        try (Socket socket = sockets.connecting()) {
            socket.connect(new InetSocketAddress(member.host(), port(member)), ANSWER_MILLIS);
            socket.setSoTimeout(ANSWER_MILLIS);
            return exchange(socket);
        } catch (IOException e) {
            LOG.debug("{} does not answer: {}", member.name(), e.toString());
            return null;
        }
    }

    private static String exchange(Socket socket) throws SocketTimeoutException {
        try {
            socket.getOutputStream().write(QUESTION.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            return read(socket, EMPTY.length());
        } catch (SocketTimeoutException e) {
            throw e;
        } catch (IOException e) {
            return "";
        }
    }

    private static String read(Socket socket, int bytes) throws IOException {
        byte[] read = socket.getInputStream().readNBytes(bytes);
        if (read.length < bytes) {
            throw new EOFException("the connection ended");
        }
        return new String(read, StandardCharsets.US_ASCII);
    }

    private void answer() {
        while (!listening.isClosed()) {
            try (Socket socket = listening.accept()) {
                socket.setSoTimeout(ANSWER_MILLIS);
                if (read(socket, QUESTION.length()).equals(QUESTION)) {
                    socket.getOutputStream().write((ZooKeeperFiles.hasData(folder) ? DATA : EMPTY).getBytes(StandardCharsets.US_ASCII));
                    socket.getOutputStream().flush();
                    // Who asked closes first, so that the port is free when the bookie wants it.
                    socket.getInputStream().read();
                }
            } catch (IOException e) {
                LOG.debug("A question was not answered: {}", e.toString());
            }
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        try {
            thread.join(2L * ANSWER_MILLIS);
        } catch (InterruptedException e) {
            throw Deadline.interrupted(e);
        }
    }
}
