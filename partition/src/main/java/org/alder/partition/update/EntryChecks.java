package org.alder.partition.update;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.dn.Rdn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.AttributeCursor;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.id.IdSet;
import org.alder.partition.schema.ObjectClass;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.SchemaChecker;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.LargeValues;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.WriteContext;
import org.alder.partition.tree.EntryView;
import org.alder.partition.update.edit.AttributeRules;

/** What all kinds of updates ask of entries in their transactions. Thread safe. */
public final class EntryChecks {
    /**
     * An update may return so much of what a change may take in memory: it is there several times, before and after, and encoded.
     */
    private static final int SHOWN_PART = 16;

    private final Partition partition;
    private final Schema schema;
    private final SchemaChecker checker;
    private final OperationalAttributes operationalAttributes;

    EntryChecks(Partition partition, SchemaChecker checker, OperationalAttributes operationalAttributes) {
        this.partition = partition;
        this.schema = partition.schema();
        this.checker = checker;
        this.operationalAttributes = operationalAttributes;
    }

    EntryView requireEntry(Snapshot state, Dn dn) throws DirectoryException {
        EntryView entry = partition.read(state, dn);
        if (entry == null) {
            throw DirectoryException.noSuchObject(dn.text(), partition.matchedDn(state, dn));
        }
        return entry;
    }

    /** The entry under which another is to be put. */
    EntryView requireSuperior(Snapshot state, Dn superior, Dn target) throws DirectoryException {
        EntryView entry = superior.isDescendantOrSelf(partition.suffix()) ? partition.read(state, superior) : null;
        if (entry == null) {
            throw new DirectoryException(ResultCode.NO_SUCH_OBJECT,
                    "the superior entry \"" + superior.text() + "\" does not exist", partition.matchedDn(state, target));
        }
        return entry;
    }

    /** @param ownId the entry that may have the name, 0 for none */
    static void requireFree(Snapshot state, long parentId, Rdn rdn, long ownId, String dn) throws DirectoryException {
        IdSet holders = state.ids(HierarchyKeys.INDEX, HierarchyKeys.rdn(parentId, rdn.normalized()));
        if (!holders.isEmpty() && !holders.contains(ownId)) {
            throw new DirectoryException(ResultCode.ENTRY_ALREADY_EXISTS, "the entry \"" + dn + "\" already exists");
        }
    }

    /** Whether an entry may be what a change makes of it. What is not changed was checked before. */
    void checkResult(EntryRecord before, EntryRecord after, List<AttributeDelta> deltas) throws DirectoryException {
        ObjectClass structural = structural(checker, after, deltas);
        if (structural != null) {
            operationalAttributes.requireSameStructure(schema, before, structural);
        }
        checkOperational(schema, after, deltas);
    }

    /** The structural object class of an entry whose attributes may be what a change makes of them; null where they are the same ones as before. */
    public static ObjectClass structural(SchemaChecker checker, EntryRecord after, List<AttributeDelta> deltas) throws DirectoryException {
        Set<String> changed = new HashSet<>();
        boolean areTheSame = true;
        for (AttributeDelta delta : deltas) {
            // A class may require an operational attribute; what the server notes replaces one value by another.
            areTheSame &= delta.operational() && !delta.removed().isEmpty() && !delta.added().isEmpty();
            changed.add(delta.description());
        }
        return areTheSame ? null : checker.check(after, changed::contains);
    }

    /** Looks at the values of the operational attributes that were changed. */
    public static void checkOperational(Schema schema, EntryRecord after, List<AttributeDelta> deltas) throws DirectoryException {
        Set<String> operational = new HashSet<>();
        for (AttributeDelta delta : deltas) {
            if (delta.operational()) {
                operational.add(delta.description());
            }
        }
        AttributeCursor cursor = after.operationalCursor();
        while (!operational.isEmpty() && cursor.next()) {
            String description = cursor.description();
            if (operational.remove(description)) {
                AttributeRules.checkOperational(schema, new Attribute(description, cursor.values()));
            }
        }
    }

    /** The entry as a witness is to see it: itself, if that is enough. */
    static EntryView shown(WriteContext context, EntryView entry, UpdateOptions options) throws DirectoryException {
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
}
