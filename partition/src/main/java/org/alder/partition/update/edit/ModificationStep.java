package org.alder.partition.update.edit;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.request.Modification;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.Schema;

/** A {@link Modification} bound to the schema, after all checks that need no entry. */
public record ModificationStep(Modification.Kind kind, AttributeDescription description, List<byte[]> values) {
    private static final String INTEGER_SYNTAX = "1.3.6.1.4.1.1466.115.121.1.27";

    /**
     * @param relaxed whether clients may change attributes that the server maintains
     * @throws DirectoryException undefinedAttributeType, constraintViolation for what only the server may change, protocolError
     *     for a wrong number of values, invalidAttributeSyntax
     */
    public static List<ModificationStep> bind(Schema schema, List<Modification> modifications, boolean relaxed)
            throws DirectoryException {
        List<ModificationStep> steps = new ArrayList<>(modifications.size());
        for (Modification modification : modifications) {
            steps.add(bind(schema, modification, relaxed));
        }
        return steps;
    }

    /** A change that the server makes by itself, of whatever attribute. @throws DirectoryException if the schema does not know it */
    public static ModificationStep own(Schema schema, Modification modification) throws DirectoryException {
        return new ModificationStep(modification.kind(), schema.description(modification.description()), modification.values());
    }

    private static ModificationStep bind(Schema schema, Modification modification, boolean relaxed)
            throws DirectoryException {
        AttributeDescription description = schema.description(modification.description());
        if (relaxed) {
            AttributeRules.requireRelaxable(description);
        } else {
            AttributeRules.requireUserModifiable(description);
        }
        requireValueCount(modification);
        if (modification.kind() == Modification.Kind.INCREMENT) {
            requireInteger(description);
        }
        if (modification.kind() != Modification.Kind.DELETE) {
            AttributeRules.requireSyntax(description, modification.values());
        }
        return new ModificationStep(modification.kind(), description, modification.values());
    }

    private static void requireInteger(AttributeDescription description) throws DirectoryException {
        if (!INTEGER_SYNTAX.equals(description.type().syntaxOid())) {
            throw new DirectoryException(ResultCode.CONSTRAINT_VIOLATION,
                    "attribute " + description.text() + " cannot be incremented: its syntax is not INTEGER");
        }
    }

    private static void requireValueCount(Modification modification) throws DirectoryException {
        int count = modification.values().size();
        if (modification.kind() == Modification.Kind.ADD && count == 0) {
            throw new DirectoryException(ResultCode.PROTOCOL_ERROR,
                    "modification \"add\" of attribute " + modification.description() + " has no values");
        }
        if (modification.kind() == Modification.Kind.INCREMENT && count != 1) {
            throw new DirectoryException(ResultCode.PROTOCOL_ERROR,
                    "modification \"increment\" of attribute " + modification.description() + " has " + count
                    + " values, expected one");
        }
    }
}
