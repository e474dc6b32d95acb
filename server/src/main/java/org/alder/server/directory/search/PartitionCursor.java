package org.alder.server.directory.search;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.alder.partition.Partition;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryAttributes;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.id.IdSet;
import org.alder.partition.index.IndexKind;
import org.alder.partition.query.MissingIndex;
import org.alder.partition.query.PatientSnapshot;
import org.alder.partition.query.QueryPlan;
import org.alder.partition.query.SearchCursor;
import org.alder.partition.query.SearchQuery;
import org.alder.partition.query.order.OrderedPart;
import org.alder.partition.query.order.OrderedSource;
import org.alder.partition.request.ListView;
import org.alder.partition.request.OrderedList;
import org.alder.partition.request.Patience;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.NeverWaits;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.EntryView;
import org.alder.server.directory.EntryCursor;
import org.alder.server.directory.SearchCost;
import org.alder.server.directory.SearchPosition;
import org.alder.server.directory.SearchRequest;
import org.alder.server.directory.ValueCursor;
import org.alder.server.directory.naming.NameResolver;
import org.alder.server.directory.naming.NamingContexts;
import org.alder.server.directory.naming.References;
import org.alder.server.resource.IndexUse;
import org.alder.server.resource.UnindexedSearches;

/**
 * What one search finds in one or several partitions. They come one after the other, each read at the point in time when its turn comes.
 * Where an order is wanted all are read at the point in time when the search begins, and if it can be had, as one.
 */
final class PartitionCursor implements EntryCursor {
    /**
     * A search in one partition.
     *
     * @param snapshot of the partition, which the cursor takes over; null if it is to be opened when the turn comes
     * @param position the partition's place in the configuration
     * @param required whether its base must exist
     * @param exhausted whether all its entries were on the pages before
     */
    record Part(NamingContexts.Context partition, Snapshot snapshot, int position, SearchQuery query, boolean required,
            boolean exhausted) {
    }

    /** Whose turn has not come. */
    private final Deque<Part> parts;
    private final SearchRequest request;
    private final SearchExtents extents;
    private final NameResolver resolver;
    /** Null while there are none. */
    private References references;
    /** Those that are searched together; else first the one whose turn it is. */
    private final List<OpenPart> open = new ArrayList<>(1);
    /** Of all that are open if there is an order, else of the first. */
    private SearchCursor cursor;
    /** Which one the entry is in. */
    private OpenPart part;
    /** Null where it is the stored one. */
    private EntryRecord completed;
    /** Null until something is worked out for an entry. */
    private EntryMemory entryMemory;
    private final OrderedList list;
    private boolean ordered;
    private final IndexUse use;
    private ListView view;
    private boolean namesPreferred;
    private long returned;
    /** Of the parts that have been searched, those that are open included. */
    private final List<Planned> planned = new ArrayList<>(1);
    /** In those that were closed. */
    private long examined;

    /** How a part was searched: not its plan, which holds the candidates. */
    private record Planned(String suffix, boolean isWalk, List<MissingIndex> missing, List<String> indexes) {
    }

    /**
     * Opens the first part, so that a missing base is known at once.
     *
     * @param extents what the search gets to see; null if that is what base and scope say
     * @param use is told which indexes are read
     */
    PartitionCursor(List<Part> parts, SearchRequest request, SearchExtents extents, NameResolver resolver, IndexUse use)
            throws DirectoryException {
        this.parts = new ArrayDeque<>(parts);
        this.request = request;
        this.extents = extents;
        this.resolver = resolver;
        this.list = request.list();
        this.use = use;
        this.returned = request.after().returned();
        boolean opened = false;
        try {
            requireMayWait();
            if (list == null) {
                openNext();
            } else {
                openAll();
            }
            opened = true;
        } finally {
            if (!opened) {
                close();
            }
        }
    }

    /** Before anything is found: what comes later could not be begun anew on a thread that may. */
    private void requireMayWait() {
        for (Part each : parts) {
            if (each.partition.partition().isElsewhere()) {
                NeverWaits.requireOther("other members are asked for entries");
            }
        }
    }

    private void openNext() throws DirectoryException {
        while (open.isEmpty() && !parts.isEmpty()) {
            open(parts.poll());
        }
        cursor = open.isEmpty() ? null : open.get(0).cursor();
    }

