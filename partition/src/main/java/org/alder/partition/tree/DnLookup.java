package org.alder.partition.tree;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.alder.partition.entry.DnForm;
import org.alder.partition.id.IdSet;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;

/**
 * Finds entries by the normal forms of their DNs, as indexes and the value table hold them, without parsing a name. Members of a
 * group mostly have few parents: those are looked up once. One thread, one snapshot.
 */
public final class DnLookup {
    /** More would be a group whose members have no parents in common: remembering does not pay then. */
    private static final int MOST_PARENTS = 10_000;

    private final Snapshot snapshot;
    private final byte[] suffix;
    private final long suffixId;
    private final Map<ByteBuffer, Long> parents = new HashMap<>();

    public DnLookup(Snapshot snapshot, EntryTree tree) {
        this.snapshot = snapshot;
        this.suffix = tree.suffix().normalized();
        this.suffixId = tree.resolve(snapshot, tree.suffix());
    }

    /** @return 0 if there is no such entry, or the form is that of a name with a unique identifier, which names no entry */
    public long find(byte[] form) {
        int[] starts = DnForm.isAtOrBelow(form, suffix) ? DnForm.rdnStarts(form, suffix.length) : null;
        if (starts == null) {
            return HierarchyKeys.NO_PARENT;
        }
        return starts.length == 0 ? suffixId : child(parent(form, starts), form, starts[starts.length - 1], form.length);
    }

    private long parent(byte[] form, int[] starts) {
        int end = starts[starts.length - 1];
        if (end == suffix.length) {
            return suffixId;
        }
        Long known = parents.get(ByteBuffer.wrap(form, 0, end));
        if (known != null) {
            return known;
        }
        long parent = suffixId;
        for (int i = 0; i < starts.length - 1 && parent != HierarchyKeys.NO_PARENT; i++) {
            parent = child(parent, form, starts[i], starts[i + 1]);
        }
        if (parents.size() < MOST_PARENTS) {
            parents.put(ByteBuffer.wrap(Arrays.copyOf(form, end)), parent);
        }
        return parent;
    }

    private long child(long parent, byte[] form, int from, int to) {
        if (parent == HierarchyKeys.NO_PARENT) {
            return parent;
        }
        IdSet found = snapshot.ids(HierarchyKeys.INDEX, HierarchyKeys.rdn(parent, DnForm.rdn(form, from, to)));
        return found.isEmpty() ? HierarchyKeys.NO_PARENT : found.iterator().next();
    }
}
