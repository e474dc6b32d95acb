package org.alder.server.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.definition.DefinitionKind;
import org.alder.server.cli.option.DataOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Tells whether a server would start with the schema files there are, or with more of them. Changes nothing. */
@Command(name = "schema", mixinStandardHelpOptions = true,
        description = "Check schema files: those of conf/schema, what was added over LDAP, and FILEs as if they lay in"
                + " conf/schema, in LDIF or in OpenLDAP's .schema form. The exit status is 1, with file and line,"
                + " if anything is wrong.")
final class SchemaVerb implements Verb {
    @Mixin
    private DataOptions data;

    @Parameters(paramLabel = "FILE", arity = "0..*", description = "Further schema files. None of them is copied anywhere.")
    private List<Path> files = new ArrayList<>();

    @Override
    public Integer call() throws IOException {
        Schema now = data.schema();
        Schema more = files.isEmpty() ? now : data.data().schema(files);
        List<String> counts = new ArrayList<>();
        for (DefinitionKind kind : DefinitionKind.values()) {
            int known = now.definitions(kind).size();
            int added = more.definitions(kind).size() - known;
            counts.add((known + added) + " " + kind.attribute() + (files.isEmpty() ? "" : " (" + added + " new)"));
        }
        System.out.println("sound: " + String.join(", ", counts));
        return 0;
    }
}
