package org.alder.partition;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.request.Modification;
import org.alder.partition.rule.UniqueRule;
import org.alder.partition.rule.UniqueValue;
import org.alder.partition.rule.UniqueValue.Use;
import org.alder.partition.testing.ShardProcesses;
import org.alder.partition.testing.ShardProcesses.Process;
import org.alder.partition.testing.TextDirectory;
import org.alder.partition.tree.EntryView;
import org.alder.partition.update.UpdateBatch;
import org.alder.partition.update.Updates;
import org.alder.partition.update.rules.ValueUses;
import org.junit.Before;
import org.junit.Test;

/** Values that are unique in two shards, each of which another process writes: what these ask each other, and what becomes of that. */
public final class SharedValuesTest {
    private static final String BASE = ShardProcesses.BASE;
    private static final UniqueRule TYPES = UniqueRule.of(TextDirectory.SCHEMA.attributeType("employeeType"));

    private final ShardProcesses processes = new ShardProcesses(10_000);

    @Before
    public void open() throws Exception {
        for (Process each : processes.all()) {
            ended(each.updates().add(TextDirectory.dn(BASE), TextDirectory.attributes("objectClass: domain", "objectClass: extensibleObject", "dc: example",
                    "employeeType: suffix"), TextDirectory.ORIGIN));
            each.rules(TYPES);
        }
    }

    private static <T> T ended(CompletableFuture<T> update) throws Exception {
        return update.get(60, TimeUnit.SECONDS);
    }

    private static String refused(ResultCode code, CompletableFuture<?> update) {
        ExecutionException failed = assertThrows(ExecutionException.class, () -> ended(update));
        assertEquals(failed.getCause().getMessage(), code, ((DirectoryException) failed.getCause()).resultCode());
        return failed.getCause().getMessage();
    }

    private CompletableFuture<EntryView> replace(int process, String name, String type) {
        return processes.process(process).updates().modify(TextDirectory.dn("cn=" + name + "," + BASE), List.of(new Modification(Modification.Kind.REPLACE, "employeeType",
                List.of(TextDirectory.utf8(type)))), TextDirectory.ORIGIN);
    }

    /** What becomes of the answers to a process. */
    private static ShardProcesses.Way way(UnaryOperator<CompletableFuture<Object>> answers) {
        return new ShardProcesses.Way() {
            @Override
            @SuppressWarnings("unchecked")
            public <T> CompletableFuture<T> go(Supplier<CompletableFuture<T>> question) {
                return (CompletableFuture<T>) answers.apply((CompletableFuture<Object>) question.get());
            }
        };
    }

    @Test
    public void whatAnotherShardHasIsTaken() throws Exception {
        ended(processes.process(0).add("ann", "alpha", "gamma"));
        assertTrue(refused(ResultCode.CONSTRAINT_VIOLATION, processes.process(1).add("bob", "beta", "ALPHA")).contains("must be unique"));
        ended(processes.process(1).add("bob", "beta"));
        refused(ResultCode.CONSTRAINT_VIOLATION, replace(0, "ann", "beta"));
        ended(replace(0, "ann", "delta"));
        ended(replace(1, "bob", "alpha"));
        ended(processes.process(0).delete("ann"));
        ended(processes.process(1).add("cid", "delta"));
        refused(ResultCode.CONSTRAINT_VIOLATION, processes.process(1).add("dan", "suffix"));
    }

    @Test
    public void onlyWhatOneEntryMayHaveIsAskedAbout() throws Exception {
        ended(processes.process(0).add("ann"));
        assertEquals(null, processes.process(0).asked());
        UpdateBatch batch = new UpdateBatch();
        Updates together = processes.process(0).updates().in(batch);
        processes.process(0).add(together, "bob", "alpha");
        processes.process(0).add(together, "cid", "beta", "gamma");
        ended(batch.commit());
        assertEquals("of one transaction all at once", 3, processes.process(0).asked().size());
    }

    @Test
    public void aRuleForSomeAsksForThese() throws Exception {
        UniqueRule some = UniqueRule.of(TextDirectory.SCHEMA, List.of(TextDirectory.SCHEMA.attributeType("employeeType")), TextDirectory.dn("ou=users," + BASE), "(description=*)");
        processes.all().forEach(each -> each.rules(some));
        ended(processes.process(0).add("ann", "alpha"));
        ended(processes.process(1).add("bob", "alpha"));
        UniqueRule described = UniqueRule.of(TextDirectory.SCHEMA, some.attributes(), null, "(sn=x)");
        processes.all().forEach(each -> each.rules(described));
        refused(ResultCode.CONSTRAINT_VIOLATION, processes.process(1).add("cid", "alpha"));
    }

