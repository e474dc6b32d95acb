package org.alder.server.assembly;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.alder.partition.Partition;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.IndexBuild;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.PartitionConfiguration;
import org.alder.server.config.PartitionKeys;
import org.alder.server.config.ServerConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the indexes of open partitions those of a configuration. One thread. */
final class LiveIndexes {
    private static final Logger LOG = LoggerFactory.getLogger(LiveIndexes.class);

    private final Schema schema;
    private final OpenPartitions partitions;

    LiveIndexes(Schema schema, OpenPartitions partitions) {
        this.schema = schema;
        this.partitions = partitions;
    }

    /** The indexes of a partition, and from when on values are kept outside of their entry's record. */
    private record Indexing(List<IndexDefinition> indexes, int largeAttributeThreshold) {
        static Indexing of(Partition partition) {
            return new Indexing(partition.indexes(), partition.largeAttributeThreshold());
        }

        boolean isSame(Indexing other) {
            return largeAttributeThreshold == other.largeAttributeThreshold && new HashSet<>(indexes).equals(new HashSet<>(other.indexes));
        }

        void give(Partition partition) throws DirectoryException {
            partition.changeIndexes(indexes, largeAttributeThreshold);
        }
    }

    private record PartitionChange(Partition partition, Indexing before, Indexing after) {
    }

    /** What is to become of the indexes, which can be done as far as can be said before. */
    static final class Change {
        private final List<PartitionChange> changes;

        private Change(List<PartitionChange> changes) {
            this.changes = changes;
        }

        /** {@link Partition#changeIndexes}; where it fails, some of it may be made. */
        void make() throws DirectoryException {
            try {
                for (PartitionChange each : changes) {
                    each.after.give(each.partition);
                }
            } catch (StoreException e) {
                throw failed(e);
            }
        }

        /** Takes back what was made. Of what could not be taken back the next start makes what is configured. */
        void undo() {
            for (PartitionChange each : changes) {
                try {
                    if (!each.before.isSame(Indexing.of(each.partition))) {
                        each.before.give(each.partition);
                    }
                } catch (DirectoryException | StoreException e) {
                    LOG.warn("the indexes of {} are not those of the configuration before the next start: {}", each.partition.suffix().text(),
                            e.getMessage());
                }
            }
        }

        /** The names of those that are being built now. */
        List<String> building() {
            List<String> names = new ArrayList<>();
            for (PartitionChange each : changes) {
                IndexBuild build = each.partition.store().maintenance().indexBuild();
                names.addAll(build == null ? List.of() : build.indexes());
            }
            return names;
        }
    }

    private static DirectoryException failed(StoreException cause) {
        return new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, "nothing was changed: " + cause.getMessage());
    }

    /**
     * Builds indexes of a partition anew ({@link Partition#rebuildIndexes}).
     *
     * @param name       of the partition
     * @param attributes their names
     */
    void rebuild(String name, List<String> attributes, boolean dryRun) throws DirectoryException {
        Set<AttributeType> types = new LinkedHashSet<>();
        for (String attribute : attributes) {
            AttributeType type = schema.attributeType(attribute);
            if (type == null) {
                throw new DirectoryException(ResultCode.NO_SUCH_ATTRIBUTE, "there is no index of \"" + attribute + "\", which the schema has not");
            }
            types.add(type);
        }
        if (dryRun) {
            throw new DirectoryException(ResultCode.NO_OPERATION, "nothing was changed, as asked");
        }
        try {
            for (Partition partition : partitions.named(name)) {
                partition.rebuildIndexes(types);
            }
        } catch (StoreException e) {
            throw failed(e);
        }
    }

    /**
     * @param configuration partitions that are not open have their indexes from the beginning
     * @throws DirectoryException naming an attribute whose index cannot become another one now
     */
    Change change(ServerConfiguration configuration) throws ConfigurationException, DirectoryException {
        List<PartitionChange> changes = new ArrayList<>();
        for (PartitionConfiguration each : configuration.partitions()) {
            for (Partition partition : partitions.named(each.name())) {
                Indexing before = Indexing.of(partition);
                Indexing after = new Indexing(PartitionFolder.definitions(schema, each), each.get(PartitionKeys.LARGE_ATTRIBUTE_THRESHOLD));
                if (!before.isSame(after)) {
                    partition.requireChangeable(after.indexes);
                    changes.add(new PartitionChange(partition, before, after));
                }
            }
        }
        return new Change(changes);
    }
}