    private void openAll() throws DirectoryException {
        while (!parts.isEmpty()) {
            open(parts.poll());
        }
        if (open.isEmpty()) {
            ordered = true;
            view = list.window() == null ? null : ListView.ofNothing(list.window());
            return;
        }
        SearchCursor inOrder = OrderedSource.search(list, open.stream().map(OpenPart::ordered).toList());
        ordered = inOrder != null;
        cursor = ordered ? inOrder : open.get(0).cursor();
    }

    /** Opens nothing where there is nothing to be found. */
    private void open(Part next) throws DirectoryException {
        Snapshot snapshot = next.snapshot == null ? next.partition.partition().snapshot() : next.snapshot;
        boolean kept = false;
        try {
            OpenPart opened = opened(next, next.partition.partition(), snapshot);
            if (opened != null) {
                open.add(opened);
                kept = true;
                count(opened);
            }
        } finally {
            if (!kept) {
                snapshot.close();
            }
        }
    }

    private OpenPart opened(Part next, Partition partition, Snapshot snapshot) throws DirectoryException {
        if (!next.required && partition.resolve(snapshot, next.query.base()) == HierarchyKeys.NO_PARENT) {
            return null;
        }
        if (next.required && partition.isHidden(snapshot, next.query.base(), request.access())) {
            throw DirectoryException.noSuchObject(next.query.base().text(), partition.matchedDn(snapshot, next.query.base()));
        }
        SearchQuery query = extents == null ? next.query : extents.of(partition, snapshot, next.query);
        if (extents != null) {
            refer(partition, extents.referrals(partition, snapshot, query));
        }
        if (next.exhausted) {
            return null;
        }
        Snapshot looked = PatientSnapshot.of(snapshot, request.patience());
        IdSet incomplete = partition.incomplete(snapshot);
        OrderedPart inOrder = list == null ? null : partition.ordered(next.position, snapshot, query, list.order());
        SearchCursor found = list == null ? partition.search(snapshot, query) : inOrder.matches();
        return new OpenPart(partition, next.position, snapshot, looked, found, inOrder, incomplete);
    }

    private void count(OpenPart opened) throws DirectoryException {
        if (namesPreferred) {
            opened.cursor().preferNames();
        }
        QueryPlan plan = opened.cursor().plan();
        use.count(opened.partition().label(), plan.indexes());
        planned.add(new Planned(opened.partition().suffix().text(), plan.candidates() == null, plan.missing(), plan.indexes()));
        if (request.indexed()) {
            requireIndexed(plan);
        }
    }

    private void refer(Partition partition, IdSet referrals) {
        if (!referrals.isEmpty()) {
            references = references == null ? new References(resolver, request.scope(), request.access()) : references;
            references.add(partition, referrals);
        }
    }

