package org.alder.ldif.bulk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.update.rules.UniqueKeys;

/**
 * The unique values of the entries that a load has so far, with the line of the entry that has each, in a temporary file as the
 * DNs are. One thread.
 */
final class LoadedValues implements Closeable {
    private static final long LAST_LINE = 0xFFFF_FFFFL;

    private final DnIdTable lines;

    /** A value to be looked up: its key by its hash. */
    record Value(DnHash hash, UniqueKeys.Key key) {
        static List<Value> of(MessageDigest digest, List<UniqueKeys.Key> keys) {
            List<Value> values = new ArrayList<>(keys.size());
            keys.forEach(key -> values.add(new Value(DnHash.of(digest, key.bytes(), key.bytes().length), key)));
            return values;
        }
    }

    LoadedValues(Path folder) throws IOException {
        lines = new DnIdTable(folder, "value");
    }

    /** Why an entry with these values cannot be loaded; null if it can. */
    String refusal(List<Value> values) {
        for (Value value : values) {
            long line = lines.get(value.hash);
            if (line != 0) {
                return value.key.refusal() + ", and the entry on line " + line + " has it already";
            }
        }
        return null;
    }

    void add(List<Value> values, long line) throws IOException {
        for (Value value : values) {
            if (value.key.isHeld()) {
                lines.putIfAbsent(value.hash, Math.min(Math.max(1, line), LAST_LINE));
            }
        }
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
