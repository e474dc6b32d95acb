package org.alder.partition.update;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.dn.Rdn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.request.Modification;
import org.alder.partition.rule.EntryRules;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.SchemaChecker;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Transaction;
import org.alder.partition.store.WriteContext;
import org.alder.partition.tree.EntryView;
import org.alder.partition.update.edit.AttributeRules;
import org.alder.partition.update.edit.EntryEdit;
import org.alder.partition.update.edit.ModificationStep;
import org.alder.partition.update.rules.ContentRule;
import org.alder.partition.update.rules.Distribution;
import org.alder.partition.update.rules.StructureRules;
import org.alder.partition.update.rules.Subtree;
import org.alder.partition.update.rules.SuperiorRules;
import org.alder.partition.update.rules.UniqueValues;

/**
 * Changes the entries of one partition: add, delete, modify and modifyDN of RFC 4511 4.6 to 4.9, each atomic and checked against
 * the newest state. Thread safe. Where the rules of the partition or the schema change, each update is judged by those that hold when
 * its transaction runs.
 *
 * <p>What needs no other entry (schema, syntax, encoding) is done on the caller's thread; only the rest runs on the store's
 * writer thread. A future completes when the change is durable and visible to new snapshots, on the writer thread: continuations
 * must be short and must not block. It completes exceptionally with the {@link DirectoryException} that is the operation's
 * result, or with a {@link org.alder.partition.error.StoreException}; in both cases nothing was changed.
 */
public final class Updates {
    /** An update with so many may take long. */
    private static final int MANY_VALUES = 2000;
    /** One that adds or deletes so many may, too. */
    private static final int MANY_ENTRIES = 100;

    private final Partition partition;
    private final Submission submission;
    private final Schema schema;
    private final SchemaChecker checker;
    private final OperationalAttributes operationalAttributes;
    private final SuperiorRules superiorRules;
    private final StructureRules structureRules;
    private final UniqueValues entryUuids;
    private final EntryChecks checks;
    private final Renames renames;
    /** Of the rules that held the last time. */
    private volatile Judges last;

    public Updates(Partition partition) {
        this.partition = partition;
        submission = transaction -> {
            Transaction<EntryView> stamped = context -> transaction.run(new StampedWrites(context));
            return partition.submit(stamped.called(transaction.isLong(), transaction::what));
        };
        schema = partition.schema();
        checker = new SchemaChecker(schema);
        operationalAttributes = new OperationalAttributes(schema);
        superiorRules = new SuperiorRules(schema);
        structureRules = new StructureRules(partition);
        entryUuids = UniqueValues.ofEntryUuids(partition);
        checks = new EntryChecks(partition, checker, operationalAttributes);
        renames = new Renames(partition, checks, operationalAttributes, superiorRules, structureRules);
        last = Judges.of(partition, partition.rules(), checker, operationalAttributes);
    }

    /** By the rules that hold now: the same within one transaction. */
    private Judges judges() {
        EntryRules now = partition.rules();
        Judges known = last;
        if (known.of() != now) {
            known = Judges.of(partition, now, checker, operationalAttributes);
            last = known;
        }
        return known;
    }

    private Updates(Updates other, Submission submission) {
        this.partition = other.partition;
        this.submission = submission;
        this.schema = other.schema;
        this.checker = other.checker;
        this.operationalAttributes = other.operationalAttributes;
        this.superiorRules = other.superiorRules;
        this.structureRules = other.structureRules;
        this.entryUuids = other.entryUuids;
        this.checks = other.checks;
        this.renames = other.renames;
        this.last = other.judges();
    }

    /**
     * Adds an entry (RFC 4511 4.7).
     *
     * @return the entry as it was added. Fails with entryAlreadyExists; noSuchObject with matchedDN if the superior is missing;
     *     aliasProblem below an alias; and whatever {@link EntryPreparation#prepareAdd} finds
     */
    public CompletableFuture<EntryView> add(Dn dn, List<Attribute> attributes, UpdateOrigin origin) {
        return add(dn, attributes, origin, UpdateOptions.NONE);
    }

    /** As {@link #add(Dn, List, UpdateOrigin)}. */
    public CompletableFuture<EntryView> add(Dn dn, List<Attribute> attributes, UpdateOrigin origin, UpdateOptions options) {
        return submit("add", dn, attributes.stream().mapToLong(attribute -> attribute.values().size()).sum() >= MANY_VALUES, judges -> {
            List<Attribute> requested = judges.numbers() == null ? attributes : judges.numbers().requested(attributes);
            EntryRecord prepared = options.relaxed() ? judges.preparation().prepareRelaxed(dn, requested, origin)
                    : judges.preparation().prepareAdd(dn, requested, origin);
            for (ContentRule rule : judges.content()) {
                rule.check(prepared);
            }
            return context -> add(context, judges, dn, prepared, options);
        });
    }

