package org.alder.server.resource;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.alder.partition.error.DirectoryException;

/** The connections that are open, for whoever shows or closes them. Thread safe. */
public final class OpenSessions {
    private final ConcurrentMap<Long, Session> sessions = new ConcurrentSkipListMap<>();

    /** One connection. Thread safe. */
    public interface Session {
        /** Unique while the server runs, and larger than those of connections that were opened before. */
        long id();

        /** What it is at the moment. */
        Facts facts();

        /** Requests that are being answered or wait for that, by their message IDs. */
        List<Running> running();

        /** The one of this message ID; null if there is none. */
        Running running(int messageId);

        /**
         * Asks the request of this message ID to end; nothing if there is none. It does so soon, or, in the middle of a large value, when
         * its client has read that.
         *
         * @param reason what its client is told
         * @throws DirectoryException unwillingToPerform if it is of a kind that is done whole once it has begun
         */
        void end(int messageId, String reason) throws DirectoryException;

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

    /**
     * What a request is at one moment. Immutable.
     *
     * @param kind such as search
     * @param waiting whether it is not being worked on: it waits behind others of its connection, or for a worker thread
     * @param request what it asks for, an object of JSON as the access log has it; null if that is not known yet
     * @param identity in whose name, empty for anonymous; as long as it waits behind others, as whom the connection has bound so far
     * @param came when
     * @param micros how long ago that is
     * @param lag of a search that goes on for as long as its client likes; null for others
     */
    public record Running(int messageId, String kind, boolean waiting, String request, String identity, Instant came, long micros, Lag lag) {
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
