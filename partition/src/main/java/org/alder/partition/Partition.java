package org.alder.partition;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.alder.partition.derived.Candidate;
import org.alder.partition.derived.CollectiveAttributes;
import org.alder.partition.derived.Memberships;
import org.alder.partition.derived.StateFacts;
import org.alder.partition.derived.Surroundings;
import org.alder.partition.derived.VirtualAttributes;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.filter.CandidateEntry;
import org.alder.partition.filter.EntryAccess;
import org.alder.partition.id.IdSet;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.query.SearchCursor;
import org.alder.partition.query.SearchQuery;
import org.alder.partition.query.plan.DynamicGroups;
import org.alder.partition.query.plan.QueryPlanner;
import org.alder.partition.request.OrderedList;
import org.alder.partition.request.Patience;
import org.alder.partition.rule.EntryRules;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;
import org.alder.partition.store.Transaction;
import org.alder.partition.tree.EntryTree;
import org.alder.partition.tree.EntryView;
import org.alder.partition.tree.SpecialEntries;

/**
 * One naming context: the entries at and below a suffix, in one store. Reading and searching are here; changes are in
 * {@code org.alder.partition.update}. Thread safe. Reads take a snapshot that the caller opened and closes.
 *
 * <p>The suffix entry's parent is {@link HierarchyKeys#NO_PARENT} and its record holds, as every entry's, only
 * its own RDN ({@code dc=example} of {@code dc=example,dc=com}); the rest of its DN comes from the suffix.
 */
public final class Partition implements AutoCloseable {
    private final Schema schema;
    private final Store store;
    private final UpdateGate gate;
    private final LongUpdates longUpdates = new LongUpdates();
    private final AttributeIndexer indexer;
    private final EntryTree tree;
    private final Surroundings around;
    private final EntryRules rules;
    /** Null if there can be none. */
    private final DynamicGroups dynamicGroups;
    private final VirtualAttributes virtualAttributes;
    private final QueryPlanner planner;

    /**
     * @param suffix not the root
     * @param definitions those of the {@link AttributeIndexer} the store was opened with, in the same order
     * @param store closed with this partition
     */
    public Partition(Schema schema, Dn suffix, List<IndexDefinition> definitions, Store store) {
        this(schema, suffix, definitions, store, EntryRules.standard(schema), Set.of());
    }

    /**
     * @param rules what holds between entries; the attributes they are about have equality indexes
     * @param ignoredIndexes attribute types whose indexes are kept up to date but not used by searches, for measurements
     */
    public Partition(Schema schema, Dn suffix, List<IndexDefinition> definitions, Store store, EntryRules rules,
            Set<AttributeType> ignoredIndexes) {
        this.schema = schema;
        this.store = store;
        this.gate = new UpdateGate(store);
        this.rules = rules;
        this.indexer = new AttributeIndexer(schema, definitions);
        this.tree = new EntryTree(suffix);
        CollectiveAttributes collective = new CollectiveAttributes(schema, tree);
        Surroundings named = new Surroundings(schema, tree, Memberships.of(schema, indexer, rules.memberOf(), tree), collective,
                new StateFacts.Known(schema, collective, DynamicGroups.index(schema, indexer)));
        this.dynamicGroups = DynamicGroups.of(schema, indexer, named, ignoredIndexes);
        this.around = named.with(dynamicGroups);
        this.virtualAttributes = new VirtualAttributes(schema, around);
        this.planner = new QueryPlanner(schema, indexer, around, ignoredIndexes);
    }

    public Schema schema() {
        return schema;
    }

    public Dn suffix() {
        return tree.suffix();
    }

    public Store store() {
        return store;
    }

    /** As {@link Store#submit}, but for transactions waiting as long as updates are held, and long ones for each other. */
    public <T> CompletableFuture<T> submit(Transaction<T> transaction) {
        return transaction.isLong() ? longUpdates.submit(transaction, gate::submit) : gate.submit(transaction);
    }

    /**
     * Lets no further transaction into the store, and returns when those before have ended. They wait without a thread; the
     * caller lets them in again, soon.
     *
     * @throws IllegalStateException if updates are held already
     * @throws org.alder.partition.error.StoreException if the store takes no transactions now: then updates are not held
     */
    public void holdUpdates() {
        gate.close();
    }

    /** Lets the transactions in that have waited, in their order, and all that come. */
    public void resumeUpdates() {
        gate.open();
    }

    /** How the entries hang together. */
    public EntryTree tree() {
        return tree;
    }

    /** What holds between the entries. */
    public EntryRules rules() {
        return rules;
    }

    /** The attributes of entries that are not stored. */
    public VirtualAttributes virtualAttributes() {
        return virtualAttributes;
    }

