package org.alder.partition;

import java.util.List;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.query.EntryView;
import org.alder.partition.query.SearchCursor;
import org.alder.partition.query.SearchQuery;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;

/**
 * One naming context: the entries at and below a suffix, in one store. Reading and searching are here; changes are in
 * {@code org.alder.partition.update}. Thread safe. Reads take a snapshot that the caller opened and closes.
 *
 * <p>The suffix entry's parent is {@link org.alder.partition.store.HierarchyKeys#NO_PARENT} and its record holds, as every entry's, only
 * its own RDN ({@code dc=example} of {@code dc=example,dc=com}); the rest of its DN comes from the suffix.
 */
public final class Partition implements AutoCloseable {
    /**
     * @param definitions those of the {@link org.alder.partition.index.AttributeIndexer} the store was opened with, in the same order
     * @param store closed with this partition
     */
    public Partition(Schema schema, Dn suffix, List<IndexDefinition> definitions, Store store) {
        throw new UnsupportedOperationException();
    }

    public Schema schema() {
        throw new UnsupportedOperationException();
    }

    public Dn suffix() {
        throw new UnsupportedOperationException();
    }

    public Store store() {
        throw new UnsupportedOperationException();
    }

    public List<IndexDefinition> indexes() {
        throw new UnsupportedOperationException();
    }

    /** The newest acknowledged state; the caller must close it. */
    public Snapshot snapshot() {
        return store().snapshot();
    }

    /** The ID of the entry with this DN, or 0: there is none, or the DN is not under the suffix. */
    public long resolve(Snapshot snapshot, Dn dn) {
        throw new UnsupportedOperationException();
    }

    /** The entry's DN as it is spelt. @throws org.alder.partition.error.StoreException CORRUPT if the entry or a parent is missing */
    public String dnOf(Snapshot snapshot, long id) {
        throw new UnsupportedOperationException();
    }

    /** @return null if there is no entry with this DN */
    public EntryView read(Snapshot snapshot, Dn dn) {
        throw new UnsupportedOperationException();
    }

    /** The ID of the deepest existing entry at or above the DN; 0 if not even the suffix entry is one. */
    public long deepestExisting(Snapshot snapshot, Dn dn) {
        throw new UnsupportedOperationException();
    }

    /** The DN of {@link #deepestExisting}, empty if there is none: matchedDN of RFC 4511 4.1.9. */
    public String matchedDn(Snapshot snapshot, Dn dn) {
        throw new UnsupportedOperationException();
    }

    /**
     * Plans a search. The cursor reads the snapshot and must be closed before it.
     *
     * @throws DirectoryException noSuchObject with matchedDN if the base does not exist
     */
    public SearchCursor search(Snapshot snapshot, SearchQuery query) throws DirectoryException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        store().close();
    }
}
