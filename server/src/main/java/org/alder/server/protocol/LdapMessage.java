package org.alder.server.protocol;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.server.control.ProxiedAuthorization;
import org.alder.server.control.RequestControl;

/**
 * The envelope of a request (RFC 4511 4.1.1), the operation inside not yet decoded.
 *
 * @param operation positioned at the operation's tag, on bytes that are shared with the network layer
 * @param length of the whole message in bytes
 * @param source where it is, from an offset on; shared as the operation is
 */
public record LdapMessage(int id, int tag, BerReader operation, List<RequestControl> controls, int length, byte[] source, int offset) {
    public static final int BIND = 0x60;
    public static final int UNBIND = 0x42;
    public static final int SEARCH = 0x63;
    public static final int MODIFY = 0x66;
    public static final int ADD = 0x68;
    public static final int DELETE = 0x4A;
    public static final int MODIFY_DN = 0x6C;
    public static final int COMPARE = 0x6E;
    public static final int ABANDON = 0x50;
    public static final int EXTENDED = 0x77;

    private static final int CONTROLS = 0xA0;
    private static final int MOST_CONTROLS = 256;
    /** What is copied of a request until it is answered: by the decoder, for the directory, and for the store. */
    private static final int COPIES = 3;
    /** An object and its place in a list; of small requests, one for every four bytes. */
    private static final int ELEMENT_BYTES = 32;
    private static final int LEAST_BYTES = 1024;
    private static final int LARGE_BYTES = 64 << 10;
    /** Of a search most is its filter, of which each item is decoded, compiled and planned. */
    private static final int LARGE_SEARCH_BYTES = 4 << 10;

    public static LdapMessage decode(byte[] bytes, int offset, int length) throws BerException {
        BerReader reader = new BerReader(bytes, offset, length);
        reader.enter(BerWriter.SEQUENCE);
        int id = reader.readInt(BerWriter.INTEGER);
        if (id < 0) {
            throw new BerException("message ID " + id + ", expected 0 or more");
        }
        int tag = reader.peekTag();
        int start = reader.position();
        reader.skip();
        BerReader operation = new BerReader(bytes, start, reader.position() - start);
        List<RequestControl> controls = reader.peekTag() == CONTROLS ? controls(reader) : List.of();
        return new LdapMessage(id, tag, operation, controls, length, bytes, offset);
    }

    /** All of it, to be kept. */
    byte[] copy() {
        return Arrays.copyOfRange(source, offset, offset + length);
    }

    /** One that was kept. @param copy as {@link #copy} makes it */
    static LdapMessage kept(byte[] copy) {
        try {
            return decode(copy, 0, copy.length);
        } catch (BerException e) {
            throw new IllegalStateException("a message that was decoded before is now none: " + e.getMessage(), e);
        }
    }

    /** A message of the same ID and operation with nothing in it, to be kept. */
    byte[] empty() {
        BerWriter out = new BerWriter(16);
        int message = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.INTEGER, id);
        out.end(out.begin(tag));
        out.end(message);
        return out.toByteArray();
    }

    /** Whether it takes long to begin with it: to decode it, or to find out in whose name it is. */
    boolean beginsSlowly() {
        return isLarge() || tag == SEARCH && length > LARGE_SEARCH_BYTES || !controls.isEmpty() && controls.stream().anyMatch(ProxiedAuthorization::isIn);
    }

    /** Whether what the request costs is looked at before it is decoded. */
    boolean isLarge() {
        return length > LARGE_BYTES;
    }

    /** About what the request costs in memory when it is decoded; a large one must not be yet. */
    public long decodedBytes() throws BerException {
        return isLarge() ? (long) COPIES * length + (long) ELEMENT_BYTES * operation.countElements()
                : LEAST_BYTES + (long) ELEMENT_BYTES / 4 * length;
    }

    private static List<RequestControl> controls(BerReader reader) throws BerException {
        List<RequestControl> controls = new ArrayList<>(2);
        int outer = reader.enter(CONTROLS);
        while (reader.hasMore()) {
            int control = reader.enter(BerWriter.SEQUENCE);
            String oid = reader.readString(BerWriter.OCTET_STRING);
            boolean critical = reader.peekTag() == BerWriter.BOOLEAN && reader.readBoolean(BerWriter.BOOLEAN);
            byte[] value = reader.peekTag() == BerWriter.OCTET_STRING ? reader.readBytes(BerWriter.OCTET_STRING) : null;
            reader.leave(control);
            controls.add(new RequestControl(oid, critical, value));
            if (controls.size() > MOST_CONTROLS) {
                throw new BerException("more than " + MOST_CONTROLS + " controls in one request");
            }
        }
        reader.leave(outer);
        return controls;
    }
}
