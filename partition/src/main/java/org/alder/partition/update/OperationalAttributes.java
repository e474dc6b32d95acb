package org.alder.partition.update;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.Csn;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.ObjectClass;
import org.alder.partition.schema.Schema;
import org.alder.partition.text.Utf8;
import org.alder.partition.update.edit.AttributeSet;
import org.alder.partition.update.edit.EntryEdit;
import org.alder.partition.update.edit.ModificationStep;

/**
 * The operational attributes the server itself maintains. Thread safe.
 *
 * <p>Stored in the entry record: structuralObjectClass, creatorsName, createTimestamp, modifiersName, modifyTimestamp (RFC 4512
 * 3.4), entryUUID (RFC 4530) and entryCSN ({@link Csn}). Those that are never stored are {@link
 * org.alder.partition.derived.VirtualAttributes}.
 */
public final class OperationalAttributes {
    private final AttributeDescription structuralObjectClass;
    private final AttributeDescription entryUuid;
    private final AttributeDescription creatorsName;
    private final AttributeDescription createTimestamp;
    private final AttributeDescription modifiersName;
    private final AttributeDescription modifyTimestamp;
    private final AttributeDescription entryCsn;
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
        entryCsn = require(schema, Csn.ENTRY_CSN);
    }

    private static AttributeDescription require(Schema schema, String name) {
        AttributeDescription description = schema.descriptionOrNull(name);
        if (description == null) {
            throw new StoreException(StoreException.Kind.REFUSED, "the schema has no attribute type " + name
                    + ", which every entry needs");
        }
        return description;
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

    /** The number of an entry that is loaded in bulk, which is no commit of its own. */
    void stampLoaded(AttributeSet operational, UpdateOrigin origin) {
        putIfMissing(operational, entryCsn, new Csn(origin.time().toEpochMilli(), 0).bytes());
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
    void stampChange(EntryEdit edit, UpdateOrigin origin, Csn csn) throws DirectoryException {
        stampChange(edit, List.of(), origin, csn);
    }

    /** The same, but for what these steps say of it: only with relaxed rules do they say anything. */
    void stampChange(EntryEdit edit, List<ModificationStep> steps, UpdateOrigin origin, Csn csn) throws DirectoryException {
        edit.set(entryCsn, csn.bytes());
        if (!areOn(steps, modifiersName)) {
            edit.set(modifiersName, utf8(origin.authorizationDn()));
        }
        if (!areOn(steps, modifyTimestamp)) {
            edit.set(modifyTimestamp, timestamps.format(origin.time()));
        }
    }

    private static boolean areOn(List<ModificationStep> steps, AttributeDescription description) {
        for (ModificationStep step : steps) {
            if (step.description().type() == description.type()) {
                return true;
            }
        }
        return false;
    }

    /** @throws DirectoryException objectClassModsProhibited if a change made another structural object class of the entry's */
    void requireSameStructure(Schema schema, EntryRecord before, ObjectClass after) throws DirectoryException {
        String name = structuralObjectClassOf(schema, before);
        if (name != null && schema.objectClass(name) != after) {
            throw new DirectoryException(ResultCode.OBJECT_CLASS_MODS_PROHIBITED,
                    "the structural object class of an entry cannot be changed: it is " + name
                    + ", the change makes it " + after.name());
        }
    }

    private String structuralObjectClassOf(Schema schema, EntryRecord record) {
        for (Attribute attribute : record.operationalAttributes()) {
            if (structuralObjectClass.equals(schema.descriptionOrNull(attribute.description()))) {
                return Utf8.stored(attribute.values().get(0));
            }
        }
        return null;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
