package org.alder.partition.schema;

import java.util.List;
import java.util.Set;

/** An attribute type (RFC 4512 4.1.2). Immutable, thread safe, one object per type of a schema, so identity is equality. */
public final class AttributeType {
    private AttributeType() {
    }

    public String oid() {
        throw new UnsupportedOperationException();
    }

    /** The primary spelling: the first name, or the OID if there is none. */
    public String name() {
        throw new UnsupportedOperationException();
    }

    public List<String> names() {
        throw new UnsupportedOperationException();
    }

    /** @return null if there is none */
    public AttributeType superior() {
        throw new UnsupportedOperationException();
    }

    /** Own or inherited. @return null if there is none */
    public MatchingRule equality() {
        throw new UnsupportedOperationException();
    }

    /** Own or inherited. @return null if there is none */
    public MatchingRule ordering() {
        throw new UnsupportedOperationException();
    }

    /** Own or inherited. @return null if there is none */
    public MatchingRule substring() {
        throw new UnsupportedOperationException();
    }

    public String syntaxOid() {
        throw new UnsupportedOperationException();
    }

    public boolean isSingleValue() {
        throw new UnsupportedOperationException();
    }

    /** Whether the usage is another than userApplications. */
    public boolean isOperational() {
        throw new UnsupportedOperationException();
    }

    public boolean isNoUserModification() {
        throw new UnsupportedOperationException();
    }

    public boolean isCollective() {
        throw new UnsupportedOperationException();
    }

    /** Whether values are text that a person may be shown. */
    public boolean isHumanReadable() {
        throw new UnsupportedOperationException();
    }

    /** Reflexive. */
    public boolean isSubtypeOf(AttributeType other) {
        throw new UnsupportedOperationException();
    }

    /** This type and all types below it. */
    public Set<AttributeType> withSubtypes() {
        throw new UnsupportedOperationException();
    }

    /** Whether a value has the type's syntax. */
    public boolean checkSyntax(byte[] value) {
        throw new UnsupportedOperationException();
    }
}
