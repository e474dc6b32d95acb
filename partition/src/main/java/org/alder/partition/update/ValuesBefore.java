package org.alder.partition.update;

import java.nio.ByteBuffer;
import java.util.function.BiConsumer;

/** The values an attribute has before it is edited, by the form in which they are equal. One thread. */
interface ValuesBefore {
    long count();

    /** @return null if there is no such value */
    byte[] find(ByteBuffer key);

    /** Calls the consumer with key and value of each. */
    void forEach(BiConsumer<ByteBuffer, byte[]> consumer);
}
