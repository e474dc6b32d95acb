package org.alder.perf.faults;

import org.alder.server.cli.option.CommandException;
import picocli.CommandLine.Option;

/** Over how many shards the entries of a cluster under test are spread. */
final class Shards {
    /** Each member has all of them, in a small heap. */
    private static final int MOST = 16;

    @Option(names = "--shards", paramLabel = "N", description = "Over so many shards are the entries spread, which different members lead. Default: ${DEFAULT-VALUE}, a partition as it is.")
    private int count = 1;

    @Option(names = "--copies", paramLabel = "N", description = "So many members hold each shard, and the others read it from them. Default: all of them.")
    private Integer copies;

    /** How many members hold each; all where nothing was said. */
    int copies() throws CommandException {
        if (copies != null && (copies < 2 || copies > Cluster.MEMBERS || count == 1)) {
            throw new CommandException("--copies " + copies + ": expected 2 to " + Cluster.MEMBERS + ", and --shards");
        }
        return copies == null ? Cluster.MEMBERS : copies;
    }

    int count() throws CommandException {
        if (count < 1 || count > MOST) {
            throw new CommandException("--shards " + count + ": expected 1 to " + MOST);
        }
        return count;
    }
}
