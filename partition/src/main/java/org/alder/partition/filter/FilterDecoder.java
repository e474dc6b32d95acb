package org.alder.partition.filter;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.DirectoryException;
import org.apache.directory.api.ldap.model.message.ResultCodeEnum;

/** Decodes the filters of requests and controls (RFC 4511 4.5.1), no deeper than {@link Filters#MAX_DEPTH}. Pure. */
public final class FilterDecoder {
    private static final int AND = 0xA0;
    private static final int OR = 0xA1;
    private static final int NOT = 0xA2;
    private static final int EQUALITY = 0xA3;
    private static final int SUBSTRINGS = 0xA4;
    private static final int GREATER_OR_EQUAL = 0xA5;
    private static final int LESS_OR_EQUAL = 0xA6;
    private static final int PRESENT = 0x87;
    private static final int APPROXIMATE = 0xA8;
    private static final int EXTENSIBLE = 0xA9;

    private static final int INITIAL = 0x80;
    private static final int ANY = 0x81;
    private static final int FINAL = 0x82;

    private static final int RULE = 0x81;
    private static final int TYPE = 0x82;
    private static final int VALUE = 0x83;
    private static final int DN_ATTRIBUTES = 0x84;

    private FilterDecoder() {
    }

    /** @throws DirectoryException protocolError if it is BER but no filter, or nested too deep */
    public static Filter decode(BerReader reader) throws BerException, DirectoryException {
        return decode(reader, 1);
    }

    private static Filter decode(BerReader reader, int depth) throws BerException, DirectoryException {
        if (depth > Filters.MAX_DEPTH) {
            throw invalid("a filter nested more than " + Filters.MAX_DEPTH + " deep");
        }
        int tag = reader.peekTag();
        return switch (tag) {
            case AND -> new Filter.And(parts(reader, tag, depth));
            case OR -> new Filter.Or(parts(reader, tag, depth));
            case NOT -> not(reader, depth);
            case SUBSTRINGS -> substrings(reader);
            case PRESENT -> new Filter.Present(reader.readString(PRESENT));
            case EXTENSIBLE -> extensible(reader);
            case EQUALITY, GREATER_OR_EQUAL, LESS_OR_EQUAL, APPROXIMATE -> assertion(reader, tag);
            case -1 -> throw new BerException("the data end at offset " + reader.position() + ", expected a filter");
            default -> throw invalid("unknown filter choice 0x" + Integer.toHexString(tag));
        };
    }

    private static List<Filter> parts(BerReader reader, int tag, int depth) throws BerException, DirectoryException {
        List<Filter> parts = new ArrayList<>(4);
        int outer = reader.enter(tag);
        while (reader.hasMore()) {
            parts.add(decode(reader, depth + 1));
        }
        reader.leave(outer);
        return parts;
    }

    private static Filter not(BerReader reader, int depth) throws BerException, DirectoryException {
        int outer = reader.enter(NOT);
        Filter part = decode(reader, depth + 1);
        reader.leaveFully(outer);
        return new Filter.Not(part);
    }

    private static Filter assertion(BerReader reader, int tag) throws BerException {
        int outer = reader.enter(tag);
        String description = reader.readString(BerWriter.OCTET_STRING);
        byte[] value = reader.readBytes(BerWriter.OCTET_STRING);
        reader.leaveFully(outer);
        return switch (tag) {
            case EQUALITY -> new Filter.Equality(description, value);
            case GREATER_OR_EQUAL -> new Filter.GreaterOrEqual(description, value);
            case LESS_OR_EQUAL -> new Filter.LessOrEqual(description, value);
            default -> new Filter.Approximate(description, value);
        };
    }

    private static Filter substrings(BerReader reader) throws BerException, DirectoryException {
        int outer = reader.enter(SUBSTRINGS);
        String description = reader.readString(BerWriter.OCTET_STRING);
        int list = reader.enter(BerWriter.SEQUENCE);
        byte[] initial = reader.peekTag() == INITIAL ? reader.readBytes(INITIAL) : null;
        List<byte[]> any = new ArrayList<>(2);
        while (reader.peekTag() == ANY) {
            any.add(reader.readBytes(ANY));
        }
        byte[] last = reader.peekTag() == FINAL ? reader.readBytes(FINAL) : null;
        if (reader.hasMore() || initial == null && any.isEmpty() && last == null) {
            throw invalid("a substrings filter on " + description + " whose pieces are not initial, any, final in this order");
        }
        reader.leave(list);
        reader.leaveFully(outer);
        return new Filter.Substring(description, initial, any, last);
    }

    private static Filter extensible(BerReader reader) throws BerException, DirectoryException {
        int outer = reader.enter(EXTENSIBLE);
        String rule = reader.peekTag() == RULE ? reader.readString(RULE) : null;
        String description = reader.peekTag() == TYPE ? reader.readString(TYPE) : null;
        byte[] value = reader.readBytes(VALUE);
        boolean dnAttributes = reader.peekTag() == DN_ATTRIBUTES && reader.readBoolean(DN_ATTRIBUTES);
        reader.leaveFully(outer);
        if (rule == null && description == null) {
            throw invalid("an extensible filter without attribute and matching rule");
        }
        return new Filter.Extensible(rule, description, value, dnAttributes);
    }

    private static DirectoryException invalid(String found) {
        return new DirectoryException(ResultCodeEnum.PROTOCOL_ERROR, found);
    }
}