    /** Entries that are tested among few candidates are no reason to refuse. */
    private static void requireIndexed(QueryPlan plan) throws DirectoryException {
        if (plan.candidates() == null && !plan.missing().isEmpty()) {
            throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, "the search would look at all entries, because "
                    + "there is no index that answers the filter on " + String.join(", ", plan.missingIndexes())
                    + "; the control 1.3.6.1.4.1.30221.2.5.54 asks to refuse it then");
        }
    }

    @Override
    public void preferNames() {
        namesPreferred = true;
        open.forEach(each -> each.cursor().preferNames());
        if (cursor != null) {
            cursor.preferNames();
        }
    }

    @Override
    public Step step(int maxExamined) throws DirectoryException {
        forgetCompleted();
        while (cursor != null) {
            SearchCursor.Step step = cursor.step(maxExamined);
            if (step == SearchCursor.Step.MATCH) {
                part = open.get(ordered ? cursor.part() : 0);
                returned++;
                return Step.MATCH;
            } else if (step == SearchCursor.Step.PAUSED) {
                return Step.PAUSED;
            }
            view = cursor.listView();
            endTurn();
        }
        return references != null && references.next() ? Step.REFERENCE : Step.END;
    }

    private void endTurn() throws DirectoryException {
        examined += cursor.examined();
        if (ordered) {
            release();
        } else {
            cursor = null;
            open.remove(0).close();
        }
        openNext();
    }

    private void forgetCompleted() {
        completed = null;
        if (entryMemory != null) {
            entryMemory.release();
        }
    }

    @Override
    public List<String> references() {
        return references.urls();
    }

    @Override
    public String dn() {
        return cursor.dn();
    }

    @Override
    public EntryAttributes attributes() {
        return completed == null ? cursor.record() : completed;
    }

    @Override
    public EntryAttributes stored() {
        return cursor.stored();
    }

    @Override
    public boolean isIncomplete() {
        return !part.incomplete().isEmpty() && part.incomplete().contains(cursor.id());
    }

    @Override
    public void complete(Predicate<AttributeType> wanted) throws DirectoryException {
        if (!isIncomplete()) {
            return;
        }
        EntryRecord stored = cursor.record();
        EntryRecord whole = part.partition().completed(part.looked(), cursor.id(), stored, wanted, request.access(), entryMemory());
        if (whole != stored) {
            completed = whole;
        }
    }

    private EntryMemory entryMemory() {
        entryMemory = entryMemory == null ? new EntryMemory(request.patience()) : entryMemory;
        return entryMemory;
    }

    @Override
    public void requireTime() throws DirectoryException {
        request.patience().check();
    }

    @Override
    public long heldBytes() {
        return ordered && cursor != null ? cursor.heldBytes() : open.stream().mapToLong(each -> each.cursor().heldBytes()).sum();
    }

    @Override
    public ValueCursor openValues(LargeAttribute attribute) {
        return new OpenValues(cursor.largeValues().open(attribute));
    }

    @Override
    public void writeDn(BerWriter out) {
        cursor.writeDn(out, BerWriter.OCTET_STRING);
    }

    @Override
    public AttributeAccess access() {
        return cursor.access();
    }

    @Override
    public List<Attribute> virtualAttributes(Predicate<AttributeType> wanted) {
        EntryView entry = completed == null ? cursor.view() : new EntryView(cursor.id(), completed, cursor.dn());
        return part.partition().virtualAttributes(part.looked()).of(part.looked(), entry, wanted, request.access(), entryMemory()::holdOrGiveUp);
    }

    @Override
    public boolean isOrdered() {
        return ordered;
    }

    @Override
    public ListView listView() {
        return view;
    }

    @Override
    public SearchCost cost(boolean isDetailed) {
        boolean isWalk = false;
        List<UnindexedSearches.Missing> missing = List.of();
        Set<String> indexes = isDetailed ? new TreeSet<>() : Set.of();
        for (Planned each : planned) {
            isWalk |= each.isWalk;
            if (!each.missing.isEmpty()) {
                missing = missing.isEmpty() ? new ArrayList<>() : missing;
                addMissing(each, missing);
            }
            if (isDetailed) {
                indexes.addAll(each.indexes);
            }
        }
        return new SearchCost(examined + (cursor == null ? 0 : cursor.examined()), isWalk, missing, List.copyOf(indexes));
    }

    private static void addMissing(Planned planned, List<UnindexedSearches.Missing> to) {
        for (MissingIndex index : planned.missing) {
            if (index.isAttribute() && index.index() != null) {
                to.add(new UnindexedSearches.Missing(planned.suffix, index.name(), word(index.index())));
            }
        }
    }

    /** As the key has it. */
    private static String word(IndexKind kind) {
        return switch (kind) {
            case EQUALITY -> "eq";
            case SUBSTRING -> "sub";
            case PRESENCE -> "pres";
        };
    }

    @Override
    public List<String> plan() {
        return cursor == null ? List.of() : cursor.plan().toString().lines().toList();
    }

    @Override
    public SearchPosition position() {
        return new SearchPosition(part.position(), cursor.id(), returned);
    }

    @Override
    public void close() {
        forgetCompleted();
        release();
        for (Part left = parts.poll(); left != null; left = parts.poll()) {
            if (left.snapshot != null) {
                left.snapshot.close();
            }
        }
    }

    private void release() {
        if (ordered && cursor != null) {
            cursor.close();
        }
        cursor = null;
        open.forEach(OpenPart::close);
        open.clear();
    }
}
