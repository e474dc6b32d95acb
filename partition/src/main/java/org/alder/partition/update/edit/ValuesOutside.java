package org.alder.partition.update.edit;

import java.util.function.BiConsumer;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.entry.Octets;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.LargeValues;

/** The values of a large attribute: one is found by one seek, and only who changes all of them reads all. */
final class ValuesOutside implements ValuesBefore {
    /** What changing a value takes at least, beside its bytes, in the change and in the store. */
    private static final int CHANGE_BYTES = 200;

    private final LargeValues values;
    private final LargeAttribute attribute;
    private final long heapLimitBytes;

    ValuesOutside(LargeValues values, LargeAttribute attribute, long heapLimitBytes) {
        this.values = values;
        this.attribute = attribute;
        this.heapLimitBytes = heapLimitBytes;
    }

    @Override
    public long count() {
        return attribute.count();
    }

    @Override
    public byte[] find(Octets key) {
        return values.find(attribute, key.bytes());
    }

    /** @throws StoreException TOO_LARGE if the store would refuse a change of all values */
    @Override
    public void forEach(BiConsumer<Octets, byte[]> consumer) {
        if (attribute.count() * CHANGE_BYTES + attribute.valueBytes() > heapLimitBytes) {
            throw new StoreException(StoreException.Kind.TOO_LARGE, "attribute " + attribute.description() + " has "
                    + attribute.count() + " values, too many to be changed at once with " + (heapLimitBytes >> 20)
                    + " MiB of memory (a part of the Java heap): nothing is changed; delete values in parts first");
        }
        try (LargeValues.Cursor cursor = values.open(attribute)) {
            while (cursor.next()) {
                consumer.accept(new Octets(cursor.form()), cursor.value());
            }
        }
    }
}
