package org.alder.partition.update;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.alder.partition.dn.Ava;
import org.alder.partition.dn.Rdn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.NameForm;
import org.alder.partition.schema.ObjectClass;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.StructureRule;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.apache.directory.api.ldap.model.message.ResultCodeEnum;

/**
 * Whether an entry may have its name and stand in its place, as the schema's name forms and structure rules say (RFC 4512 4.1.7).
 * What the schema says nothing about may be anywhere, but not below an entry that a rule governs. Costs nothing where the schema
 * has neither. Thread safe.
 */
final class StructureRules {
    private final Schema schema;
    private final AttributeDescription structuralObjectClass;
    private final ObjectClass subentry;

    StructureRules(Schema schema) {
        this.schema = schema;
        structuralObjectClass = schema.descriptionOrNull("structuralObjectClass");
        subentry = schema.objectClass("subentry");
    }

    /**
     * @param record the entry as it is to be
     * @param parentId {@link HierarchyKeys#NO_PARENT} for the suffix entry
     * @param dn for messages
     * @throws DirectoryException namingViolation; the message names the form or the rules
     */
    void check(Snapshot state, EntryRecord record, Rdn rdn, long parentId, String dn) throws DirectoryException {
        ObjectClass structural = schema.hasNameForms() ? structural(record) : null;
        if (structural == null || structural.isSubclassOf(subentry)) {
            return;
        }
        checkName(schema.nameForms(structural), rdn, dn);
        if (!schema.structureRules().isEmpty()) {
            checkPlace(candidates(structural, rdn), governing(state, parentId), dn);
        }
    }

    private static void checkName(List<NameForm> forms, Rdn rdn, String dn) throws DirectoryException {
        Set<AttributeType> types = types(rdn);
        String violation = null;
        for (NameForm form : forms) {
            String found = form.violation(types);
            if (found == null) {
                return;
            }
            violation = "the name form " + form.name() + " of the object class " + form.objectClass()
                    + " does not allow the name \"" + dn + "\": " + found;
        }
        if (violation != null) {
            throw new DirectoryException(ResultCodeEnum.NAMING_VIOLATION, violation);
        }
    }

    private static void checkPlace(Set<StructureRule> candidates, Set<Integer> above, String dn) throws DirectoryException {
        if (candidates.isEmpty() && above.isEmpty() || candidates.stream().anyMatch(rule -> governs(rule, above))) {
            return;
        }
        throw new DirectoryException(ResultCodeEnum.NAMING_VIOLATION, "the structure rules do not allow \"" + dn
                + "\" in its place: " + (candidates.isEmpty() ? "no rule is for such an entry" : "it has the rules " + candidates)
                + (above.isEmpty() ? ", and none governs the entry above" : ", and the entry above is governed by " + above));
    }

    private static boolean governs(StructureRule rule, Set<Integer> above) {
        return rule.superiors().isEmpty() ? above.isEmpty() : rule.superiors().stream().anyMatch(above::contains);
    }

    /** The numbers of the rules that govern an entry, by those that govern the ones above it. */
    private Set<Integer> governing(Snapshot state, long id) throws DirectoryException {
        EntryRecord record = id == HierarchyKeys.NO_PARENT ? null : state.entry(id);
        ObjectClass structural = record == null ? null : structural(record);
        Set<Integer> numbers = new LinkedHashSet<>();
        if (structural != null) {
            Set<Integer> above = governing(state, record.parentId());
            for (StructureRule rule : candidates(structural, Rdn.parse(schema, record.rdn()))) {
                if (governs(rule, above)) {
                    numbers.add(rule.number());
                }
            }
        }
        return numbers;
    }

    private Set<StructureRule> candidates(ObjectClass structural, Rdn rdn) {
        Collection<StructureRule> rules = schema.structureRules();
        Set<AttributeType> types = types(rdn);
        Set<StructureRule> found = new LinkedHashSet<>();
        for (StructureRule rule : rules) {
            if (rule.form().objectClass() == structural && rule.form().violation(types) == null) {
                found.add(rule);
            }
        }
        return found;
    }

    private static Set<AttributeType> types(Rdn rdn) {
        Set<AttributeType> types = new HashSet<>();
        for (Ava ava : rdn.avas()) {
            types.add(ava.type());
        }
        return types;
    }

    /** @return null if the record does not say, or the schema does not know it any more */
    private ObjectClass structural(EntryRecord record) {
        return record.operationalAttributes().stream()
                .filter(each -> structuralObjectClass.equals(schema.descriptionOrNull(each.description())))
                .map(Attribute::values).map(values -> new String(values.get(0), StandardCharsets.UTF_8))
                .map(schema::objectClass).filter(Objects::nonNull).findFirst().orElse(null);
    }
}
