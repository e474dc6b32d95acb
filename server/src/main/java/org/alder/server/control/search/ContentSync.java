package org.alder.server.control.search;

import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.DirectoryException;
import org.alder.server.control.ControlHandler;
import org.alder.server.control.ControlValue;
import org.alder.server.control.OperationKind;
import org.alder.server.control.RequestLimits;
import org.alder.server.control.ResponseControl;

/** Content synchronization (RFC 4533): the request control, and the controls and messages it is answered with. */
public final class ContentSync implements ControlHandler<ContentSync.Request> {
    public static final ContentSync CONTROL = new ContentSync();
    /** The name of the Sync Info message. */
    public static final String INFO_OID = "1.3.6.1.4.1.4203.1.9.1.4";

    private static final String NAME = "content synchronization";
    private static final String EXPECTED = "SEQUENCE { mode ENUMERATED (1 or 3), cookie OCTET STRING OPTIONAL,"
            + " reloadHint BOOLEAN DEFAULT FALSE }";
    /** The name of the control that goes with an entry. */
    public static final String STATE_OID = "1.3.6.1.4.1.4203.1.9.1.2";
    /** The name of the control that goes with the result. */
    public static final String DONE_OID = "1.3.6.1.4.1.4203.1.9.1.3";
    private static final int REFRESH_ONLY = 1;
    private static final int REFRESH_AND_PERSIST = 3;
    private static final int NEW_COOKIE = 0x80;
    private static final int REFRESH_DELETE = 0xA1;
    private static final int REFRESH_PRESENT = 0xA2;
    private static final int ID_SET = 0xA3;

    private ContentSync() {
    }

    /**
     * @param persist whether changes are told after the refresh
     * @param cookie null if there is none
     * @param reload whether the client would rather have everything again than be told that its cookie is of no use
     */
    public record Request(boolean persist, byte[] cookie, boolean reload) {
    }

    /** What became of an entry; the position is the number in the protocol. */
    public enum State {
        PRESENT, ADD, MODIFY, DELETE
    }

    @Override
    public String oid() {
        return "1.3.6.1.4.1.4203.1.9.1.1";
    }

    @Override
    public Set<OperationKind> operations() {
        return EnumSet.of(OperationKind.SEARCH);
    }

    @Override
    public Request decode(byte[] value, RequestLimits limits) throws DirectoryException {
        return ControlValue.decode(NAME, value, EXPECTED, ContentSync::request);
    }

    private static Request request(BerReader reader) throws BerException, DirectoryException {
        int outer = reader.enter(BerWriter.SEQUENCE);
        int mode = reader.readInt(BerWriter.ENUMERATED);
        byte[] cookie = reader.peekTag() == BerWriter.OCTET_STRING ? reader.readBytes(BerWriter.OCTET_STRING) : null;
        boolean reload = reader.peekTag() == BerWriter.BOOLEAN && reader.readBoolean(BerWriter.BOOLEAN);
        reader.leaveFully(outer);
        if (mode != REFRESH_ONLY && mode != REFRESH_AND_PERSIST) {
            throw ControlValue.invalid(NAME, "mode " + mode, EXPECTED);
        }
        return new Request(mode == REFRESH_AND_PERSIST, cookie, reload);
    }

    /** What goes with an entry. @param uuid 16 bytes  @param cookie null for none */
    public static ResponseControl state(State state, byte[] uuid, byte[] cookie) {
        BerWriter out = new BerWriter(128);
        int sequence = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.ENUMERATED, state.ordinal());
        out.octets(BerWriter.OCTET_STRING, uuid);
        putCookie(out, cookie);
        out.end(sequence);
        return new ResponseControl(STATE_OID, out.toByteArray());
    }

    /** What goes with the result. @param deletes whether what was not named stays in the copy  @param cookie null for none */
    public static ResponseControl done(byte[] cookie, boolean deletes) {
        BerWriter out = new BerWriter(128);
        int sequence = out.begin(BerWriter.SEQUENCE);
        putCookie(out, cookie);
        if (deletes) {
            out.bool(BerWriter.BOOLEAN, true);
        }
        out.end(sequence);
        return new ResponseControl(DONE_OID, out.toByteArray());
    }

    /** Information: a new cookie. */
    public static byte[] newCookie(byte[] cookie) {
        BerWriter out = new BerWriter(128);
        out.octets(NEW_COOKIE, cookie);
        return out.toByteArray();
    }

    /** Information: the end of the refresh. @param deletes whether what was not named stays in the copy */
    public static byte[] endOfRefresh(byte[] cookie, boolean deletes) {
        BerWriter out = new BerWriter(128);
        int choice = out.begin(deletes ? REFRESH_DELETE : REFRESH_PRESENT);
        putCookie(out, cookie);
        out.end(choice);
        return out.toByteArray();
    }

    /** Information: entries that are not in the content any more. @param cookie null for none */
    public static byte[] deleted(Collection<byte[]> uuids, byte[] cookie) {
        BerWriter out = new BerWriter(128 + 18 * uuids.size());
        int choice = out.begin(ID_SET);
        putCookie(out, cookie);
        out.bool(BerWriter.BOOLEAN, true);
        int set = out.begin(BerWriter.SET);
        uuids.forEach(uuid -> out.octets(BerWriter.OCTET_STRING, uuid));
        out.end(set);
        out.end(choice);
        return out.toByteArray();
    }

    private static void putCookie(BerWriter out, byte[] cookie) {
        if (cookie != null) {
            out.octets(BerWriter.OCTET_STRING, cookie);
        }
    }
}
