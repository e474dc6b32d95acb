package org.alder.partition.commit;

import org.alder.partition.error.DirectoryException;
import org.alder.partition.store.Transaction;
import org.alder.partition.store.WriteContext;

/** A transaction that is on the disk when it ends, whatever the store promises for others: other shards go by it. */
record Synced<T>(Transaction<T> inner) implements Transaction<T> {
    @Override
    public T run(WriteContext context) throws DirectoryException {
        return inner.run(context);
    }

    @Override
    public String what() {
        return inner.what();
    }

    @Override
    public boolean isLong() {
        return inner.isLong();
    }

    @Override
    public boolean isSynced() {
        return true;
    }
}
