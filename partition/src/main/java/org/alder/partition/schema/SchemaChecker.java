package org.alder.partition.schema;

import java.util.List;
import org.alder.partition.entry.Attribute;
import org.alder.partition.error.DirectoryException;

/** Tells whether an entry's user attributes obey the schema (RFC 4512 2.4, 2.5). Thread safe. */
public final class SchemaChecker {
    public SchemaChecker(Schema schema) {
        throw new UnsupportedOperationException(String.valueOf(schema));
    }

    /**
     * Checks a whole entry.
     *
     * @param userAttributes the entry's attributes, objectClass among them, without operational ones
     * @return the structural object class
     * @throws DirectoryException objectClassViolation, undefinedAttributeType, invalidAttributeSyntax, constraintViolation or
     *     attributeOrValueExists; the message names the attribute, the class and the value
     */
    public ObjectClass check(List<Attribute> userAttributes) throws DirectoryException {
        throw new UnsupportedOperationException();
    }
}
