package org.alder.partition.update;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.AttributeCursor;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.DnForm;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.id.IdSet;
import org.alder.partition.index.IndexKeys;
import org.alder.partition.index.IndexedAttribute;
import org.alder.partition.rule.ReferenceRule;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.StoredValues;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.KeyRange;
import org.alder.partition.store.LargeValues;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.WriteContext;
import org.alder.partition.tree.EntryView;
import org.alder.partition.update.edit.AttributeEdit;
import org.alder.partition.update.edit.EntryEdit;

/**
 * Keeps the values that name entries true when these are deleted or renamed, in the same transaction. Normal forms of DNs start
 * with those of the DNs above them, so that all references to a subtree are one range of an index's keys, whatever its size.
 * Values with a unique identifier name no entry and are left alone. Immutable, thread safe; used on the store's writer thread.
 */
final class ReferenceIntegrity {
    /** More would keep all other writers waiting. */
    static final int MOST_REFERRERS = 10_000;
    /** As many values may change in them: about twenty seconds of work. */
    static final int MOST_VALUES = 250_000;

    private final Partition partition;
    private final Schema schema;
    private final ReferenceRule rule;
    private final OperationalAttributes operationalAttributes;
    private final List<IndexedAttribute> indexes;

    ReferenceIntegrity(Partition partition, ReferenceRule rule, OperationalAttributes operationalAttributes) {
        this.partition = partition;
        this.schema = partition.schema();
        this.rule = rule;
        this.operationalAttributes = operationalAttributes;
        this.indexes = rule.attributes().stream().map(partition.indexer()::index).toList();
    }

    /**
     * One name, or all at and below it.
     *
     * @param form of the DN
     */
    private record Target(Dn dn, byte[] form, boolean below) {
        boolean holds(byte[] value) {
            return (below || value.length == form.length) && DnForm.isAtOrBelow(value, form) && !DnForm.hasUid(value);
        }
    }

    private Target target(Snapshot state, EntryView entry) throws DirectoryException {
        Dn dn = Dn.parse(schema, entry.dn());
        boolean below = state.cardinality(HierarchyKeys.INDEX, HierarchyKeys.children(entry.id())) > 0;
        return new Target(dn, dn.normalized(), below);
    }

    /**
     * Takes the entry's name, and those of all below it, out of the entries that stay.
     *
     * @param deleted the IDs of all entries that go
     * @throws DirectoryException adminLimitExceeded if too many entries name them
     */
    void deleted(WriteContext context, EntryView entry, List<Long> deleted, UpdateOrigin origin) throws DirectoryException {
        if (indexes.isEmpty()) {
            return;
        }
        Target target = target(context.state(), entry);
        Map<Long, Set<Form>> referrers = referrers(context.state(), target);
        Set<Long> gone = new HashSet<>(deleted);
        referrers.keySet().removeIf(gone::contains);
        change(context, referrers, target, null, origin);
    }

    /**
     * Gives the references in other entries the new name, those to entries below too.
     *
     * @param self of the entry that is renamed; its own references are changed in it
     * @throws DirectoryException adminLimitExceeded if too many entries name them
     */
    void renamed(WriteContext context, EntryView entry, EntryEdit self, String newDn, UpdateOrigin origin)
            throws DirectoryException {
        if (indexes.isEmpty()) {
            return;
        }
        Target target = target(context.state(), entry);
        Dn renamed = Dn.parse(schema, newDn);
        Map<Long, Set<Form>> referrers = referrers(context.state(), target);
        Set<Form> own = referrers.remove(entry.id());
        if (own != null) {
            change(self, context.state(), entry, own, target, renamed);
        }
        change(context, referrers, target, renamed, origin);
    }

    /** A value that is meant: by its normal form in one index, or any value in it, where the form is too long to be told. */
    private record Form(IndexedAttribute index, byte[] form) {
    }

    /** Who has which of the meant values. */
    private static final class Referrers {
        private final Target target;
        private final Map<Long, Set<Form>> forms = new LinkedHashMap<>();
        private long values;

        Referrers(Target target) {
            this.target = target;
        }

        void add(IdSet ids, Form form) throws DirectoryException {
            values += ids.cardinality();
            for (IdSet.IdIterator each = ids.iterator(); each.hasNext() && forms.size() <= MOST_REFERRERS;) {
                forms.computeIfAbsent(each.next(), none -> new HashSet<>()).add(form);
            }
            if (forms.size() > MOST_REFERRERS || values > MOST_VALUES) {
                throw new DirectoryException(ResultCode.ADMIN_LIMIT_EXCEEDED,
                        (values > MOST_VALUES ? "more than " + MOST_VALUES + " values name"
                                : "more than " + MOST_REFERRERS + " entries name") + " \"" + target.dn.text()
                        + "\" or an entry below it,"
                        + " too many to be changed at once: change these, or parts of the subtree, first");
            }
        }
    }

