package org.alder.perf.bench;

import java.io.IOException;
import java.nio.file.Path;
import org.alder.partition.Partition;
import org.alder.partition.error.DirectoryException;
import org.alder.server.assembly.DataFolder;
import org.alder.server.assembly.PartitionFolder;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.ConfigurationReader;
import org.alder.server.config.PartitionConfiguration;

/** Opens the first partition of a data folder in this process, for what is measured below the protocol. Stateless. */
public final class LocalPartition {
    private LocalPartition() {
    }

    /** For reading: what is in segments, and no server needed. The caller closes it. */
    public static Partition openReadOnly(LoadedData data) throws IOException, DirectoryException, ConfigurationException {
        return folder(data.folder(), data.configuration()).openReadOnly();
    }

    /** For reading and writing. The caller closes it. */
    public static Partition open(Path data, Path configuration) throws IOException, DirectoryException, ConfigurationException {
        return folder(data, configuration).open();
    }

    private static PartitionFolder folder(Path data, Path file) throws IOException, DirectoryException, ConfigurationException {
        PartitionConfiguration configuration = ConfigurationReader.read(file).partitions().get(0);
        return new PartitionFolder(DataFolder.installedSchema(), configuration, new DataFolder(data));
    }
}
