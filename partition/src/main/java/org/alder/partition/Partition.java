package org.alder.partition;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.alder.partition.derived.Candidate;
import org.alder.partition.derived.Memberships;
import org.alder.partition.derived.OtherShards;
import org.alder.partition.derived.VirtualAttributes;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.filter.CandidateEntry;
import org.alder.partition.filter.EntryAccess;
import org.alder.partition.id.IdSet;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
import org.alder.partition.index.IndexedAttribute;
import org.alder.partition.prepared.Lock;
import org.alder.partition.prepared.LockedException;
import org.alder.partition.prepared.ShardLocks;
import org.alder.partition.query.SearchCursor;
import org.alder.partition.query.SearchQuery;
import org.alder.partition.query.order.OrderedPart;
import org.alder.partition.request.Patience;
import org.alder.partition.request.SortOrder;
import org.alder.partition.rule.EntryRules;
import org.alder.partition.rule.NumberRange;
import org.alder.partition.rule.UniqueRule;
import org.alder.partition.rule.UniqueValue;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.LargeValues;
import org.alder.partition.store.Replica;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;
import org.alder.partition.store.StoreMaintenance;
import org.alder.partition.store.Transaction;
import org.alder.partition.tree.EntryTree;
import org.alder.partition.tree.EntryView;
import org.alder.partition.tree.Shard;
import org.alder.partition.tree.SpecialEntries;

