package org.alder.server.audit;

import java.time.Instant;

/**
 * What a line is made of: who, what, and what came of it. Immutable.
 *
 * @param time when it was asked for
 * @param connection of the client; null for the server itself
 * @param messageId of the request; 0 if there is none
 * @param kind the operation, such as {@code search}, or what else it is about, such as {@code policy}
 * @param event what happened, for what is no operation; null for one
 * @param request what is asked for; null if it is not known
 * @param target what the event is about; null for none, or if the request says it
 * @param identity in whose name; null if that does not say anything
 * @param authenticated who is logged in, if that is somebody else; null if not
 * @param result in a word; null if it has none
 * @param resultCode as a number
 * @param message that the client is given, or what there is to know about the event; null for none
 * @param micros how long it took; negative if that does not say anything
 * @param bytes what it holds in memory, about
 */
public record AuditEvent(Instant time, AuditedConnection connection, int messageId, String kind, String event, AuditedRequest request,
                         String target, String identity, String authenticated, String result, int resultCode, String message,
                         long micros, long bytes) implements LoggedEvent {
    /** What an event takes that waits for a log, but for the request. */
    public static final int BASE_BYTES = 512;

    /** Something that happens, and is no operation. */
    public static AuditEvent of(String kind, String event, String target, String detail) {
        return new AuditEvent(Instant.now(), null, 0, kind, event, null, target, null, null, null, 0, detail, -1, BASE_BYTES);
    }

    /** The same without what the client is told in words. */
    public AuditEvent withoutMessage() {
        return new AuditEvent(time, connection, messageId, kind, event, request, target, identity, authenticated, result, resultCode, null, micros, bytes);
    }

    @Override
    public ShownValues values() {
        return ShownValues.ALL;
    }

    @Override
    public void write(AuditLine line) {
        line.text("time", time.toString()).text("kind", kind).text("event", event);
        if (connection != null) {
            line.number("connection", connection.id());
            if (messageId != 0) {
                line.number("message", messageId);
            }
            line.text("address", connection.address()).text("tls", connection.tls()).text("mechanism", connection.mechanism());
        }
        line.text("identity", identity).text("authenticated", authenticated).text("target", target);
        if (request != null) {
            request.describe(line);
        }
        if (result != null) {
            line.text("result", result).number("code", resultCode);
        }
        line.text(result == null ? "detail" : "diagnostic", message == null || message.isEmpty() ? null : message);
        if (micros >= 0) {
            line.number("micros", micros);
        }
    }
}
