package org.alder.server.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.BiConsumer;

/**
 * Speaks to clients in place of LDAP: does for each message what a test wants, and tells a client for which there is no room why before
 * it closes the connection. Always idle. Thread safe if that is.
 *
 * @param talk gets the connection, and a message
 */
public record Talker(Connection connection, BiConsumer<Connection, byte[]> talk) implements MessageReceiver {
    @Override
    public void received(byte[] bytes, int offset, int length) {
        talk.accept(connection, Arrays.copyOfRange(bytes, offset, offset + length));
    }

    @Override
    public void malformed(String reason) {
        connection.closeAfterWrites();
    }

    @Override
    public void overloaded(String reason) {
        connection.write(reason.getBytes(StandardCharsets.US_ASCII));
        connection.closeAfterWrites();
    }

    @Override
    public void overdue(String reason) {
        connection.closeAfterWrites();
    }

    @Override
    public boolean isIdle() {
        return true;
    }

    @Override
    public void closed() {
        // Nothing is kept.
    }
}
