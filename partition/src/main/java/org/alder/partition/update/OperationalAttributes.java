package org.alder.partition.update;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.StoreException;
import org.alder.partition.query.EntryView;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.ObjectClass;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.apache.directory.api.ldap.model.message.ResultCodeEnum;

/**
 * The operational attributes the server itself maintains. Thread safe.
 *
 * <p>Stored in the entry record: structuralObjectClass, creatorsName, createTimestamp, modifiersName, modifyTimestamp (RFC 4512
 * 3.4) and entryUUID (RFC 4530). Virtual, worked out when asked for: entryDN (RFC 5020), subschemaSubentry (RFC 4512 4.2),
 * hasSubordinates (X.501) and numSubordinates; a virtual attribute whose type the schema has not is left out.
 */
public final class OperationalAttributes {
    private final AttributeDescription structuralObjectClass;
    private final AttributeDescription entryUuid;
    private final AttributeDescription creatorsName;
    private final AttributeDescription createTimestamp;
    private final AttributeDescription modifiersName;
    private final AttributeDescription modifyTimestamp;
    private final AttributeType entryDn;
    private final AttributeType subschemaSubentry;
    private final AttributeType hasSubordinates;
    private final AttributeType numSubordinates;
    private final Set<AttributeType> virtualTypes;
    private final EntryUuids uuids = new EntryUuids();
    private final Timestamps timestamps = new Timestamps();

    /** @throws StoreException of kind REFUSED if the schema has not the attributes that every entry gets */
    public OperationalAttributes(Schema schema) {
        structuralObjectClass = require(schema, "structuralObjectClass");
        entryUuid = require(schema, "entryUUID");
        creatorsName = require(schema, "creatorsName");
        createTimestamp = require(schema, "createTimestamp");
        modifiersName = require(schema, "modifiersName");
        modifyTimestamp = require(schema, "modifyTimestamp");
        entryDn = schema.attributeType("entryDN");
        subschemaSubentry = schema.attributeType("subschemaSubentry");
        hasSubordinates = schema.attributeType("hasSubordinates");
        numSubordinates = schema.attributeType("numSubordinates");
        virtualTypes = Stream.of(entryDn, subschemaSubentry, hasSubordinates, numSubordinates)
                .filter(type -> type != null).collect(Collectors.toUnmodifiableSet());
    }

    private static AttributeDescription require(Schema schema, String name) {
        AttributeDescription description = schema.descriptionOrNull(name);
        if (description == null) {
            throw new StoreException(StoreException.Kind.REFUSED, "the schema has no attribute type " + name
                    + ", which every entry needs");
        }
        return description;
    }

    /** Whether values of this type are worked out when asked for, and never stored. */
    public boolean isVirtual(AttributeType type) {
        return virtualTypes.contains(type);
    }

    /**
     * The virtual attributes of an entry.
     *
     * @param snapshot the one the entry was read from
     * @param wanted which of the types to return: what is not wanted costs nothing
     */
    public List<Attribute> virtual(Snapshot snapshot, EntryView entry, Predicate<AttributeType> wanted) {
        List<Attribute> attributes = new ArrayList<>(virtualTypes.size());
        if (isWanted(entryDn, wanted)) {
            attributes.add(attribute(entryDn, entry.dn()));
        }
        if (isWanted(subschemaSubentry, wanted)) {
            attributes.add(attribute(subschemaSubentry, Schema.SUBSCHEMA_DN));
        }
        boolean wantsHas = isWanted(hasSubordinates, wanted);
        boolean wantsNumber = isWanted(numSubordinates, wanted);
        if (wantsHas || wantsNumber) {
            long children = snapshot.cardinality(HierarchyKeys.INDEX, HierarchyKeys.children(entry.id()));
            if (wantsHas) {
                attributes.add(attribute(hasSubordinates, children > 0 ? "TRUE" : "FALSE"));
            }
            if (wantsNumber) {
                attributes.add(attribute(numSubordinates, Long.toString(children)));
            }
        }
        return attributes;
    }

    private static boolean isWanted(AttributeType type, Predicate<AttributeType> wanted) {
        return type != null && wanted.test(type);
    }

    private static Attribute attribute(AttributeType type, String value) {
        return new Attribute(type.name(), List.of(utf8(value)));
    }

    /** Completes the operational attributes of a new entry: those given are kept, but for the structural object class. */
    void stampNew(AttributeSet operational, ObjectClass structural, UpdateOrigin origin) {
        operational.put(structuralObjectClass, new Attribute(structuralObjectClass.text(), List.of(utf8(structural.name()))));
        if (!operational.contains(entryUuid)) {
            put(operational, entryUuid, uuids.next(origin.time().toEpochMilli()));
        }
        byte[] author = utf8(origin.authorizationDn());
        byte[] time = timestamps.format(origin.time());
        putIfMissing(operational, creatorsName, author);
        putIfMissing(operational, createTimestamp, time);
        putIfMissing(operational, modifiersName, author);
        putIfMissing(operational, modifyTimestamp, time);
    }

    private static void putIfMissing(AttributeSet operational, AttributeDescription description, byte[] value) {
        if (!operational.contains(description)) {
            put(operational, description, value);
        }
    }

    private static void put(AttributeSet operational, AttributeDescription description, byte[] value) {
        operational.put(description, new Attribute(description.text(), List.of(value)));
    }

    /** Notes who changed the entry and when. */
    void stampChange(EntryEdit edit, UpdateOrigin origin) throws DirectoryException {
        edit.set(modifiersName, utf8(origin.authorizationDn()));
        edit.set(modifyTimestamp, timestamps.format(origin.time()));
    }

    /** @throws DirectoryException objectClassModsProhibited if a change made another structural object class of the entry's */
    void requireSameStructure(Schema schema, EntryRecord before, ObjectClass after) throws DirectoryException {
        String name = structuralObjectClassOf(schema, before);
        if (name != null && schema.objectClass(name) != after) {
            throw new DirectoryException(ResultCodeEnum.OBJECT_CLASS_MODS_PROHIBITED,
                    "the structural object class of an entry cannot be changed: it is " + name
                    + ", the change makes it " + after.name());
        }
    }

    private String structuralObjectClassOf(Schema schema, EntryRecord record) {
        for (Attribute attribute : record.operationalAttributes()) {
            if (structuralObjectClass.equals(schema.descriptionOrNull(attribute.description()))) {
                return new String(attribute.values().get(0), StandardCharsets.UTF_8);
            }
        }
        return null;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
