package org.alder.partition.request;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.alder.partition.text.Utf8;

/** One change of a modify request (RFC 4511 4.6, increment from RFC 4525), as the client sent it. */
public record Modification(Kind kind, String description, List<byte[]> values) {
    /** In words, with values; for what is not secret. */
    public static String shown(List<Modification> modifications) {
        return modifications.stream().map(each -> each.kind.name().toLowerCase(Locale.ROOT) + " " + each.description
                + each.values.stream().map(value -> " " + Utf8.shown(value)).collect(Collectors.joining())).collect(Collectors.joining("; "));
    }

    /** In the order of the protocol's numbers. */
    public enum Kind {
        ADD, DELETE, REPLACE, INCREMENT;

        /** @return null for a number no kind has */
        public static Kind ofCode(int code) {
            return code >= 0 && code < values().length ? values()[code] : null;
        }
    }
}
