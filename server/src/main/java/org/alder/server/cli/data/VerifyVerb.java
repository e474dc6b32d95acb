package org.alder.server.cli.data;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.alder.ldif.progress.Phases;
import org.alder.ldif.progress.Progress;
import org.alder.partition.Partition;
import org.alder.partition.check.CheckReport;
import org.alder.partition.check.Checker;
import org.alder.partition.commit.UnfinishedTransactions;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.RepairReport;
import org.alder.partition.store.Snapshot;
import org.alder.partition.text.Counted;
import org.alder.partition.text.JsonText;
import org.alder.server.assembly.PartitionFolder;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.JsonOption;
import org.alder.server.cli.option.PartitionOptions;
import org.alder.server.cli.option.ProgressOption;
import org.alder.server.cli.option.Verb;
import org.alder.server.config.ConfigurationException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Proves that a partition's files are whole and that entries, hierarchy and indexes agree. */
@Command(name = "verify", mixinStandardHelpOptions = true,
        description = "Check every checksum, and that entries, hierarchy and indexes agree. The exit status is 1 if anything"
                + " is wrong.",
        footer = {"  alder verify",
                "  alder verify --json | jq .clean",
                "  alder verify --repair"})
public final class VerifyVerb implements Verb {
    private static final int MOST_SHOWN = 100;

    @Mixin
    private PartitionOptions options;

    @Option(names = "--repair", description = "If anything is wrong, rebuild all indexes from the entries and check again. The server must be "
            + "stopped, and the disk must have room for a second copy. Refused, naming the file, if entries themselves are damaged.")
    private boolean repair;

    @Mixin
    private JsonOption json;

    @Mixin
    private ProgressOption progressOption;

    @Override
    public Integer call() throws IOException, DirectoryException, ConfigurationException, CommandException {
        Schema schema = options.schema();
        boolean clean = true;
        for (PartitionFolder folder : options.folders(options.configuration(), schema)) {
            boolean sound = verify(schema, folder, null);
            if (!sound && repair) {
                sound = verify(schema, folder, repair(folder));
            }
            clean &= sound;
        }
        return clean ? 0 : 1;
    }

    private RepairReport repair(PartitionFolder folder) {
        RepairReport report = folder.repair();
        if (!json.isOn()) {
            System.out.println(folder.label() + ": REPAIRED: built " + Counted.of(report.indexes().size(), "index") + " from "
                    + Counted.of(report.entries(), "entry") + " as generation " + report.generation() + ": "
                    + String.join(", ", report.indexes()));
        }
        return report;
    }

    /** @param repaired what was done before; null for nothing */
    private boolean verify(Schema schema, PartitionFolder folder, RepairReport repaired)
            throws IOException, ConfigurationException {
        List<String> problems = new ArrayList<>(folder.check());
        CheckReport report = null;
        int unfinished = 0;
        Progress progress = progressOption.progress();
        try (Partition partition = folder.openReadOnly(); Snapshot snapshot = partition.snapshot()) {
            report = new Checker(schema, folder.suffix(), partition.indexer()).check(snapshot, new Phases(progress,
                    Progress.Unit.ENTRIES)::update);
            progress.finish();
            report.problems().forEach(problem -> problems.add(problem.toString()));
            if (folder.configuration().shards() > 1) {
                problems.addAll(misplaced(schema, partition, snapshot));
            }
            unfinished = UnfinishedTransactions.prepared(snapshot.systemRecords());
        } catch (StoreException e) {
            problems.add(e.getMessage());
        }
        boolean clean = problems.isEmpty() && report.isClean();
        if (json.isOn()) {
            Map<String, Object> facts = facts(folder, problems, report, clean);
            if (unfinished > 0) {
                facts.put("unfinishedTransactions", unfinished);
            }
            if (repaired != null) {
                facts.put("repairedIndexes", repaired.indexes());
            }
            System.out.println(JsonText.of(facts));
        } else {
            print(folder, problems, report, clean);
            if (unfinished > 0) {
                System.out.println(folder.label() + ": " + Counted.of(unfinished, "transaction") + " of several shards not finished, which a running server does");
            }
        }
        return clean;
    }

    /** The entries directly below the suffix that another shard should have. */
    private static List<String> misplaced(Schema schema, Partition partition, Snapshot snapshot) {
        List<String> problems = new ArrayList<>();
        long suffix = partition.resolve(snapshot, partition.suffix());
        if (suffix == HierarchyKeys.NO_PARENT) {
            return problems;
        }
        IdSet.IdIterator tops = snapshot.ids(HierarchyKeys.INDEX, HierarchyKeys.children(suffix)).iterator();
        while (tops.hasNext() && problems.size() < MOST_SHOWN) {
            String dn = partition.dnOf(snapshot, tops.next());
            if (!partition.holds(Dn.stored(schema, dn))) {
                problems.add("\"" + dn + "\" is in " + partition.label() + ", expected in the shard of its RDN's hash");
            }
        }
        return problems;
    }

    private static void print(PartitionFolder folder, List<String> problems, CheckReport report, boolean clean) {
        problems.forEach(problem -> System.out.println(folder.label() + ": " + problem));
        if (report != null) {
            System.out.println(folder.label() + ": " + Counted.of(report.entries(), "entry") + ", " + Counted.of(report.keys(), "index key") + ", "
                    + Counted.of(report.postings(), "posting") + ": " + (clean ? "clean" : "NOT clean"));
        }
    }

    /** @param report null if the entries could not be read */
    private static Map<String, Object> facts(PartitionFolder folder, List<String> problems, CheckReport report,
            boolean clean) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("partition", folder.label());
        facts.put("clean", clean);
        facts.put("problems", problems);
        if (report != null) {
            facts.put("entries", report.entries());
            facts.put("keys", report.keys());
            facts.put("postings", report.postings());
        }
        return facts;
    }

    @Override
    public String whenInterrupted() {
        return "stopped before the end: not everything was checked" + (repair ? ", and indexes are repaired only where that was said" : "");
    }
}
