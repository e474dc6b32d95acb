package org.alder.server.directory.naming;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.alder.partition.Partition;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.EntryAccess;
import org.alder.partition.id.IdSet;
import org.alder.partition.request.SearchScope;
import org.alder.partition.store.Snapshot;

/**
 * The referral objects in a search's scope, which it sends the client on to after its own entries (RFC 3296 5.4). Those that are
 * gone when their turn comes are left out. One thread.
 */
public final class References {
    private record Group(Partition partition, IdSet referrals) {
    }

    private final NameResolver resolver;
    private final SearchScope scope;
    private final EntryAccess access;
    private final Deque<Group> groups = new ArrayDeque<>();
    private Group group;
    private IdSet.IdIterator ids;
    private List<String> urls;

    /** @param access what who asks may know */
    public References(NameResolver resolver, SearchScope scope, EntryAccess access) {
        this.access = access;
        this.resolver = resolver;
        this.scope = scope;
    }

    /** @param referrals at least one */
    public void add(Partition partition, IdSet referrals) {
        groups.add(new Group(partition, referrals));
    }

    /** Goes on to the next one that has URLs. */
    public boolean next() throws DirectoryException {
        while (group != null || !groups.isEmpty()) {
            if (group == null) {
                group = groups.poll();
                ids = group.referrals.iterator();
            } else if (!ids.hasNext()) {
                group = null;
            } else if (read(ids.next())) {
                return true;
            }
        }
        return false;
    }

    private boolean read(long id) throws DirectoryException {
        try (Snapshot snapshot = group.partition.snapshot()) {
            boolean isThere = group.partition.special(snapshot).referrals().contains(id);
            urls = isThere ? resolver.continuation(group.partition, snapshot, id, scope, access) : List.of();
            return !urls.isEmpty();
        }
    }

    public List<String> urls() {
        return urls;
    }
}
