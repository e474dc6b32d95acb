package org.alder.server.client;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;

/**
 * A message of a server (RFC 4511 4.1.1). Immutable.
 *
 * @param id that of the request; 0 for what nobody has asked for
 */
public record LdapMessage(int id, LdapAnswer answer) {
    private static final int SEARCH_ENTRY = 0x64;
    private static final int SEARCH_REFERENCE = 0x73;
    private static final int INTERMEDIATE = 0x79;
    private static final int INTERMEDIATE_NAME = 0x80;
    private static final int INTERMEDIATE_VALUE = 0x81;
    private static final int EXTENDED_VALUE = 0x8B;
    private static final int CONTROLS = 0xA0;

    /** Whether no other message of the request follows one of this tag. */
    public static boolean isLast(int tag) {
        return tag != SEARCH_ENTRY && tag != SEARCH_REFERENCE && tag != INTERMEDIATE;
    }

    /** @param message a whole one */
    public static LdapMessage decode(byte[] message) throws BerException {
        BerReader reader = new BerReader(message);
        reader.enter(BerWriter.SEQUENCE);
        int id = reader.readInt(BerWriter.INTEGER);
        return new LdapMessage(id, switch (reader.peekTag()) {
            case SEARCH_ENTRY -> entry(reader);
            case SEARCH_REFERENCE -> references(reader);
            case INTERMEDIATE -> intermediate(reader);
            default -> result(reader);
        });
    }

    private static LdapAnswer.Result result(BerReader reader) throws BerException {
        int outer = reader.enter(reader.peekTag());
        int code = reader.readInt(BerWriter.ENUMERATED);
        reader.readBytes(BerWriter.OCTET_STRING);
        String text = reader.readString(BerWriter.OCTET_STRING);
        byte[] value = null;
        while (reader.hasMore()) {
            if (reader.peekTag() == EXTENDED_VALUE) {
                value = reader.readBytes(EXTENDED_VALUE);
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
        return new LdapAnswer.Result(code, text, value, controls(reader));
    }

    private static LdapAnswer.Intermediate intermediate(BerReader reader) throws BerException {
        String name = null;
        byte[] value = null;
        reader.enter(INTERMEDIATE);
        while (reader.hasMore()) {
            if (reader.peekTag() == INTERMEDIATE_NAME) {
                name = reader.readString(INTERMEDIATE_NAME);
            } else if (reader.peekTag() == INTERMEDIATE_VALUE) {
                value = reader.readBytes(INTERMEDIATE_VALUE);
            } else {
                reader.skip();
            }
        }
        return new LdapAnswer.Intermediate(name, value);
    }

    private static LdapAnswer.References references(BerReader reader) throws BerException {
        List<String> urls = new ArrayList<>(1);
        reader.enter(SEARCH_REFERENCE);
        while (reader.hasMore()) {
            urls.add(reader.readString(BerWriter.OCTET_STRING));
        }
        return new LdapAnswer.References(urls);
    }

    private static LdapAnswer.Entry entry(BerReader reader) throws BerException {
        int outer = reader.enter(SEARCH_ENTRY);
        String dn = reader.readString(BerWriter.OCTET_STRING);
        List<LdapAnswer.Attribute> attributes = new ArrayList<>();
        int list = reader.enter(BerWriter.SEQUENCE);
        while (reader.hasMore()) {
            int attribute = reader.enter(BerWriter.SEQUENCE);
            String description = reader.readString(BerWriter.OCTET_STRING);
            List<byte[]> values = new ArrayList<>(1);
            int set = reader.enter(BerWriter.SET);
            while (reader.hasMore()) {
                values.add(reader.readBytes(BerWriter.OCTET_STRING));
            }
            reader.leave(set);
            reader.leave(attribute);
            attributes.add(new LdapAnswer.Attribute(description, values));
        }
        reader.leave(list);
        reader.leave(outer);
        return new LdapAnswer.Entry(dn, attributes, controls(reader));
    }

    /** What follows the answer. */
    private static Map<String, byte[]> controls(BerReader reader) throws BerException {
        if (!reader.hasMore()) {
            return Map.of();
        }
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
}