    /**
     * Removes a leaf (RFC 4511 4.8).
     *
     * @return the entry as it was. Fails with noSuchObject and matchedDN, or notAllowedOnNonLeaf
     */
    public CompletableFuture<EntryView> delete(Dn dn, UpdateOrigin origin) {
        return delete(dn, origin, UpdateOptions.NONE);
    }

    /**
     * As {@link #delete(Dn, UpdateOrigin)}, with all below the entry if the options say so. Fails also with adminLimitExceeded
     * for more than {@value Subtree#MOST_ENTRIES} entries.
     */
    public CompletableFuture<EntryView> delete(Dn dn, UpdateOrigin origin, UpdateOptions options) {
        return submit(options.subtree() ? "delete of the subtree" : "delete", dn, options.subtree(),
                judges -> context -> delete(context, judges, dn, origin, options));
    }

    /**
     * Makes the modifications one after another, all or none (RFC 4511 4.6, RFC 4525).
     *
     * @return the entry as it is now. Fails with noSuchObject and matchedDN, attributeOrValueExists, noSuchAttribute,
     *     inappropriateMatching, notAllowedOnRDN, objectClassModsProhibited, constraintViolation, objectClassViolation,
     *     undefinedAttributeType, invalidAttributeSyntax or protocolError
     */
    public CompletableFuture<EntryView> modify(Dn dn, List<Modification> modifications, UpdateOrigin origin) {
        return modify(dn, modifications, origin, UpdateOptions.NONE);
    }

    /** As {@link #modify(Dn, List, UpdateOrigin)}. */
    public CompletableFuture<EntryView> modify(Dn dn, List<Modification> modifications, UpdateOrigin origin,
            UpdateOptions options) {
        return submit("modify", dn, modifications.stream().mapToLong(modification -> modification.values().size()).sum() >= MANY_VALUES, judges -> {
            List<ModificationStep> steps = ModificationStep.bind(schema, modifications, options.relaxed());
            for (ContentRule rule : judges.content()) {
                rule.check(steps);
            }
            return context -> modify(context, judges, dn, steps, origin, options);
        });
    }

    /**
     * Notes something in an entry that is no change of a client's: modifiersName and modifyTimestamp stay as they are. The entry
     * gets the number of the commit (entryCSN), so that copies get what was noted. Nothing to note is no commit.
     *
     * @param notes of operational attributes
     * @return the entry as it is now. Fails with noSuchObject and matchedDN
     */
    public CompletableFuture<EntryView> note(Dn dn, EntryNotes notes) {
        return submit("note", dn, false, judges -> context -> note(context, judges, dn, notes));
    }

    /**
     * Renames or moves an entry with all below it (RFC 4511 4.9), at a cost that does not grow with the subtree.
     *
     * @param deleteOldRdn whether the values of the old RDN leave the entry
     * @param newSuperior the new parent's DN, or null to stay
     * @return the entry as it is now. Fails with noSuchObject and matchedDN for a missing entry or superior, entryAlreadyExists,
     * affectsMultipleDSAs for a superior outside of this partition, unwillingToPerform for the suffix entry and for a superior
     * below the entry, namingViolation, aliasProblem, and what the schema forbids
     */
    public CompletableFuture<EntryView> rename(Dn dn, Rdn newRdn, boolean deleteOldRdn, Dn newSuperior, UpdateOrigin origin) {
        return rename(dn, newRdn, deleteOldRdn, newSuperior, origin, UpdateOptions.NONE);
    }

    /** As {@link #rename(Dn, Rdn, boolean, Dn, UpdateOrigin)}. */
    public CompletableFuture<EntryView> rename(Dn dn, Rdn newRdn, boolean deleteOldRdn, Dn newSuperior, UpdateOrigin origin,
            UpdateOptions options) {
        return submit("rename", dn, false, judges -> {
            Renaming renaming = new Renaming(dn, newRdn, deleteOldRdn, newSuperior, origin);
            renames.check(renaming);
            renames.requireHere(renaming);
            for (ContentRule rule : judges.content()) {
                rule.check(newRdn);
            }
            return context -> renames.rename(context, judges, renaming, options);
        });
    }

    /** What is wrong with a rename whatever the state is, but for the shard that it leads to. */
    void check(Renaming renaming) throws DirectoryException {
        renames.check(renaming);
    }

