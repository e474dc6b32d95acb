package org.alder.partition.update.edit;

import java.util.function.BiConsumer;
import org.alder.partition.entry.Octets;

/** The values an attribute has before it is edited, by the form in which they are equal. One thread. */
interface ValuesBefore {
    long count();

    /** @return null if there is no such value */
    byte[] find(Octets key);

    /** Calls the consumer with key and value of each. */
    void forEach(BiConsumer<Octets, byte[]> consumer);
}
