package org.alder.perf.client;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;

/**
 * One message of a server, decoded. Immutable.
 *
 * @param code of a result, else -1
 * @param text the DN of an entry, the diagnostic message of a result
 * @param attributes of an entry, their names in lower case, in the order of the names
 * @param value of an extended or intermediate response, null where there is none
 * @param controls their values by their OIDs
 */
public record Message(int id, int tag, int code, String text, Map<String, SortedSet<String>> attributes, byte[] value,
        Map<String, byte[]> controls) {
    static final int ENTRY = 0x64;
    private static final int REFERENCE = 0x73;
    private static final int INTERMEDIATE = 0x79;
    private static final int EXTENDED = 0x78;
    private static final int CONTROLS = 0xA0;
    private static final int NO_CODE = -1;

    public boolean isEntry() {
        return tag == ENTRY;
    }

    public boolean isIntermediate() {
        return tag == INTERMEDIATE;
    }

    /** Whether the request that it answers has ended with it. */
    public boolean isResult() {
        return code != NO_CODE;
    }

    /** @throws UnexpectedResultException unless it is a result with that code */
    public Message expect(int expected) throws IOException {
        if (code != expected) {
            throw new UnexpectedResultException(code, text);
        }
        return this;
    }

    static Message read(byte[] bytes, int offset, int length) throws IOException {
        try {
            BerReader reader = new BerReader(bytes, offset, length);
            reader.enter(BerWriter.SEQUENCE);
            int id = reader.readInt(BerWriter.INTEGER);
            int tag = reader.peekTag();
            int outer = reader.enter(tag);
            Message body = switch (tag) {
                case ENTRY -> new Message(id, tag, NO_CODE, reader.readString(BerWriter.OCTET_STRING), attributes(reader), null,
                        Map.of());
                case REFERENCE -> new Message(id, tag, NO_CODE, "", Map.of(), null, Map.of());
                case INTERMEDIATE -> new Message(id, tag, NO_CODE, "", Map.of(), lastValue(reader, 0x80, 0x81), Map.of());
                default -> new Message(id, tag, reader.readInt(BerWriter.ENUMERATED), diagnostic(reader), Map.of(),
                        tag == EXTENDED ? lastValue(reader, 0x8A, 0x8B) : null, Map.of());
            };
            reader.leave(outer);
            return reader.peekTag() == CONTROLS ? body.with(readControls(reader)) : body;
        } catch (BerException e) {
            throw new IOException("an answer that is not LDAP: " + e.getMessage(), e);
        }
    }

    private Message with(Map<String, byte[]> found) {
        return new Message(id, tag, code, text, attributes, value, found);
    }

    private static String diagnostic(BerReader reader) throws BerException {
        reader.skip();
        return reader.readString(BerWriter.OCTET_STRING);
    }

    private static byte[] lastValue(BerReader reader, int nameTag, int valueTag) throws BerException {
        if (reader.peekTag() == nameTag) {
            reader.skip();
        }
        return reader.peekTag() == valueTag ? reader.readBytes(valueTag) : null;
    }

    private static Map<String, SortedSet<String>> attributes(BerReader reader) throws BerException {
        Map<String, SortedSet<String>> attributes = new TreeMap<>();
        int list = reader.enter(BerWriter.SEQUENCE);
        while (reader.hasMore()) {
            int attribute = reader.enter(BerWriter.SEQUENCE);
            String name = reader.readString(BerWriter.OCTET_STRING).toLowerCase(Locale.ROOT);
            SortedSet<String> values = attributes.computeIfAbsent(name, key -> new TreeSet<>());
            int set = reader.enter(BerWriter.SET);
            while (reader.hasMore()) {
                values.add(reader.readString(BerWriter.OCTET_STRING));
            }
            reader.leave(set);
            reader.leave(attribute);
        }
        reader.leave(list);
        return attributes;
    }

    private static Map<String, byte[]> readControls(BerReader reader) throws BerException {
        Map<String, byte[]> controls = new LinkedHashMap<>();
        int list = reader.enter(CONTROLS);
        while (reader.hasMore()) {
            int control = reader.enter(BerWriter.SEQUENCE);
            String oid = reader.readString(BerWriter.OCTET_STRING);
            if (reader.peekTag() == BerWriter.BOOLEAN) {
                reader.skip();
            }
            controls.put(oid, reader.hasMore() ? reader.readBytes(BerWriter.OCTET_STRING) : new byte[0]);
            reader.leave(control);
        }
        reader.leave(list);
        return controls;
    }

    /** The attributes before the update that this is the result of ({@link Control#preRead}); none where the answer has none. */
    public Map<String, SortedSet<String>> before() throws IOException {
        return entryIn(Control.PRE_READ);
    }

    /** The attributes after the update ({@link Control#postRead}); none where the answer has none. */
    public Map<String, SortedSet<String>> after() throws IOException {
        return entryIn(Control.POST_READ);
    }

    private Map<String, SortedSet<String>> entryIn(String control) throws IOException {
        byte[] entry = controls.get(control);
        if (entry == null) {
            return Map.of();
        }
        try {
            BerReader reader = new BerReader(entry);
            reader.enter(ENTRY);
            reader.skip();
            return attributes(reader);
        } catch (BerException e) {
            throw new IOException("a control that is not BER: " + e.getMessage(), e);
        }
    }

    /** The entries among some messages. */
    static List<Message> entries(List<Message> messages) {
        return messages.stream().filter(Message::isEntry).toList();
    }
}
