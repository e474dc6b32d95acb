package org.alder.server.console;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.ResultCode;

/**
 * All that came for one request (RFC 4511 4.1.9). Not to be changed.
 *
 * @param value of the answer to an extended operation; null for none
 * @param references how many other servers were named
 * @param controls values of the result's controls by their OIDs
 */
record LdapAnswer(int code, String message, byte[] value, List<Entry> entries, int references, Map<String, byte[]> controls) {
    private static final int SEARCH_ENTRY = 0x64;
    private static final int SEARCH_REFERENCE = 0x73;
    private static final int INTERMEDIATE = 0x79;
    private static final int EXTENDED_VALUE = 0x8B;
    private static final int CONTROLS = 0xA0;

    /** @param attributes by their descriptions, in the order in which they came */
    record Entry(String dn, Map<String, List<byte[]>> attributes) {
    }

    /** Whether no other message of the request follows this one. */
    static boolean isLast(int tag) {
        return tag != SEARCH_ENTRY && tag != SEARCH_REFERENCE && tag != INTERMEDIATE;
    }

    /** @param messages whole ones of one request, of which the last one is its result */
    static LdapAnswer decode(List<byte[]> messages) throws BerException {
        List<Entry> entries = new ArrayList<>();
        int references = 0;
        for (byte[] message : messages) {
            BerReader reader = new BerReader(message);
            reader.enter(BerWriter.SEQUENCE);
            reader.readInt(BerWriter.INTEGER);
            int tag = reader.peekTag();
            if (tag == SEARCH_ENTRY) {
                entries.add(entry(reader));
            } else if (tag == SEARCH_REFERENCE) {
                references++;
            } else if (isLast(tag)) {
                return result(reader, entries, references);
            }
        }
        throw new BerException("no result");
    }

    private static LdapAnswer result(BerReader reader, List<Entry> entries, int references) throws BerException {
        int outer = reader.enter(reader.peekTag());
        int code = reader.readInt(BerWriter.ENUMERATED);
        reader.readBytes(BerWriter.OCTET_STRING);
        String message = reader.readString(BerWriter.OCTET_STRING);
        byte[] value = null;
        while (reader.hasMore()) {
            if (reader.peekTag() == EXTENDED_VALUE) {
                value = reader.readBytes(EXTENDED_VALUE);
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
        return new LdapAnswer(code, message, value, entries, references, reader.hasMore() ? controls(reader) : Map.of());
    }

    private static Entry entry(BerReader reader) throws BerException {
        reader.enter(SEARCH_ENTRY);
        String dn = reader.readString(BerWriter.OCTET_STRING);
        Map<String, List<byte[]>> attributes = new LinkedHashMap<>();
        int list = reader.enter(BerWriter.SEQUENCE);
        while (reader.hasMore()) {
            int attribute = reader.enter(BerWriter.SEQUENCE);
            List<byte[]> values = attributes.computeIfAbsent(reader.readString(BerWriter.OCTET_STRING), none -> new ArrayList<>(1));
            int set = reader.enter(BerWriter.SET);
            while (reader.hasMore()) {
                values.add(reader.readBytes(BerWriter.OCTET_STRING));
            }
            reader.leave(set);
            reader.leave(attribute);
        }
        reader.leave(list);
        return new Entry(dn, attributes);
    }

    private static Map<String, byte[]> controls(BerReader reader) throws BerException {
        Map<String, byte[]> controls = new LinkedHashMap<>();
        reader.enter(CONTROLS);
        while (reader.hasMore()) {
            int one = reader.enter(BerWriter.SEQUENCE);
            String oid = reader.readString(BerWriter.OCTET_STRING);
            if (reader.hasMore() && reader.peekTag() == BerWriter.BOOLEAN) {
                reader.skip();
            }
            controls.put(oid, reader.hasMore() ? reader.readBytes(BerWriter.OCTET_STRING) : new byte[0]);
            reader.leave(one);
        }
        return controls;
    }

    boolean is(ResultCode other) {
        return code == other.number();
    }

    /** Such as noSuchObject; the number, if it has no name here. */
    String name() {
        return Arrays.stream(ResultCode.values()).filter(this::is).map(ResultCode::text).findFirst().orElse(Integer.toString(code));
    }
}
