package org.alder.partition.filter;

import java.util.List;
import org.alder.partition.ber.BerWriter;

/** Writes filters as requests carry them (RFC 4511 4.5.1), for {@link FilterDecoder} to read. Stateless. */
public final class FilterEncoder {
    private FilterEncoder() {
    }

    public static void write(Filter filter, BerWriter out) {
        if (filter instanceof Filter.And and) {
            all(out, FilterDecoder.AND, and.parts());
        } else if (filter instanceof Filter.Or or) {
            all(out, FilterDecoder.OR, or.parts());
        } else if (filter instanceof Filter.Not not) {
            all(out, FilterDecoder.NOT, List.of(not.part()));
        } else if (filter instanceof Filter.Present present) {
            out.string(FilterDecoder.PRESENT, present.description());
        } else if (filter instanceof Filter.Equality item) {
            comparison(out, FilterDecoder.EQUALITY, item.description(), item.value());
        } else if (filter instanceof Filter.GreaterOrEqual item) {
            comparison(out, FilterDecoder.GREATER_OR_EQUAL, item.description(), item.value());
        } else if (filter instanceof Filter.LessOrEqual item) {
            comparison(out, FilterDecoder.LESS_OR_EQUAL, item.description(), item.value());
        } else if (filter instanceof Filter.Approximate item) {
            comparison(out, FilterDecoder.APPROXIMATE, item.description(), item.value());
        } else if (filter instanceof Filter.Substring substring) {
            substring(out, substring);
        } else if (filter instanceof Filter.Extensible extensible) {
            extensible(out, extensible);
        }
    }

    private static void all(BerWriter out, int tag, List<Filter> parts) {
        int mark = out.begin(tag);
        parts.forEach(part -> write(part, out));
        out.end(mark);
    }

    private static void comparison(BerWriter out, int tag, String description, byte[] value) {
        int mark = out.begin(tag);
        out.string(BerWriter.OCTET_STRING, description);
        out.octets(BerWriter.OCTET_STRING, value);
        out.end(mark);
    }

    private static void substring(BerWriter out, Filter.Substring substring) {
        int mark = out.begin(FilterDecoder.SUBSTRINGS);
        out.string(BerWriter.OCTET_STRING, substring.description());
        int pieces = out.begin(BerWriter.SEQUENCE);
        piece(out, FilterDecoder.INITIAL, substring.initial());
        substring.any().forEach(piece -> piece(out, FilterDecoder.ANY, piece));
        piece(out, FilterDecoder.FINAL, substring.last());
        out.end(pieces);
        out.end(mark);
    }

    private static void piece(BerWriter out, int tag, byte[] piece) {
        if (piece != null) {
            out.octets(tag, piece);
        }
    }

    private static void extensible(BerWriter out, Filter.Extensible extensible) {
        int mark = out.begin(FilterDecoder.EXTENSIBLE);
        if (extensible.rule() != null) {
            out.string(FilterDecoder.RULE, extensible.rule());
        }
        if (extensible.description() != null) {
            out.string(FilterDecoder.TYPE, extensible.description());
        }
        out.octets(FilterDecoder.VALUE, extensible.value());
        if (extensible.dnAttributes()) {
            out.bool(FilterDecoder.DN_ATTRIBUTES, true);
        }
        out.end(mark);
    }
}
