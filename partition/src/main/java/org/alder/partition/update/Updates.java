package org.alder.partition.update;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.dn.Rdn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.id.IdSet;
import org.alder.partition.request.Modification;
import org.alder.partition.rule.EntryLimits;
import org.alder.partition.rule.EntryRules;
import org.alder.partition.schema.ObjectClass;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.SchemaChecker;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.LargeValues;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Transaction;
import org.alder.partition.store.WriteContext;
import org.alder.partition.tree.EntryView;
import org.alder.partition.tree.ScopeSet;
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
    /**
     * An update may return so much of what a change may take in memory: it is there several times, before and after, and encoded.
     */
    private static final int SHOWN_PART = 16;
    /** An update with so many may take long. */
    private static final int MANY_VALUES = 2000;

    private final Partition partition;
    private final Submission submission;
    private final Schema schema;
    private final SchemaChecker checker;
    private final OperationalAttributes operationalAttributes;
    private final SuperiorRules superiorRules;
    private final StructureRules structureRules;
    private final UniqueValues entryUuids;
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
            Rename rename = new Rename(dn, newRdn, deleteOldRdn, newSuperior, origin, options);
            checkRename(rename);
            for (ContentRule rule : judges.content()) {
                rule.check(newRdn);
            }
            return context -> rename(context, judges, rename);
        });
    }

    private record Rename(Dn dn, Rdn newRdn, boolean deleteOldRdn, Dn newSuperior, UpdateOrigin origin,
            UpdateOptions options) {
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
        return new Updates(this, batch::add);
    }

    /** Work on the caller's thread that ends in a transaction. */
    @FunctionalInterface
    private interface Preparation {
        Transaction<EntryView> prepare(Judges judges) throws DirectoryException;
    }

    /** What was checked by a schema, or by rules, that are changed before the transaction's turn is checked again in it. */
    private CompletableFuture<EntryView> submit(String kind, Dn dn, boolean isLong, Preparation preparation) {
        long version = schema.version();
        Judges judges = judges();
        try {
            Transaction<EntryView> prepared = preparation.prepare(judges);
            Transaction<EntryView> current = context ->
                    (schema.version() == version && partition.rules() == judges.of() ? prepared : preparation.prepare(judges())).run(context);
            return submission.submit(current.called(isLong, () -> kind + " of \"" + dn.text() + '"'));
        } catch (DirectoryException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** @param prepared without its place and its number */
    private EntryView add(WriteContext context, Judges judges, Dn dn, EntryRecord prepared, UpdateOptions options) throws DirectoryException {
        Snapshot state = context.state();
        boolean isSuffix = dn.equals(partition.suffix());
        EntryView parent = isSuffix ? null : requireSuperior(state, dn.parent(), dn);
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
        requireFree(state, parentId, dn.rdn(), 0, dnText);
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
        EntryView entry = requireEntry(context.state(), dn);
        options.check(context.state(), entry);
        if (partition.shard().isPart() && dn.equals(partition.suffix())) {
            throw Distribution.suffixStays(dn);
        }
        if (options.subtree()) {
            List<Long> ids = Subtree.leavesFirst(context.state(), entry);
            if (options.witness() != null) {
                options.witness().removing(context.state(), entry, ids);
            }
            options.finish(context.state(), shown(context, entry, options), null);
            judges.references().deleted(context, entry, ids, origin);
            ids.forEach(context::delete);
            return entry;
        }
        // How many there are is not for everybody.
        if (context.state().cardinality(HierarchyKeys.INDEX, HierarchyKeys.children(entry.id())) > 0) {
            throw new DirectoryException(ResultCode.NOT_ALLOWED_ON_NON_LEAF, "the entry \"" + entry.dn()
                    + "\" has entries below it: only leaves can be deleted");
        }
        options.finish(context.state(), shown(context, entry, options), null);
        judges.references().deleted(context, entry, List.of(entry.id()), origin);
        context.delete(entry.id());
        return entry;
    }

    private EntryView modify(WriteContext context, Judges judges, Dn dn, List<ModificationStep> asked, UpdateOrigin origin,
            UpdateOptions options) throws DirectoryException {
        EntryView entry = requireEntry(context.state(), dn);
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
        checkResult(entry.record(), after, deltas);
        for (ContentRule rule : judges.content()) {
            rule.modified(context.state(), new ContentRule.Changed(dn, dn, entry, new EntryView(entry.id(), after, entry.dn()), steps,
                    deltas));
        }
        EntryView before = shown(context, entry, options);
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
        EntryView entry = requireEntry(context.state(), dn);
        EntryEdit edit = new EntryEdit(schema, context, entry, true);
        for (ModificationStep note : notes(context, entry, notes)) {
            edit.note(note);
        }
        List<AttributeDelta> deltas = edit.deltas();
        if (deltas.isEmpty()) {
            return entry;
        }
        EntryRecord after = judges.limits().require(entry.record(), entry.record().apply(deltas));
        AttributeRules.checkOperational(schema, after.operationalAttributes());
        context.modify(entry.id(), deltas);
        return new EntryView(entry.id(), after, entry.dn());
    }

    private void checkRename(Rename rename) throws DirectoryException {
        AttributeRules.requireNaming(rename.newRdn());
        if (rename.dn().equals(partition.suffix())) {
            throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, "the entry \"" + rename.dn().text()
                    + "\" is the suffix of its partition, which the configuration names: it cannot be renamed or moved");
        }
        requireSameShard(rename);
        Dn superior = rename.newSuperior();
        if (superior == null) {
            return;
        }
        if (!superior.isDescendantOrSelf(partition.suffix())) {
            throw new DirectoryException(ResultCode.AFFECTS_MULTIPLE_DSAS, "the new superior \"" + superior.text()
                    + "\" is outside of the partition \"" + partition.suffix().text()
                    + "\": entries cannot move between partitions");
        }
        if (superior.isDescendantOrSelf(rename.dn())) {
            throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, "the entry \"" + rename.dn().text()
                    + "\" cannot be moved below itself, to \"" + superior.text() + "\"");
        }
    }

    private void requireSameShard(Rename rename) throws DirectoryException {
        Dn superior = rename.newSuperior() == null ? rename.dn().parent() : rename.newSuperior();
        Dn name = superior.child(rename.newRdn());
        if (partition.shard().isPart() && name.isDescendantOrSelf(partition.suffix()) && !partition.holds(name)) {
            throw Distribution.betweenShards(rename.dn(), name, partition.suffix());
        }
    }

    private EntryView rename(WriteContext context, Judges judges, Rename rename) throws DirectoryException {
        Snapshot state = context.state();
        EntryView entry = requireEntry(state, rename.dn());
        rename.options().check(state, entry);
        Dn superior = rename.newSuperior() == null ? rename.dn().parent() : rename.newSuperior();
        EntryView parent = requireSuperior(state, superior, superior);
        requireDepth(judges.limits(), state, entry, rename.dn().size(), superior.size() + 1);
        String newDn = rename.newRdn().text() + "," + parent.dn();
        byte[] rdn = rename.newRdn().text().getBytes(StandardCharsets.UTF_8);
        if (rename.options().witness() != null) {
            EntryRecord moved = entry.record().moved(parent.id(), rdn, List.of());
            rename.options().witness().placing(state, parent, new EntryView(entry.id(), moved, newDn));
        }
        superiorRules.check(parent);
        requireFree(state, parent.id(), rename.newRdn(), entry.id(), newDn);
        List<AttributeDelta> deltas = renameDeltas(context, judges, entry, rename, newDn);
        EntryRecord after = judges.limits().require(entry.record(), entry.record().moved(parent.id(), rdn, deltas));
        checkResult(entry.record(), after, deltas);
        structureRules.check(state, after, newDn);
        structureRules.checkBelow(state, entry, after);
        for (ContentRule rule : judges.content()) {
            rule.renamed(state, new ContentRule.Changed(rename.dn(), superior.child(rename.newRdn()), entry,
                    new EntryView(entry.id(), after, newDn), List.of(), deltas));
        }
        EntryView before = shown(context, entry, rename.options());
        EntryView renamed = new EntryView(entry.id(),
                before == entry ? after : before.record().moved(parent.id(), rdn, deltas), newDn);
        rename.options().finish(state, before, renamed);
        context.rename(entry.id(), parent.id(), rdn, deltas);
        rename.options().written(context, renamed);
        return renamed;
    }

    /** What stays as deep as it was is not refused, so that a lower limit locks nothing. */
    private static void requireDepth(EntryLimits limits, Snapshot state, EntryView entry, int before, int after) throws DirectoryException {
        if (after > before && ScopeSet.isDeeper(state, entry.id(), limits.depth() - after)) {
            throw limits.tooDeep(entry.dn());
        }
    }

    /** The entry as a witness is to see it: itself, if that is enough. */
    private static EntryView shown(WriteContext context, EntryView entry, UpdateOptions options) throws DirectoryException {
        List<LargeAttribute> wanted = options.witness() != null && entry.record().hasLarge()
                ? entry.record().largeAttributes().stream().filter(options.witness()::wantsValues).toList() : List.of();
        if (wanted.isEmpty()) {
            return entry;
        }
        long bytes = wanted.stream().mapToLong(LargeAttribute::valueBytes).sum();
        if (bytes > context.heapLimitBytes() / SHOWN_PART) {
            throw new DirectoryException(ResultCode.ADMIN_LIMIT_EXCEEDED, "the entry \"" + entry.dn() + "\" has " + bytes
                    + " bytes of values, too many to be returned by an update: nothing is changed; do without "
                    + wanted.get(0).description() + " or read it by a search");
        }
        EntryRecord whole = new LargeValues(context.state(), entry.id()).whole(entry.record(), wanted);
        return new EntryView(entry.id(), whole, entry.dn());
    }

    /** Changes the references of other entries too. */
    private List<AttributeDelta> renameDeltas(WriteContext context, Judges judges, EntryView entry, Rename rename, String newDn)
            throws DirectoryException {
        EntryEdit edit = new EntryEdit(schema, context, entry, false);
        if (rename.deleteOldRdn()) {
            edit.removeRdnValues(Rdn.parse(schema, entry.record().rdn()));
        }
        edit.addRdnValues(rename.newRdn());
        judges.references().renamed(context, entry, edit, newDn, rename.origin());
        operationalAttributes.stampChange(edit, rename.origin(), context.csn());
        return edit.deltas();
    }

    private void checkResult(EntryRecord before, EntryRecord after, List<AttributeDelta> deltas) throws DirectoryException {
        Set<String> changed = new HashSet<>();
        for (AttributeDelta delta : deltas) {
            if (!delta.operational()) {
                changed.add(delta.description());
            }
        }
        if (!changed.isEmpty()) {
            List<String> large = after.largeAttributes().stream().map(LargeAttribute::description).toList();
            ObjectClass structural = checker.check(after.userAttributes(), after.operationalAttributes(), large,
                    attribute -> changed.contains(attribute.description()));
            operationalAttributes.requireSameStructure(schema, before, structural);
        }
        AttributeRules.checkOperational(schema, after.operationalAttributes());
    }

    private EntryView requireEntry(Snapshot state, Dn dn) throws DirectoryException {
        EntryView entry = partition.read(state, dn);
        if (entry == null) {
            throw DirectoryException.noSuchObject(dn.text(), partition.matchedDn(state, dn));
        }
        return entry;
    }

    /** The entry under which another is to be put. */
    private EntryView requireSuperior(Snapshot state, Dn superior, Dn target) throws DirectoryException {
        EntryView entry = superior.isDescendantOrSelf(partition.suffix()) ? partition.read(state, superior) : null;
        if (entry == null) {
            throw new DirectoryException(ResultCode.NO_SUCH_OBJECT,
                    "the superior entry \"" + superior.text() + "\" does not exist", partition.matchedDn(state, target));
        }
        return entry;
    }

    /** @param ownId the entry that may have the name, 0 for none */
    private static void requireFree(Snapshot state, long parentId, Rdn rdn, long ownId, String dn) throws DirectoryException {
        IdSet holders = state.ids(HierarchyKeys.INDEX, HierarchyKeys.rdn(parentId, rdn.normalized()));
        if (!holders.isEmpty() && !holders.contains(ownId)) {
            throw new DirectoryException(ResultCode.ENTRY_ALREADY_EXISTS, "the entry \"" + dn + "\" already exists");
        }
    }
}
