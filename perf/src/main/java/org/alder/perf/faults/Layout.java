package org.alder.perf.faults;

import java.util.ArrayList;
import java.util.List;
import org.alder.server.cli.option.CommandException;
import picocli.CommandLine.Option;

/** How many members a cluster under test has, and over how many shards its entries are spread. */
final class Layout {
    private static final int FEWEST_MEMBERS = 3;
    /** A machine has processes for so many, and ZooKeeper goes by the majority of all. */
    private static final int MOST_MEMBERS = 5;
    /** Each member has all of them, in a small heap. */
    private static final int MOST_SHARDS = 16;

    @Option(names = "--members", paramLabel = "N", description = "So many members has the cluster, 3 to 5. Default: ${DEFAULT-VALUE}.")
    private int members = FEWEST_MEMBERS;

    @Option(names = "--shards", paramLabel = "N", description = "Over so many shards are the entries spread, which different members lead. Default: ${DEFAULT-VALUE}, a partition as it is.")
    private int shards = 1;

    @Option(names = "--copies", paramLabel = "N", description = "So many members hold each shard, and the others read it from them. Default: all of them.")
    private Integer copies;

    /** What was asked for. @param copies how many members hold each shard */
    record Numbers(int members, int shards, int copies) {
        /** Whether some members hold some of the shards alone. */
        boolean isPlaced() {
            return copies < members;
        }

        /** As options of a command. */
        List<String> arguments() {
            List<String> all = new ArrayList<>(List.of("--members", Integer.toString(members), "--shards", Integer.toString(shards)));
            if (isPlaced()) {
                all.addAll(List.of("--copies", Integer.toString(copies)));
            }
            return all;
        }
    }

    Numbers numbers() throws CommandException {
        if (members < FEWEST_MEMBERS || members > MOST_MEMBERS) {
            throw new CommandException("--members " + members + ": expected " + FEWEST_MEMBERS + " to " + MOST_MEMBERS);
        } else if (shards < 1 || shards > MOST_SHARDS) {
            throw new CommandException("--shards " + shards + ": expected 1 to " + MOST_SHARDS);
        } else if (copies != null && (copies < 2 || copies > members || shards == 1)) {
            throw new CommandException("--copies " + copies + ": expected 2 to " + members + ", and --shards");
        }
        return new Numbers(members, shards, copies == null ? members : copies);
    }
}
