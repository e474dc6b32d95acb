package org.alder.partition.dn;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.NamingRules;
import org.alder.partition.schema.ObjectClass;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.StoredValues;
import org.alder.partition.schema.StructureRule;

/**
 * What name forms and structure rules look at in an entry (RFC 4512 4.1.7). Immutable, thread safe.
 *
 * @param structural the structural object class
 * @param rdn the types the RDN is made of
 */
public record EntryName(ObjectClass structural, Set<AttributeType> rdn) {
    private static final String STRUCTURAL_OBJECT_CLASS = "structuralObjectClass";
    private static final String SUBENTRY = "2.5.17.0";

    /** @return null if the schema does not know the class or a type of the name any more */
    public static EntryName of(Schema schema, EntryRecord record) {
        ObjectClass structural = structural(schema, record);
        try {
            return structural == null ? null : of(structural, Rdn.parse(schema, record.rdn()));
        } catch (DirectoryException e) {
            return null;
        }
    }

    private static EntryName of(ObjectClass structural, Rdn rdn) {
        Set<AttributeType> types = new HashSet<>();
        rdn.avas().forEach(ava -> types.add(ava.type()));
        return new EntryName(structural, types);
    }

    private static ObjectClass structural(Schema schema, EntryRecord record) {
        List<byte[]> names = StoredValues.of(schema, record, schema.attributeType(STRUCTURAL_OBJECT_CLASS));
        return names.isEmpty() ? null : schema.objectClass(names.get(0));
    }

    /** Subentries may have any name and stand anywhere. */
    public boolean isFree() {
        return structural.oid().equals(SUBENTRY)
                || structural.allSuperiors().stream().anyMatch(superior -> superior.oid().equals(SUBENTRY));
    }

    /** What the rules say against the name; null if nothing. */
    public String violation(NamingRules rules) {
        return isFree() ? null : rules.nameViolation(structural, rdn);
    }

    /** What the rules say against the place; null if nothing. @param above the rules that govern the entry above */
    public String placeViolation(NamingRules rules, Set<Integer> above) {
        return isFree() || rules.allowAllPlaces() ? null : NamingRules.placeViolation(candidates(rules), above);
    }

    /** The numbers of the rules that govern the entry. @param above those that govern the entry above */
    public Set<Integer> governing(NamingRules rules, Set<Integer> above) {
        return NamingRules.governing(candidates(rules), above);
    }

    private Set<StructureRule> candidates(NamingRules rules) {
        return rules.candidates(structural, rdn);
    }
}
