package org.alder.partition.jdbm.memory;

import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.error.StoreException;

/**
 * The heap that the changes of one transaction take, about, while they are computed and then in a memory layer, held against a
 * limit: one transaction can delete a large subtree or a group of millions of members, and the process must outlive it. One
 * thread.
 */
final class ChangeHeap {
    /** A draft, a change and a version of an entry, without the record's bytes. */
    private static final int ENTRY_BYTES = 512;
    /** A change of a key and its place in a memory layer: skip list node, posting log, arrays' heads; without the key. */
    private static final int KEY_BYTES = 144;
    /** A key of the value table in a draft; the key itself goes on into the change. */
    private static final int VALUE_BYTES = 40;
    /** A key in a hash set, without the key. */
    private static final int HELD_BYTES = 80;
    /** A normal form that is kept for the log, without its bytes. */
    private static final int FORM_BYTES = 24;
    private static final int MIB_SHIFT = 20;

    private final long limitBytes;
    private long bytes;

    ChangeHeap(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    void takeEntry(EntryRecord after) {
        take(ENTRY_BYTES + (after == null ? 0 : after.length()));
    }

    void takeKey(byte[] key) {
        take(KEY_BYTES + key.length);
    }

    void takeValue() {
        take(VALUE_BYTES);
    }

    void takeForm(byte[] form) {
        take(FORM_BYTES + form.length);
    }

    /** What this key takes while it is held. */
    static long heldBytes(byte[] key) {
        return HELD_BYTES + key.length;
    }

    void takeHeld() {
        take(HELD_BYTES);
    }

    /** Throws before the work is begun if removing these values goes beyond the limit even without index keys. */
    void requireRoomToRemove(Iterable<LargeAttribute> attributes) {
        long least = 0;
        for (LargeAttribute attribute : attributes) {
            least += attribute.count() * (VALUE_BYTES + KEY_BYTES) + attribute.valueBytes();
        }
        requireRoom(least);
    }

    private void take(long more) {
        requireRoom(more);
        bytes += more;
    }

    private void requireRoom(long more) {
        if (!hasRoom(more)) {
            throw tooLarge("the change takes ", more);
        }
    }

    boolean hasRoom(long more) {
        return more <= limitBytes - bytes;
    }

    /** @param what takes so much more, with a space at its end */
    StoreException tooLarge(String what, long more) {
        return new StoreException(StoreException.Kind.TOO_LARGE, what + (bytes + more >> MIB_SHIFT)
                + " MiB of memory or more at once, allowed are " + (limitBytes >> MIB_SHIFT) + " MiB (a part of the Java heap,"
                + " which ALDER_JAVA_OPTS sets): nothing is changed; change less at a time, or give the server more heap");
    }
}
