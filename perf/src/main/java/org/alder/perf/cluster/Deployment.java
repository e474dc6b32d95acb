package org.alder.perf.cluster;

import java.io.IOException;
import java.util.List;
import org.alder.perf.bench.LoadedData;
import org.alder.perf.client.Load;

/** What takes the same updates as others do: one server, or several that hold the same. One thread. */
interface Deployment {
    /** What tables call it. */
    String label();

    /** Who may do everything. */
    default Load.Login administrator() {
        return LoadedData.ADMINISTRATOR;
    }

    /** Where updates go now, one connection after another. */
    List<Integer> ports() throws IOException, InterruptedException;

    /** Which have to show what was acknowledged before a turn is over; none where that is not waited for. */
    default List<Integer> copies() {
        return List.of();
    }

    /** The numbers of its servers' processes. */
    List<Long> processes();

    /** Of all of its servers together, so far. */
    double cpuSeconds();
}
