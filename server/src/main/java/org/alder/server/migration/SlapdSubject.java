package org.alder.server.migration;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whom OpenLDAP's {@code by} and {@code limits} speak to, in the words of access rules. */
final class SlapdSubject {
    private static final Pattern STYLED = Pattern.compile("([a-z_]+)((?:/[^.=/]+){0,2})(?:\\.([a-z,]+))?=(.*)", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    private static final Pattern MASKED = Pattern.compile("([0-9.]+)%([0-9.]+)(?:\\{\\d+\\})?");
    private static final int BITS = 32;

    private SlapdSubject() {
    }

    /** @return the subject; null if it cannot be said here */
    static String of(List<String> words) {
        List<String> parts = new ArrayList<>();
        for (String word : words) {
            String part = part(word);
            if (part == null) {
                return null;
            }
            if (!part.isEmpty()) {
                parts.add(part);
            }
        }
        if (parts.size() > 1) {
            parts.remove("anyone");
        }
        return parts.isEmpty() ? "anyone" : String.join(" and ", parts);
    }

    /** One word of OpenLDAP's; empty if it means everybody, null if it cannot be said. */
    private static String part(String word) {
        switch (word.toLowerCase(Locale.ROOT)) {
            case "*":
                return "anyone";
            case "anonymous", "users", "self":
                return word.toLowerCase(Locale.ROOT);
            default:
                break;
        }
        Matcher styled = STYLED.matcher(word);
        if (!styled.matches()) {
            return null;
        }
        String style = styled.group(3) == null ? "" : styled.group(3).toLowerCase(Locale.ROOT);
        String value = styled.group(4);
        return switch (styled.group(1).toLowerCase(Locale.ROOT)) {
            case "dn" -> dn(style, value);
            case "dnattr" -> "namedBy " + value;
            case "group" -> List.of("", "exact", "base").contains(style) ? "group " + quoted(value) : null;
            case "peername" -> address(style, value);
            case "sockurl" -> value.toLowerCase(Locale.ROOT).startsWith("ldapi:") ? "address unix" : null;
            case "ssf", "transport_ssf" -> value.matches("[1-9]\\d{0,4}") ? "ssf " + value : null;
            case "tls_ssf" -> value.equals("1") ? "tls" : value.matches("\\d{1,5}") ? "tls and ssf " + value : null;
            default -> null;
        };
    }

    private static String dn(String style, String value) {
        if (value.equals("*")) {
            return "users";
        }
        return switch (style) {
            case "", "exact", "base" -> value.isEmpty() ? null : "dn " + quoted(value);
            case "one", "onelevel" -> "dn one " + quoted(value);
            case "sub", "subtree" -> "dn subtree " + quoted(value);
            case "children" -> "dn children " + quoted(value);
            case "regex" -> value.equals(".*") || value.equals(".+") ? "users" : null;
            default -> null;
        };
    }

    private static String address(String style, String value) {
        if (style.equals("path")) {
            return "address unix";
        }
        String address = style.isEmpty() ? value.replaceFirst("^(?:IP=|ip=)", "") : value;
        Matcher masked = MASKED.matcher(address);
        if (style.equals("ipv6")) {
            return address.matches("[0-9a-fA-F:.]+") ? "address " + address : null;
        } else if (!style.equals("ip") && !address.matches("[0-9.]+")) {
            return null;
        } else if (!masked.matches()) {
            return address.matches("[0-9.]+") ? "address " + address : null;
        }
        int bits = bits(masked.group(2));
        return bits < 0 ? null : "address " + masked.group(1) + "/" + bits;
    }

    /** How many bits a mask such as 255.0.0.0 has; negative if they are not the first ones. */
    private static int bits(String mask) {
        String[] octets = mask.split("\\.");
        long value = 0;
        for (String octet : octets) {
            value = value << 8 | (octet.matches("\\d{1,3}") ? Integer.parseInt(octet) & 0xff : 0);
        }
        int bits = Long.bitCount(value);
        return octets.length == 4 && value == (0xFFFF_FFFFL << BITS - bits & 0xFFFF_FFFFL) ? bits : -1;
    }

    static String quoted(String dn) {
        return '"' + dn + '"';
    }
}
