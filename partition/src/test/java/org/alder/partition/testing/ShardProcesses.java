package org.alder.partition.testing;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.alder.partition.Host;
import org.alder.partition.Partition;
import org.alder.partition.ShardWriters;
import org.alder.partition.ber.BerException;
import org.alder.partition.commit.LocalShards;
import org.alder.partition.commit.Settling;
import org.alder.partition.memory.MemoryStore;
import org.alder.partition.prepared.TransactionId;
import org.alder.partition.rule.EntryRules;
import org.alder.partition.rule.UniqueRule;
import org.alder.partition.rule.UniqueValue;
import org.alder.partition.store.Replica;
import org.alder.partition.store.Store;
import org.alder.partition.tree.EntryTree;
import org.alder.partition.tree.EntryView;
import org.alder.partition.tree.Shard;
import org.alder.partition.update.Arrival;
import org.alder.partition.update.Updates;
import org.alder.partition.update.copy.CopiedBatch;
import org.alder.partition.update.rules.ValueUses;

/** Two processes that have the same two shards, on stores in memory: each writes the one with its number, shows the other one at once, and asks for what that is to know. */
public final class ShardProcesses {
    public static final String BASE = "dc=example,dc=com";

    /** Who leads a shard, and under which epoch. */
    public static final class Lead {
        private volatile long epoch = 1;
        private volatile boolean isCertain = true;

        /** Another process has led it for a moment. */
        public void interrupt() {
            epoch++;
        }

        public void isCertain(boolean is) {
            isCertain = is;
        }

        private Replica replica(boolean leads) {
            return (Replica) Proxy.newProxyInstance(Replica.class.getClassLoader(), new Class<?>[] {Replica.class}, (self, method, arguments) -> switch (method.getName()) {
                case "epoch" -> epoch;
                case "certainSequence" -> leads && isCertain ? 1L : -1L;
                case "role" -> leads ? Replica.Role.LEADER : Replica.Role.REPLICA;
                case "refusal" -> null;
                default -> throw new UnsupportedOperationException(method.getName());
            });
        }
    }

    /** What becomes of a question: asked as it is, or lost, or its answer is. */
    public interface Way {
        <T> CompletableFuture<T> go(Supplier<CompletableFuture<T>> question);
    }

    /** One of them. */
    public final class Process {
        private final int own;
        private final List<Partition> shards = new ArrayList<>();
        private final List<Updates> updates = new ArrayList<>();
        private volatile Way way = new Way() {
            @Override
            public <T> CompletableFuture<T> go(Supplier<CompletableFuture<T>> question) {
                return question.get();
            }
        };
        private volatile List<UniqueValue> asked;

        private Process(int own, long mostMillis) {
            this.own = own;
            for (int i = 0; i < 2; i++) {
                shards.add(new Partition(TextDirectory.SCHEMA, new EntryTree(TextDirectory.dn(BASE), new Shard(i, 2)), TextDirectory.DEFINITIONS, shown(i, i == own),
                        EntryRules.standard(TextDirectory.SCHEMA), Set.of()));
                updates.add(new Updates(shards.get(i)));
            }
            Partition.join(shards, new Writers(this), mostMillis, Host.MACHINE);
        }

        public int number() {
            return own;
        }

        public List<Partition> shards() {
            return shards;
        }

        /** Of a shard, which only the process with its number makes. */
        public Updates updates(int shard) {
            return updates.get(shard);
        }

        /** Of its own shard. */
        public Updates updates() {
            return updates(own);
        }

        /** From now on its questions go this way. */
        public void way(Way other) {
            way = other;
        }

        /** The values that it has asked about last; null for none. */
        public List<UniqueValue> asked() {
            return asked;
        }

        public void rules(UniqueRule... unique) {
            shards.forEach(each -> each.changeRules(each.rules().withUnique(unique)));
        }

