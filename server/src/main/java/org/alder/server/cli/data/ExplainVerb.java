package org.alder.server.cli.data;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.filter.CandidateEntry;
import org.alder.partition.filter.EntryAccess;
import org.alder.partition.query.SearchCursor;
import org.alder.partition.query.SearchCursor.Step;
import org.alder.partition.query.SearchQuery;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.Snapshot;
import org.alder.partition.text.JsonText;
import org.alder.server.AlderServer;
import org.alder.server.access.IdentityAccess;
import org.alder.server.access.Requester;
import org.alder.server.assembly.AdministratorAssembly;
import org.alder.server.assembly.PartitionFolder;
import org.alder.server.assembly.ServerAssembly;
import org.alder.server.auth.Identity;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.ConnectionOptions;
import org.alder.server.cli.option.JsonOption;
import org.alder.server.cli.option.PartitionOptions;
import org.alder.server.cli.option.SearchOptions;
import org.alder.server.cli.option.Verb;
import org.alder.server.cli.option.WrongCallException;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.ServerConfiguration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows how a search is answered, and answers it, also beside a running server. */
@Command(name = "explain", mixinStandardHelpOptions = true,
        description = "Show how a search is answered: its plan, indexes, counts and times; also while the server runs. Times are those of a "
                + "program that has just started, with nothing compiled or cached yet.",
        footer = {"  alder explain '(&(sn=smith)(l=b*))'",
                "  alder explain --as uid=alice,ou=users,dc=example,dc=com --tls '(uid=bob)'"})
public final class ExplainVerb implements Verb {
    private static final int MOST_ENTRIES = 10;

    @Mixin
    private PartitionOptions options;

    @Mixin
    private SearchOptions search;

    @Option(names = "--as", paramLabel = "DN", description = "Search as this user, or as anonymous for \"\" and show for each of the first " + MOST_ENTRIES + " "
            + "entries that the administrator would find which access rule decides about which right. Rules about addresses, TLS and mechanisms "
            + "match only if the connection is described, too.")
    private String as;

    @Mixin
    private ConnectionOptions connection;

    @Mixin
    private JsonOption json;

    @Parameters(paramLabel = "FILTER", description = "Such as '(&(sn=smith)(l=b*))' (RFC 4515).")
    private String filter;

    @Spec
    private CommandSpec command;

    @Override
    public Integer call() throws IOException, DirectoryException, ConfigurationException, CommandException {
        if (as == null && connection.areGiven()) {
            throw new WrongCallException("--address, --tls, --ssf and --mechanism say how somebody asks: add --as DN, or --as \"\" for"
                    + " anonymous");
        }
        Schema schema = options.schema();
        ServerConfiguration configuration = options.configuration();
        Dn base = search.base() == null ? null : Dn.parse(schema, search.base());
        PartitionFolder folder = options.folder(configuration, schema, base);
        Dn from = base == null ? folder.suffix() : base;
        SearchQuery query = new SearchQuery(from, search.scope(), search.filter(filter), 0, 0);
        try (Partition partition = folder.openReadOnly(); Snapshot snapshot = partition.snapshot()) {
            if (as == null) {
                explain(partition, snapshot, query);
            } else {
                IdentityAccess access = access(configuration, partition);
                explain(partition, snapshot, new SearchQuery(from, query.scope(), query.filter(), 0, 0, access));
                explainRights(partition, snapshot, query, access);
            }
        }
        return 0;
    }

    private IdentityAccess access(ServerConfiguration configuration, Partition partition) throws DirectoryException,
            ConfigurationException, CommandException {
        Dn dn = Dn.parse(partition.schema(), as);
        Identity identity = dn.isRoot() ? Identity.ANONYMOUS
                : new Identity(dn, dn.equals(AdministratorAssembly.dn(configuration, partition.schema())));
        return AlderServer.accessPolicy(partition.schema(), List.of(partition), ServerAssembly.accessRules(configuration,
                partition.schema())).of(new Requester(identity, connection.connection(identity.isAnonymous())));
    }

    private void explainRights(Partition partition, Snapshot snapshot, SearchQuery query, IdentityAccess access)
            throws DirectoryException {
        PrintWriter out = command.commandLine().getOut();
        LastSeen seen = new LastSeen();
        SearchQuery whole = new SearchQuery(query.base(), query.scope(), query.filter(), 0, 0, seen);
        try (SearchCursor cursor = partition.search(snapshot, whole)) {
            for (int i = 0; i < MOST_ENTRIES && cursor.step(Integer.MAX_VALUE) == Step.MATCH; i++) {
                ExplainedRights explained = new ExplainedRights(partition.schema(), access.rights(seen.entry), seen.entry);
                if (json.isOn()) {
                    out.println(JsonText.of(explained.facts()));
                } else {
                    explained.print(out);
                }
            }
        }
        out.flush();
    }

    /** All of every entry may be known, and the last one that was asked about is remembered. One thread. */
    private static final class LastSeen implements EntryAccess {
        private CandidateEntry entry;

        @Override
        public AttributeAccess everywhere() {
            return null;
        }

        @Override
        public AttributeAccess of(CandidateEntry asked) {
            entry = asked;
            return AttributeAccess.ALL;
        }
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
            long firstNanos = matches == 0 ? 0 : first - start;
            if (json.isOn()) {
                out.println(JsonText.of(facts(cursor, matches, planned - start, firstNanos, end - start)));
            } else {
                out.print(cursor.plan());
                out.println("examined    " + cursor.examined());
                out.println("matches     " + matches);
                out.println("time        plan " + millis(planned - start) + ", first match "
                        + (matches == 0 ? "none" : millis(firstNanos)) + ", all " + millis(end - start));
            }
            out.flush();
        }
    }

    private static Map<String, Object> facts(SearchCursor cursor, long matches, long planNanos, long firstNanos, long allNanos) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("plan", cursor.plan().toString().lines().toList());
        facts.put("examined", cursor.examined());
        facts.put("matches", matches);
        facts.put("planMicros", TimeUnit.NANOSECONDS.toMicros(planNanos));
        if (matches > 0) {
            facts.put("firstMatchMicros", TimeUnit.NANOSECONDS.toMicros(firstNanos));
        }
        facts.put("allMicros", TimeUnit.NANOSECONDS.toMicros(allNanos));
        return facts;
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.3f ms", nanos / 1e6);
    }
}
