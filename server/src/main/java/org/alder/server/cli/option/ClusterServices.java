package org.alder.server.cli.option;

import java.util.ServiceLoader;

/** What is there for clusters alone, in a module of its own. Stateless. */
public final class ClusterServices {
    private ClusterServices() {
    }

    /** @throws CommandException where it is not on the class path */
    public static <T> T find(Class<T> service) throws CommandException {
        return ServiceLoader.load(service).findFirst().orElseThrow(() -> new CommandException(
                "what a cluster needs is not on the class path: lib/cluster/*, which bin/alder adds where it is given --cluster or --join"));
    }
}