    /** Who is a member of which groups. */
    public Memberships memberships() {
        return around.memberships();
    }

    /** The entries of a reader's snapshot that are not {@link #completed} as they are stored. */
    public IdSet incomplete(Snapshot snapshot) {
        return around.facts(snapshot).dynamicGroups(snapshot);
    }

    /**
     * The record of an entry that is {@link #incomplete} as clients are to see it: a dynamic group has the members that its URLs
     * find.
     *
     * @param wanted which attributes are to be returned: what is not wanted costs nothing
     * @param access what whoever asks may know of entries
     * @param patience grants the memory for it
     * @throws DirectoryException adminLimitExceeded if there are too many; busy if there is no memory for them now
     */
    public EntryRecord completed(Snapshot snapshot, long id, EntryRecord record, Predicate<AttributeType> wanted,
            EntryAccess access, Patience patience) throws DirectoryException {
        Candidate group = EntryAccess.isOfAll(access) ? null : around.candidate(snapshot, new EntryView(id, record, dnOf(snapshot, id)));
        return dynamicGroups.completed(snapshot, id, record, wanted, member -> group == null || group.isMemberShown(member, access),
                patience);
    }

    /** The aliases and referral objects, which are known without a look at an index if nothing changed since the last time. */
    public SpecialEntries special(Snapshot snapshot) {
        return around.facts(snapshot).special(snapshot);
    }

    /** Derives the same keys as the one the store was opened with. */
    public AttributeIndexer indexer() {
        return indexer;
    }

    public List<IndexDefinition> indexes() {
        return indexer.definitions();
    }

    /** The newest acknowledged state; the caller must close it. */
    public Snapshot snapshot() {
        return store.snapshot();
    }

    /** The ID of the entry with this DN, or 0: there is none, or the DN is not under the suffix. */
    public long resolve(Snapshot snapshot, Dn dn) {
        return tree.resolve(snapshot, dn);
    }

    /**
     * The entry's DN as it is spelt.
     *
     * @throws org.alder.partition.error.StoreException CORRUPT if the entry or a parent is missing
     */
    public String dnOf(Snapshot snapshot, long id) {
        return tree.dnOf(snapshot, id);
    }

    /** @return null if there is no entry with this DN */
    public EntryView read(Snapshot snapshot, Dn dn) {
        long id = resolve(snapshot, dn);
        return id == HierarchyKeys.NO_PARENT ? null : new EntryView(id, snapshot.entry(id), dnOf(snapshot, id));
    }

    /** The ID of the deepest existing entry at or above the DN; 0 if not even the suffix entry is one. */
    public long deepestExisting(Snapshot snapshot, Dn dn) {
        return tree.deepestExisting(snapshot, dn);
    }

    /** The DN of {@link #deepestExisting}, empty if there is none: matchedDN of RFC 4511 4.1.9. */
    public String matchedDn(Snapshot snapshot, Dn dn) {
        long id = deepestExisting(snapshot, dn);
        return id == HierarchyKeys.NO_PARENT ? "" : dnOf(snapshot, id);
    }

    /**
     * Plans a search. The cursor reads the snapshot and must be closed before it.
     *
     * @throws DirectoryException noSuchObject with matchedDN if the base does not exist; adminLimitExceeded if the filter is
     *     too large
     */
    public SearchCursor search(Snapshot snapshot, SearchQuery query) throws DirectoryException {
        return planner.open(snapshot, query, null);
    }

    /** The same in an order, if the cursor then says so. @param list null for the order of IDs */
    public SearchCursor search(Snapshot snapshot, SearchQuery query, OrderedList list) throws DirectoryException {
        return planner.open(snapshot, query, list);
    }

    /** An entry, also one that is not in the snapshot yet, as filters see it. The snapshot must stay open. */
    public CandidateEntry candidate(Snapshot snapshot, EntryView entry) {
        return around.candidate(snapshot, entry);
    }

    /** The same as filters of somebody see it who may know no more than this. */
    public CandidateEntry candidate(Snapshot snapshot, EntryView entry, EntryAccess access) {
        Candidate candidate = around.candidate(snapshot, entry);
        return EntryAccess.isOfAll(access) ? candidate : candidate.searchedBy(access);
    }

    /** Whether whoever may know no more than this knows of no entry with this DN, though it may be there. */
    public boolean isHidden(Snapshot snapshot, Dn dn, EntryAccess access) {
        Boolean found = access.mayFind(dn);
        if (found != null) {
            return !found;
        }
        EntryView entry = read(snapshot, dn);
        return entry != null && access.of(candidate(snapshot, entry)) == AttributeAccess.NONE;
    }

    @Override
    public void close() {
        store.close();
    }
}
