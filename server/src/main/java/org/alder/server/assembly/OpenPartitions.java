package org.alder.server.assembly;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.Partition;
import org.alder.server.config.ConfigurationException;

/** The partitions of a server, opened and closed together. One thread. */
public final class OpenPartitions implements AutoCloseable {
    private final List<Partition> partitions = new ArrayList<>();

    private OpenPartitions() {
    }

    /** Holds all of the folders, or none. */
    public static OpenPartitions open(List<PartitionFolder> folders) throws ConfigurationException {
        OpenPartitions open = new OpenPartitions();
        boolean complete = false;
        try {
            for (PartitionFolder folder : folders) {
                open.partitions.add(folder.open());
            }
            complete = true;
            return open;
        } finally {
            if (!complete) {
                open.close();
            }
        }
    }

    /** In the order of the folders. */
    public List<Partition> list() {
        return List.copyOf(partitions);
    }

    @Override
    public void close() {
        closeAll(partitions.stream().<Runnable>map(partition -> partition::close).toList());
    }

    /** Closes the others also when one fails, and throws the first failure. */
    static void closeAll(List<Runnable> closings) {
        RuntimeException failure = null;
        for (Runnable closing : closings) {
            try {
                closing.run();
            } catch (RuntimeException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