        /** A person directly below the suffix, whatever shard the name is of. */
        public CompletableFuture<EntryView> add(String name, String... types) {
            return add(updates(), name, types);
        }

        public CompletableFuture<EntryView> add(Updates to, String name, String... types) {
            List<String> lines = new ArrayList<>(List.of("objectClass: inetOrgPerson", "sn: x", "cn: " + name));
            for (String each : types) {
                lines.add("employeeType: " + each);
            }
            return to.add(TextDirectory.dn("cn=" + name + "," + BASE), TextDirectory.attributes(lines.toArray(String[]::new)), TextDirectory.ORIGIN);
        }

        public CompletableFuture<EntryView> delete(String name) {
            return updates().delete(TextDirectory.dn("cn=" + name + "," + BASE), TextDirectory.ORIGIN);
        }

        /** Finishes what can be finished of its own shard's. */
        public CompletableFuture<Void> settle() {
            return Settling.settle(shards, shards.get(0).shards().writers());
        }
    }

    /** Those who write the shards, as one of the processes asks them. */
    private final class Writers implements ShardWriters {
        private final Process from;

        Writers(Process from) {
            this.from = from;
        }

        private List<Partition> of(int shard) {
            return processes.get(shard).shards;
        }

        @Override
        public CompletableFuture<List<UniqueValue.Use>> uses(List<Partition> asked, List<UniqueValue> values) {
            from.asked = values;
            int other = asked.get(0).shard().number();
            return from.way.go(() -> CompletableFuture.supplyAsync(() -> ValueUses.of(of(other).get(other), values)));
        }

        @Override
        public CompletableFuture<Verdict> verdict(TransactionId id) {
            return from.way.go(() -> new LocalShards(of(id.coordinator())).verdict(id));
        }

        @Override
        public CompletableFuture<Prepared> prepare(int shard, TransactionId id, byte[] work) {
            return from.way.go(() -> {
                try {
                    Partition its = of(shard).get(shard);
                    return Arrival.decode(TextDirectory.SCHEMA, work).prepare(its, processes.get(shard).updates(shard), id)
                            .handle((none, fault) -> new Prepared(its.store().sequence(), (Exception) fault));
                } catch (BerException e) {
                    return CompletableFuture.failedFuture(e);
                }
            });
        }

        @Override
        public CompletableFuture<byte[]> copy(int shard, byte[] work) {
            return from.way.go(() -> {
                try {
                    return CopiedBatch.decode(TextDirectory.SCHEMA, work).make(of(shard).get(shard));
                } catch (BerException e) {
                    return CompletableFuture.failedFuture(e);
                }
            });
        }

        @Override
        public CompletableFuture<Void> end(int shard, TransactionId id, boolean isMade) {
            return from.way.go(() -> new LocalShards(of(shard)).end(shard, id, isMade));
        }
    }

    private final List<Lead> leads = List.of(new Lead(), new Lead());
    private final List<Store> stores = List.of(new MemoryStore(TextDirectory.INDEXER, 2), new MemoryStore(TextDirectory.INDEXER, 2));
    private final List<Process> processes = new ArrayList<>();

    /** @param mostMillis so long updates wait for others */
    public ShardProcesses(long mostMillis) {
        start(mostMillis);
    }

    /** Both are started anew, and know nothing but what is in the stores. */
    public void start(long mostMillis) {
        processes.clear();
        processes.add(new Process(0, mostMillis));
        processes.add(new Process(1, mostMillis));
    }

    private Store shown(int shard, boolean leads) {
        Replica replica = this.leads.get(shard).replica(leads);
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class}, (self, method, arguments) -> {
            try {
                return method.getName().equals("replica") ? replica : method.invoke(stores.get(shard), arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }

    public Process process(int number) {
        return processes.get(number);
    }

    public List<Process> all() {
        return processes;
    }

    public Lead lead(int shard) {
        return leads.get(shard);
    }

    public Store store(int shard) {
        return stores.get(shard);
    }
}
