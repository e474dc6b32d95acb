package org.alder.server.migration;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whom the bind rules of an ACI speak to, in the words of access rules: exactly, or not at all. Used once. */
final class AciSubject {
    private static final int MOST_LEVELS = 40;
    /** Of OpenDJ and 389, where a connection over a unix-domain socket has fewer key bits than here. */
    private static final int MOST_BITS_OF_SOCKET = 71;
    private static final Pattern CONDITION = Pattern.compile("([a-z]+)\\s*(!=|<=|>=|=|<|>)\\s*(?=\")", Pattern.CASE_INSENSITIVE);
    private static final Pattern DOTTED = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,3}){0,2})\\.\\*(?:\\.\\*){0,2}");
    private static final Pattern ADDRESS = Pattern.compile("[0-9]{1,3}(?:\\.[0-9]{1,3}){3}(?:/\\d{1,2})?|[0-9a-fA-F]*:[0-9a-fA-F:.]*(?:/\\d{1,3})?");

    private final String text;
    private int at;
    private int level;

    private AciSubject(String text) {
        this.text = text;
    }

    /** @throws AciException if a part of it has no counterpart; the message names the part */
    static String of(String bindRule) throws AciException {
        AciSubject subject = new AciSubject(bindRule);
        String rule = subject.expression();
        if (subject.at < bindRule.length()) {
            throw new AciException("the bind rule is not readable at column " + (subject.at + 1) + " of " + bindRule);
        }
        return rule;
    }

    /** Both servers take "and" and "or" from left to right, and Alder does not: where both stand without parentheses, it is not read. */
    private String expression() throws AciException {
        if (++level > MOST_LEVELS) {
            throw new AciException("more than " + MOST_LEVELS + " levels in the bind rule");
        }
        List<String> parts = new ArrayList<>();
        parts.add(condition());
        String operator = null;
        for (String next = operator(); next != null; next = operator()) {
            if (operator != null && !operator.equals(next)) {
                throw new AciException("and beside or without parentheses");
            }
            operator = next;
            parts.add(condition());
        }
        level--;
        return parts.size() == 1 ? parts.get(0) : "(" + String.join(" " + operator + " ", parts) + ")";
    }

    private String operator() {
        return take("and") ? "and" : take("or") ? "or" : null;
    }

    private boolean take(String word) {
        skipSpaces();
        int end = at + word.length();
        boolean found = text.regionMatches(true, at, word, 0, word.length()) && (end == text.length() || !Character.isLetter(text.charAt(end)));
        at = found ? end : at;
        return found;
    }

    private void skipSpaces() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private String condition() throws AciException {
        skipSpaces();
        if (take("not")) {
            return "not (" + positive() + ")";
        }
        return positive();
    }

    private String positive() throws AciException {
        skipSpaces();
        if (at < text.length() && text.charAt(at) == '(') {
            at++;
            String inner = expression();
            skipSpaces();
            if (at >= text.length() || text.charAt(at) != ')') {
                throw new AciException("the bind rule has a parenthesis too many or too few");
            }
            at++;
            skipSpaces();
            return "(" + inner + ")";
        }
        Matcher matcher = CONDITION.matcher(text).region(at, text.length());
        int end = matcher.lookingAt() ? AciReader.closing(text, matcher.end()) : -1;
        if (end < 0) {
            throw new AciException("the bind rule is not readable at column " + (at + 1) + " of " + text);
        }
        String value = text.substring(matcher.end() + 1, end);
        at = end + 1;
        skipSpaces();
        return condition(matcher.group(1).toLowerCase(Locale.ROOT), matcher.group(2), value);
    }

    private static String condition(String keyword, String operator, String value) throws AciException {
        if (keyword.equals("ssf")) {
            return strength(operator, value);
        } else if (!operator.equals("=") && !operator.equals("!=")) {
            throw new AciException(keyword + operator + value + " has no counterpart");
        }
        List<String> any = new ArrayList<>();
        for (String one : keyword.equals("ip") ? value.split(",", -1) : value.split("\\|\\|", -1)) {
            String plain = one.strip();
            any.add(switch (keyword) {
                case "userdn" -> user(plain);
                case "groupdn" -> "group " + name(url(plain));
                case "userattr" -> attribute(plain);
                case "ip" -> address(plain);
                case "authmethod" -> method(plain);
                case "roledn" -> throw new AciException("roledn: roles do nothing here, make groups of them");
                default -> throw new AciException(keyword + ": there is no such condition in access rules");
            });
        }
        String rule = any.size() == 1 ? any.get(0) : "(" + String.join(" or ", any) + ")";
        return operator.equals("=") ? rule : "not (" + rule + ")";
    }

    private static String user(String value) throws AciException {
        String url = url(value);
        switch (url.toLowerCase(Locale.ROOT)) {
            case "anyone":
                return "anyone";
            case "all":
                return "users";
            case "self":
                return "self";
            case "parent":
                throw new AciException("userdn=" + value + ": there is no such subject");
            default:
                break;
        }
        String[] parts = url.split("\\?", -1);
        if (parts.length == 1) {
            return "dn " + name(url);
        }
        boolean isForAll = parts.length < 4 || parts[3].isEmpty() || parts[3].toLowerCase(Locale.ROOT).matches("\\(?objectclass=\\*\\)?");
        String scope = parts.length < 3 ? "" : parts[2].toLowerCase(Locale.ROOT);
        if (!isForAll || parts.length > 4 || parts[0].isEmpty()) {
            throw new AciException("userdn=" + value + ": subjects have no filter, make a group of them");
        }
        return switch (scope) {
            case "sub" -> "dn subtree " + name(parts[0]);
            case "one" -> "dn one " + name(parts[0]);
            case "", "base" -> "dn " + name(parts[0]);
            default -> throw new AciException("userdn=" + value + ": no such scope");
        };
    }

    private static String url(String value) throws AciException {
        if (!value.regionMatches(true, 0, "ldap:///", 0, 8) || value.length() == 8) {
            throw new AciException(value + ": expected a URL that begins with ldap:/// and names something");
        }
        return value.substring(8);
    }

    /** A DN of a URL in quotation marks. */
    static String name(String encoded) throws AciException {
        requirePlain(encoded);
        if (encoded.indexOf('?') >= 0 || encoded.indexOf('*') >= 0) {
            throw new AciException(encoded + ": patterns and searches in the place of a DN have no counterpart");
        }
        return quoted(decoded(encoded));
    }

    /** What stands for a value or a part of a DN, which is another one for each entry. */
    static void requirePlain(String value) throws AciException {
        String lower = value.toLowerCase(Locale.ROOT);
        if (lower.contains("($") || lower.contains("[$")) {
            throw new AciException(value + ": macros have no counterpart: one rule for each subtree, or rules in the entries themselves");
        }
    }

    static String decoded(String encoded) throws AciException {
        try {
            return URLDecoder.decode(encoded.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new AciException(encoded + ": not a URL: " + e.getMessage());
        }
    }

    static String quoted(String dn) throws AciException {
        int end = AciReader.closing('"' + dn + '"', 0);
        if (end != dn.length() + 1 || dn.chars().anyMatch(Character::isISOControl)) {
            throw new AciException(dn + ": a DN that a rule cannot name");
        }
        return SlapdSubject.quoted(dn);
    }

    private static String attribute(String value) throws AciException {
        int sign = value.indexOf('#');
        String name = sign < 0 ? "" : value.substring(0, sign);
        if (sign < 0 || !value.substring(sign + 1).equalsIgnoreCase("USERDN") || !name.matches("[A-Za-z][A-Za-z0-9-]*")) {
            throw new AciException("userattr=" + value + ": of these only ATTRIBUTE#USERDN has a counterpart, namedBy");
        }
        return "namedBy " + name;
    }

    private static String address(String value) throws AciException {
        Matcher dotted = DOTTED.matcher(value);
        if (dotted.matches()) {
            int octets = dotted.group(1).split("\\.").length;
            return "address " + dotted.group(1) + ".0".repeat(4 - octets) + "/" + 8 * octets;
        } else if (!ADDRESS.matcher(value).matches()) {
            throw new AciException("ip=" + value + ": expected an address, 10.1.*, or 10.0.0.0/8");
        }
        return "address " + value;
    }

    private static String method(String value) throws AciException {
        String lower = value.toLowerCase(Locale.ROOT);
        if (lower.equals("none")) {
            return "anyone";
        } else if (lower.equals("simple")) {
            return "mechanism SIMPLE";
        } else if (lower.equals("ssl")) {
            return "(mechanism EXTERNAL and tls)";
        } else if (lower.matches("sasl [a-z0-9_-]{1,20}")) {
            return "mechanism " + value.substring(5);
        }
        throw new AciException("authmethod=" + value + " has no counterpart");
    }

    private static String strength(String operator, String value) throws AciException {
        if (!value.strip().matches("\\d{1,3}")) {
            throw new AciException("ssf" + operator + value + ": expected a number");
        }
        int bits = Integer.parseInt(value.strip());
        return switch (operator) {
            case ">=" -> atLeast(bits);
            case ">" -> atLeast(bits + 1);
            case "<" -> "not (" + atLeast(bits) + ")";
            case "<=" -> "not (" + atLeast(bits + 1) + ")";
            case "=" -> "(" + atLeast(bits) + " and not (" + atLeast(bits + 1) + "))";
            default -> "not (" + atLeast(bits) + " and not (" + atLeast(bits + 1) + "))";
        };
    }

    private static String atLeast(int bits) {
        if (bits <= 0) {
            return "anyone";
        }
        return bits <= MOST_BITS_OF_SOCKET ? "ssf " + bits : "(ssf " + bits + " and not address unix)";
    }
}
