package org.alder.partition.update.edit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.alder.partition.entry.Octets;
import org.alder.partition.schema.AttributeType;

/** The values of an attribute that is whole in the entry's record. */
final class ValuesInRecord implements ValuesBefore {
    private final Map<Octets, byte[]> values;

    ValuesInRecord(AttributeType type, List<byte[]> stored) {
        values = new LinkedHashMap<>(stored.size() * 2);
        stored.forEach(value -> values.put(AttributeEdit.storedKey(type, value), value));
    }

    @Override
    public long count() {
        return values.size();
    }

    @Override
    public byte[] find(Octets key) {
        return values.get(key);
    }

    @Override
    public void forEach(BiConsumer<Octets, byte[]> consumer) {
        values.forEach(consumer);
    }
}
