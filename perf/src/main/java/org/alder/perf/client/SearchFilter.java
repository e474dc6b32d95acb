package org.alder.perf.client;

import java.util.List;
import org.alder.partition.ber.BerWriter;

/** A filter (RFC 4511 4.5.1.7) of the kinds the benchmarks ask for. Immutable. */
public sealed interface SearchFilter {
    void writeTo(BerWriter out);

    static SearchFilter equal(String attribute, String value) {
        return new Equality(attribute, value);
    }

    static SearchFilter and(SearchFilter... parts) {
        return new Compound(0xA0, List.of(parts));
    }

    /** One value, or any of several. */
    static SearchFilter anyOf(String attribute, List<String> values) {
        return values.size() == 1 ? equal(attribute, values.get(0))
                : new Compound(0xA1, List.copyOf(values.stream().map(value -> equal(attribute, value)).toList()));
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

    /** An AND or an OR, by its BER tag. */
    record Compound(int tag, List<SearchFilter> parts) implements SearchFilter {
        @Override
        public void writeTo(BerWriter out) {
            int compound = out.begin(tag);
            parts.forEach(part -> part.writeTo(out));
            out.end(compound);
        }
    }
}
