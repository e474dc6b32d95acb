package org.alder.server.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.definition.DefinitionKind;
import org.alder.partition.text.JsonText;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.DataOptions;
import org.alder.server.cli.option.JsonOption;
import org.alder.server.cli.option.Verb;
import org.alder.server.config.ConfigurationException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Tells whether a server would start with the schema files there are, or with more of them. Changes nothing. */
@Command(name = "schema", mixinStandardHelpOptions = true,
        description = "Check schema files: those of conf/schema, definitions added over LDAP, and FILEs as if they were in conf/schema, in LDIF "
                + "or OpenLDAP's .schema form. The exit status is 1, with file and line, if anything is wrong.",
        footer = {"  alder schema",
                "  alder schema acme.schema"})
final class SchemaVerb implements Verb {
    @Mixin
    private DataOptions data;

    @Mixin
    private JsonOption json;

    @Parameters(paramLabel = "FILE", arity = "0..*", description = "Further schema files. None of them is copied anywhere.")
    private List<Path> files = new ArrayList<>();

    @Override
    public Integer call() throws IOException, ConfigurationException, CommandException {
        data.requireNamed();
        Schema now = data.schema();
        Schema more = files.isEmpty() ? now : data.schema(files);
        List<String> counts = new ArrayList<>();
        Map<String, Object> facts = new LinkedHashMap<>();
        for (DefinitionKind kind : DefinitionKind.values()) {
            int all = more.definitions(kind).size();
            int added = all - now.definitions(kind).size();
            counts.add(all + " " + kind.attribute() + (files.isEmpty() ? "" : " (" + added + " new)"));
            facts.put(kind.attribute(), all);
            facts.put(kind.attribute() + "New", added);
        }
        facts.put("data", data.data().isThere());
        System.out.println(json.isOn() ? JsonText.of(facts) : "sound: " + String.join(", ", counts)
                + (data.data().isThere() ? "" : "; there are no data in " + data.data().path() + ", and so no definitions that were added over LDAP"));
        return 0;
    }
}
