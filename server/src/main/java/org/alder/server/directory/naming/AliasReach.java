package org.alder.server.directory.naming;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ExaminedLimitException;
import org.alder.partition.id.IdSet;
import org.alder.partition.request.SearchScope;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.alder.server.directory.SearchRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a search gets to that dereferences the aliases in its scope (RFC 4511 4.5.1.3): in a search of a subtree what each alias
 * stands for is the top of another subtree to search, aliases in it included; in a search of one level it is one more entry. Each
 * alias is followed once, so loops end, and what is reached twice is one entry of a set. Aliases that lead nowhere are passed
 * over. One thread.
 */
public final class AliasReach {
    private static final Logger LOG = LoggerFactory.getLogger(AliasReach.class);
    private static final int LOOKED_AT_ONCE = 256;

    private final NamingContexts contexts;
    private final NameResolver resolver;
    private final SearchRequest request;
    private final Map<Partition, Reached> reached = new HashMap<>();
    private final Deque<Dn> found = new ArrayDeque<>();
    private long followed;
    private boolean basePassed;

    /** What is in scope in one partition: subtrees, and single entries. */
    private static final class Reached {
        private final Set<Long> tops = new HashSet<>();
        private final Set<Long> entries = new HashSet<>();
        private IdSet followed = IdSet.EMPTY;
    }

    private AliasReach(NamingContexts contexts, NameResolver resolver, SearchRequest request) {
        this.contexts = contexts;
        this.resolver = resolver;
        this.request = request;
    }

    /**
     * @return null if aliases add nothing to the scope
     * @throws DirectoryException adminLimitExceeded if there are more aliases in scope than entries may be examined; whatever
     *     the request's patience ends with
     */
    public static AliasReach of(NamingContexts contexts, NameResolver resolver, SearchRequest request) throws DirectoryException {
        AliasReach reach = new AliasReach(contexts, resolver, request);
        boolean wider = request.scope() == SearchScope.ONE_LEVEL ? reach.followLevel() : reach.followSubtrees();
        return wider ? reach : null;
    }

    private boolean followLevel() throws DirectoryException {
        for (NamingContexts.Context each : contexts.all()) {
            Partition partition = each.partition();
            if (hasLevel(partition)) {
                try (Snapshot snapshot = partition.snapshot()) {
                    follow(partition, snapshot, partition.special(snapshot).aliases().and(children(partition, snapshot)));
                }
            } else if (contexts.isBelow(partition, request.base(), SearchScope.ONE_LEVEL)) {
                addEntry(partition.suffix());
            }
        }
        boolean wider = !found.isEmpty();
        found.forEach(this::addEntry);
        return wider;
    }

    /** Whether entries directly below the base are in this partition: it is the base's own, or a shard of what is below the base. */
    private boolean hasLevel(Partition partition) {
        NamingContexts.Context home = contexts.of(request.base());
        return home != null && (home.partition() == partition || partition.suffix().equals(request.base()));
    }

    private IdSet children(Partition partition, Snapshot snapshot) {
        long base = partition.resolve(snapshot, request.base());
        return base == HierarchyKeys.NO_PARENT ? IdSet.EMPTY
                : snapshot.ids(HierarchyKeys.INDEX, HierarchyKeys.children(base));
    }

    private void addEntry(Dn dn) {
        Partition partition = contexts.of(dn).partition();
        try (Snapshot snapshot = partition.snapshot()) {
            reached.computeIfAbsent(partition, none -> new Reached()).entries.add(partition.resolve(snapshot, dn));
        }
    }

    /** Goes on until no alias leads to anything new. */
    private boolean followSubtrees() throws DirectoryException {
        boolean wider = false;
        addSubtree(request.base());
        do {
            for (Dn target = found.poll(); target != null; target = found.poll()) {
                request.patience().check();
                basePassed |= request.base().isDescendantOrSelf(target);
                wider |= addSubtree(target);
            }
            for (NamingContexts.Context each : contexts.all()) {
                followIn(each.partition());
            }
        } while (!found.isEmpty());
        return wider || basePassed && request.scope() == SearchScope.CHILDREN;
    }

