package org.alder.partition.update;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.alder.partition.dn.Ava;
import org.alder.partition.dn.Dn;
import org.alder.partition.dn.Rdn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.Octets;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.rule.EntryLimits;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.ObjectClass;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.SchemaChecker;
import org.alder.partition.schema.Superclasses;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.update.edit.AttributeEdit;
import org.alder.partition.update.edit.AttributeRules;
import org.alder.partition.update.edit.AttributeSet;

/**
 * Makes entry records of what clients and LDIF files give: checks everything that can be checked without the rest of the
 * directory, adds missing RDN values (RFC 4511 4.7), superclasses (RFC 4512 3.3) and the operational attributes. The one way into
 * the store for whole entries, shared by the online add and the bulk load. Thread safe.
 *
 * <p>The records are those of entries under {@link HierarchyKeys#NO_PARENT}: their place in the tree is not looked at.
 *
 * <p>All methods throw {@link DirectoryException}: undefinedAttributeType, invalidAttributeSyntax, objectClassViolation,
 * constraintViolation, attributeOrValueExists, namingViolation, adminLimitExceeded, or protocolError for an attribute
 * without values; the message
 * names the attribute and the value.
 */
public final class EntryPreparation {
    private final Schema schema;
    private final EntryLimits limits;
    private final AttributeDescription objectClass;
    private final SchemaChecker checker;
    private final OperationalAttributes operationalAttributes;

    public EntryPreparation(Schema schema, EntryLimits limits) {
        this(schema, limits, new SchemaChecker(schema), new OperationalAttributes(schema));
    }

    EntryPreparation(Schema schema, EntryLimits limits, SchemaChecker checker, OperationalAttributes operationalAttributes) {
        this.schema = schema;
        this.limits = limits;
        this.objectClass = schema.descriptionOrNull("objectClass");
        this.checker = checker;
        this.operationalAttributes = operationalAttributes;
    }

    /** An entry as a client adds it: it may not bring attributes that only the server maintains. */
    public EntryRecord prepareAdd(Dn dn, List<Attribute> attributes, UpdateOrigin origin) throws DirectoryException {
        return prepare(dn, attributes, origin, Source.CLIENT);
    }

    /** An entry as a client adds it that may bring attributes that only the server maintains. */
    public EntryRecord prepareRelaxed(Dn dn, List<Attribute> attributes, UpdateOrigin origin) throws DirectoryException {
        return prepare(dn, attributes, origin, Source.RELAXED);
    }

    /**
     * An entry as an LDIF file brings it: the operational attributes it has are kept, virtual ones dropped, missing ones made.
     *
     * @param origin stands in for what the file does not say
     */
    public EntryRecord prepareLoad(Dn dn, List<Attribute> attributes, UpdateOrigin origin) throws DirectoryException {
        return prepare(dn, attributes, origin, Source.LOAD);
    }

    private enum Source { CLIENT, RELAXED, LOAD }

    private EntryRecord prepare(Dn dn, List<Attribute> attributes, UpdateOrigin origin, Source source)
            throws DirectoryException {
        if (dn.isRoot()) {
            throw new DirectoryException(ResultCode.NAMING_VIOLATION, "an entry needs a DN of at least one RDN");
        }
        limits.requireDepth(dn);
        AttributeSet user = new AttributeSet(attributes.size());
        AttributeSet operational = new AttributeSet(8);
        for (Attribute attribute : attributes) {
            AttributeDescription description = schema.description(attribute.description());
            AttributeRules.requireValues(attribute);
            if (source == Source.CLIENT) {
                AttributeRules.requireUserModifiable(description);
            }
            if (!description.type().isOperational()) {
                user.join(description, asStored(description, attribute));
            } else if (!description.type().isVirtual()) {
                operational.join(description, asStored(description, attribute));
            }
        }
        addRdnValues(user, dn.rdn());
        addSuperclasses(user);
        ObjectClass structural = checker.check(user.byDescription(), operational.byDescription().keySet());
        AttributeRules.checkOperational(schema, operational.toList());
        operationalAttributes.stampNew(operational, structural, origin);
        if (source == Source.LOAD) {
            operationalAttributes.stampLoaded(operational, origin);
        }
        byte[] rdn = dn.rdn().text().getBytes(StandardCharsets.UTF_8);
        return limits.require(EntryRecord.of(HierarchyKeys.NO_PARENT, rdn, user.toList(), operational.toList()));
    }

    private static Attribute asStored(AttributeDescription description, Attribute attribute) {
        String stored = description.storedText();
        return stored.equals(attribute.description()) ? attribute : new Attribute(stored, attribute.values());
    }

    private void addRdnValues(AttributeSet user, Rdn rdn) throws DirectoryException {
        AttributeRules.requireNaming(rdn);
        for (Ava ava : rdn.avas()) {
            AttributeDescription description = schema.description(ava.typeText());
            List<byte[]> values = user.values(description);
            if (!contains(ava.type(), values, ava.value())) {
                if (ava.type().isSingleValue() && !values.isEmpty()) {
                    throw new DirectoryException(ResultCode.NAMING_VIOLATION, "the RDN \"" + rdn.text()
                            + "\" names a value that the entry has not, and attribute " + ava.typeText() + " can have only one");
                }
                user.join(description, new Attribute(ava.typeText(), List.of(ava.value())));
            }
        }
    }

    private void addSuperclasses(AttributeSet user) {
        List<byte[]> missing = Superclasses.missing(schema, user.values(objectClass));
        if (!missing.isEmpty()) {
            user.join(objectClass, new Attribute(objectClass.text(), missing));
        }
    }

    private static boolean contains(AttributeType type, List<byte[]> values, byte[] sought) throws DirectoryException {
        for (byte[] value : values) {
            if (Arrays.equals(value, sought)) {
                return true;
            }
        }
        Octets key = values.isEmpty() ? null : AttributeEdit.key(type, sought);
        for (byte[] value : values) {
            if (type.checkSyntax(value) && AttributeEdit.key(type, value).equals(key)) {
                return true;
            }
        }
        return false;
    }
}
