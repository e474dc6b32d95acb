package org.alder.server.policy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.id.IdSet;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.ObjectClass;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.StoredValues;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.EntryView;
import org.alder.partition.tree.SubtreeSpecification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which password policy applies to an entry: the one that its pwdPolicySubentry names; else that of the subentry of class pwdPolicy
 * (RFC 3672) in whose subtree it is, the innermost of several; else the entry of the configuration (passwordPolicyEntry); else
 * what the configuration says itself. A policy that is missing or wrong is warned of and passed over. Thread safe.
 */
public final class PasswordPolicies {
    private static final Logger LOG = LoggerFactory.getLogger(PasswordPolicies.class);

    private final Schema schema;
    private final Function<Dn, Partition> partitions;
    private final Supplier<PolicySettings> settings;
    private final AccountAttributes attributes;
    private final Map<Partition, Areas> areas = Collections.synchronizedMap(new WeakHashMap<>());
    /** What was warned of last: each login comes by here. */
    private volatile String warned;

    /** @param partitions the partition of a DN, or null */
    public PasswordPolicies(Schema schema, Function<Dn, Partition> partitions, PolicySettings settings) {
        this(schema, partitions, () -> settings);
    }

    /** @param settings asked whenever a policy is; their clock is always the same */
    public PasswordPolicies(Schema schema, Function<Dn, Partition> partitions, Supplier<PolicySettings> settings) {
        this.schema = schema;
        this.partitions = partitions;
        this.settings = settings;
        this.attributes = new AccountAttributes(schema);
    }

    /** A policy and for which entries it is. */
    private record Area(SubtreeSpecification subtree, PasswordPolicy policy) {
    }

    /** All of one state. */
    private record Areas(Object state, long schemaVersion, List<Area> areas) {
    }

    public PolicySettings settings() {
        return settings.get();
    }

    /** Whether there are none, whatever entries say. */
    boolean areOff() {
        return settings().policy() == PasswordPolicy.NONE;
    }

    public AccountAttributes attributes() {
        return attributes;
    }

    /** The partition that the entry is in, or would be; null if there is none. */
    public Partition partition(Dn dn) {
        return partitions.apply(dn);
    }

    /**
     * The policy for an entry.
     *
     * @param state of the entry's partition; also what a transaction sees
     * @param dn its name
     * @param record the entry, which need not be there yet
     */
    public PasswordPolicy of(Partition partition, Snapshot state, Dn dn, EntryRecord record) {
        PolicySettings now = settings();
        if (now.policy() == PasswordPolicy.NONE) {
            return PasswordPolicy.NONE;
        }
        byte[] named = attributes.policy(record);
        PasswordPolicy policy = named == null ? null : named(partition, state, named);
        policy = policy == null ? around(partition, state, dn, record) : policy;
        policy = policy == null && now.entry() != null ? at(partition, state, now.entry()) : policy;
        return policy == null ? now.policy() : policy;
    }

    /** @return null if it cannot be used */
    private PasswordPolicy named(Partition partition, Snapshot state, byte[] dn) {
        try {
            return at(partition, state, Dn.parse(schema, dn));
        } catch (DirectoryException e) {
            warn("pwdPolicySubentry: " + e.getMessage());
            return null;
        }
    }

    private PasswordPolicy at(Partition partition, Snapshot state, Dn dn) {
        Partition holder = partitions.apply(dn);
        if (holder == partition) {
            return at(partition.read(state, dn), dn);
        } else if (holder == null) {
            return at(null, dn);
        }
        try (Snapshot other = holder.snapshot()) {
            return at(holder.read(other, dn), dn);
        }
    }

    private PasswordPolicy at(EntryView entry, Dn dn) {
        try {
            if (entry != null) {
                return PolicyEntry.read(schema, entry.dn(), entry.record());
            }
            warn("there is no password policy \"" + dn.text() + "\"");
        } catch (DirectoryException e) {
            warn(e.getMessage());
        }
        return null;
    }

    private void warn(String problem) {
        if (!problem.equals(warned)) {
            warned = problem;
            LOG.warn("{}: passed over, the policy above it holds", problem);
        }
    }

    /** That of the innermost subtree that the entry is in. */
    private PasswordPolicy around(Partition partition, Snapshot state, Dn dn, EntryRecord record) {
        List<Area> all = areas(partition, state);
        if (all.isEmpty()) {
            return null;
        }
        List<ObjectClass> classes = StoredValues.classes(schema, record);
        return all.stream().filter(area -> area.subtree.holds(dn, classes))
                .max(Comparator.comparingInt(area -> area.subtree.base().size())).map(Area::policy).orElse(null);
    }

    private List<Area> areas(Partition partition, Snapshot state) {
        IdSet subentries = partition.special(state).subentries();
        if (subentries.isEmpty()) {
            return List.of();
        }
        Object identity = state.identity();
        Areas known = areas.get(partition);
        if (known == null || !known.state.equals(identity) || known.schemaVersion != schema.version()) {
            known = new Areas(identity, schema.version(), read(partition, state, subentries));
            areas.put(partition, known);
        }
        return known.areas;
    }

    private List<Area> read(Partition partition, Snapshot state, IdSet subentries) {
        AttributeType specification = schema.attributeType("subtreeSpecification");
        List<Area> read = new ArrayList<>();
        for (IdSet.IdIterator each = subentries.iterator(); each.hasNext();) {
            long id = each.next();
            EntryRecord record = state.entry(id);
            if (record == null || !PolicyEntry.isOne(schema, record)) {
                continue;
            }
            String dn = partition.dnOf(state, id);
            try {
                PasswordPolicy policy = PolicyEntry.read(schema, dn, record);
                for (byte[] value : StoredValues.of(schema, record, specification)) {
                    read.add(new Area(SubtreeSpecification.parse(schema, Dn.parse(schema, dn).parent(), value), policy));
                }
            } catch (DirectoryException e) {
                warn(e.getMessage());
            }
        }
        return List.copyOf(read);
    }
}
