package org.alder.server.migration;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Takes an access control instruction apart. The text is a stranger's: what it may be is bounded. Used once. */
final class AciReader {
    private static final int MOST_CHARACTERS = 1 << 16;

    private final String text;
    private int at;

    private AciReader(String text) {
        this.text = text;
    }

    /** @throws AciException if it is none; the message names the column */
    static Aci read(String text) throws AciException {
        if (text.length() > MOST_CHARACTERS) {
            throw new AciException(text.length() + " characters, expected no more than " + MOST_CHARACTERS);
        }
        return new AciReader(text).aci();
    }

    private Aci aci() throws AciException {
        List<Aci.Target> targets = new ArrayList<>();
        while (true) {
            take('(');
            String keyword = word();
            if (keyword.equals("version")) {
                return new Aci(head(), targets, permissions());
            }
            boolean isNot = isAt('!');
            at += isNot ? 1 : 0;
            take('=');
            targets.add(new Aci.Target(keyword, isNot, value()));
            take(')');
        }
    }

    /** @return the name */
    private String head() throws AciException {
        upTo(';');
        String keyword = word();
        if (!keyword.equals("acl") && !keyword.equals("aci")) {
            throw expected("acl and a name");
        }
        return isAt('"') ? named() : upTo(';').strip();
    }

    private String named() throws AciException {
        String name = quoted();
        take(';');
        return name;
    }

    private List<Aci.Permission> permissions() throws AciException {
        List<Aci.Permission> permissions = new ArrayList<>();
        while (!isAt(')')) {
            String keyword = word();
            if (!keyword.equals("allow") && !keyword.equals("deny")) {
                throw expected("allow or deny");
            }
            take('(');
            List<String> rights = new ArrayList<>();
            for (String right : upTo(')').split(",", -1)) {
                rights.add(right.strip().toLowerCase(Locale.ROOT));
            }
            permissions.add(new Aci.Permission(keyword.equals("allow"), rights, upTo(';').strip()));
        }
        take(')');
        if (permissions.isEmpty() || at < text.length()) {
            throw expected(permissions.isEmpty() ? "allow or deny" : "the end");
        }
        return permissions;
    }

    private String value() throws AciException {
        if (isAt('"')) {
            return quoted();
        }
        int from = at;
        while (at < text.length() && text.charAt(at) != ')') {
            at++;
        }
        return text.substring(from, at).strip();
    }

    private String quoted() throws AciException {
        int end = closing(text, at);
        if (end < 0) {
            throw expected("a quotation mark at the end of what begins here");
        }
        String value = text.substring(at + 1, end);
        at = end + 1;
        skipSpaces();
        return value;
    }

    /** Where the quotation ends that begins at a place; negative if it does not. */
    static int closing(String text, int from) {
        int end = from + 1;
        while (end < text.length() && text.charAt(end) != '"') {
            end += text.charAt(end) == '\\' ? 2 : 1;
        }
        return end < text.length() ? end : -1;
    }

    /** All up to a character outside of quotation marks, which is passed over. */
    private String upTo(char end) throws AciException {
        int from = at;
        while (at < text.length() && text.charAt(at) != end) {
            if (text.charAt(at) == '"') {
                quoted();
            } else {
                at++;
            }
        }
        String found = text.substring(from, at);
        take(end);
        return found;
    }

    private String word() {
        int from = at;
        while (at < text.length() && (Character.isLetter(text.charAt(at)) || text.charAt(at) == '_')) {
            at++;
        }
        String word = text.substring(from, at).toLowerCase(Locale.ROOT);
        skipSpaces();
        return word;
    }

    private boolean isAt(char c) {
        return at < text.length() && text.charAt(at) == c;
    }

    private void take(char c) throws AciException {
        skipSpaces();
        if (!isAt(c)) {
            throw expected(Character.toString(c));
        }
        at++;
        skipSpaces();
    }

    private void skipSpaces() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private AciException expected(String what) {
        return new AciException("not readable, column " + (at + 1) + ": expected " + what);
    }
}
