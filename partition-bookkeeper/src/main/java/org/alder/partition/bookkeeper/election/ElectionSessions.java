package org.alder.partition.bookkeeper.election;

import java.io.Closeable;
import java.io.IOException;
import org.alder.partition.bookkeeper.log.ClusterSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The session that a member stands for election in, and another one where that has ended. Thread safe; closed after all elections.
 */
public final class ElectionSessions implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(ElectionSessions.class);

    private final ClusterSettings settings;
    private final String name;
    private ElectionSession session;
    /** Null where none was reached since the last one was lost. */
    private ElectionSession reached;
    private boolean closed;

    /** @param name of the member */
    public ElectionSessions(ClusterSettings settings, String name) {
        this.settings = settings;
        this.name = name;
    }

    ClusterSettings settings() {
        return settings;
    }

    /** Of the member. */
    String name() {
        return name;
    }

    synchronized ElectionSession current() throws IOException {
        if (closed) {
            throw new IOException("the elections of " + name + " are closed");
        }
        if (session == null || !session.isAlive()) {
            end();
            session = ElectionSession.open(settings, Math.max(100, settings.sessionMillis() / 3));
        }
        return session;
    }

    synchronized void reached(ElectionSession one) {
        reached = one;
    }

    /** Is said once, whatever number of elections found it. @param one null where there was none */
    synchronized void lost(ElectionSession one, Exception why) {
        if (reached != null && (one == null || reached == one)) {
            LOG.warn("{} has lost its session with ZooKeeper at {}: {}", name, settings.zooKeeper(), why.getMessage());
            reached = null;
        }
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        end();
    }

    private void end() throws IOException {
        if (session != null) {
            session.close();
        }
    }
}
