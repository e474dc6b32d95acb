package org.alder.perf.client;

import java.util.List;
import org.alder.partition.ber.BerWriter;

/** A filter (RFC 4511 4.5.1.7) of the kinds that are asked for here. Immutable. */
public sealed interface SearchFilter {
    void writeTo(BerWriter out);

    static SearchFilter equal(String attribute, String value) {
        return new Equality(attribute, value);
    }

    static SearchFilter and(SearchFilter... parts) {
        return new Compound(0xA0, List.of(parts));
    }

    static SearchFilter or(SearchFilter... parts) {
        return new Compound(Compound.OR, List.of(parts));
    }

    /** One value, or any of several. */
    static SearchFilter anyOf(String attribute, List<String> values) {
        return values.size() == 1 ? equal(attribute, values.get(0))
                : new Compound(Compound.OR, List.copyOf(values.stream().map(value -> equal(attribute, value)).toList()));
    }

    /** {@code (attribute=value)} */
    record Equality(String attribute, String value) implements SearchFilter {
        @Override
        public void writeTo(BerWriter out) {
            int equality = out.begin(0xA3);
            out.string(BerWriter.OCTET_STRING, attribute);
            out.string(BerWriter.OCTET_STRING, value);
            out.end(equality);
        }
    }

    /** {@code (attribute=*)} */
    record Present(String attribute) implements SearchFilter {
        @Override
        public void writeTo(BerWriter out) {
            out.string(0x87, attribute);
        }
    }

    /** {@code (attribute>=value)} or {@code (attribute<=value)} */
    record Ordering(String attribute, boolean isGreater, String value) implements SearchFilter {
        @Override
        public void writeTo(BerWriter out) {
            int ordering = out.begin(isGreater ? 0xA5 : 0xA6);
            out.string(BerWriter.OCTET_STRING, attribute);
            out.string(BerWriter.OCTET_STRING, value);
            out.end(ordering);
        }
    }

    /** {@code (attribute=initial*any*last)}; a piece that is not asked for is empty, and not all of them are. */
    record Substring(String attribute, String initial, String any, String last) implements SearchFilter {
        @Override
        public void writeTo(BerWriter out) {
            int substring = out.begin(0xA4);
            out.string(BerWriter.OCTET_STRING, attribute);
            int pieces = out.begin(BerWriter.SEQUENCE);
            piece(out, 0x80, initial);
            piece(out, 0x81, any);
            piece(out, 0x82, last);
            out.end(pieces);
            out.end(substring);
        }

        private static void piece(BerWriter out, int tag, String piece) {
            if (!piece.isEmpty()) {
                out.string(tag, piece);
            }
        }
    }

    /** {@code (!part)} */
    record Not(SearchFilter part) implements SearchFilter {
        @Override
        public void writeTo(BerWriter out) {
            int not = out.begin(0xA2);
            part.writeTo(out);
            out.end(not);
        }
    }

    /** An AND or an OR, by its BER tag. */
    record Compound(int tag, List<SearchFilter> parts) implements SearchFilter {
        private static final int OR = 0xA1;

        public boolean isOr() {
            return tag == OR;
        }

        @Override
        public void writeTo(BerWriter out) {
            int compound = out.begin(tag);
            parts.forEach(part -> part.writeTo(out));
            out.end(compound);
        }
    }
}
