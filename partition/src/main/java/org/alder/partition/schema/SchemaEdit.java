package org.alder.partition.schema;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.schema.definition.Definition;
import org.alder.partition.schema.definition.DefinitionKind;
import org.alder.partition.schema.definition.DefinitionOrigin;
import org.alder.partition.schema.definition.DefinitionParser;

/**
 * Changes to the definitions of a schema, made one after another and linked at the end, so that what refers to each other can
 * come
 * in any order. Only what was added this way is changed this way: other definitions are part of the server or belong to a file of
 * the administrator's. Nothing of the schema changes before the revision is adopted. One thread.
 */
public final class SchemaEdit {
    private static final String FROM = "the definition";

    private final Schema schema;
    private final SchemaTables before;
    private final List<Definition> definitions;

    SchemaEdit(Schema schema, SchemaTables before) {
        this.schema = schema;
        this.before = before;
        this.definitions = new ArrayList<>(before.definitions);
    }

    /**
     * @param text RFC 4512 4.1
     * @throws DirectoryException invalidAttributeSyntax for a text that is no definition of this kind; attributeOrValueExists if
     *     there is one with the same OID
     */
    public void add(DefinitionKind kind, String text) throws DirectoryException {
        Definition definition = parse(kind, text);
        Definition known = find(kind, definition.oid());
        if (known != null || kind == DefinitionKind.SYNTAX && isBuiltInSyntax(definition.oid())) {
            throw new DirectoryException(ResultCode.ATTRIBUTE_OR_VALUE_EXISTS, definition.oid() + " is already defined by "
                    + (known == null ? "the server" : known.origin() + ": " + known.text()));
        }
        definitions.add(definition);
    }

    private boolean isBuiltInSyntax(String oid) {
        return before.syntaxes.stream().anyMatch(syntax -> syntax.oid().equals(oid)) && before.definitions.stream()
                .noneMatch(each -> each.kind() == DefinitionKind.SYNTAX && each.oid().equals(oid));
    }

    /**
     * Takes out the definition with the same OID: the rest of the text does not count.
     *
     * @throws DirectoryException invalidAttributeSyntax, noSuchAttribute, or unwillingToPerform for one that was not added online
     */
    public void remove(DefinitionKind kind, String text) throws DirectoryException {
        Definition wanted = parse(kind, text);
        Definition known = find(kind, wanted.oid());
        if (known == null) {
            throw new DirectoryException(ResultCode.NO_SUCH_ATTRIBUTE,
                    "the schema has no value of " + kind.attribute() + " with the OID " + wanted.oid());
        }
        requireOnline(known);
        definitions.remove(known);
    }

    /**
     * Has exactly these definitions of a kind.
     *
     * @throws DirectoryException as {@link #add} and {@link #remove}; unwillingToPerform if one is missing, or is different, that
     *     was not added online
     */
    public void replace(DefinitionKind kind, List<String> texts) throws DirectoryException {
        List<Definition> wanted = new ArrayList<>();
        for (String text : texts) {
            wanted.add(parse(kind, text));
        }
        for (Definition known : definitions.stream().filter(each -> each.kind() == kind).toList()) {
            Definition same = wanted.stream().filter(known::means).findFirst().orElse(null);
            if (same == null) {
                requireOnline(known);
                definitions.remove(known);
            } else if (known.origin().layer() == DefinitionOrigin.Layer.ONLINE) {
                definitions.remove(known);
            } else {
                wanted.remove(same);
            }
        }
        for (Definition definition : wanted) {
            add(kind, definition.text());
        }
    }

    /**
     * Has exactly these, and no others that were added online; those that a file has as well stay the file's.
     *
     * @throws DirectoryException as {@link #add}
     */
    public void replaceOnline(List<Definition> wanted) throws DirectoryException {
        definitions.removeIf(each -> each.origin().layer() == DefinitionOrigin.Layer.ONLINE);
        for (Definition each : wanted) {
            Definition known = find(each.kind(), each.oid());
            if (known == null || !known.means(each)) {
                add(each.kind(), each.text());
            }
        }
    }

    private static void requireOnline(Definition known) throws DirectoryException {
        if (known.origin().layer() != DefinitionOrigin.Layer.ONLINE) {
            throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, known.primaryName() + " is defined by "
                    + known.origin() + ": only what was added over LDAP can be changed or deleted that way");
        }
    }

    private Definition find(DefinitionKind kind, String oid) {
        return definitions.stream().filter(each -> each.kind() == kind && each.oid().equals(oid)).findFirst().orElse(null);
    }

    private static Definition parse(DefinitionKind kind, String text) throws DirectoryException {
        try {
            return DefinitionParser.parse(kind, FROM, text);
        } catch (StoreException e) {
            throw new DirectoryException(ResultCode.INVALID_ATTRIBUTE_SYNTAX, e.getMessage());
        }
    }

    /**
     * Links all definitions.
     *
     * @throws DirectoryException constraintViolation if one refers to what is not defined any more, or defines a name again
     */
    public SchemaRevision revise() throws DirectoryException {
        SchemaBuilder builder = schema.builder(before);
        try {
            builder.add(definitions);
            builder.link();
        } catch (StoreException e) {
            throw new DirectoryException(ResultCode.CONSTRAINT_VIOLATION, e.getMessage());
        }
        return new SchemaRevision(schema, before, builder);
    }
}
