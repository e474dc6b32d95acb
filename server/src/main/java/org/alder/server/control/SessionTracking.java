package org.alder.server.control;

import java.util.EnumSet;
import java.util.Set;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.DirectoryException;

/**
 * Session tracking (draft-wahl-ldap-session): for whom a client that serves many users asks, for the server's log at level debug.
 * It is what the client says and gives no rights.
 */
public final class SessionTracking implements ControlHandler<SessionTracking.Session> {
    public static final SessionTracking CONTROL = new SessionTracking();

    private static final int MOST_BYTES = 65536;

    private SessionTracking() {
    }

    /** Where the session comes from, and who has it; the format is the OID that says what kind of name the identifier is. */
    public record Session(String sourceAddress, String sourceName, String format, String identifier) {
        /** On one line, whatever the client sent. */
        @Override
        public String toString() {
            String text = identifier + " (" + format + ") at " + sourceName + " [" + sourceAddress + "]";
            return text.replaceAll("\\p{Cntrl}", "?");
        }
    }

    @Override
    public String oid() {
        return "1.3.6.1.4.1.21008.108.63.1";
    }

    @Override
    public Set<OperationKind> operations() {
        return EnumSet.allOf(OperationKind.class);
    }

    @Override
    public Session decode(byte[] value, RequestLimits limits) throws DirectoryException {
        String expected = "SEQUENCE of four OCTET STRINGs of at most " + MOST_BYTES + " bytes together";
        if (value != null && value.length > MOST_BYTES) {
            throw ControlValue.invalid("session tracking", value.length + " bytes", expected);
        }
        return ControlValue.decode("session tracking", value, expected, SessionTracking::session);
    }

    private static Session session(BerReader reader) throws BerException {
        int outer = reader.enter(BerWriter.SEQUENCE);
        Session session = new Session(reader.readString(BerWriter.OCTET_STRING), reader.readString(BerWriter.OCTET_STRING),
                reader.readString(BerWriter.OCTET_STRING), reader.readString(BerWriter.OCTET_STRING));
        reader.leaveFully(outer);
        return session;
    }
}
