package org.alder.partition.entry;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** The entryUUID (RFC 4530) of an entry record as 16 bytes. Stateless. */
public final class EntryUuid {
    public static final int BYTES = 16;

    private static final String NAME = "entryUUID";
    private static final int TEXT_BYTES = 36;

    private EntryUuid() {
    }

    /** A new array; null where the record has none. */
    public static byte[] in(EntryAttributes record) {
        byte[] text = record.operationalValue(NAME);
        return text == null ? null : parse(text);
    }

    /** As it is written, in 36 characters. @param uuid 16 bytes */
    public static byte[] text(byte[] uuid) {
        ByteBuffer bits = ByteBuffer.wrap(uuid);
        return new UUID(bits.getLong(), bits.getLong()).toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] parse(byte[] text) {
        if (text.length != TEXT_BYTES) {
            return null;
        }
        byte[] uuid = new byte[BYTES];
        int digits = 0;
        for (byte b : text) {
            int digit = Character.digit(b, 16);
            if (digit >= 0 && digits < 2 * BYTES) {
                uuid[digits / 2] |= (byte) (digits % 2 == 0 ? digit << 4 : digit);
                digits++;
            }
        }
        return digits == 2 * BYTES ? uuid : null;
    }
}