    private void followIn(Partition partition) throws DirectoryException {
        Reached here = reached.get(partition);
        if (here == null) {
            return;
        }
        try (Snapshot snapshot = partition.snapshot()) {
            IdSet open = partition.special(snapshot).aliases().andNot(here.followed);
            IdSet aliases = within(partition, snapshot, open, here.tops);
            here.followed = here.followed.or(aliases);
            follow(partition, snapshot, aliases);
        }
    }

    /** A part at a time, because there may be many. */
    private IdSet within(Partition partition, Snapshot snapshot, IdSet aliases, Set<Long> tops) throws DirectoryException {
        IdSet inScope = IdSet.EMPTY;
        for (IdSet.IdIterator iterator = aliases.iterator(); iterator.hasNext();) {
            long[] part = new long[(int) Math.min(LOOKED_AT_ONCE, aliases.cardinality())];
            int count = 0;
            while (count < part.length && iterator.hasNext()) {
                part[count++] = iterator.next();
            }
            inScope = inScope.or(partition.tree().within(snapshot, IdSet.of(Arrays.copyOf(part, count)), tops));
            request.patience().check();
        }
        return inScope;
    }

    /** @return whether it was not in scope before */
    private boolean addSubtree(Dn top) {
        boolean added = false;
        for (NamingContexts.Context each : contexts.all()) {
            Partition partition = each.partition();
            if (each == contexts.of(top)) {
                added |= addTop(partition, top);
            } else if (contexts.isBelow(partition, top, SearchScope.SUBTREE)) {
                added |= addTop(partition, partition.suffix());
            }
        }
        return added;
    }

    private boolean addTop(Partition partition, Dn top) {
        Reached here = reached.computeIfAbsent(partition, none -> new Reached());
        try (Snapshot snapshot = partition.snapshot()) {
            long id = partition.resolve(snapshot, top);
            if (id == HierarchyKeys.NO_PARENT) {
                return false;
            }
            return !isCovered(snapshot, id, here.tops) && here.tops.add(id);
        }
    }

    private static boolean isCovered(Snapshot snapshot, long id, Set<Long> tops) {
        long up = id;
        while (up != HierarchyKeys.NO_PARENT && !tops.contains(up)) {
            up = snapshot.name(up).parentId();
        }
        return up != HierarchyKeys.NO_PARENT;
    }

    private void follow(Partition partition, Snapshot snapshot, IdSet aliases) throws DirectoryException {
        followed += aliases.cardinality();
        if (request.examinedLimit() > 0 && followed > request.examinedLimit()) {
            throw new ExaminedLimitException("there are " + followed
                    + " aliases in scope, and " + request.examinedLimit() + " entries may be examined");
        }
        for (IdSet.IdIterator iterator = aliases.iterator(); iterator.hasNext();) {
            request.patience().check();
            long alias = iterator.next();
            try {
                Dn target = resolver.target(partition, snapshot, alias, request.access());
                found.add(resolver.existing(target, request.access()));
            } catch (DirectoryException e) {
                LOG.debug("an alias is passed over in a search: {}", e.getMessage());
            }
        }
    }

    /** Whether the search gets to entries of this partition. */
    public boolean isIn(Partition partition) {
        return reached.containsKey(partition);
    }

    /** The entries in scope, as they are now. */
    public IdSet entries(Partition partition, Snapshot snapshot) {
        Reached here = reached.get(partition);
        IdSet all = partition.tree().subtrees(snapshot, here.tops);
        if (request.scope() == SearchScope.ONE_LEVEL && hasLevel(partition)) {
            all = children(partition, snapshot);
        } else if (request.scope() == SearchScope.CHILDREN && !basePassed) {
            long base = partition.resolve(snapshot, request.base());
            all = all.andNot(base == HierarchyKeys.NO_PARENT ? IdSet.EMPTY : IdSet.of(base));
        }
        for (long entry : here.entries) {
            all = all.or(snapshot.name(entry) == null ? IdSet.EMPTY : IdSet.of(entry));
        }
        return all;
    }
}
