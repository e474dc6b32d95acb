package org.alder.perf;

import org.alder.perf.bench.ServeVerb;
import org.alder.perf.bystander.BystanderVerb;
import org.alder.perf.cluster.ClusterTimesVerb;
import org.alder.perf.engine.BulkLoadVerb;
import org.alder.perf.engine.CompressionVerb;
import org.alder.perf.engine.InlineVerb;
import org.alder.perf.engine.KeyLookupVerb;
import org.alder.perf.engine.UpdateTableVerb;
import org.alder.perf.faults.ClusterFaultsVerb;
import org.alder.perf.faults.ClusterUpgradeVerb;
import org.alder.perf.security.AccessVerb;
import org.alder.perf.security.BindsVerb;
import org.alder.perf.security.TlsVerb;
import org.alder.perf.server.AddRateVerb;
import org.alder.perf.server.BackupTimesVerb;
import org.alder.perf.server.IndexBuildVerb;
import org.alder.perf.server.ManyConnectionsVerb;
import org.alder.perf.server.ModifyRateVerb;
import org.alder.perf.server.NearRealTimeVerb;
import org.alder.perf.server.OpenLdapVerb;
import org.alder.perf.server.SearchRateVerb;
import org.alder.perf.server.SearchTimesVerb;
import org.alder.perf.server.StartTimesVerb;
import org.alder.perf.stress.StressVerb;
import org.alder.server.cli.option.Verb;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * The benchmarks. Each is a verb below this one, seeded, and prints the machine before its figures; results go to standard
 * output and into {@code --report DIR}, progress to standard error.
 */
@Command(name = "perf", mixinStandardHelpOptions = true, description = "Measure Alder on this machine.",
        subcommands = {AllVerb.class, OpenLdapVerb.class, SearchTimesVerb.class, SearchRateVerb.class, AddRateVerb.class,
                StartTimesVerb.class, BackupTimesVerb.class, IndexBuildVerb.class,
                ModifyRateVerb.class, KeyLookupVerb.class, NearRealTimeVerb.class, CompressionVerb.class, InlineVerb.class,
                UpdateTableVerb.class, BulkLoadVerb.class, TlsVerb.class, BindsVerb.class, AccessVerb.class,
                BystanderVerb.class, ManyConnectionsVerb.class, ClusterTimesVerb.class, StressVerb.class, ClusterFaultsVerb.class, ClusterUpgradeVerb.class,
                ServeVerb.class, CompareVerb.class})
public final class PerfVerb implements Verb {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return CommandLine.ExitCode.USAGE;
    }
}