    /** What a rename to another shard takes along: nothing is changed. */
    CompletableFuture<MovedEntries> take(Renaming renaming, UpdateOptions options) {
        Transaction<MovedEntries> look = context -> renames.take(context.state(), renaming, options);
        return partition.submit(look.called(false, () -> "a look at \"" + renaming.dn().text() + '"'));
    }

    /** Deletes here what another shard gets, if it still is as it was. */
    Transaction<EntryView> departure(MovedEntries moved, Renaming renaming, UpdateOptions options) throws DirectoryException {
        return prepared("rename", renaming.dn(), moved.entries().size() >= MANY_ENTRIES,
                judges -> context -> renames.depart(new StampedWrites(context), moved, renaming, options));
    }

    /** Adds here what another shard gives. */
    Transaction<EntryView> arrival(MovedEntries moved, Renaming renaming, UpdateOptions options) throws DirectoryException {
        return prepared("rename", renaming.dn(), moved.entries().size() >= MANY_ENTRIES, judges -> {
            for (ContentRule rule : judges.content()) {
                rule.check(renaming.newRdn());
            }
            return context -> renames.arrive(new StampedWrites(context), judges, moved, renaming, options);
        });
    }

    /** Whether who asks may have here what another shard gives; the entry has no ID yet. */
    void requirePlace(Snapshot state, MovedEntries moved, Renaming renaming, UpdateWitness witness) throws DirectoryException {
        renames.requirePlace(state, moved, renaming, witness);
    }

    /** Where transactions go when they are prepared. */
    @FunctionalInterface
    private interface Submission {
        CompletableFuture<EntryView> submit(Transaction<EntryView> transaction);
    }

    /**
     * The same updates, which are not made one by one but put into the batch: their futures complete with it. What is wrong with
     * an update whatever the state is fails at once, and that update is not in the batch.
     */
    public Updates in(UpdateBatch batch) {
        return new Updates(this, transaction -> batch.add(partition, transaction));
    }

    /** Work on the caller's thread that ends in a transaction. */
    @FunctionalInterface
    private interface Preparation {
        Transaction<EntryView> prepare(Judges judges) throws DirectoryException;
    }

    /** What was checked by a schema, or by rules, that are changed before the transaction's turn is checked again in it. */
    private Transaction<EntryView> prepared(String kind, Dn dn, boolean isLong, Preparation preparation) throws DirectoryException {
        long version = schema.version();
        Judges judges = judges();
        Transaction<EntryView> prepared = preparation.prepare(judges);
        Transaction<EntryView> current = context ->
                (schema.version() == version && partition.rules() == judges.of() ? prepared : preparation.prepare(judges())).run(context);
        return current.called(isLong, () -> kind + " of \"" + dn.text() + '"');
    }

