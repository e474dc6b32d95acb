package org.alder.server.console;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Who has logged in to the console. A session ends when nobody has used it for {@value #IDLE_MINUTES} minutes, {@value #LIFE_HOURS} hours
 * after the login, when its connection is closed, or when its owner logs in once too often. Of the token in the browser's cookie only the
 * hash is kept: who reads the heap has no session. Thread safe.
 */
final class ConsoleSessions {
    static final int MOST = 64;
    static final int MOST_OF_IDENTITY = 4;
    static final int IDLE_MINUTES = 30;
    static final int LIFE_HOURS = 8;
    private static final int TOKEN_BYTES = 32;

    private final SecureRandom random = new SecureRandom();
    private final LongSupplier clockNanos;
    /** By the hash of the token. Guarded by itself. */
    private final Map<String, ConsoleSession> sessions = new HashMap<>();
    private boolean closed;

    /** @param clockNanos as {@link System#nanoTime} */
    ConsoleSessions(LongSupplier clockNanos) {
        this.clockNanos = clockNanos;
    }

    /** A session that has begun. @param token for the cookie alone */
    record Begun(ConsoleSession session, String token) {
    }

    /**
     * Begins a session. Of one identity that has as many as it may the one gives way that was used the longest time ago.
     *
     * @throws ConsoleException if there are as many as there may be; then the client is closed
     */
    Begun begin(String identity, LdapClient client) throws ConsoleException {
        endOverdue();
        String token = token();
        ConsoleSession session = new ConsoleSession(identity, client, token(), clockNanos.getAsLong());
        synchronized (sessions) {
            List<Map.Entry<String, ConsoleSession>> own = sessions.entrySet().stream().filter(each -> each.getValue().identity().equals(identity))
                    .sorted(Comparator.comparingLong(each -> each.getValue().usedNanos())).toList();
            if (own.size() >= MOST_OF_IDENTITY) {
                end(own.get(0).getKey());
            }
            if (!closed && sessions.size() < MOST) {
                sessions.put(hash(token), session);
                return new Begun(session, token);
            }
        }
        client.close();
        throw new ConsoleException(ConsoleException.UNAVAILABLE, "the console has " + MOST + " sessions, as many as it may");
    }

    /**
     * The session of this token; null if there is none, or not any more.
     *
     * @param isUse whether a person asks, and not a page that is merely open
     */
    ConsoleSession find(String token, boolean isUse) {
        endOverdue();
        synchronized (sessions) {
            ConsoleSession session = sessions.get(hash(token));
            if (session != null && isUse) {
                session.use(clockNanos.getAsLong());
            }
            return session;
        }
    }

    void end(String tokenHash) {
        ConsoleSession session;
        synchronized (sessions) {
            session = sessions.remove(tokenHash);
        }
        if (session != null) {
            session.client().close();
        }
    }

    void endOfToken(String token) {
        end(hash(token));
    }

    /** Ends those whose time is over, or whose connection is. */
    void endOverdue() {
        long now = clockNanos.getAsLong();
        List<String> overdue;
        synchronized (sessions) {
            overdue = sessions.entrySet().stream().filter(each -> isOverdue(each.getValue(), now)).map(Map.Entry::getKey).toList();
        }
        overdue.forEach(this::end);
    }

    private static boolean isOverdue(ConsoleSession session, long nowNanos) {
        return nowNanos - session.usedNanos() >= TimeUnit.MINUTES.toNanos(IDLE_MINUTES)
                || nowNanos - session.openedNanos() >= TimeUnit.HOURS.toNanos(LIFE_HOURS) || !session.client().isOpen();
    }

    int count() {
        synchronized (sessions) {
            return sessions.size();
        }
    }

    /** Ends all; there are no more from now on. */
    void close() {
        List<String> all;
        synchronized (sessions) {
            closed = true;
            all = List.copyOf(sessions.keySet());
        }
        all.forEach(this::end);
    }

    private String token() {
        byte[] bytes = new byte[TOKEN_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static String hash(String token) {
        try {
            return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
