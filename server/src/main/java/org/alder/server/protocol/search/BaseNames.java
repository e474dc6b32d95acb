package org.alder.server.protocol.search;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.Schema;

/**
 * The bases of searches by how they are spelt: clients search below the same few all the time. One slot per hash, the newest spelling
 * wins, so that it is lock-free and bounded whatever clients send. Thread safe.
 */
final class BaseNames {
    private static final int SLOTS = 256;
    private static final int MOST_CHARACTERS = 256;

    private final AtomicReferenceArray<Known> slots = new AtomicReferenceArray<>(SLOTS);
    private final Schema schema;

    /** @param schemaVersion by which it was parsed, or one before it */
    private record Known(String text, long schemaVersion, Dn dn) {
    }

    BaseNames(Schema schema) {
        this.schema = schema;
    }

    /** @throws DirectoryException invalidDNSyntax; the message names the offset */
    Dn parse(String text) throws DirectoryException {
        if (text.length() > MOST_CHARACTERS) {
            return Dn.parse(schema, text);
        }
        long version = schema.version();
        int hash = text.hashCode();
        int slot = (hash ^ hash >>> 8 ^ hash >>> 16 ^ hash >>> 24) & SLOTS - 1;
        Known known = slots.getAcquire(slot);
        if (known == null || known.schemaVersion != version || !known.text.equals(text)) {
            known = new Known(text, version, Dn.parse(schema, text));
            slots.setRelease(slot, known);
        }
        return known.dn;
    }
}
