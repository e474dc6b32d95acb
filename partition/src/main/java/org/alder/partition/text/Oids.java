package org.alder.partition.text;

/** The two spellings of an object identifier (RFC 4512 1.4): numericoid and descr. */
public final class Oids {
    private Oids() {
    }

    /** Dotted decimal with at least two arcs and no leading zeros. */
    public static boolean isNumeric(String text) {
        int arcs = 0;
        int start = 0;
        for (int i = 0; i <= text.length(); i++) {
            if (i == text.length() || text.charAt(i) == '.') {
                if (i == start || text.charAt(start) == '0' && i > start + 1) {
                    return false;
                }
                arcs++;
                start = i + 1;
            } else if (!isDigit(text.charAt(i))) {
                return false;
            }
        }
        return arcs > 1;
    }

    /** A letter, then letters, digits and hyphens. */
    public static boolean isDescriptor(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isKeyChar(text.charAt(i))) {
                return false;
            }
        }
        return !text.isEmpty() && isLetter(text.charAt(0));
    }

    public static boolean isKeyChar(int c) {
        return isLetter(c) || isDigit(c) || c == '-';
    }

    public static boolean isLetter(int c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
    }

    public static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }
}
