package org.alder.partition.schema;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.alder.partition.error.DirectoryException;

/**
 * The attribute types, object classes, matching rules and syntaxes the server knows. Immutable, thread safe, built once per start.
 */
public final class Schema {
    private Schema() {
    }

    /**
     * Loads the shipped schemas and then the definitions of LDIF files in the order given.
     *
     * @param ldifFiles files with {@code attributeTypes:} and {@code objectClasses:} values (RFC 4512 4.1)
     * @throws org.alder.partition.error.StoreException if a file cannot be read or a definition is wrong; the message names both
     */
    public static Schema load(List<Path> ldifFiles) {
        throw new UnsupportedOperationException();
    }

    /** @return null if unknown */
    public AttributeType attributeType(String nameOrOid) {
        throw new UnsupportedOperationException();
    }

    /** @throws DirectoryException undefinedAttributeType if the type is unknown or the text is no attribute description */
    public AttributeDescription description(String text) throws DirectoryException {
        throw new UnsupportedOperationException();
    }

    /** @return null if the type is unknown or the text is no attribute description */
    public AttributeDescription descriptionOrNull(String text) {
        throw new UnsupportedOperationException();
    }

    /** As {@link #descriptionOrNull(String)}, for the hot paths: a spelling seen before costs one look-up and no garbage. */
    public AttributeDescription descriptionOrNull(byte[] utf8, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    /** @return null if unknown */
    public ObjectClass objectClass(String nameOrOid) {
        throw new UnsupportedOperationException();
    }

    /** @return null if unknown or not implemented */
    public MatchingRule matchingRule(String nameOrOid) {
        throw new UnsupportedOperationException();
    }

    public Collection<AttributeType> attributeTypes() {
        throw new UnsupportedOperationException();
    }

    public Collection<ObjectClass> objectClasses() {
        throw new UnsupportedOperationException();
    }

    public Collection<MatchingRule> matchingRules() {
        throw new UnsupportedOperationException();
    }

    /** Values of {@code attributeTypes} (RFC 4512 4.2.2). */
    public List<String> attributeTypeDefinitions() {
        throw new UnsupportedOperationException();
    }

    /** Values of {@code objectClasses} (RFC 4512 4.2.1). */
    public List<String> objectClassDefinitions() {
        throw new UnsupportedOperationException();
    }

    /** Values of {@code matchingRules} (RFC 4512 4.2.3). */
    public List<String> matchingRuleDefinitions() {
        throw new UnsupportedOperationException();
    }

    /** Values of {@code matchingRuleUse} (RFC 4512 4.2.4). */
    public List<String> matchingRuleUseDefinitions() {
        throw new UnsupportedOperationException();
    }

    /** Values of {@code ldapSyntaxes} (RFC 4512 4.2.5). */
    public List<String> syntaxDefinitions() {
        throw new UnsupportedOperationException();
    }
}
