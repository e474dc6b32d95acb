package org.alder.partition.error;

/** Keeps messages readable whatever names and values they repeat: a DN may have ten thousand RDNs. Stateless. */
public final class Shortened {
    /** Longer than any message without somebody's text in it. */
    private static final int MAX_CHARS = 1000;

    private Shortened() {
    }

    /** The message, or its beginning and its end with the number of characters between them. */
    public static String of(String message) {
        if (message == null || message.length() <= MAX_CHARS) {
            return message;
        }
        int head = Character.isHighSurrogate(message.charAt(MAX_CHARS / 2 - 1)) ? MAX_CHARS / 2 - 1 : MAX_CHARS / 2;
        int tail = message.length() - MAX_CHARS / 2;
        tail += Character.isLowSurrogate(message.charAt(tail)) ? 1 : 0;
        return message.substring(0, head) + " [... " + (tail - head) + " characters ...] " + message.substring(tail);
    }
}
