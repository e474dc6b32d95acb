package org.alder.partition.text;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.alder.partition.error.StoreException;

/**
 * Octets as text. Java's own way puts U+FFFD where they are not UTF-8, which makes one of different names: the only place that
 * may call it is this one. Pure.
 */
public final class Utf8 {
    private static final char REPLACEMENT = '\uFFFD';

    private Utf8() {
    }

    /** @throws CharacterCodingException if the octets are not UTF-8 */
    public static String decode(byte[] bytes, int offset, int length) throws CharacterCodingException {
        String text = new String(bytes, offset, length, StandardCharsets.UTF_8);
        // Either the octets say U+FFFD, or they are not UTF-8. Hardly any text has it, so the fast way is the usual one.
        return text.indexOf(REPLACEMENT) < 0 ? text
                : StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, offset, length)).toString();
    }

    /** @throws CharacterCodingException if the octets are not UTF-8 */
    public static String decode(byte[] bytes) throws CharacterCodingException {
        return decode(bytes, 0, bytes.length);
    }

    /** @return null if the octets are not UTF-8: for look-ups, which then find nothing */
    public static String decodeOrNull(byte[] bytes) {
        return decodeOrNull(bytes, 0, bytes.length);
    }

    /** @return null if the octets are not UTF-8 */
    public static String decodeOrNull(byte[] bytes, int offset, int length) {
        try {
            return decode(bytes, offset, length);
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    /** Text that was checked before it was stored. @throws StoreException CORRUPT if the octets are not UTF-8 */
    public static String stored(byte[] bytes, int offset, int length) {
        try {
            return decode(bytes, offset, length);
        } catch (CharacterCodingException e) {
            throw new StoreException(StoreException.Kind.CORRUPT, "stored text that is not UTF-8: \""
                    + new String(bytes, offset, length, StandardCharsets.UTF_8) + "\"", e);
        }
    }

    /** Text that was checked before it was stored. @throws StoreException CORRUPT if the octets are not UTF-8 */
    public static String stored(byte[] bytes) {
        return stored(bytes, 0, bytes.length);
    }

    /** For messages alone, never to find anything by: what is not UTF-8 shows as U+FFFD. */
    public static String shown(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
