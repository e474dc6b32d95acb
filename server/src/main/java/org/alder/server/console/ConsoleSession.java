package org.alder.server.console;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** Somebody who has logged in to the console, with a connection that has bound as him. Thread safe. */
final class ConsoleSession {
    private final String identity;
    private final LdapClient client;
    private final String csrfToken;
    private final long openedNanos;
    private volatile long usedNanos;

    /** @param identity the authorization identity, such as dn:uid=alice,dc=example,dc=com */
    ConsoleSession(String identity, LdapClient client, String csrfToken, long nowNanos) {
        this.identity = identity;
        this.client = client;
        this.csrfToken = csrfToken;
        this.openedNanos = nowNanos;
        this.usedNanos = nowNanos;
    }

    String identity() {
        return identity;
    }

    LdapClient client() {
        return client;
    }

    /** What a request has to carry beside the cookie, which a browser sends unasked. */
    String csrfToken() {
        return csrfToken;
    }

    boolean isCsrfToken(String text) {
        return MessageDigest.isEqual(csrfToken.getBytes(StandardCharsets.UTF_8), text.getBytes(StandardCharsets.UTF_8));
    }

    long openedNanos() {
        return openedNanos;
    }

    /** When the person asked for something last. */
    long usedNanos() {
        return usedNanos;
    }

    void use(long nowNanos) {
        usedNanos = nowNanos;
    }
}
