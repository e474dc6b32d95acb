package org.alder.partition.testing;

import static org.junit.Assert.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.Host;
import org.alder.partition.Partition;
import org.alder.partition.check.CheckProgress;
import org.alder.partition.check.CheckReport;
import org.alder.partition.check.Checker;
import org.alder.partition.commit.LocalShards;
import org.alder.partition.commit.Settling;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.request.Modification;
import org.alder.partition.rule.EntryRules;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;
import org.alder.partition.text.Utf8;
import org.alder.partition.tree.EntryTree;
import org.alder.partition.tree.EntryView;
import org.alder.partition.tree.Shard;
import org.alder.partition.update.UpdateBatch;
import org.alder.partition.update.Updates;

/** The entries below {@code dc=example,dc=com} over several shards, each on a store of its own. */
public final class ShardedDirectory {
    public static final String SUFFIX = "dc=example,dc=com";

    private final List<Partition> shards = new ArrayList<>();
    private final List<Updates> updates = new ArrayList<>();

    /** @param stores opened with {@link TextDirectory#INDEXER}  @param mostMillis how long updates wait for each other */
    public ShardedDirectory(List<? extends Store> stores, EntryRules rules, long mostMillis, Host host) {
        for (int i = 0; i < stores.size(); i++) {
            shards.add(new Partition(TextDirectory.SCHEMA, new EntryTree(TextDirectory.dn(SUFFIX), new Shard(i, stores.size())), TextDirectory.DEFINITIONS,
                    stores.get(i), rules, Set.of()));
        }
        Partition.join(shards, null, mostMillis, host);
        shards.forEach(each -> updates.add(new Updates(each)));
    }

    /** The same as a server has it. */
    public ShardedDirectory(List<? extends Store> stores, EntryRules rules) {
        this(stores, rules, 10_000, Host.MACHINE);
    }

    /** In each shard. */
    public CompletableFuture<Void> addSuffix() {
        List<CompletableFuture<?>> all = new ArrayList<>();
        updates.forEach(each -> all.add(each.add(TextDirectory.dn(SUFFIX), attributes("objectClass: domain", "objectClass: extensibleObject", "dc: example"),
                TextDirectory.ORIGIN)));
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    }

    public static List<Attribute> attributes(String... lines) {
        return TextDirectory.attributes(lines);
    }

    public List<Partition> shards() {
        return shards;
    }

    public Updates updates(int shard) {
        return updates.get(shard);
    }

    /** Of the shard that holds the name. */
    public Updates updates(Dn dn) {
        return updates.get(number(dn));
    }

    public int number(Dn dn) {
        return Shard.numberOf(TextDirectory.dn(SUFFIX), dn, shards.size());
    }

    /** The first name of a person directly below the suffix, with a number behind, that a shard holds. */
    public Dn name(int shard, String name) {
        for (int i = 0;; i++) {
            Dn dn = TextDirectory.dn("cn=" + name + i + "," + SUFFIX);
            if (number(dn) == shard) {
                return dn;
            }
        }
    }

    /** @param batch null for an update of its own */
    public CompletableFuture<EntryView> add(UpdateBatch batch, Dn dn, String... lines) {
        List<String> all = new ArrayList<>(List.of("objectClass: inetOrgPerson", "sn: x", dn.rdn().text().replace("=", ": ")));
        all.addAll(List.of(lines));
        return in(batch, dn).add(dn, attributes(all.toArray(String[]::new)), TextDirectory.ORIGIN);
    }

    private Updates in(UpdateBatch batch, Dn dn) {
        return batch == null ? updates(dn) : updates(dn).in(batch);
    }

    /** Replaces a value by another one, if it is there. */
    public CompletableFuture<EntryView> exchange(UpdateBatch batch, Dn dn, String attribute, String before, String after) {
        return in(batch, dn).modify(dn, List.of(modification(Modification.Kind.DELETE, attribute, before), modification(Modification.Kind.ADD, attribute, after)),
                TextDirectory.ORIGIN);
    }

    public CompletableFuture<EntryView> addValue(UpdateBatch batch, Dn dn, String attribute, String value) {
        return in(batch, dn).modify(dn, List.of(modification(Modification.Kind.ADD, attribute, value)), TextDirectory.ORIGIN);
    }

    private static Modification modification(Modification.Kind kind, String attribute, String value) {
        return new Modification(kind, attribute, List.of(TextDirectory.utf8(value)));
    }

    public CompletableFuture<EntryView> delete(UpdateBatch batch, Dn dn) {
        return in(batch, dn).delete(dn, TextDirectory.ORIGIN);
    }

    /** Null where there is none. */
    public EntryView read(Dn dn) {
        Partition shard = shards.get(number(dn));
        try (Snapshot now = shard.snapshot()) {
            return shard.read(now, dn);
        }
    }

    /** Empty where there is no entry. */
    public List<String> values(Dn dn, String attribute) {
        EntryView entry = read(dn);
        return entry == null ? List.of() : values(entry.record(), attribute);
    }

    public static List<String> values(EntryRecord record, String attribute) {
        return record.userAttributes().stream().filter(each -> each.description().equalsIgnoreCase(attribute)).flatMap(each -> each.values().stream())
                .map(Utf8::stored).sorted().toList();
    }

    /** Finishes what is left of transactions. */
    public CompletableFuture<Void> settle() {
        return Settling.settle(shards, new LocalShards(shards));
    }

    /** Whether nothing is left of any transaction. */
    public boolean isSettled() {
        return shards.stream().allMatch(each -> each.store().systemRecords().isEmpty());
    }

    /** Indexes and entries of each shard agree. */
    public void requireWhole() {
        for (Partition each : shards) {
            try (Snapshot now = each.snapshot()) {
                CheckReport report = new Checker(TextDirectory.SCHEMA, each.suffix(), TextDirectory.INDEXER).check(now, CheckProgress.NONE);
                assertEquals(each.label(), List.of(), report.problems());
            }
        }
    }
}