    private Map<Long, Set<Form>> referrers(Snapshot state, Target target) throws DirectoryException {
        Referrers referrers = new Referrers(target);
        for (IndexedAttribute index : indexes) {
            byte[] key = IndexKeys.equality(target.form);
            if (!target.below) {
                referrers.add(state.ids(index.number(), key), new Form(index, target.form));
                continue;
            }
            if (!IndexKeys.isLong(target.form)) {
                addRange(state, index, KeyRange.ofPrefix(key), false, referrers);
            }
            addRange(state, index, KeyRange.ofPrefix(IndexKeys.longEqualityRange(target.form, null).from()), true, referrers);
        }
        return referrers.forms;
    }

    private void addRange(Snapshot state, IndexedAttribute index, KeyRange range, boolean longForms, Referrers referrers)
            throws DirectoryException {
        try (Snapshot.KeyCursor keys = state.keys(index.number(), range)) {
            while (keys.next()) {
                byte[] form = longForms ? null : Arrays.copyOfRange(keys.key(), 1, keys.key().length);
                if (longForms || referrers.target.holds(form)) {
                    referrers.add(keys.ids(), new Form(index, form));
                }
            }
        }
    }

    /** @param renamed null where values are taken out */
    private void change(WriteContext context, Map<Long, Set<Form>> referrers, Target target, Dn renamed, UpdateOrigin origin)
            throws DirectoryException {
        for (Map.Entry<Long, Set<Form>> each : referrers.entrySet()) {
            Snapshot state = context.state();
            EntryView referrer = new EntryView(each.getKey(), state.entry(each.getKey()), "");
            EntryEdit edit = new EntryEdit(schema, context, referrer, false);
            change(edit, state, referrer, each.getValue(), target, renamed);
            List<AttributeDelta> changed = edit.deltas();
            if (!changed.isEmpty()) {
                operationalAttributes.stampChange(edit, origin, context.csn());
                context.modify(referrer.id(), edit.deltas());
            }
        }
    }

    private void change(EntryEdit edit, Snapshot state, EntryView referrer, Set<Form> forms, Target target, Dn renamed)
            throws DirectoryException {
        Set<AttributeDescription> changed = new HashSet<>();
        Set<IndexedAttribute> meant = new LinkedHashSet<>();
        forms.forEach(form -> meant.add(form.index));
        AttributeCursor cursor = referrer.record().cursor(true);
        while (cursor.next()) {
            AttributeDescription description = schema.descriptionOrNull(cursor.description());
            IndexedAttribute index = index(description, meant);
            if (index != null) {
                for (byte[] value : cursor.values()) {
                    byte[] form = AttributeEdit.storedKey(index.type(), value).bytes();
                    if (target.holds(form)) {
                        change(edit, description, value, target, renamed);
                        changed.add(description);
                    }
                }
            }
        }
        for (LargeAttribute large : referrer.record().largeAttributes()) {
            AttributeDescription description = schema.descriptionOrNull(large.description());
            if (index(description, meant) != null) {
                changeLarge(edit, new LargeValues(state, referrer.id()), large, forms, target, renamed);
                changed.add(description);
            }
        }
        if (renamed == null) {
            for (AttributeDescription description : changed) {
                keepRequired(edit, referrer.record(), description);
            }
        }
    }

    private static IndexedAttribute index(AttributeDescription description, Set<IndexedAttribute> meant) {
        for (IndexedAttribute index : meant) {
            if (description != null && description.type().isSubtypeOf(index.type())) {
                return index;
            }
        }
        return null;
    }

    private void changeLarge(EntryEdit edit, LargeValues values, LargeAttribute large, Set<Form> forms, Target target, Dn renamed)
            throws DirectoryException {
        AttributeDescription description = schema.descriptionOrNull(large.description());
        for (Form form : forms) {
            if (!description.type().isSubtypeOf(form.index.type())) {
                continue;
            }
            if (form.form != null) {
                byte[] value = values.find(large, form.form);
                if (value != null) {
                    change(edit, description, value, target, renamed);
                }
                continue;
            }
            List<byte[]> meant = new ArrayList<>();
            try (LargeValues.Cursor cursor = values.open(large)) {
                while (cursor.next()) {
                    if (IndexKeys.isLong(cursor.form()) && target.holds(cursor.form())) {
                        meant.add(cursor.value());
                    }
                }
            }
            for (byte[] value : meant) {
                change(edit, description, value, target, renamed);
            }
        }
    }

    private void change(EntryEdit edit, AttributeDescription description, byte[] value, Target target, Dn renamed)
            throws DirectoryException {
        edit.removeIfPresent(description, value);
        if (renamed != null) {
            Dn old = Dn.parse(schema, value);
            edit.addIfMissing(description, old.rebase(target.dn, renamed).text().getBytes(StandardCharsets.UTF_8));
        }
    }

    /** An entry that must have the attribute gets the placeholder for its last value. */
    private void keepRequired(EntryEdit edit, EntryRecord record, AttributeDescription description) throws DirectoryException {
        if (edit.isEmpty(description) && isRequired(record, description.type())) {
            edit.addIfMissing(description, rule.placeholder().getBytes(StandardCharsets.UTF_8));
        }
    }

    private boolean isRequired(EntryRecord record, AttributeType type) {
        return StoredValues.classes(schema, record).stream().anyMatch(objectClass -> objectClass.must().contains(type));
    }
}
