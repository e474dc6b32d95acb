package org.alder.server.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.FilterParser;
import org.alder.partition.query.SearchCursor;
import org.alder.partition.query.SearchCursor.Step;
import org.alder.partition.query.SearchQuery;
import org.alder.partition.request.SearchScope;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.Snapshot;
import org.alder.server.assembly.PartitionFolder;
import org.alder.server.config.ConfigurationException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows how a search is answered, and answers it, also beside a running server. */
@Command(name = "explain", mixinStandardHelpOptions = true,
        description = "Plan a search, run it, and show plan, counts and times; also while the server runs. The times are those"
                + " of a program that"
                + " has just started: nothing is compiled or cached yet.")
final class ExplainVerb implements Verb {
    private enum Scope {
        BASE(SearchScope.BASE), ONE(SearchScope.ONE_LEVEL), SUB(SearchScope.SUBTREE), CHILDREN(SearchScope.CHILDREN);

        private final SearchScope scope;

        Scope(SearchScope scope) {
            this.scope = scope;
        }

        /** As it is written on the command line, and shown in messages. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Mixin
    private PartitionOptions options;

    @Option(names = "--base", paramLabel = "DN", description = "The search base. Default: the partition's suffix.")
    private String base;

    @Option(names = "--scope", paramLabel = "S", defaultValue = "sub", description = "base, one, sub or children. Default: sub.")
    private Scope scope;

    @Parameters(paramLabel = "FILTER", description = "Such as '(&(sn=smith)(l=b*))' (RFC 4515).")
    private String filter;

    @Spec
    private CommandSpec command;

    @Override
    public Integer call() throws IOException, DirectoryException, ConfigurationException, CommandException {
        Schema schema = options.schema();
        PartitionFolder folder = options.folder(options.configuration(), schema);
        Dn from = base == null ? folder.suffix() : Dn.parse(schema, base);
        SearchQuery query = new SearchQuery(from, scope.scope, FilterParser.parse(filter), 0, 0);
        try (Partition partition = folder.openReadOnly(); Snapshot snapshot = partition.snapshot()) {
            explain(partition, snapshot, query);
        }
        return 0;
    }

    private void explain(Partition partition, Snapshot snapshot, SearchQuery query) throws DirectoryException {
        PrintWriter out = command.commandLine().getOut();
        long start = System.nanoTime();
        try (SearchCursor cursor = partition.search(snapshot, query)) {
            long planned = System.nanoTime();
            long first = 0;
            long matches = 0;
            while (cursor.step(Integer.MAX_VALUE) == Step.MATCH) {
                matches++;
                first = matches == 1 ? System.nanoTime() : first;
            }
            long end = System.nanoTime();
            out.print(cursor.plan());
            out.println("examined    " + cursor.examined());
            out.println("matches     " + matches);
            out.println("time        plan " + millis(planned - start) + ", first match "
                    + (matches == 0 ? "none" : millis(first - start)) + ", all " + millis(end - start));
            out.flush();
        }
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.3f ms", nanos / 1e6);
    }
}
