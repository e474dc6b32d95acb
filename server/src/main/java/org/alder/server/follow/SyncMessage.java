package org.alder.server.follow;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.entry.EntryUuid;

/** What a provider says beside the entries (RFC 4533 2.3 to 2.5), as bytes of others: each is checked. Not to be changed. */
sealed interface SyncMessage {
    /** A longer cookie is refused: it is kept in an entry. */
    int MOST_COOKIE_BYTES = 16 << 10;
    int NEW_COOKIE = 0x80;
    int REFRESH_DELETE = 0xA1;
    int REFRESH_PRESENT = 0xA2;
    int ID_SET = 0xA3;

    /** What became of an entry; the position is the number in the protocol. */
    enum State { PRESENT, ADD, MODIFY, DELETE }

    /** What goes with an entry. @param cookie null for none */
    record OfEntry(State state, byte[] uuid, byte[] cookie) implements SyncMessage {
    }

    /** A cookie alone. */
    record NewCookie(byte[] cookie) implements SyncMessage {
    }

    /**
     * The end of a phase.
     *
     * @param deletes whether what was not named stays in the copy
     * @param done    whether the refresh ends with it
     * @param cookie  null for none
     */
    record EndOfPhase(boolean deletes, boolean done, byte[] cookie) implements SyncMessage {
    }

    /** Entries that are there, or no more. @param cookie null for none */
    record Ids(boolean deleted, List<byte[]> uuids, byte[] cookie) implements SyncMessage {
    }

    /** @param value of the sync state control */
    static OfEntry ofEntry(byte[] value) throws BerException {
        BerReader reader = new BerReader(value);
        int outer = reader.enter(BerWriter.SEQUENCE);
        int state = reader.readInt(BerWriter.ENUMERATED);
        if (state < 0 || state >= State.values().length) {
            throw new BerException("a sync state " + state + ", expected 0 to 3");
        }
        byte[] uuid = uuid(reader);
        byte[] cookie = cookie(reader);
        reader.leaveFully(outer);
        return new OfEntry(State.values()[state], uuid, cookie);
    }

    /** @param value of the sync info message */
    static SyncMessage ofInfo(byte[] value) throws BerException {
        BerReader reader = new BerReader(value);
        int tag = reader.peekTag();
        switch (tag) {
            case NEW_COOKIE -> {
                return new NewCookie(checked(reader.readBytes(NEW_COOKIE)));
            }
            case REFRESH_DELETE, REFRESH_PRESENT -> {
                int outer = reader.enter(tag);
                byte[] cookie = cookie(reader);
                boolean done = reader.peekTag() != BerWriter.BOOLEAN || reader.readBoolean(BerWriter.BOOLEAN);
                reader.leaveFully(outer);
                return new EndOfPhase(tag == REFRESH_DELETE, done, cookie);
            }
            case ID_SET -> {
                int outer = reader.enter(ID_SET);
                byte[] cookie = cookie(reader);
                boolean deleted = reader.peekTag() == BerWriter.BOOLEAN && reader.readBoolean(BerWriter.BOOLEAN);
                List<byte[]> uuids = new ArrayList<>();
                int inner = reader.enter(BerWriter.SET);
                while (reader.hasMore()) {
                    uuids.add(uuid(reader));
                }
                reader.leave(inner);
                reader.leaveFully(outer);
                return new Ids(deleted, uuids, cookie);
            }
            default -> throw new BerException("a sync info message of tag " + tag);
        }
    }

    /** @param value of the sync done control  @return the cookie, null for none */
    static byte[] cookieOfDone(byte[] value) throws BerException {
        BerReader reader = new BerReader(value);
        reader.enter(BerWriter.SEQUENCE);
        return cookie(reader);
    }

    private static byte[] uuid(BerReader reader) throws BerException {
        byte[] uuid = reader.readBytes(BerWriter.OCTET_STRING);
        if (uuid.length != EntryUuid.BYTES) {
            throw new BerException("an entryUUID of " + uuid.length + " bytes, expected " + EntryUuid.BYTES);
        }
        return uuid;
    }

    private static byte[] cookie(BerReader reader) throws BerException {
        return reader.peekTag() == BerWriter.OCTET_STRING ? checked(reader.readBytes(BerWriter.OCTET_STRING)) : null;
    }

    private static byte[] checked(byte[] cookie) throws BerException {
        if (cookie.length > MOST_COOKIE_BYTES) {
            throw new BerException("a cookie of " + cookie.length + " bytes, expected at most " + MOST_COOKIE_BYTES);
        }
        return cookie;
    }

    /** The value of the request control (RFC 4533 2.2) that asks for a refresh and then changes. @param cookie null for none */
    static byte[] request(byte[] cookie) {
        BerWriter out = new BerWriter(64);
        int sequence = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.ENUMERATED, 3);
        if (cookie != null) {
            out.octets(BerWriter.OCTET_STRING, cookie);
        }
        out.end(sequence);
        return out.toByteArray();
    }
}
