package org.alder.partition.update.edit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.alder.partition.entry.Octets;
import org.alder.partition.schema.AttributeType;

/** The values of an attribute that is whole in the entry's record. */
final class ValuesInRecord implements ValuesBefore {
    private final AttributeType type;
    private final List<byte[]> stored;
    /** Null until one is asked for: who replaces one value by another asks for none. */
    private Map<Octets, byte[]> byKey;

    ValuesInRecord(AttributeType type, List<byte[]> stored) {
        this.type = type;
        this.stored = stored;
    }

    private Map<Octets, byte[]> byKey() {
        if (byKey == null) {
            byKey = new LinkedHashMap<>(stored.size() * 2);
            stored.forEach(value -> byKey.put(AttributeEdit.storedKey(type, value), value));
        }
        return byKey;
    }

    @Override
    public long count() {
        return stored.size() <= 1 ? stored.size() : byKey().size();
    }

    @Override
    public byte[] find(Octets key) {
        return byKey().get(key);
    }

    @Override
    public void forEach(BiConsumer<Octets, byte[]> consumer) {
        byKey().forEach(consumer);
    }

    @Override
    public void forEachValue(Consumer<byte[]> consumer) {
        if (stored.size() <= 1) {
            stored.forEach(consumer);
        } else {
            byKey().values().forEach(consumer);
        }
    }
}