    private CompletableFuture<EntryView> submit(String kind, Dn dn, boolean isLong, Preparation preparation) {
        try {
            return submission.submit(prepared(kind, dn, isLong, preparation));
        } catch (DirectoryException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** @param prepared without its place and its number */
    private EntryView add(WriteContext context, Judges judges, Dn dn, EntryRecord prepared, UpdateOptions options) throws DirectoryException {
        Snapshot state = context.state();
        boolean isSuffix = dn.equals(partition.suffix());
        EntryView parent = isSuffix ? null : checks.requireSuperior(state, dn.parent(), dn);
        long parentId = isSuffix ? HierarchyKeys.NO_PARENT : parent.id();
        String parentDn = isSuffix ? partition.suffix().parent().text() : parent.dn();
        String dnText = dn.rdn().text() + (parentDn.isEmpty() ? "" : ",") + parentDn;
        EntryRecord placed = StampedWrites.placed(prepared, parentId, context.csn());
        long id = context.allocateId();
        if (options.witness() != null) {
            options.witness().placing(state, parent, new EntryView(id, placed, dnText));
        }
        if (!isSuffix) {
            superiorRules.check(parent);
        }
        EntryChecks.requireFree(state, parentId, dn.rdn(), 0, dnText);
        EntryRecord unnoted = judges.numbers() == null ? placed : judges.numbers().numbered(context, placed);
        EntryRecord record = options.notes() == null ? unnoted : noted(context, judges, unnoted, dnText, options.notes());
        structureRules.check(state, record, dnText);
        EntryView added = new EntryView(id, record, dnText);
        for (ContentRule rule : judges.content()) {
            rule.added(state, dn, added);
        }
        if (options.relaxed()) {
            entryUuids.added(state, dn, added);
        }
        options.finish(context.state(), null, added);
        context.add(id, record);
        options.written(context, added);
        return added;
    }

    private EntryView delete(WriteContext context, Judges judges, Dn dn, UpdateOrigin origin, UpdateOptions options) throws DirectoryException {
        EntryView entry = checks.requireEntry(context.state(), dn);
        options.check(context.state(), entry);
        if (partition.shard().isPart() && dn.equals(partition.suffix())) {
            throw Distribution.suffixStays(dn);
        }
        if (options.subtree()) {
            List<Long> ids = Subtree.leavesFirst(context.state(), entry);
            if (options.witness() != null) {
                options.witness().removing(context.state(), entry, ids);
            }
            options.finish(context.state(), EntryChecks.shown(context, entry, options), null);
            judges.references().deleted(context, entry, ids, origin);
            ids.forEach(context::delete);
            return entry;
        }
        // How many there are is not for everybody.
        if (context.state().cardinality(HierarchyKeys.INDEX, HierarchyKeys.children(entry.id())) > 0) {
            throw new DirectoryException(ResultCode.NOT_ALLOWED_ON_NON_LEAF, "the entry \"" + entry.dn()
                    + "\" has entries below it: only leaves can be deleted");
        }
        options.finish(context.state(), EntryChecks.shown(context, entry, options), null);
        judges.references().deleted(context, entry, List.of(entry.id()), origin);
        context.delete(entry.id());
        return entry;
    }

    private EntryView modify(WriteContext context, Judges judges, Dn dn, List<ModificationStep> asked, UpdateOrigin origin,
            UpdateOptions options) throws DirectoryException {
        EntryView entry = checks.requireEntry(context.state(), dn);
        options.check(context.state(), entry);
        EntryEdit edit = new EntryEdit(schema, context, entry, options.permissive());
        List<ModificationStep> steps = judges.numbers() == null ? asked : judges.numbers().numbered(context, asked);
        for (ModificationStep step : steps) {
            edit.apply(step);
        }
        for (ModificationStep note : notes(context, entry, options.notes())) {
            edit.note(note);
        }
        edit.requireRdnValues(dn.rdn());
        edit.addSuperclasses();
        operationalAttributes.stampChange(edit, steps, origin, context.csn());
        List<AttributeDelta> deltas = edit.deltas();
        EntryRecord after = judges.limits().require(entry.record(), entry.record().apply(deltas));
        checks.checkResult(entry.record(), after, deltas);
        for (ContentRule rule : judges.content()) {
            rule.modified(context.state(), new ContentRule.Changed(dn, dn, entry, new EntryView(entry.id(), after, entry.dn()), steps,
                    deltas));
        }
        EntryView before = EntryChecks.shown(context, entry, options);
        EntryView modified = new EntryView(entry.id(), before == entry ? after : before.record().apply(deltas), entry.dn());
        options.finish(context.state(), before, modified);
        context.modify(entry.id(), deltas);
        options.written(context, modified);
        return modified;
    }

    /** What the server itself changes in the entry. */
    private List<ModificationStep> notes(WriteContext context, EntryView before, EntryNotes notes) throws DirectoryException {
        if (notes == null) {
            return List.of();
        }
        List<ModificationStep> steps = new ArrayList<>();
        for (Modification modification : notes.of(context.state(), before)) {
            steps.add(ModificationStep.own(schema, modification));
        }
        return steps;
    }

    /** A new entry with what the server notes in it. */
    private EntryRecord noted(WriteContext context, Judges judges, EntryRecord record, String dn, EntryNotes notes) throws DirectoryException {
        EntryView added = new EntryView(HierarchyKeys.NO_PARENT, record, dn);
        EntryEdit edit = new EntryEdit(schema, context, added, true);
        for (ModificationStep note : notes(context, added, notes)) {
            edit.note(note);
        }
        EntryRecord noted = judges.limits().require(record, record.apply(edit.deltas()));
        AttributeRules.checkOperational(schema, noted.operationalAttributes());
        return noted;
    }

    private EntryView note(WriteContext context, Judges judges, Dn dn, EntryNotes notes) throws DirectoryException {
        EntryView entry = checks.requireEntry(context.state(), dn);
        EntryEdit edit = new EntryEdit(schema, context, entry, true);
        for (ModificationStep note : notes(context, entry, notes)) {
            edit.note(note);
        }
        List<AttributeDelta> deltas = edit.deltas();
        if (deltas.isEmpty()) {
            return entry;
        }
        EntryRecord after = judges.limits().require(entry.record(), entry.record().apply(deltas));
        EntryChecks.checkOperational(schema, after, deltas);
        context.modify(entry.id(), deltas);
        return new EntryView(entry.id(), after, entry.dn());
    }
}