/**
 * One naming context, or a shard of one: the entries at and below a suffix, in one store. Reading and searching are here; changes are in
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
    private final EntryTree tree;
    private final Set<AttributeType> ignoredIndexes;
    /** Of which its suffix entry tells. */
    private final OtherShards readShards = new OtherShards();
    /** Of the newest state that was read, with the rules that hold now. */
    private volatile IndexView newest;
    /** Null where there are no other shards. */
    private volatile ShardClaims claims;

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
        this(schema, new EntryTree(suffix), definitions, store, rules, ignoredIndexes);
    }

    /** The same. @param tree which names it holds */
    public Partition(Schema schema, EntryTree tree, List<IndexDefinition> definitions, Store store, EntryRules rules,
            Set<AttributeType> ignoredIndexes) {
        this.schema = schema;
        this.store = store;
        this.gate = new UpdateGate(store);
        this.ignoredIndexes = ignoredIndexes;
        this.tree = tree;
        AttributeIndexer indexer = shownIndexer() instanceof AttributeIndexer ofStore ? ofStore : new AttributeIndexer(schema, definitions);
        this.newest = IndexView.of(schema, indexer, tree, rules, ignoredIndexes, readShards);
        this.claims = tree.shard().isPart() ? new ShardClaims(this, new ShardGroup(List.of(this), null, ShardGroup.MOST_MILLIS, Host.MACHINE))
                : null;
    }

    /** Where another machine has the entries, it need not be there yet. */
    private EntryIndexer shownIndexer() {
        if (isElsewhere()) {
            return store.indexer();
        }
        try (Snapshot snapshot = store.snapshot()) {
            return snapshot.indexer();
        }
    }

    /** What reads the state by the indexes that are complete in it. */
    private IndexView view(Snapshot snapshot) {
        IndexView view = newest;
        return snapshot.indexer() == view.indexer() || !(snapshot.indexer() instanceof AttributeIndexer indexer) ? view
                : viewOfOther(indexer);
    }

    /** Of a state before or after the indexes were changed. */
    private IndexView viewOfOther(AttributeIndexer indexer) {
        IndexView view = IndexView.of(schema, indexer, tree, rules(), ignoredIndexes, readShards);
        synchronized (this) {
            if (store.indexer() == indexer && view.rules() == newest.rules()) {
                newest = view;
            }
        }
        return view;
    }

    private AttributeIndexer newestIndexer() {
        return store.indexer() instanceof AttributeIndexer ofStore ? ofStore : newest.indexer();
    }

    /**
     * Changes the indexes of the open partition ({@link StoreMaintenance#changeIndexes}): returns when searches that are planned from
     * now on do not use what is not wanted any more, and updates keep up what is; what is new is used as soon as it is complete.
     *
     * @param anew the types whose indexes are to be built though they are there
     * @throws DirectoryException unwillingToPerform, naming an attribute of {@link #fixedIndexes}, or the reason why the store cannot do
     *     it; busy while the schema or the indexes are being changed
     */
    public void changeIndexes(List<IndexDefinition> wanted, Set<AttributeType> anew) throws DirectoryException {
        changeIndexes(now -> now.changedTo(wanted, anew));
    }

    /** The same with another threshold from which on values that are written are kept outside of their entry's record. */
    public void changeIndexes(List<IndexDefinition> wanted, int largeAttributeThreshold) throws DirectoryException {
        changeIndexes(now -> now.changedTo(wanted, Set.of(), largeAttributeThreshold));
    }

    /**
     * Has indexes built anew, which serve until the new ones are complete.
     *
     * @throws DirectoryException as {@link #changeIndexes}; noSuchAttribute for a type that has none
     */
    public void rebuildIndexes(Set<AttributeType> types) throws DirectoryException {
        changeIndexes(now -> {
            for (AttributeType type : types) {
                if (now.definitions().stream().noneMatch(each -> each.type() == type)) {
                    throw new DirectoryException(ResultCode.NO_SUCH_ATTRIBUTE, "there is no index of " + type.name() + " in "
                            + suffix().text());
                }
            }
            return now.changedTo(now.definitions(), types);
        });
    }

    /** @throws DirectoryException if {@link #changeIndexes} would refuse these, as far as can be said before */
    public void requireChangeable(List<IndexDefinition> wanted) throws DirectoryException {
        AttributeIndexer target = newestIndexer().changedTo(wanted, Set.of());
        requireFixed(target);
        if (isElsewhere()) {
            // Those who have the entries look.
            return;
        }
        try (Snapshot now = store.snapshot()) {
            if (!LargeValues.mayStay(now, target)) {
                throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, LargeValues.IN_THE_WAY);
            }
        }
    }

    /** What indexes there are to be, and what is to be built. */
    @FunctionalInterface
    private interface IndexChange {
        AttributeIndexer of(AttributeIndexer now) throws DirectoryException;
    }

    private void changeIndexes(IndexChange change) throws DirectoryException {
        try {
            gate.closeFollowing();
        } catch (IllegalStateException e) {
            throw new DirectoryException(ResultCode.BUSY, "the schema or the indexes are being changed: try it again");
        }
        try {
            AttributeIndexer target = change.of(newestIndexer());
            requireFixed(target);
            store.maintenance().changeIndexes(target);
        } catch (StoreException e) {
            if (e.kind() != StoreException.Kind.REFUSED) {
                throw e;
            }
            throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, e.getMessage());
        } finally {
            gate.open();
        }
    }

    /**
     * The types whose indexes stay as they are while a partition is open, as others than searches know them by their numbers, or go by
     * whether there are any: dynamic groups, {@code memberOf} and rules between entries.
     */
    public static Set<AttributeType> fixedIndexes(Schema schema, EntryRules rules) {
        Stream<AttributeType> named = Stream.of("memberURL", "entryUUID").map(schema::attributeType).filter(Objects::nonNull);
        return Stream.concat(ruled(rules), named).collect(Collectors.toSet());
    }

    private static Stream<AttributeType> ruled(EntryRules rules) {
        List<UniqueRule> tried = rules.trial() == null ? List.of() : rules.trial().rules();
        return Stream.of(rules.memberOf().stream(), rules.references().attributes().stream(),
                Stream.concat(rules.unique().stream(), tried.stream()).flatMap(rule -> rule.attributes().stream()),
                rules.numbers().stream().map(NumberRange::type)).flatMap(each -> each);
    }

    private void requireFixed(AttributeIndexer target) throws DirectoryException {
        for (AttributeType type : fixedIndexes(schema, rules())) {
            IndexedAttribute now = newest.indexer().index(type);
            IndexedAttribute then = target.index(type);
            boolean same = target.definitions().stream().filter(each -> each.type() == type).count() == (now == null ? 0 : 1);
            if (!same || now != null && (then == null || then.number() != now.number() || target.isReplaced(then))) {
                throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, "the index of " + type.name() + " stays as it is while the"
                        + " server runs, because memberOf, dynamic groups or rules between entries depend on it: take " + type.name()
                        + " out of memberOf, reference, unique and autoNumber first, or stop the server to change it");
            }
        }
    }

    public Schema schema() {
        return schema;
    }

    public Dn suffix() {
        return tree.suffix();
    }

    /** Which of the names below the suffix it holds. */
    public Shard shard() {
        return tree.shard();
    }

    /** Whether an entry of this name is in this partition, if there is one and it is in no partition with a longer suffix. */
    public boolean holds(Dn dn) {
        return dn.isDescendantOrSelf(suffix()) && shard().holds(suffix(), dn);
    }

    /** The suffix, and which shard it is if it is one: different for all partitions of a server. */
    public String label() {
        return shard().isPart() ? suffix().text() + " (" + shard().text() + ")" : suffix().text();
    }

    public Store store() {
        return store;
    }

    /**
     * Has the shards of a naming context know of each other, so that the suffix entry tells of all of them, values are unique in all of them, and there can be
     * transactions of several; before anything is written.
     *
     * @param shards  all of them, in the order of their numbers
     * @param writers who writes them; null where this process alone does
     */
    public static void join(List<Partition> shards, ShardWriters writers) {
        join(shards, writers, ShardGroup.MOST_MILLIS, Host.MACHINE);
    }

    /** The same. @param mostMillis how long an update waits for others, and @param host where */
    public static void join(List<Partition> shards, ShardWriters writers, long mostMillis, Host host) {
        ShardGroup group = new ShardGroup(shards, writers, mostMillis, host);
        for (Partition each : shards) {
            each.claims = new ShardClaims(each, group);
            each.readShards.know(shards.stream().filter(other -> other != each)
                    .map(other -> new OtherShards.Other(other::snapshot, now -> other.view(now).around())).toList());
        }
    }

    /** This one and the shards it was {@link #join}ed with; null where all entries of the naming context are here. */
    public ShardGroup shards() {
        ShardClaims known = claims;
        return known == null ? null : known.group();
    }

    /** The other shards that this one was {@link #join}ed with; none where there are none. Others may write them. */
    public List<Partition> otherShards() {
        ShardClaims known = claims;
        return known == null ? List.of() : known.others();
    }

    /** What undecided transactions of several shards keep from others in the newest state that is shown. */
    ShardLocks locks() {
        return claims.locks();
    }

    /**
     * Keeps a value that is to be unique in all shards from the others, until the transaction that runs now is shown or has failed: after that nothing
     * that is about to be written in {@link #otherShards} is missing in their snapshots, where this process writes them all. Only in a transaction.
     *
     * @return whether an entry of another shard has it, as those say who write these; false where this process does, and snapshots tell it
     * @throws DirectoryException adminLimitExceeded for too many values; constraintViolation where another part of the same transaction has it
     * @throws LockedException that has to end the transaction, which is then made again, where another one has the value at the moment
     */
    public boolean claim(UniqueValue value) throws DirectoryException {
        ShardClaims known = claims;
        return known != null && known.claim(value);
    }

    /** Whether a value may be about to be written in this shard, as far as this process knows. What is not, and is written later, is claimed later. */
    public boolean isClaimed(UniqueValue value) {
        ShardClaims known = claims;
        return known != null && known.isClaimed(value);
    }

    /**
     * As {@link Store#submit}, but for transactions waiting as long as updates are held, long ones for each other, and those that {@link #claim} values, or
     * change what a transaction of several shards is about to change, for others.
     */
    public <T> CompletableFuture<T> submit(Transaction<T> transaction) {
        ShardClaims known = claims;
        return known == null ? let(transaction) : known.submit(transaction, this::let);
    }

    /**
     * The same as a part of a transaction of several shards, of which this is one.
     *
     * @return completes exceptionally with a {@link LockedException} where it would have to wait for another transaction
     */
    public <T> CompletableFuture<T> submitPart(UUID of, Transaction<T> transaction) {
        return claims.submitPart(of, transaction, this::let);
    }

    /** What such a part that runs now has claimed, and in which branches it has changed something; in its transaction. */
    public Set<Lock> touched() {
        return claims.touched();
    }

    private <T> CompletableFuture<T> let(Transaction<T> transaction) {
        return transaction.isLong() ? longUpdates.submit(transaction, gate::submit) : gate.submit(transaction);
    }

    /**
     * Lets no further transaction into the store, and returns when those before have ended. They wait without a thread; the
     * caller lets them in again, soon.
     *
     * @throws IllegalStateException if updates are held already
     * @throws DirectoryException busy where a transaction of several shards is not decided, whose changes are checked and not made: then updates are not held
     * @throws org.alder.partition.error.StoreException if the store takes no transactions now: then updates are not held
     */
    public void holdUpdates() throws DirectoryException {
        hold(gate::close);
    }

    /** The same also where another store leads, whose transactions go on: for what each has of its own. */
    public void holdOwnUpdates() throws DirectoryException {
        hold(gate::closeFollowing);
    }

    private void hold(Runnable closing) throws DirectoryException {
        ShardGroup group = shards();
        if (group != null) {
            group.hold();
        }
        boolean held = false;
        try {
            closing.run();
            held = true;
            if (group != null && isWritten() && !locks().isEmpty()) {
                gate.open();
                held = false;
                throw new DirectoryException(ResultCode.BUSY, "a transaction of several shards is not decided yet in " + label() + ": try it again");
            }
        } finally {
            if (!held && group != null) {
                group.release();
            }
        }
    }

    /** Whether transactions are made here, and not by another store that leads. */
    private boolean isWritten() {
        Replica replica = store.replica();
        return replica == null || replica.role() == Replica.Role.LEADER;
    }

    /** Lets the transactions in that have waited, in their order, and all that come. */
    public void resumeUpdates() {
        gate.open();
        ShardGroup group = shards();
        if (group != null) {
            group.release();
        }
    }

    /** Whether this process holds none of the entries, so that whoever reads them waits for another machine: on no thread that others wait for. */
    public boolean isElsewhere() {
        Replica replica = store.replica();
        return replica != null && replica.role() == Replica.Role.ELSEWHERE;
    }

    /** How the entries hang together. */
    public EntryTree tree() {
        return tree;
    }

    /** What holds between the entries. */
    public EntryRules rules() {
        return newest.rules();
    }

    /**
     * What holds from now on. Whoever calls it holds updates meanwhile ({@link #holdUpdates}), so that each is judged by one of the two
     * alone, and has seen to it that {@link #requireIndexed} grants them; {@code org.alder.partition.update.RuleChange} does both.
     */
    public synchronized void changeRules(EntryRules rules) {
        newest = IndexView.of(schema, newestIndexer(), tree, rules, ignoredIndexes, readShards);
    }

    /**
     * @throws DirectoryException unwillingToPerform, naming an attribute that the rules go by, other than those of now, whose index is not
     *     there, or is being built
     */
    public void requireIndexed(EntryRules rules) throws DirectoryException {
        AttributeIndexer now = newestIndexer();
        if (now != newest.indexer()) {
            // Whoever looks at the data by indexes that have just become complete asks this partition for them.
            viewOfOther(now);
        }
        Set<AttributeType> known = ruled(rules()).collect(Collectors.toSet());
        for (AttributeType type : ruled(rules).filter(each -> !known.contains(each)).collect(Collectors.toSet())) {
            IndexedAttribute index = now.index(type);
            if (index == null || !index.has(IndexKind.EQUALITY) || now.isReplaced(index)) {
                throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, "the index of " + type.name() + " is not complete: expected the"
                        + " rule that depends on it when it is, which cn=Monitor shows");
            }
        }
    }

    /** The attributes of entries that are not stored, as of a snapshot. */
    public VirtualAttributes virtualAttributes(Snapshot snapshot) {
        return view(snapshot).virtualAttributes();
    }

    /** Who is a member of which groups. */
    public Memberships memberships() {
        return newest.around().memberships();
    }

    /** Who would be, apart from groups by URL, if these were the attributes that name members. */
    public Memberships membershipsBy(List<AttributeType> attributes) {
        return Memberships.of(schema, newestIndexer(), attributes, tree);
    }

    /** The entries of a reader's snapshot that are not {@link #completed} as they are stored. */
    public IdSet incomplete(Snapshot snapshot) {
        return view(snapshot).around().facts(snapshot).dynamicGroups(snapshot);
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
        IndexView view = view(snapshot);
        Candidate group = EntryAccess.isOfAll(access) ? null
                : view.around().candidate(snapshot, new EntryView(id, record, dnOf(snapshot, id)));
        return view.dynamicGroups().completed(snapshot, id, record, wanted, member -> group == null || group.isMemberShown(member, access),
                patience);
    }

    /** The aliases and referral objects, which are known without a look at an index if nothing changed since the last time. */
    public SpecialEntries special(Snapshot snapshot) {
        return view(snapshot).around().facts(snapshot).special(snapshot);
    }

    /** Derives the keys; whether indexes beside those that rules depend on are complete may be another thing in each snapshot. */
    public AttributeIndexer indexer() {
        return newest.indexer();
    }

    /** Those that there are, or are being built. */
    public List<IndexDefinition> indexes() {
        return newestIndexer().definitions();
    }

    /** The most values that an attribute has in the entry's record, 0 for no limit. */
    public int largeAttributeThreshold() {
        return newestIndexer().largeAttributeThreshold();
    }

    /** The types of those that are being built, or could not be. */
    public Set<AttributeType> unfinishedIndexes() {
        return newestIndexer().typesBuilding();
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
        if (id == HierarchyKeys.NO_PARENT) {
            return null;
        }
        EntryRecord record = snapshot.entry(id);
        return new EntryView(id, record, record == null ? dnOf(snapshot, id) : tree.dnOf(snapshot, record));
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
        return view(snapshot).planner().open(snapshot, query);
    }

    /** The same for what an ordered list has of this partition. @param position which of all partitions this is */
    public OrderedPart ordered(int position, Snapshot snapshot, SearchQuery query, SortOrder order) throws DirectoryException {
        return view(snapshot).planner().part(position, snapshot, query, order);
    }

    /** An entry, also one that is not in the snapshot yet, as filters see it. The snapshot must stay open. */
    public CandidateEntry candidate(Snapshot snapshot, EntryView entry) {
        return view(snapshot).around().candidate(snapshot, entry);
    }

    /** The same as filters of somebody see it who may know no more than this. */
    public CandidateEntry candidate(Snapshot snapshot, EntryView entry, EntryAccess access) {
        Candidate candidate = view(snapshot).around().candidate(snapshot, entry);
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

    /** The same while clients may still read it, and follow its changes: {@link Store#retire}. */
    public void retire() {
        store.retire();
    }
}
