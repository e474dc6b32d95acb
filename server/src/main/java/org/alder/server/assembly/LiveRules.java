package org.alder.server.assembly;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.alder.partition.Partition;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.rule.EntryRules;
import org.alder.partition.rule.UniqueRule;
import org.alder.partition.schema.Schema;
import org.alder.partition.update.RuleChange;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.Key;
import org.alder.server.config.PartitionConfiguration;
import org.alder.server.config.PartitionKeys;
import org.alder.server.config.RuleLines;
import org.alder.server.config.ServerConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the rules of open partitions those of a configuration. One thread. */
final class LiveRules {
    private static final Logger LOG = LoggerFactory.getLogger(LiveRules.class);

    private final Schema schema;
    private final OpenPartitions partitions;
    private final DataFolder data;

    LiveRules(Schema schema, OpenPartitions partitions, DataFolder data) {
        this.schema = schema;
        this.partitions = partitions;
        this.data = data;
    }

    /** @param added the rules on unique values that the data have to be held against */
    private record PartitionRules(Partition partition, EntryRules rules, List<UniqueRule> added) {
    }

    /** What is to become of the rules. After {@link #begin} come {@link #look} and {@link #hold}, and {@link #take} or {@link #giveUp}. */
    static final class Change {
        private final List<PartitionRules> wanted;
        private final boolean otherGroups;
        private final List<RuleChange> begun = new ArrayList<>();

        private Change(List<PartitionRules> wanted, boolean otherGroups) {
            this.wanted = wanted;
            this.otherGroups = otherGroups;
        }

        /** Whether others may be members of groups than before. */
        boolean otherGroups() {
            return otherGroups;
        }

        /** Whether it can be made: {@link RuleChange#check}. */
        void check() throws DirectoryException {
            try {
                for (PartitionRules each : wanted) {
                    RuleChange.check(each.partition, each.rules, each.added);
                }
            } catch (StoreException e) {
                throw failed(e);
            }
        }

        /** {@link RuleChange#begin}: all of them, or none. */
        void begin() throws DirectoryException {
            boolean complete = false;
            try {
                for (PartitionRules each : wanted) {
                    begun.add(RuleChange.begin(each.partition, each.rules, each.added));
                }
                complete = true;
            } catch (StoreException e) {
                throw failed(e);
            } finally {
                if (!complete) {
                    giveUp();
                }
            }
        }

        /** {@link RuleChange#look}. */
        void look() throws DirectoryException {
            try {
                for (RuleChange each : begun) {
                    each.look();
                }
            } catch (StoreException e) {
                throw failed(e);
            }
        }

        /** {@link RuleChange#hold}. */
        void hold() throws DirectoryException {
            try {
                for (RuleChange each : begun) {
                    each.hold();
                }
            } catch (StoreException e) {
                throw failed(e);
            }
        }

        void take() {
            begun.forEach(RuleChange::take);
            begun.clear();
        }

        /** Of those that were not taken. */
        void giveUp() {
            for (RuleChange each : begun) {
                try {
                    each.giveUp();
                } catch (StoreException e) {
                    LOG.warn("rules of a partition that fails cannot be taken back: {}", e.getMessage());
                }
            }
            begun.clear();
        }
    }

    private static DirectoryException failed(StoreException cause) {
        return new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, "nothing was changed: " + cause.getMessage());
    }

    /** @param before what the open partitions go by  @param after partitions that are not open have their rules from the beginning */
    Change change(ServerConfiguration before, ServerConfiguration after) throws ConfigurationException {
        List<PartitionRules> wanted = new ArrayList<>();
        boolean otherGroups = false;
        Map<String, PartitionConfiguration> next = after.byName();
        for (PartitionConfiguration now : before.partitions()) {
            PartitionConfiguration then = next.get(now.name());
            if (!partitions.isOpen(now.name()) || then == null) {
                continue;
            }
            PartitionFolder.requireKept(partitions.cluster(), then);
            if (!isSame(now, then)) {
                EntryRules rules = PartitionFolder.all(schema, then, data).get(0).rules();
                for (Partition partition : partitions.named(now.name())) {
                    wanted.add(new PartitionRules(partition, rules, added(now, then, rules)));
                }
                otherGroups |= !now.get(PartitionKeys.MEMBER_OF).equals(then.get(PartitionKeys.MEMBER_OF));
            }
        }
        return new Change(wanted, otherGroups);
    }

    private static boolean isSame(PartitionConfiguration now, PartitionConfiguration then) {
        return PartitionKeys.RULES.stream().allMatch(key -> isSame(key, now, then));
    }

    private static boolean isSame(Key<?> key, PartitionConfiguration now, PartitionConfiguration then) {
        return Objects.equals(now.get(key), then.get(key));
    }

    /** Those of the lines that are new. */
    private static List<UniqueRule> added(PartitionConfiguration now, PartitionConfiguration then, EntryRules rules) {
        Set<RuleLines.Unique> known = Set.copyOf(now.get(PartitionKeys.UNIQUE));
        List<RuleLines.Unique> lines = then.get(PartitionKeys.UNIQUE);
        List<UniqueRule> added = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            if (!known.contains(lines.get(i))) {
                added.add(rules.unique().get(i));
            }
        }
        return added;
    }
}
