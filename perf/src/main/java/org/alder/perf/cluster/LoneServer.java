package org.alder.perf.cluster;

import java.util.List;
import org.alder.perf.process.ServerProcess;

/** One server that no other one copies: what clusters are held against. One thread; whoever starts the server closes it. */
record LoneServer(ServerProcess server) implements Deployment {
    @Override
    public String label() {
        return "one server alone";
    }

    @Override
    public List<Integer> ports() {
        return List.of(server.port());
    }

    @Override
    public List<Long> processes() {
        return List.of(server.process());
    }

    @Override
    public double cpuSeconds() {
        return server.cpuSeconds();
    }
}
