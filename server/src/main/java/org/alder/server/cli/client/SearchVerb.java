package org.alder.server.cli.client;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.filter.Filter;
import org.alder.partition.text.Counted;
import org.alder.partition.text.Utf8;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.DataOptions;
import org.alder.server.cli.option.JsonOption;
import org.alder.server.cli.option.SearchOptions;
import org.alder.server.cli.option.Verb;
import org.alder.server.cli.option.WrongCallException;
import org.alder.server.cli.output.CsvOutput;
import org.alder.server.cli.output.EntryOutput;
import org.alder.server.cli.output.JsonOutput;
import org.alder.server.cli.output.LdifOutput;
import org.alder.server.cli.output.StandardOutput;
import org.alder.server.cli.output.TableOutput;
import org.alder.server.cli.output.TerminalText;
import org.alder.server.client.LdapAnswer;
import org.alder.server.client.LdapCall;
import org.alder.server.config.ConfigurationException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Searches a running server and writes what it finds as it comes. */
@Command(name = "search", mixinStandardHelpOptions = true,
        description = "Search the running server, over LDAP, and write the entries as LDIF, as a table, as JSON or as CSV. Control characters in "
                + "values are escaped.",
        footer = {"  alder search '(uid=alice)'", "  alder search -f table '(departmentNumber=3)' cn mail telephoneNumber",
                "  alder search -f csv --limit 0 '(objectClass=person)' uid cn mail > people.csv",
                "  alder search -H ldaps://ldap.example.com:10636 --ca ca.pem -D uid=alice,ou=users,dc=example,dc=com -b '' -s base '(objectClass=*)' +"})
public final class SearchVerb implements Verb {
    private static final int MOST_REFERENCES = 10;

    private enum Format {
        LDIF, TABLE, JSON, CSV
    }

    @Mixin
    private DataOptions data;

    @Mixin
    private ServerOptions server;

    @Mixin
    private SearchOptions search;

    @Option(names = {"-f", "--format"}, paramLabel = "FORMAT", description = "ldif: entries. table: a column for each ATTRIBUTE. json: one "
            + "object a line. csv: one line an entry, the values of an attribute in one field; needs the ATTRIBUTEs. Default: ldif.")
    private Format format;

    @Option(names = "--limit", paramLabel = "N", defaultValue = "0", description = "The most entries; 0 = as many as the server allows. Default: "
            + "${DEFAULT-VALUE}.")
    private int limit;

    @Option(names = "--column", paramLabel = "N", defaultValue = "40", description = "In a table, the most characters of a column; 0 = all. "
            + "Default: ${DEFAULT-VALUE}.")
    private int column;

    @Mixin
    private JsonOption json;

    @Parameters(index = "0", arity = "0..1", paramLabel = "FILTER", defaultValue = "(objectClass=*)", description = "Such as"
            + " '(&(sn=smith)(l=b*))' (RFC 4515). Default: ${DEFAULT-VALUE}.")
    private String filter;

    @Parameters(index = "1..*", paramLabel = "ATTRIBUTE", description = "The attributes to show: names; * for all user attributes, + for all "
            + "operational ones, 1.1 for none. Default: *.")
    private List<String> attributes = new ArrayList<>();

    private volatile long found;

    /** What comes is written. */
    private final class Writing implements ServerConnection.Listener {
        private final EntryOutput output;
        private final List<String> references = new ArrayList<>();
        private long referenceCount;

        Writing(EntryOutput output) {
            this.output = output;
        }

        @Override
        public void found(LdapAnswer.Entry each) throws IOException {
            try {
                output.entry(ServerConnection.ldif(each));
            } catch (IllegalArgumentException e) {
                throw new IOException("the server has shown what cannot be written: " + TerminalText.shown(e.getMessage()), e);
            }
            found++;
        }

        @Override
        public void reference(String url) {
            referenceCount++;
            if (references.size() < MOST_REFERENCES) {
                references.add(TerminalText.shown(url));
            }
        }

        /** On standard error: what is not among the results. */
        void tellRest() {
            if (output.omitted() != null) {
                System.err.println("alder: " + output.omitted());
            }
            if (referenceCount > 0) {
                System.err.println("alder: " + Counted.of(referenceCount, "reference") + " to other servers not followed: " + String.join(", ", references)
                        + (referenceCount > references.size() ? ", ..." : ""));
            }
        }
    }

    @Override
    public Integer call() throws IOException, DirectoryException, ConfigurationException, CommandException {
        if (limit < 0 || column < 0) {
            throw new WrongCallException((limit < 0 ? "--limit " + limit : "--column " + column) + ": expected a number that is not negative");
        }
        if (json.isOn() && format != null && format != Format.JSON) {
            throw new WrongCallException("--json is --format json: leave one of the two out");
        }
        format = json.isOn() ? Format.JSON : format == null ? Format.LDIF : format;
        Filter wanted = search.filter(filter);
        try (ServerConnection calls = server.open(data); OutputStream out = new StandardOutput(); EntryOutput output = output(out)) {
            String base = search.base() == null ? onlySuffix(calls) : search.base();
            Writing writing = new Writing(output);
            LdapAnswer.Result result = calls.ask(LdapCall.search(new LdapCall.Search(base, search.scope(), wanted, limit, 0, false, attributes)),
                    writing);
            output.close();
            out.close();
            writing.tellRest();
            if (limit > 0 && found == limit && result.is(ResultCode.SIZE_LIMIT_EXCEEDED)) {
                System.err.println("alder: these are the first " + limit + ": there are more");
            } else {
                if (found == 0 && result.is(ResultCode.SUCCESS) && (format == Format.LDIF || format == Format.TABLE)) {
                    System.err.println("alder: nothing is found that whoever asks may see");
                }
                ServerConnection.require(result, "search below \"" + base + '"' + (found == 0 ? "" : ", ended after " + Counted.of(found, "entry")));
            }
        }
        return 0;
    }

    private EntryOutput output(OutputStream out) throws IOException, ConfigurationException, CommandException {
        try {
            return switch (format) {
                case LDIF -> new LdifOutput(out);
                case JSON -> new JsonOutput(out);
                case CSV -> new CsvOutput(out, data.schema(), attributes);
                case TABLE -> new TableOutput(out, data.schema(), attributes, column);
            };
        } catch (IllegalArgumentException e) {
            throw new WrongCallException(e.getMessage(), e);
        }
    }

    /** The whole directory, if the server has one suffix or says that it can search all of them at once (RFC 4512 5.1). */
    private static String onlySuffix(ServerConnection calls) throws IOException, CommandException {
        List<byte[]> suffixes = calls.read("", List.of("namingContexts")).byDescription().getOrDefault("namingContexts", List.of());
        return suffixes.size() == 1 ? Utf8.shown(suffixes.get(0)) : "";
    }

    @Override
    public String whenInterrupted() {
        return "stopped before the end: found so far: " + Counted.of(found, "entry");
    }
}
