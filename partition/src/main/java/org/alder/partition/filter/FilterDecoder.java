package org.alder.partition.filter;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;

/**
 * Decodes the filters of requests and controls (RFC 4511 4.5.1), within limits that are looked at before anything is
 * made of the bytes. One thread, one request or control.
 */
public final class FilterDecoder {
    static final int AND = 0xA0;
    static final int OR = 0xA1;
    static final int NOT = 0xA2;
    static final int EQUALITY = 0xA3;
    static final int SUBSTRINGS = 0xA4;
    static final int GREATER_OR_EQUAL = 0xA5;
    static final int LESS_OR_EQUAL = 0xA6;
    static final int PRESENT = 0x87;
    static final int APPROXIMATE = 0xA8;
    static final int EXTENSIBLE = 0xA9;

    static final int INITIAL = 0x80;
    static final int ANY = 0x81;
    static final int FINAL = 0x82;

    static final int RULE = 0x81;
    static final int TYPE = 0x82;
    static final int VALUE = 0x83;
    static final int DN_ATTRIBUTES = 0x84;

    private final BerReader reader;
    private final FilterLimits limits;
    private int items;
    private int bytes;

    private FilterDecoder(BerReader reader, FilterLimits limits) {
        this.reader = reader;
        this.limits = limits;
    }

    /**
     * @throws DirectoryException protocolError if it is BER but no filter; adminLimitExceeded if it is larger or nested deeper than
     *     allowed
     */
    public static Filter decode(BerReader reader, FilterLimits limits) throws BerException, DirectoryException {
        return new FilterDecoder(reader, limits).next();
    }

    /** All filters up to the reader's limit, which together may be as large as one. @throws DirectoryException as above */
    public static List<Filter> decodeAll(BerReader reader, FilterLimits limits) throws BerException, DirectoryException {
        FilterDecoder decoder = new FilterDecoder(reader, limits);
        List<Filter> filters = new ArrayList<>(2);
        while (reader.hasMore()) {
            filters.add(decoder.next());
        }
        return filters;
    }

    private Filter next() throws BerException, DirectoryException {
        if (reader.hasMore()) {
            bytes += reader.peekLength();
            if (bytes > limits.bytes()) {
                throw limits.tooLong(bytes);
            }
        }
        return decode(1);
    }

    private Filter decode(int depth) throws BerException, DirectoryException {
        if (depth > limits.depth()) {
            throw limits.tooDeep();
        }
        count();
        int tag = reader.peekTag();
        return switch (tag) {
            case AND -> new Filter.And(parts(tag, depth));
            case OR -> new Filter.Or(parts(tag, depth));
            case NOT -> not(depth);
            case SUBSTRINGS -> substrings();
            case PRESENT -> new Filter.Present(reader.readString(PRESENT));
            case EXTENSIBLE -> extensible();
            case EQUALITY, GREATER_OR_EQUAL, LESS_OR_EQUAL, APPROXIMATE -> assertion(tag);
            case -1 -> throw new BerException("the data end at offset " + reader.position() + ", expected a filter");
            default -> throw invalid("unknown filter choice 0x" + Integer.toHexString(tag));
        };
    }

    private void count() throws DirectoryException {
        if (++items > limits.items()) {
            throw limits.tooManyItems();
        }
    }

    private List<Filter> parts(int tag, int depth) throws BerException, DirectoryException {
        List<Filter> parts = new ArrayList<>(4);
        int outer = reader.enter(tag);
        while (reader.hasMore()) {
            parts.add(decode(depth + 1));
        }
        reader.leave(outer);
        return parts;
    }

    private Filter not(int depth) throws BerException, DirectoryException {
        int outer = reader.enter(NOT);
        Filter part = decode(depth + 1);
        reader.leaveFully(outer);
        return new Filter.Not(part);
    }

    private Filter assertion(int tag) throws BerException {
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

    private Filter substrings() throws BerException, DirectoryException {
        int outer = reader.enter(SUBSTRINGS);
        String description = reader.readString(BerWriter.OCTET_STRING);
        int list = reader.enter(BerWriter.SEQUENCE);
        byte[] initial = reader.peekTag() == INITIAL ? reader.readBytes(INITIAL) : null;
        List<byte[]> any = new ArrayList<>(2);
        while (reader.peekTag() == ANY) {
            count();
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

    private Filter extensible() throws BerException, DirectoryException {
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
        return new DirectoryException(ResultCode.PROTOCOL_ERROR, found);
    }
}
