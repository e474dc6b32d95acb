package org.alder.partition.update.rules;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import org.alder.partition.Partition;
import org.alder.partition.dn.EntryName;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.id.IdSet;
import org.alder.partition.schema.NamingRules;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.EntryView;
import org.alder.partition.tree.GoverningRules;

/**
 * Whether an entry may have its name and stand in its place, as the schema's name forms and structure rules say (RFC 4512 4.1.7).
 * What the schema says nothing about may be anywhere, but not below an entry that a rule governs. Costs nothing where the schema
 * has neither. Thread safe.
 */
public final class StructureRules {
    private final Partition partition;
    private final Schema schema;

    public StructureRules(Partition partition) {
        this.partition = partition;
        this.schema = partition.schema();
    }

    /**
     * @param record the entry as it is to be, with its parent
     * @param dn for messages
     * @throws DirectoryException namingViolation; the message names the form or the rules
     */
    public void check(Snapshot state, EntryRecord record, String dn) throws DirectoryException {
        NamingRules rules = schema.namingRules();
        EntryName name = rules.isEmpty() ? null : EntryName.of(schema, record);
        if (name != null) {
            require(name.violation(rules), dn);
            require(name.placeViolation(rules, new GoverningRules(schema, rules, state).of(record.parentId())), dn);
        }
    }

    /** @param violation null if there is none */
    static void require(String violation, String dn) throws DirectoryException {
        if (violation != null) {
            throw new DirectoryException(ResultCode.NAMING_VIOLATION, "the entry \"" + dn + "\": " + violation);
        }
    }

    private record Moved(long id, Set<Integer> before, Set<Integer> after) {
        boolean isSame() {
            return before.equals(after);
        }
    }

    /**
     * Checks what is below an entry that gets another name or place, as far as other rules govern it then: what was right before
     * has to be right after it.
     *
     * @param before as it is in the state
     * @param after with the name and the parent it is to have
     * @throws DirectoryException namingViolation; adminLimitExceeded if more entries than a transaction may look at are
     *     governed by other rules
     */
    public void checkBelow(Snapshot state, EntryView before, EntryRecord after) throws DirectoryException {
        NamingRules rules = schema.namingRules();
        if (rules.allowAllPlaces()) {
            return;
        }
        GoverningRules governing = new GoverningRules(schema, rules, state);
        Deque<Moved> open = new ArrayDeque<>();
        open.add(new Moved(before.id(), governing.of(before.id()), governing.of(after)));
        long seen = 0;
        while (!open.isEmpty()) {
            Moved parent = open.remove();
            byte[] children = HierarchyKeys.children(parent.id);
            seen += parent.isSame() ? 0 : state.cardinality(HierarchyKeys.INDEX, children);
            if (seen > Subtree.MOST_ENTRIES) {
                throw new DirectoryException(ResultCode.ADMIN_LIMIT_EXCEEDED, "other structure rules would govern more than "
                        + Subtree.MOST_ENTRIES + " entries below \"" + before.dn() + "\", too many to be checked at once");
            }
            if (!parent.isSame()) {
                for (IdSet.IdIterator each = state.ids(HierarchyKeys.INDEX, children).iterator(); each.hasNext();) {
                    open.add(child(state, rules, parent, each.next()));
                }
            }
        }
    }

    private Moved child(Snapshot state, NamingRules rules, Moved parent, long id) throws DirectoryException {
        EntryName name = EntryName.of(schema, state.entry(id));
        if (name == null) {
            return new Moved(id, Set.of(), Set.of());
        }
        if (name.placeViolation(rules, parent.before) == null) {
            require(name.placeViolation(rules, parent.after), partition.dnOf(state, id));
        }
        return new Moved(id, name.governing(rules, parent.before), name.governing(rules, parent.after));
    }
}
