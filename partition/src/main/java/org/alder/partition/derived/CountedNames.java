package org.alder.partition.derived;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/** Names of entries that are gathered for an answer: each so many bytes are asked for before there are more. One thread. */
final class CountedNames {
    /** What a name takes beside its bytes, which are there in the list, in the answer, and while it is sent. */
    private static final int NAME_BYTES = 48;
    private static final long COPIES = 3;
    /** Less than this is nobody's account worth. */
    private static final int COUNTED_BYTES = 16 << 10;

    private final LongConsumer memory;
    private final List<byte[]> names = new ArrayList<>();
    private long uncounted;

    /** @param memory grants so many bytes more, or throws */
    CountedNames(LongConsumer memory) {
        this.memory = memory;
    }

    void add(String dn) {
        byte[] name = dn.getBytes(StandardCharsets.UTF_8);
        uncounted += NAME_BYTES + COPIES * name.length;
        if (uncounted > COUNTED_BYTES) {
            memory.accept(uncounted);
            uncounted = 0;
        }
        names.add(name);
    }

    List<byte[]> all() {
        return names;
    }
}
