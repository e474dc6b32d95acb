package org.alder.server.directory.local;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.StoredValues;
import org.alder.partition.store.Snapshot;
import org.alder.partition.text.Utf8;
import org.alder.partition.tree.EntryView;
import org.alder.partition.request.Modification;
import org.alder.partition.update.UpdateOptions;
import org.alder.partition.update.UpdateOrigin;
import org.alder.partition.update.Updates;
import org.alder.server.access.Limit;
import org.alder.server.access.LimitKind;
import org.alder.server.access.LimitSet;
import org.alder.server.directory.Accounts;

/** The entries of partitions, by their names as they are: through no alias and no referral. Thread safe. */
public final class PartitionAccounts implements Accounts {
    private final Schema schema;
    private final AttributeType userPassword;
    private final Partitions partitions;
    private final Map<LimitKind, AttributeType> limits = new EnumMap<>(LimitKind.class);

    public PartitionAccounts(Schema schema, Supplier<List<Partition>> partitions) {
        this.schema = schema;
        this.userPassword = schema.attributeType("userPassword");
        this.partitions = new Partitions(partitions);
        for (LimitKind kind : LimitKind.values()) {
            AttributeType type = schema.attributeType(kind.attribute());
            if (type != null) {
                limits.put(kind, type);
            }
        }
    }

    @Override
    public List<byte[]> passwords(Dn dn) {
        List<byte[]> values = new ArrayList<>(1);
        EntryView entry = read(dn);
        if (entry != null) {
            collect(entry, values);
        }
        return values;
    }

    /** Null if there is no such entry. */
    private EntryView read(Dn dn) {
        return partitions.read(all -> {
            Partition partition = Partitions.of(all, dn);
            if (partition == null) {
                return null;
            }
            try (Snapshot snapshot = partition.snapshot()) {
                return partition.read(snapshot, dn);
            }
        });
    }

    /** The partition in which an entry of this name is, or would be; null if there is none. */
    public Partition partitionOf(Dn dn) {
        return partitions.of(dn);
    }

    /** What an entry says of the limits of who binds as it; nothing of what is no number. -1 is no limit, as in 389 Directory Server. */
    public LimitSet limits(Dn dn) {
        EntryView entry = limits.isEmpty() ? null : read(dn);
        return entry == null ? LimitSet.EMPTY : limits(entry);
    }

    private LimitSet limits(EntryView entry) {
        Map<LimitKind, Limit> found = new EnumMap<>(LimitKind.class);
        limits.forEach((kind, type) -> {
            for (byte[] value : StoredValues.of(schema, entry.record(), type)) {
                String text = Utf8.decodeOrNull(value, 0, value.length);
                if (text != null && text.matches("-?[0-9]{1,10}")) {
                    long number = Long.parseLong(text);
                    long most = number < 0 ? Limit.NONE : number;
                    found.put(kind, new Limit(most, most, kind.attribute() + " of \"" + entry.dn() + '"'));
                }
            }
        });
        return found.isEmpty() ? LimitSet.EMPTY : new LimitSet(found);
    }

    /** In the name of the user, who has just shown that he knows it. */
    @Override
    public CompletableFuture<?> replacePassword(Dn dn, byte[] stored, byte[] better) {
        Partition partition = partitionOf(dn);
        if (partition == null) {
            return CompletableFuture.failedFuture(new IllegalStateException("no partition has " + dn.text()));
        }
        return new Updates(partition).modify(dn, List.of(
                new Modification(Modification.Kind.DELETE, "userPassword", List.of(stored)),
                new Modification(Modification.Kind.ADD, "userPassword", List.of(better))),
                new UpdateOrigin(dn.text(), Instant.now()), UpdateOptions.NONE);
    }

    private void collect(EntryView entry, List<byte[]> values) {
        for (Attribute attribute : entry.record().userAttributes()) {
            AttributeDescription description = schema.descriptionOrNull(attribute.description());
            if (description != null && description.type() == userPassword) {
                values.addAll(attribute.values());
            }
        }
    }
}
