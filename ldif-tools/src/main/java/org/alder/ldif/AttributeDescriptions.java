package org.alder.ldif;

import java.nio.charset.StandardCharsets;

/**
 * Turns the bytes of attribute descriptions into strings, giving the same String for the same bytes as long as its slot
 * is not taken by another description: a file repeats a few names millions of times. Bounded; not thread-safe.
 * Accepts what RFC 2849's AttributeDescription accepts, and '_', which real schemas contain.
 */
final class AttributeDescriptions {

    private static final int SLOTS = 1024;
    private static final int MAX_KEPT_LENGTH = 64;

    private final byte[][] spellings = new byte[SLOTS][];
    private final String[] strings = new String[SLOTS];

    /** The description in {@code data[from, to)}, or null when these bytes are none. */
    String find(byte[] data, int from, int to) {
        int hash = 0;
        for (int i = from; i < to; i++) {
            hash = 31 * hash + data[i];
        }
        int slot = (hash ^ hash >>> 10) & SLOTS - 1;
        if (strings[slot] != null && isSame(spellings[slot], data, from, to)) {
            return strings[slot];
        }
        if (!isValid(data, from, to)) {
            return null;
        }
        String string = new String(data, from, to - from, StandardCharsets.US_ASCII);
        if (string.length() <= MAX_KEPT_LENGTH) {
            strings[slot] = string;
            spellings[slot] = string.getBytes(StandardCharsets.US_ASCII);
        }
        return string;
    }

    static boolean isValid(String description) {
        byte[] bytes = description.getBytes(StandardCharsets.UTF_8);
        return isValid(bytes, 0, bytes.length);
    }

    private static boolean isSame(byte[] spelling, byte[] data, int from, int to) {
        if (spelling.length != to - from) {
            return false;
        }
        for (int i = 0; i < spelling.length; i++) {
            if (spelling[i] != data[from + i]) {
                return false;
            }
        }
        return true;
    }

    private static boolean isValid(byte[] data, int from, int to) {
        if (from == to || !isLetterOrDigit(data[from]) || data[to - 1] == ';') {
            return false;
        }
        for (int i = from; i < to; i++) {
            byte b = data[i];
            boolean known = isLetterOrDigit(b) || b == '-' || b == '.' || b == '_' || b == ';' && data[i - 1] != ';';
            if (!known) {
                return false;
            }
        }
        return true;
    }

    private static boolean isLetterOrDigit(byte b) {
        return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9';
    }
}
