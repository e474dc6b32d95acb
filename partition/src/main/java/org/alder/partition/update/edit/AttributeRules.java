package org.alder.partition.update.edit;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.alder.partition.dn.Ava;
import org.alder.partition.dn.Rdn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.Octets;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.SubtreeForm;
import org.alder.partition.store.HierarchyKeys;

/** What holds for single attributes and is not the schema checker's business: it depends on who brings them and what for. */
public final class AttributeRules {
    private static final String SUBTREE_SPECIFICATION_SYNTAX = "1.3.6.1.4.1.1466.115.121.1.45";

    /** structuralObjectClass, entryUUID, entryCSN. */
    private static final Set<String> NEVER_CHANGED = Set.of("2.5.21.9", "1.3.6.1.1.16.4", "1.3.6.1.4.1.4203.666.1.7");

    private AttributeRules() {
    }

    /** @throws DirectoryException protocolError (RFC 4511 4.1.7) */
    public static void requireValues(Attribute attribute) throws DirectoryException {
        if (attribute.values().isEmpty()) {
            throw new DirectoryException(ResultCode.PROTOCOL_ERROR, "attribute " + attribute.description()
                    + " has no values");
        }
    }

    /** @throws DirectoryException constraintViolation */
    public static void requireUserModifiable(AttributeDescription description) throws DirectoryException {
        if (description.type().isNoUserModification()) {
            throw new DirectoryException(ResultCode.CONSTRAINT_VIOLATION,
                    "attribute " + description.text() + " is maintained by the server and cannot be set by clients");
        }
    }

    /**
     * With relaxed rules, clients may change what the server only notes, but not what it or a copy knows the entry by.
     *
     * @throws DirectoryException constraintViolation
     */
    public static void requireRelaxable(AttributeDescription description) throws DirectoryException {
        if (description.type().isVirtual() || NEVER_CHANGED.contains(description.type().oid())) {
            throw new DirectoryException(ResultCode.CONSTRAINT_VIOLATION, "attribute " + description.text()
                    + " is maintained by the server and cannot be changed by clients, also with relaxed rules");
        }
    }

    /** @throws DirectoryException invalidAttributeSyntax */
    public static void requireSyntax(AttributeDescription description, List<byte[]> values) throws DirectoryException {
        AttributeType type = description.type();
        for (byte[] value : values) {
            if (!type.checkSyntax(value)) {
                throw new DirectoryException(ResultCode.INVALID_ATTRIBUTE_SYNTAX, "attribute " + description.text()
                        + ": the value " + Quoted.value(type, value) + " is not of syntax " + type.syntaxName());
            }
        }
    }

    /** @throws DirectoryException namingViolation if entries cannot be named by this type (RFC 4512 2.3 and 2.5.1) */
    public static void requireNaming(Rdn rdn) throws DirectoryException {
        for (Ava ava : rdn.avas()) {
            AttributeType type = ava.type();
            if (type.isOperational() || type.equality() == null) {
                throw new DirectoryException(ResultCode.NAMING_VIOLATION, "attribute " + ava.typeText()
                        + " cannot name an entry: it "
                        + (type.isOperational() ? "is operational" : "has no equality rule"));
            }
        }
        if (rdn.normalized().length > HierarchyKeys.MAX_RDN_BYTES) {
            throw new DirectoryException(ResultCode.NAMING_VIOLATION, "an RDN of " + rdn.normalized().length
                    + " bytes, allowed are " + HierarchyKeys.MAX_RDN_BYTES);
        }
    }

    /** As {@link #checkOperational(Schema, Attribute)}, of several. */
    public static void checkOperational(Schema schema, List<Attribute> attributes) throws DirectoryException {
        for (Attribute attribute : attributes) {
            checkOperational(schema, attribute);
        }
    }

    /**
     * What the schema checker does for user attributes.
     *
     * @throws DirectoryException invalidAttributeSyntax, constraintViolation, attributeOrValueExists
     */
    public static void checkOperational(Schema schema, Attribute attribute) throws DirectoryException {
        AttributeDescription description = schema.description(attribute.description());
        if (description.type().syntaxOid().equals(SUBTREE_SPECIFICATION_SYNTAX)) {
            for (byte[] value : attribute.values()) {
                SubtreeForm.parse(schema, value);
            }
        }
        requireSyntax(description, attribute.values());
        if (attribute.values().size() > 1) {
            requireDistinctValues(description, attribute.values());
        }
    }

    private static void requireDistinctValues(AttributeDescription description, List<byte[]> values) throws DirectoryException {
        if (description.type().isSingleValue()) {
            throw new DirectoryException(ResultCode.CONSTRAINT_VIOLATION,
                    "attribute " + description.text() + " has " + values.size() + " values, it can have only one");
        }
        Set<Octets> seen = new HashSet<>();
        for (byte[] value : values) {
            if (!seen.add(AttributeEdit.key(description.type(), value))) {
                throw new DirectoryException(ResultCode.ATTRIBUTE_OR_VALUE_EXISTS,
                        "attribute " + description.text() + " has the value " + Quoted.value(description.type(), value)
                        + " twice");
            }
        }
    }
}
