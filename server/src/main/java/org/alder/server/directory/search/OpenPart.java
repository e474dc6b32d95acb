package org.alder.server.directory.search;

import org.alder.partition.Partition;
import org.alder.partition.id.IdSet;
import org.alder.partition.query.SearchCursor;
import org.alder.partition.query.order.OrderedPart;
import org.alder.partition.store.Snapshot;

/**
 * A partition that is searched, at one point in time. Owns its snapshot.
 *
 * @param position the partition's place in the configuration
 * @param looked the same snapshot for what is worked out for an entry, which may take long
 * @param cursor what is found in it, in no order
 * @param ordered the same for an order; null if none is wanted
 * @param incomplete the entries whose members are to be found
 */
record OpenPart(Partition partition, int position, Snapshot snapshot, Snapshot looked, SearchCursor cursor, OrderedPart ordered, IdSet incomplete)
        implements AutoCloseable {
    @Override
    public void close() {
        cursor.close();
        snapshot.close();
    }
}
