package org.alder.partition.query.order;

import java.util.IdentityHashMap;
import java.util.Map;
import org.alder.partition.derived.Candidate;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.filter.EntryAccess;
import org.alder.partition.request.SortOrder;
import org.alder.partition.store.LargeValues;
import org.alder.partition.store.Snapshot;

/** Reads the places of entries in an order, as far as who asks may know of what they are ordered by. One thread at a time. */
public final class PlaceReader {
    private final Snapshot snapshot;
    private final SortOrder order;
    private final EntryAccess access;
    private final Candidate candidate;
    private final Map<AttributeAccess, SortOrder> seen = new IdentityHashMap<>();

    /** @param access null if the order is seen alike for all entries */
    public PlaceReader(Snapshot snapshot, SortOrder order, EntryAccess access, Candidate candidate) {
        this.snapshot = snapshot;
        this.order = order;
        this.access = access;
        this.candidate = candidate;
    }

    byte[] place(long id, EntryRecord record) {
        SortOrder mine = order;
        if (access != null) {
            candidate.moveTo(id, record);
            mine = seen.computeIfAbsent(access.of(candidate), rights -> order.readableBy(rights::maySearchAll));
        }
        LargeValues values = new LargeValues(snapshot, id);
        return mine.key(record, (attribute, consumer) -> {
            try (LargeValues.Cursor cursor = values.open(attribute)) {
                while (cursor.next()) {
                    consumer.accept(cursor.value());
                }
            }
        });
    }
}
