package org.alder.partition;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.UnaryOperator;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.memory.MemoryStore;
import org.alder.partition.request.Modification;
import org.alder.partition.rule.EntryRules;
import org.alder.partition.rule.UniqueRule;
import org.alder.partition.rule.UniqueValue;
import org.alder.partition.rule.UniqueValue.Use;
import org.alder.partition.store.Replica;
import org.alder.partition.store.Store;
import org.alder.partition.testing.TextDirectory;
import org.alder.partition.tree.EntryTree;
import org.alder.partition.tree.EntryView;
import org.alder.partition.tree.Shard;
import org.alder.partition.update.UpdateBatch;
import org.alder.partition.update.Updates;
import org.alder.partition.update.rules.ValueUses;
import org.junit.Before;
import org.junit.Test;

/** Values that are unique in two shards, each of which another process writes: what these ask each other, and what becomes of that. */
public final class SharedValuesTest {
    private static final String BASE = "dc=example,dc=com";
    private static final UniqueRule TYPES = UniqueRule.of(TextDirectory.SCHEMA.attributeType("employeeType"));

    /** Who leads a shard, and under which epoch. */
    private static final class Lead {
        private volatile long epoch = 1;
        private volatile boolean isCertain = true;

        Replica replica() {
            return (Replica) Proxy.newProxyInstance(Replica.class.getClassLoader(), new Class<?>[] {Replica.class}, (self, method, arguments) -> switch (method.getName()) {
                case "epoch" -> epoch;
                case "certainSequence" -> isCertain ? 1L : -1L;
                case "role" -> Replica.Role.LEADER;
                case "refusal" -> null;
                default -> throw new UnsupportedOperationException(method.getName());
            });
        }
    }

    /** One process: it has both shards, and writes one of them. */
    private final class Process {
        private final List<Partition> shards = new ArrayList<>();
        private final Updates updates;
        private final int own;
        /** How it asks. */
        private volatile UnaryOperator<CompletableFuture<List<Use>>> way = answer -> answer;
        private volatile List<UniqueValue> asked;

        Process(int own, long mostMillis) {
            this.own = own;
            for (int i = 0; i < 2; i++) {
                shards.add(new Partition(TextDirectory.SCHEMA, new EntryTree(TextDirectory.dn(BASE), new Shard(i, 2)), TextDirectory.DEFINITIONS, stores.get(i),
                        EntryRules.standard(TextDirectory.SCHEMA), Set.of()));
            }
            Partition.join(shards, (others, values) -> {
                asked = values;
                return way.apply(CompletableFuture.supplyAsync(() -> ValueUses.of(processes.get(1 - own).shards.get(1 - own), values)));
            }, mostMillis, Host.MACHINE);
            updates = new Updates(shards.get(own));
        }

        void rules(UniqueRule... unique) {
            shards.forEach(each -> each.changeRules(each.rules().withUnique(unique)));
        }

        CompletableFuture<EntryView> add(String name, String... types) {
            return add(updates, name, types);
        }

        CompletableFuture<EntryView> add(Updates to, String name, String... types) {
            List<String> lines = new ArrayList<>(List.of("objectClass: inetOrgPerson", "sn: x", "cn: " + name));
            for (String each : types) {
                lines.add("employeeType: " + each);
            }
            return to.add(TextDirectory.dn("cn=" + name + "," + BASE), TextDirectory.attributes(lines.toArray(String[]::new)), TextDirectory.ORIGIN);
        }

        CompletableFuture<EntryView> delete(String name) {
            return updates.delete(TextDirectory.dn("cn=" + name + "," + BASE), TextDirectory.ORIGIN);
        }

        CompletableFuture<EntryView> replace(String name, String type) {
            return updates.modify(TextDirectory.dn("cn=" + name + "," + BASE), List.of(new Modification(Modification.Kind.REPLACE, "employeeType",
                    List.of(TextDirectory.utf8(type)))), TextDirectory.ORIGIN);
        }
    }

    private final List<Lead> leads = List.of(new Lead(), new Lead());
    private final List<Store> stores = leads.stream().map(SharedValuesTest::store).toList();
    private final List<Process> processes = new ArrayList<>();

