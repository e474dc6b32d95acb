package org.alder.partition.request;

import java.util.List;

/** One change of a modify request (RFC 4511 4.6, increment from RFC 4525), as the client sent it. */
public record Modification(Kind kind, String description, List<byte[]> values) {
    /** In the order of the protocol's numbers. */
    public enum Kind {
        ADD, DELETE, REPLACE, INCREMENT;

        /** @return null for a number no kind has */
        public static Kind ofCode(int code) {
            return code >= 0 && code < values().length ? values()[code] : null;
        }
    }
}
