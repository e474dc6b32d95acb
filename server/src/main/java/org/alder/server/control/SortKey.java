package org.alder.server.control;

/** One key of a sort control (RFC 2891 1.1). @param rule name or OID of the ordering rule, null for the attribute's own */
public record SortKey(String attribute, String rule, boolean reverse) {
}