    private static Store store(Lead lead) {
        Store inner = new MemoryStore(TextDirectory.INDEXER, 2);
        Replica replica = lead.replica();
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class}, (self, method, arguments) -> {
            try {
                return method.getName().equals("replica") ? replica : method.invoke(inner, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }

    @Before
    public void open() throws Exception {
        open(10_000);
        for (Process each : processes) {
            ended(each.updates.add(TextDirectory.dn(BASE), TextDirectory.attributes("objectClass: domain", "objectClass: extensibleObject", "dc: example",
                    "employeeType: suffix"), TextDirectory.ORIGIN));
            each.rules(TYPES);
        }
    }

    private void open(long mostMillis) {
        processes.clear();
        processes.add(new Process(0, mostMillis));
        processes.add(new Process(1, mostMillis));
    }

    private static <T> T ended(CompletableFuture<T> update) throws Exception {
        return update.get(60, TimeUnit.SECONDS);
    }

    private static String refused(ResultCode code, CompletableFuture<?> update) {
        ExecutionException failed = assertThrows(ExecutionException.class, () -> ended(update));
        assertEquals(failed.getCause().getMessage(), code, ((DirectoryException) failed.getCause()).resultCode());
        return failed.getCause().getMessage();
    }

    @Test
    public void whatAnotherShardHasIsTaken() throws Exception {
        ended(processes.get(0).add("ann", "alpha", "gamma"));
        assertTrue(refused(ResultCode.CONSTRAINT_VIOLATION, processes.get(1).add("bob", "beta", "ALPHA")).contains("must be unique"));
        ended(processes.get(1).add("bob", "beta"));
        refused(ResultCode.CONSTRAINT_VIOLATION, processes.get(0).replace("ann", "beta"));
        ended(processes.get(0).replace("ann", "delta"));
        ended(processes.get(1).replace("bob", "alpha"));
        ended(processes.get(0).delete("ann"));
        ended(processes.get(1).add("cid", "delta"));
        refused(ResultCode.CONSTRAINT_VIOLATION, processes.get(1).add("dan", "suffix"));
    }

    @Test
    public void onlyWhatOneEntryMayHaveIsAskedAbout() throws Exception {
        ended(processes.get(0).add("ann"));
        assertEquals(null, processes.get(0).asked);
        UpdateBatch batch = new UpdateBatch();
        Updates together = processes.get(0).updates.in(batch);
        processes.get(0).add(together, "bob", "alpha");
        processes.get(0).add(together, "cid", "beta", "gamma");
        ended(batch.commit());
        assertEquals("of one transaction all at once", 3, processes.get(0).asked.size());
    }

    @Test
    public void aRuleForSomeAsksForThese() throws Exception {
        UniqueRule some = UniqueRule.of(TextDirectory.SCHEMA, List.of(TextDirectory.SCHEMA.attributeType("employeeType")), TextDirectory.dn("ou=users," + BASE), "(description=*)");
        processes.forEach(each -> each.rules(some));
        ended(processes.get(0).add("ann", "alpha"));
        ended(processes.get(1).add("bob", "alpha"));
        UniqueRule described = UniqueRule.of(TextDirectory.SCHEMA, some.attributes(), null, "(sn=x)");
        processes.forEach(each -> each.rules(described));
        refused(ResultCode.CONSTRAINT_VIOLATION, processes.get(1).add("cid", "alpha"));
    }

    @Test
    public void ofTwoThatWriteItAtOnceOneGetsIt() throws Exception {
        CompletableFuture<Void> gate = new CompletableFuture<>();
        AtomicInteger held = new AtomicInteger();
        for (Process each : processes) {
            each.way = answer -> held.incrementAndGet() > 2 ? answer : answer.thenCombine(gate, (uses, none) -> uses);
        }
        CompletableFuture<EntryView> ann = processes.get(0).add("ann", "alpha");
        CompletableFuture<EntryView> bob = processes.get(1).add("bob", "alpha");
        while (held.get() < 2) {
            Thread.sleep(1);
        }
        assertFalse(ann.isDone() || bob.isDone());
        gate.complete(null);
        CompletableFuture.allOf(ann, bob).exceptionally(fault -> null).get(60, TimeUnit.SECONDS);
        assertTrue("one of them", ann.isCompletedExceptionally() != bob.isCompletedExceptionally());
        refused(ResultCode.CONSTRAINT_VIOLATION, ann.isCompletedExceptionally() ? ann : bob);
    }

    @Test
    public void whoCannotBeAskedIsAskedAgain() throws Exception {
        leads.get(1).isCertain = false;
        CompletableFuture<EntryView> ann = processes.get(0).add("ann", "alpha");
        ended(processes.get(0).add("bob"));
        Thread.sleep(50);
        assertFalse(ann.isDone());
        leads.get(1).isCertain = true;
        ended(ann);
    }

    @Test
    public void nobodyWaitsForEver() throws Exception {
        open(50);
        processes.forEach(each -> each.rules(TYPES));
        leads.get(1).isCertain = false;
        assertTrue(refused(ResultCode.BUSY, processes.get(0).add("ann", "alpha")).contains("cannot be asked now (it is not certain that this member leads"));
        leads.get(1).isCertain = true;
        ended(processes.get(0).add("ann", "alpha"));
    }

    /** Another process may have led the shard meanwhile, and have said that nobody was about to write the value. */
    @Test
    public void anAnswerCountsAsLongAsTheShardIsLedWithoutABreak() throws Exception {
        CompletableFuture<Void> gate = new CompletableFuture<>();
        AtomicInteger asked = new AtomicInteger();
        processes.get(0).way = answer -> {
            assertTrue("free or held", answer.join().size() == 1);
            return asked.incrementAndGet() == 1 ? answer.thenCombine(gate, (uses, none) -> uses) : answer;
        };
        CompletableFuture<EntryView> ann = processes.get(0).add("ann", "alpha");
        while (asked.get() < 1) {
            Thread.sleep(1);
        }
        processes.get(1).rules();
        ended(processes.get(1).add("bob", "alpha"));
        processes.get(1).rules(TYPES);
        leads.get(0).epoch++;
        gate.complete(null);
        refused(ResultCode.CONSTRAINT_VIOLATION, ann);
        assertEquals(2, asked.get());
    }

    @Test
    public void whoHasLedAnotherEpochMeanwhileDoesNotAnswer() {
        Partition shard = processes.get(1).shards.get(1);
        UniqueValue value = UniqueValue.of(TYPES, TYPES.attributes().get(0), TextDirectory.utf8("alpha"));
        assertEquals(List.of(Use.FREE), ValueUses.of(shard, List.of(value)));
        leads.get(1).isCertain = false;
        StoreException refused = assertThrows(StoreException.class, () -> ValueUses.of(shard, List.of(value)));
        assertEquals(StoreException.Kind.NOT_LEADER, refused.kind());
    }

    /** Each has what the other one wants. */
    @Test
    public void transactionsThatCrossDoNotWaitForEachOther() throws Exception {
        for (int i = 0; i < 20; i++) {
            List<CompletableFuture<Void>> both = new ArrayList<>();
            for (Process each : processes) {
                UpdateBatch batch = new UpdateBatch();
                Updates together = each.updates.in(batch);
                each.add(together, "x" + i + each.own, each.own == 0 ? "one" + i : "two" + i);
                each.add(together, "y" + i + each.own, each.own == 0 ? "two" + i : "one" + i);
                both.add(batch.commit());
            }
            CompletableFuture.allOf(both.toArray(CompletableFuture[]::new)).exceptionally(fault -> null).get(60, TimeUnit.SECONDS);
            assertTrue("one of them", both.get(0).isCompletedExceptionally() != both.get(1).isCompletedExceptionally());
        }
    }

    /** Both processes give few values to many entries, and take them away: no value is ever with two of them. */
    @Test
    public void noValueIsEverWithTwoEntries() throws Exception {
        int values = 3;
        AtomicIntegerArray holders = new AtomicIntegerArray(values);
        AtomicInteger made = new AtomicInteger();
        for (Process each : processes) {
            each.way = answer -> answer.thenApplyAsync(uses -> {
                pause(new Random().nextInt(4));
                return uses;
            });
        }
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int writer = i;
            writers.add(CompletableFuture.runAsync(() -> write(processes.get(writer % 2), writer, holders, made), run -> new Thread(run).start()));
        }
        for (CompletableFuture<Void> each : writers) {
            ended(each);
        }
        assertTrue(made.get() + " were made", made.get() > 50);
    }

    private static void pause(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new CompletionException(e);
        }
    }

    private static void write(Process process, int writer, AtomicIntegerArray holders, AtomicInteger made) {
        Random random = new Random();
        for (int i = 0; i < 60; i++) {
            int value = random.nextInt(holders.length());
            String name = "w" + writer + "n" + i;
            try {
                ended(process.add(name, "value" + value));
                made.incrementAndGet();
                assertEquals("holders of " + value, 1, holders.incrementAndGet(value));
                pause(random.nextInt(3));
                holders.decrementAndGet(value);
                ended(process.delete(name));
            } catch (ExecutionException e) {
                ResultCode code = ((DirectoryException) e.getCause()).resultCode();
                assertTrue(e.getCause().getMessage(), code == ResultCode.CONSTRAINT_VIOLATION || code == ResultCode.BUSY);
            } catch (Exception e) {
                throw new CompletionException(e);
            }
        }
    }
}