    @Test
    public void ofTwoThatWriteItAtOnceOneGetsIt() throws Exception {
        CompletableFuture<Void> gate = new CompletableFuture<>();
        AtomicInteger held = new AtomicInteger();
        for (Process each : processes.all()) {
            each.way(way(answer -> held.incrementAndGet() > 2 ? answer : answer.thenCombine(gate, (uses, none) -> uses)));
        }
        CompletableFuture<EntryView> ann = processes.process(0).add("ann", "alpha");
        CompletableFuture<EntryView> bob = processes.process(1).add("bob", "alpha");
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
        processes.lead(1).isCertain(false);
        CompletableFuture<EntryView> ann = processes.process(0).add("ann", "alpha");
        ended(processes.process(0).add("bob"));
        Thread.sleep(50);
        assertFalse(ann.isDone());
        processes.lead(1).isCertain(true);
        ended(ann);
    }

    @Test
    public void nobodyWaitsForEver() throws Exception {
        processes.start(50);
        processes.all().forEach(each -> each.rules(TYPES));
        processes.lead(1).isCertain(false);
        assertTrue(refused(ResultCode.BUSY, processes.process(0).add("ann", "alpha")).contains("cannot be asked now (it is not certain that this member leads"));
        processes.lead(1).isCertain(true);
        ended(processes.process(0).add("ann", "alpha"));
    }

    /** Another process may have led the shard meanwhile, and have said that nobody was about to write the value. */
    @Test
    public void anAnswerCountsAsLongAsTheShardIsLedWithoutABreak() throws Exception {
        CompletableFuture<Void> gate = new CompletableFuture<>();
        AtomicInteger asked = new AtomicInteger();
        processes.process(0).way(way(answer -> {
            answer.join();
            return asked.incrementAndGet() == 1 ? answer.thenCombine(gate, (uses, none) -> uses) : answer;
        }));
        CompletableFuture<EntryView> ann = processes.process(0).add("ann", "alpha");
        while (asked.get() < 1) {
            Thread.sleep(1);
        }
        processes.process(1).rules();
        ended(processes.process(1).add("bob", "alpha"));
        processes.process(1).rules(TYPES);
        processes.lead(0).interrupt();
        gate.complete(null);
        refused(ResultCode.CONSTRAINT_VIOLATION, ann);
        assertEquals(2, asked.get());
    }

    @Test
    public void whoHasLedAnotherEpochMeanwhileDoesNotAnswer() {
        Partition shard = processes.process(1).shards().get(1);
        UniqueValue value = UniqueValue.of(TYPES, TYPES.attributes().get(0), TextDirectory.utf8("alpha"), new byte[0]);
        assertEquals(List.of(Use.FREE), ValueUses.of(shard, List.of(value)));
        processes.lead(1).isCertain(false);
        StoreException refused = assertThrows(StoreException.class, () -> ValueUses.of(shard, List.of(value)));
        assertEquals(StoreException.Kind.NOT_LEADER, refused.kind());
    }

    /** Each has what the other one wants. */
    @Test
    public void transactionsThatCrossDoNotWaitForEachOther() throws Exception {
        for (int i = 0; i < 20; i++) {
            List<CompletableFuture<Void>> both = new ArrayList<>();
            for (Process each : processes.all()) {
                UpdateBatch batch = new UpdateBatch();
                Updates together = each.updates().in(batch);
                each.add(together, "x" + i + each.number(), each.number() == 0 ? "one" + i : "two" + i);
                each.add(together, "y" + i + each.number(), each.number() == 0 ? "two" + i : "one" + i);
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
        for (Process each : processes.all()) {
            each.way(way(answer -> answer.thenApplyAsync(uses -> {
                pause(new Random().nextInt(4));
                return uses;
            })));
        }
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int writer = i;
            writers.add(CompletableFuture.runAsync(() -> write(processes.process(writer % 2), writer, holders, made), run -> new Thread(run).start()));
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
