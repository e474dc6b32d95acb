package org.alder.server.cli.data;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionException;
import org.alder.ldif.LdifModify;
import org.alder.ldif.bulk.LdifSource;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.request.Modification;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.definition.DefinitionKind;
import org.alder.partition.text.Counted;
import org.alder.partition.text.Utf8;
import org.alder.server.directory.own.OnlineSchema;
import org.alder.server.directory.own.SchemaUpdates;
import org.alder.server.directory.own.Subschema;

/**
 * Takes the definitions that stand before the entries of an export into the schema, as if a client had added them to the running
 * server. Those that are there already are passed over. One thread.
 */
final class ImportedSchema implements LdifSource.Changes {
    private final Schema schema;
    private final SchemaUpdates updates;
    private int added;

    /** @param file where definitions that are added over LDAP are kept */
    ImportedSchema(Schema schema, OnlineSchema file) {
        this.schema = schema;
        // No partition is served, and what is only added is in no entry's way.
        this.updates = new SchemaUpdates(schema, List::of, file);
    }

    @Override
    public boolean make(LdifModify change) throws DirectoryException {
        if (!Subschema.isSubschema(Dn.parse(schema, change.dn()))) {
            return false;
        }
        List<Modification> modifications = new ArrayList<>();
        for (LdifModify.Modification modification : change.modifications()) {
            if (modification.kind() != LdifModify.Kind.ADD) {
                throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, modification.kind().name().toLowerCase(Locale.ROOT)
                        + ": " + modification.description() + ": a bulk load only adds definitions to the schema");
            }
            List<byte[]> values = modification.values().stream().filter(value -> !isThere(modification.description(), value)).toList();
            if (!values.isEmpty()) {
                modifications.add(new Modification(Modification.Kind.ADD, modification.description(), values));
                added += values.size();
            }
        }
        if (!modifications.isEmpty()) {
            add(modifications);
        }
        return true;
    }

    private boolean isThere(String attribute, byte[] value) {
        String text = Utf8.decodeOrNull(value);
        for (DefinitionKind kind : DefinitionKind.values()) {
            if (kind.attribute().equalsIgnoreCase(attribute)) {
                return schema.definitions(kind).contains(text);
            }
        }
        return false;
    }

    private void add(List<Modification> modifications) throws DirectoryException {
        try {
            updates.modify(modifications, false).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof DirectoryException refused) {
                throw refused;
            }
            throw e.getCause() instanceof RuntimeException fault ? fault : e;
        }
    }

    /** Says how many definitions were new, if any were. */
    void print(PrintStream out) {
        if (added > 0) {
            out.println("added " + Counted.of(added, "definition") + " to the schema");
        }
    }
}
