package org.alder.partition.update.edit;

import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.alder.partition.entry.Octets;

/** The values an attribute has before it is edited, by the form in which they are equal. One thread. */
interface ValuesBefore {
    long count();

    /** @return null if there is no such value */
    byte[] find(Octets key);

    /** Calls the consumer with key and value of each. */
    void forEach(BiConsumer<Octets, byte[]> consumer);

    /** Calls the consumer with each value: what does not ask for keys need not make them. */
    default void forEachValue(Consumer<byte[]> consumer) {
        forEach((key, value) -> consumer.accept(value));
    }
}
