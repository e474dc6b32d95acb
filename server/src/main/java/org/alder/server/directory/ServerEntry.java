package org.alder.server.directory;

import org.alder.partition.error.DirectoryException;
import org.alder.partition.query.EntryView;
import org.alder.partition.query.SearchScope;
import org.alder.partition.schema.Schema;

/** An entry that the server itself makes and that is in no partition. Immutable, thread safe. */
final class ServerEntry {
    private final Schema schema;
    private final EntryView entry;

    ServerEntry(Schema schema, EntryView entry) {
        this.schema = schema;
        this.entry = entry;
    }

    EntryCursor search(SearchRequest request) throws DirectoryException {
        boolean inScope = request.scope() == SearchScope.BASE || request.scope() == SearchScope.SUBTREE;
        return new SingleEntryCursor(entry, inScope && matches(request));
    }

    private boolean matches(SearchRequest request) throws DirectoryException {
        return request.filter() instanceof org.alder.partition.filter.Filter.Present;
    }
}
