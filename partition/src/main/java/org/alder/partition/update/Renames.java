package org.alder.partition.update;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.dn.Rdn;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.Csn;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.id.IdSet;
import org.alder.partition.rule.EntryLimits;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.WriteContext;
import org.alder.partition.tree.EntryView;
import org.alder.partition.tree.ScopeSet;
import org.alder.partition.update.edit.AttributeRules;
import org.alder.partition.update.edit.EntryEdit;
import org.alder.partition.update.rules.ContentRule;
import org.alder.partition.update.rules.Distribution;
import org.alder.partition.update.rules.StructureRules;
import org.alder.partition.update.rules.SuperiorRules;

/**
 * Gives entries other names and places: within a partition, where what is below them costs nothing, and from a shard to another one, where all of it is
 * added there and deleted here. Thread safe; in transactions.
 */
final class Renames {
    private final Partition partition;
    private final Schema schema;
    private final EntryChecks checks;
    private final OperationalAttributes operationalAttributes;
    private final SuperiorRules superiorRules;
    private final StructureRules structureRules;

    Renames(Partition partition, EntryChecks checks, OperationalAttributes operationalAttributes, SuperiorRules superiorRules, StructureRules structureRules) {
        this.partition = partition;
        this.schema = partition.schema();
        this.checks = checks;
        this.operationalAttributes = operationalAttributes;
        this.superiorRules = superiorRules;
        this.structureRules = structureRules;
    }

