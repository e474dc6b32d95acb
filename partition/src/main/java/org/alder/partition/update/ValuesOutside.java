package org.alder.partition.update;

import java.nio.ByteBuffer;
import java.util.function.BiConsumer;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.store.LargeValues;

/** The values of a large attribute: one is found by one seek, and only who changes all of them reads all. */
final class ValuesOutside implements ValuesBefore {
    private final LargeValues values;
    private final LargeAttribute attribute;

    ValuesOutside(LargeValues values, LargeAttribute attribute) {
        this.values = values;
        this.attribute = attribute;
    }

    @Override
    public long count() {
        return attribute.count();
    }

    @Override
    public byte[] find(ByteBuffer key) {
        return values.find(attribute, key.array());
    }

    @Override
    public void forEach(BiConsumer<ByteBuffer, byte[]> consumer) {
        try (LargeValues.Cursor cursor = values.open(attribute)) {
            while (cursor.next()) {
                consumer.accept(ByteBuffer.wrap(cursor.form()), cursor.value());
            }
        }
    }
}
