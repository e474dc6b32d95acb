package org.alder.partition.schema;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.text.Utf8;

/**
 * Attribute descriptions by the bytes they were spelt with: one slot per hash, the newest spelling wins, so that it is lock-free
 * and bounded whatever clients send. Thread safe.
 */
final class DescriptionCache {
    private static final int SLOTS = 4096;

    private record Spelling(byte[] bytes, AttributeDescription description) {
    }

    private final AtomicReferenceArray<Spelling> slots = new AtomicReferenceArray<>(SLOTS);
    private final Schema schema;

    DescriptionCache(Schema schema) {
        this.schema = schema;
    }

    /** @return null if the type is unknown or the text is no attribute description */
    AttributeDescription get(byte[] utf8, int offset, int length) {
        int slot = slot(utf8, offset, length);
        Spelling known = slots.getPlain(slot);
        if (known != null && Arrays.equals(known.bytes, 0, known.bytes.length, utf8, offset, offset + length)) {
            return known.description;
        }
        String text = Utf8.decodeOrNull(utf8, offset, length);
        if (text == null) {
            return null;
        }
        try {
            AttributeDescription description = AttributeDescription.parse(schema, text);
            slots.setRelease(slot, new Spelling(Arrays.copyOfRange(utf8, offset, offset + length), description));
            return description;
        } catch (DirectoryException e) {
            return null;
        }
    }

    private static int slot(byte[] utf8, int offset, int length) {
        int hash = 0;
        for (int i = offset; i < offset + length; i++) {
            hash = hash * 31 + utf8[i];
        }
        return (hash ^ hash >>> 12 ^ hash >>> 24) & SLOTS - 1;
    }
}
