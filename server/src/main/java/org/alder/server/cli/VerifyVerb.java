package org.alder.server.cli;

import java.io.IOException;
import java.util.List;
import org.alder.ldif.progress.Phases;
import org.alder.ldif.progress.Progress;
import org.alder.partition.Partition;
import org.alder.partition.check.CheckReport;
import org.alder.partition.check.Checker;
import org.alder.partition.check.Problem;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.StoreException;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.RepairReport;
import org.alder.partition.store.Snapshot;
import org.alder.server.assembly.PartitionFolder;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.PartitionConfiguration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Proves that a partition's files are whole and that entries, hierarchy and indexes agree. */
@Command(name = "verify", mixinStandardHelpOptions = true,
        description = "Check every checksum, and that entries, hierarchy and indexes agree. The exit status is 1 if anything"
                + " is wrong.")
final class VerifyVerb implements Verb {
    @Mixin
    private PartitionOptions options;

    @Option(names = "--repair", description = "If anything is wrong, build all indexes anew from the entries and check again. "
            + "The server must be stopped; the disk must have room for a second copy. Refused, naming the file, where entries "
            + "themselves are damaged.")
    private boolean repair;

    @Mixin
    private ProgressOption progressOption;

    @Override
    public Integer call() throws IOException, DirectoryException, ConfigurationException, CommandException {
        Schema schema = options.schema();
        boolean clean = true;
        for (PartitionFolder folder : options.folders(options.configuration(), schema)) {
            boolean sound = verify(schema, folder.configuration(), folder);
            if (!sound && repair) {
                repair(folder.configuration(), folder);
                sound = verify(schema, folder.configuration(), folder);
            }
            clean &= sound;
        }
        return clean ? 0 : 1;
    }

    private static void repair(PartitionConfiguration configuration, PartitionFolder folder) {
        RepairReport report = folder.repair();
        System.out.println(configuration.suffix() + ": REPAIRED: built " + report.indexes().size() + " indexes from "
                + report.entries() + " entries as generation " + report.generation() + ": "
                + String.join(", ", report.indexes()));
    }

    private boolean verify(Schema schema, PartitionConfiguration configuration, PartitionFolder folder)
            throws IOException, ConfigurationException {
        List<String> damage = folder.check();
        damage.forEach(problem -> System.out.println(configuration.suffix() + ": " + problem));
        CheckReport report;
        Progress progress = progressOption.progress();
        try (Partition partition = folder.openReadOnly(); Snapshot snapshot = partition.snapshot()) {
            report = new Checker(schema, folder.suffix(), folder.indexer()).check(snapshot, new Phases(progress,
                    Progress.Unit.ENTRIES)::update);
            progress.finish();
        } catch (StoreException e) {
            System.out.println(configuration.suffix() + ": " + e.getMessage());
            return false;
        }
        for (Problem problem : report.problems()) {
            System.out.println(configuration.suffix() + ": " + problem);
        }
        boolean clean = damage.isEmpty() && report.isClean();
        System.out.println(configuration.suffix() + ": " + report.entries() + " entries, " + report.keys() + " index keys, "
                + report.postings() + " postings: " + (clean ? "clean" : "NOT clean"));
        return clean;
    }
}
