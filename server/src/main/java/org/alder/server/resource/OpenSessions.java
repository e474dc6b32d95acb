package org.alder.server.resource;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** The connections that are open, for whoever shows or closes them. Thread safe. */
public final class OpenSessions {
    private final ConcurrentMap<Long, Session> sessions = new ConcurrentSkipListMap<>();

    /** One connection. Thread safe. */
    public interface Session {
        /** Unique while the server runs, and larger than those of connections that were opened before. */
        long id();

        /** What it is at the moment. */
        Facts facts();

        /** Tells the client that the server goes away, why, and closes the connection, whether the client reads that or not. */
        void close(String reason);
    }

    /**
     * What a connection is at one moment. Immutable.
     *
     * @param client its address and port, or its user on a unix-domain socket
     * @param identity the authorization identity, empty for anonymous
     * @param mechanism by which it has bound, empty for anonymous
     * @param tls version and cipher suite, null without TLS
     * @param operations requests that are being answered, with those that are told changes
     * @param held about what of the heap is held for it
     * @param lastOperation the kind of its last request, null if there was none
     * @param lastRequest when that came, null if there was none
     */
    public record Facts(String client, String identity, String mechanism, String tls, Instant opened, int operations, Holdings held,
                        String lastOperation, Instant lastRequest) {
    }

    public void add(Session session) {
        sessions.put(session.id(), session);
    }

    public void remove(Session session) {
        sessions.remove(session.id(), session);
    }

    /** @return null if it is not open */
    public Session get(long id) {
        return sessions.get(id);
    }

    /** As they were opened. */
    public List<Session> all() {
        return List.copyOf(sessions.values());
    }

    public int count() {
        return sessions.size();
    }
}
