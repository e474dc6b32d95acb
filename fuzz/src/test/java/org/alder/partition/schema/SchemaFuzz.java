package org.alder.partition.schema;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.schema.AttributeTypeDefinition;
import com.unboundid.ldap.sdk.schema.ObjectClassDefinition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.alder.fuzz.Named;
import org.alder.fuzz.Scratch;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.schema.definition.Definition;
import org.alder.partition.schema.definition.DefinitionKind;
import org.alder.partition.schema.definition.DefinitionOrigin;
import org.alder.partition.schema.definition.DefinitionParser;
import org.alder.partition.schema.definition.OidMacros;
import org.alder.partition.schema.definition.SchemaFile;
import org.alder.partition.testing.TestDirectory;

/** Definitions of the schema, of clients and from files, mean the same when they are published and read again. */
public final class SchemaFuzz {
    private static final Path LDIF = Scratch.file("schema.ldif");
    private static final Path DIRECTIVES = Scratch.file("openldap.schema");

    private SchemaFuzz() {
    }

    /** A line with the attribute of the subschema subentry, then one of its values. */
    public static void definition(byte[] input) {
        Named value = Named.of(input);
        for (DefinitionKind kind : DefinitionKind.values()) {
            if (kind.attribute().equals(value.name())) {
                definition(kind, value.text());
            }
        }
    }

    private static void definition(DefinitionKind kind, String text) {
        Definition definition;
        try {
            definition = DefinitionParser.parse(kind, "a client", text);
        } catch (StoreException e) {
            assertEquals(e.getMessage(), StoreException.Kind.REFUSED, e.kind());
            return;
        }
        publish(definition);
    }

    private static void publish(Definition definition) {
        String text = definition.text();
        Definition again = DefinitionParser.parse(definition.kind(), "itself", text);
        assertEquals(text, again.text());
        assertTrue(text, definition.means(again));
        if (definition.kind() == DefinitionKind.ATTRIBUTE_TYPE || definition.kind() == DefinitionKind.OBJECT_CLASS) {
            compare(definition, text);
        }
    }

    private static void compare(Definition definition, String text) {
        try {
            if (definition.kind() == DefinitionKind.ATTRIBUTE_TYPE) {
                AttributeTypeDefinition other = new AttributeTypeDefinition(text);
                assertEquals(text, definition.oid(), other.getOID());
                assertEquals(text, definition.names(), Arrays.asList(other.getNames()));
                assertEquals(text, definition.has("SINGLE-VALUE"), other.isSingleValued());
            } else {
                ObjectClassDefinition other = new ObjectClassDefinition(text);
                assertEquals(text, definition.oid(), other.getOID());
                assertEquals(text, definition.list("MUST"), Arrays.asList(other.getRequiredAttributes()));
                assertEquals(text, definition.list("MAY"), Arrays.asList(other.getOptionalAttributes()));
            }
        } catch (LDAPException e) {
            throw new AssertionError("another library refuses " + text, e);
        }
    }

    /** A line with the end of the file's name, then the file. */
    public static void file(byte[] input) throws IOException {
        Named named = Named.of(input);
        Path file = named.name().equals("schema") ? DIRECTIVES : LDIF;
        Scratch.write(file, named.rest() == null ? new byte[0] : named.rest());
        try {
            SchemaFile.read(DefinitionOrigin.Layer.FILE, file, new OidMacros()).forEach(SchemaFuzz::publish);
        } catch (StoreException e) {
            assertTrue(e.getMessage(), e.getMessage().contains(file.toString()));
        }
    }

    public static void subtree(byte[] input) {
        try {
            SubtreeForm form = SubtreeForm.parse(TestDirectory.SCHEMA, input);
            assertTrue(form.minimum() >= 0 && form.maximum() >= 0);
        } catch (DirectoryException e) {
            assertEquals(e.getMessage(), ResultCode.INVALID_ATTRIBUTE_SYNTAX, e.resultCode());
            assertFalse(SubtreeForm.isOne(TestDirectory.SCHEMA, input));
        }
    }
}
