package org.alder.partition.rule;

import java.nio.ByteBuffer;
import org.alder.partition.schema.AttributeType;

/**
 * A value that an update is about to write, and that only one entry may have. Immutable.
 *
 * @param type   one of the rule's attributes
 * @param form   the value's key in the index of the type; not to be changed
 * @param moving the entryUUID of the entry that gets it, where that may still be in another shard, from which it comes; empty where it was here before
 */
public record UniqueValue(UniqueRule rule, AttributeType type, ByteBuffer form, ByteBuffer moving) {
    /** What a shard says of it. The last one of those that several say counts. */
    public enum Use {
        /** No entry there has it, nor is about to get it. */
        FREE,
        /** An entry there may be about to get it. */
        CLAIMED,
        /** So many entries there have it, which the rule does not mean, that they were not all looked at. */
        UNCLEAR,
        /** An entry there has it. */
        HELD
    }

    /** @param moving empty for none */
    public static UniqueValue of(UniqueRule rule, AttributeType type, byte[] form, byte[] moving) {
        return new UniqueValue(rule, type, ByteBuffer.wrap(form), ByteBuffer.wrap(moving));
    }

    /** A copy. */
    public byte[] formBytes() {
        return bytes(form);
    }

    /** A copy; empty for none. */
    public byte[] movingBytes() {
        return bytes(moving);
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }
}