    /** What is wrong whatever the state is. */
    void check(Renaming renaming) throws DirectoryException {
        AttributeRules.requireNaming(renaming.newRdn());
        if (renaming.dn().equals(partition.suffix())) {
            throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, "the entry \"" + renaming.dn().text()
                    + "\" is the suffix of its partition, which the configuration names: it cannot be renamed or moved");
        }
        Dn superior = renaming.newSuperior();
        if (superior != null && !superior.isDescendantOrSelf(partition.suffix())) {
            throw new DirectoryException(ResultCode.AFFECTS_MULTIPLE_DSAS, "the new superior \"" + superior.text()
                    + "\" is outside of the partition \"" + partition.suffix().text()
                    + "\": entries cannot move between partitions");
        }
        if (superior != null && superior.isDescendantOrSelf(renaming.dn())) {
            throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, "the entry \"" + renaming.dn().text()
                    + "\" cannot be moved below itself, to \"" + superior.text() + "\"");
        }
    }

    /** Whether the new name is this partition's. */
    void requireHere(Renaming renaming) throws DirectoryException {
        if (partition.shard().isPart() && !partition.holds(renaming.newName())) {
            throw Distribution.betweenShards(renaming.dn(), renaming.newName(), partition.suffix());
        }
    }

    EntryView rename(WriteContext context, Judges judges, Renaming renaming, UpdateOptions options) throws DirectoryException {
        Snapshot state = context.state();
        EntryView entry = checks.requireEntry(state, renaming.dn());
        options.check(state, entry);
        Dn superior = renaming.superior();
        EntryView parent = checks.requireSuperior(state, superior, superior);
        requireDepth(judges.limits(), state, entry, renaming.dn().size(), superior.size() + 1);
        String newDn = renaming.newRdn().text() + "," + parent.dn();
        byte[] rdn = renaming.newRdn().text().getBytes(StandardCharsets.UTF_8);
        if (options.witness() != null) {
            options.witness().placing(state, parent, placed(entry, parent, renaming.newRdn()));
        }
        superiorRules.check(parent);
        EntryChecks.requireFree(state, parent.id(), renaming.newRdn(), entry.id(), newDn);
        EntryEdit edit = edit(context, entry, renaming);
        judges.references().renamed(context, entry, edit, newDn, renaming.origin());
        List<AttributeDelta> deltas = stamped(context, edit, renaming);
        EntryRecord after = judges.limits().require(entry.record(), entry.record().moved(parent.id(), rdn, deltas));
        checks.checkResult(entry.record(), after, deltas);
        structureRules.check(state, after, newDn);
        structureRules.checkBelow(state, entry, after);
        for (ContentRule rule : judges.content()) {
            rule.renamed(state, new ContentRule.Changed(renaming.dn(), superior.child(renaming.newRdn()), entry,
                    new EntryView(entry.id(), after, newDn), List.of(), deltas));
        }
        EntryView before = EntryChecks.shown(context, entry, options);
        EntryView renamed = new EntryView(entry.id(),
                before == entry ? after : before.record().moved(parent.id(), rdn, deltas), newDn);
        options.finish(state, before, renamed);
        context.rename(entry.id(), parent.id(), rdn, deltas);
        options.written(context, renamed);
        return renamed;
    }

    /** What stays as deep as it was is not refused, so that a lower limit locks nothing. */
    private static void requireDepth(EntryLimits limits, Snapshot state, EntryView entry, int before, int after) throws DirectoryException {
        if (after > before && ScopeSet.isDeeper(state, entry.id(), limits.depth() - after)) {
            throw limits.tooDeep(entry.dn());
        }
    }

    private EntryEdit edit(WriteContext context, EntryView entry, Renaming renaming) throws DirectoryException {
        EntryEdit edit = new EntryEdit(schema, context, entry, false);
        if (renaming.deleteOldRdn()) {
            edit.removeRdnValues(Rdn.parse(schema, entry.record().rdn()));
        }
        edit.addRdnValues(renaming.newRdn());
        return edit;
    }

    private List<AttributeDelta> stamped(WriteContext context, EntryEdit edit, Renaming renaming) throws DirectoryException {
        operationalAttributes.stampChange(edit, renaming.origin(), context.csn());
        return edit.deltas();
    }

    /** What is to go to another shard: looks at it alone. */
    MovedEntries take(Snapshot state, Renaming renaming, UpdateOptions options) throws DirectoryException {
        EntryView entry = checks.requireEntry(state, renaming.dn());
        options.check(state, entry);
        return MovedEntries.of(partition, state, entry);
    }

    /** Deletes what another shard gets. @throws ChangedException where that is not what is there */
    EntryView depart(WriteContext context, MovedEntries moved, Renaming renaming, UpdateOptions options) throws DirectoryException {
        Snapshot state = context.state();
        EntryView entry = checks.requireEntry(state, renaming.dn());
        options.check(state, entry);
        if (!MovedEntries.of(partition, state, entry).isSame(moved)) {
            throw new ChangedException(entry.dn());
        }
        options.finish(state, EntryChecks.shown(context, entry, options), entry);
        List<MovedEntries.Moved> entries = moved.entries();
        for (int i = entries.size() - 1; i >= 0; i--) {
            context.delete(entries.get(i).id());
        }
        return entry;
    }

    /** Adds what another shard gives. */
    EntryView arrive(WriteContext context, Judges judges, MovedEntries moved, Renaming renaming, UpdateOptions options) throws DirectoryException {
        Snapshot state = context.state();
        Dn superior = renaming.superior();
        EntryView parent = checks.requireSuperior(state, superior, superior);
        if (superior.size() + 1 > renaming.dn().size() && superior.size() + 1 + moved.depth() > judges.limits().depth()) {
            throw judges.limits().tooDeep(moved.top().dn());
        }
        String newDn = renaming.newRdn().text() + "," + parent.dn();
        byte[] rdn = renaming.newRdn().text().getBytes(StandardCharsets.UTF_8);
        long id = context.allocateId();
        EntryView entry = new EntryView(id, moved.top().whole(), moved.top().dn());
        if (options.witness() != null) {
            options.witness().placing(state, parent, placed(entry, parent, renaming.newRdn()));
        }
        superiorRules.check(parent);
        EntryChecks.requireFree(state, parent.id(), renaming.newRdn(), 0, newDn);
        List<AttributeDelta> deltas = stamped(context, edit(context, entry, renaming), renaming);
        EntryRecord after = judges.limits().require(entry.record(), entry.record().moved(parent.id(), rdn, deltas));
        checks.checkResult(entry.record(), after, deltas);
        EntryView arrived = new EntryView(id, after, newDn);
        structureRules.check(state, after, newDn);
        for (ContentRule rule : judges.content()) {
            rule.arrived(state, new ContentRule.Changed(renaming.dn(), renaming.newName(), entry, arrived, List.of(), deltas));
        }
        context.add(id, after);
        arriveBelow(context, judges, moved, arrived);
        options.written(context, arrived);
        return arrived;
    }

    /** Whether who asks may have there what another shard gives: with the last ID of all, which no entry with others below it has. */
    void requirePlace(Snapshot state, MovedEntries moved, Renaming renaming, UpdateWitness witness) throws DirectoryException {
        EntryView parent = checks.requireSuperior(state, renaming.superior(), renaming.superior());
        witness.placing(state, parent, placed(new EntryView(IdSet.MAX_ID, moved.top().whole(), moved.top().dn()), parent, renaming.newRdn()));
    }

    /** With its new name and place, and else as it is. */
    private static EntryView placed(EntryView entry, EntryView parent, Rdn rdn) {
        return new EntryView(entry.id(), entry.record().moved(parent.id(), rdn.text().getBytes(StandardCharsets.UTF_8), List.of()), rdn.text() + "," + parent.dn());
    }

    private void arriveBelow(WriteContext context, Judges judges, MovedEntries moved, EntryView top) throws DirectoryException {
        List<EntryView> there = new ArrayList<>(List.of(top));
        byte[] csn = context.csn().bytes();
        for (MovedEntries.Moved each : moved.entries().subList(1, moved.entries().size())) {
            EntryView above = there.get(each.above());
            EntryView before = new EntryView(context.allocateId(), each.whole(), each.dn());
            byte[] csnBefore = Csn.in(each.whole());
            EntryRecord placed = each.whole().moved(above.id(), each.whole().rdnBytes(),
                    List.of(new AttributeDelta(Csn.ENTRY_CSN, true, csnBefore == null ? List.of() : List.of(csnBefore), List.of(csn))));
            EntryView after = new EntryView(before.id(), placed, placed.rdn() + "," + above.dn());
            there.add(after);
            // The one above it is there by then.
            context.advance();
            structureRules.check(context.state(), placed, after.dn());
            for (ContentRule rule : judges.content()) {
                rule.arrived(context.state(), new ContentRule.Changed(Dn.stored(schema, before.dn()), Dn.stored(schema, after.dn()), before, after, List.of(), List.of()));
            }
            context.add(after.id(), placed);
        }
    }
}
