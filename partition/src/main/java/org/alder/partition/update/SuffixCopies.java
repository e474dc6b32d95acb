package org.alder.partition.update;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;

/**
 * Makes what the shards of a naming context have of its suffix entry the same as what shard 0 has: what is below it needs an entry above
 * it, and rules that go by that. Thread safe.
 */
public final class SuffixCopies {
    private final Partition first;
    private final List<Partition> others;
    private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

    /** @param shards all of them, in their order */
    public SuffixCopies(List<Partition> shards) {
        first = shards.get(0);
        others = List.copyOf(shards.subList(1, shards.size()));
    }

    /**
     * Writes what differs, each time from the newest state, one after the other.
     *
     * @return completes when it is durable; exceptionally with a {@link StoreException} or a
     *     {@link org.alder.partition.error.DirectoryException}, and then some copies may be old until the next time
     */
    public synchronized CompletableFuture<Void> renew() {
        last = last.handle((none, fault) -> null).thenCompose(none -> copy());
        return last;
    }

    private CompletableFuture<Void> copy() {
        CopiedChange.Put put = newest();
        if (put == null) {
            return CompletableFuture.completedFuture(null);
        }
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (Partition other : others) {
            all.add(new CopiedEntries(other).apply(List.of(put), null, 0));
        }
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    }

    /** Null while there is none. */
    private CopiedChange.Put newest() {
        Dn suffix = first.suffix();
        try (Snapshot now = first.snapshot()) {
            long id = first.resolve(now, suffix);
            if (id == HierarchyKeys.NO_PARENT) {
                return null;
            }
            EntryRecord record = now.entry(id);
            byte[] uuid = record.operationalValue(CopiedEntries.ENTRY_UUID);
            if (uuid == null) {
                throw new StoreException(StoreException.Kind.REFUSED, "the entry \"" + suffix.text() + "\" has no entryUUID, by which shards know it");
            }
            // The values of large attributes stay where they are: nothing below the suffix depends on them.
            return new CopiedChange.Put(suffix, uuid, EntryRecord.of(HierarchyKeys.NO_PARENT, record.rdnBytes(), record.userAttributes(),
                    record.operationalAttributes()));
        }
    }
}
