package org.alder.partition.update;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.rule.UniqueRule;
import org.alder.partition.store.Snapshot;
import org.alder.partition.testing.Seed;
import org.alder.partition.testing.ShardProcesses.Process;
import org.alder.partition.testing.ShardProcesses;
import org.alder.partition.testing.ShardedDirectory;
import org.alder.partition.testing.TextDirectory;
import org.alder.partition.tree.EntryView;
import org.alder.partition.tree.Shard;
import org.junit.Before;
import org.junit.Test;

/** Entries that go from a shard that one process writes to one that another process writes. */
public final class ShardMoveBetweenProcessesTest {
    private static final Dn SUFFIX = TextDirectory.dn(ShardProcesses.BASE);
    private static final UniqueRule TYPES = UniqueRule.of(TextDirectory.SCHEMA.attributeType("employeeType"));

    private final ShardProcesses processes = new ShardProcesses(10_000);

    @Before
    public void begin() throws Exception {
        for (Process each : processes.all()) {
            ended(each.updates().add(SUFFIX, TextDirectory.attributes("objectClass: domain", "dc: example"), TextDirectory.ORIGIN));
            each.rules(TYPES);
        }
    }

    private static <T> T ended(CompletableFuture<T> update) throws Exception {
        return update.get(60, TimeUnit.SECONDS);
    }

    private static int shard(Dn dn) {
        return Shard.numberOf(SUFFIX, dn, 2);
    }

    /** The first name with a number behind that a shard holds. */
    private static String name(int shard, String name) {
        for (int i = 0;; i++) {
            if (shard(dn(name + i)) == shard) {
                return name + i;
            }
        }
    }

    private static Dn dn(String name) {
        return TextDirectory.dn("cn=" + name + "," + ShardProcesses.BASE);
    }

    /** As whoever writes the source makes it. */
    private CompletableFuture<Void> move(String from, String to, UpdateWitness atTarget) {
        Process process = processes.process(shard(dn(from)));
        return ShardMove.run(side(process, dn(from), UpdateOptions.NONE), side(process, dn(to), new UpdateOptions(false, false, false, false, atTarget, null)),
                new Renaming(dn(from), dn(to).rdn(), true, null, TextDirectory.ORIGIN));
    }

    private static ShardMove.Side side(Process process, Dn name, UpdateOptions options) {
        return new ShardMove.Side(process.shards().get(shard(name)), process.updates(shard(name)), options);
    }

    private EntryView read(Dn dn) {
        Partition shard = processes.process(0).shards().get(shard(dn));
        try (Snapshot now = shard.snapshot()) {
            return shard.read(now, dn);
        }
    }

    private static ResultCode code(CompletableFuture<?> update) {
        ExecutionException failed = assertThrows(ExecutionException.class, () -> ended(update));
        return ((DirectoryException) failed.getCause()).resultCode();
    }

    private void requireNothingKept() {
        for (int i = 0; i < 2; i++) {
            assertTrue("shard " + i, processes.store(i).systemRecords().isEmpty());
        }
    }

    /** Sees what it is shown of the target. */
    private static final class Witness implements UpdateWitness {
        private final boolean refuses;
        private String placed;
        private String changed;

        Witness(boolean refuses) {
            this.refuses = refuses;
        }

        @Override
        public void check(Snapshot state, EntryView target) {
            // What goes is looked at by another one.
        }

        @Override
        public void placing(Snapshot state, EntryView superior, EntryView entry) throws DirectoryException {
            placed = entry.dn() + " below " + superior.dn();
            if (refuses) {
                throw new DirectoryException(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, "not there");
            }
        }

        @Override
        public void changing(Snapshot state, EntryView before, EntryView after) {
            // The same.
        }

        @Override
        public boolean wantsOutcome() {
            return true;
        }

        @Override
        public void changed(Snapshot state, EntryView after) {
            changed = after.dn() + " " + ShardedDirectory.values(after.record(), "cn");
        }
    }

    @Test
    public void anEntryGoesWithAllBelowIt() throws Exception {
        String from = name(0, "a");
        String to = name(1, "b");
        ended(processes.process(0).add(from, "alpha"));
        ended(processes.process(0).updates().add(TextDirectory.dn("cn=below," + dn(from).text()), TextDirectory.attributes("objectClass: device", "cn: below"),
                TextDirectory.ORIGIN));
        byte[] uuid = read(dn(from)).record().operationalValue("entryUUID");
        Witness witness = new Witness(false);
        ended(move(from, to, witness));
        assertNull(read(dn(from)));
        EntryView there = read(dn(to));
        assertEquals(List.of("alpha"), ShardedDirectory.values(there.record(), "employeeType"));
        assertEquals(new String(uuid, "US-ASCII"), new String(there.record().operationalValue("entryUUID"), "US-ASCII"));
        assertNotNull(read(TextDirectory.dn("cn=below," + dn(to).text())));
        assertEquals(dn(to).text() + " below " + ShardProcesses.BASE, witness.placed);
        assertEquals("the old name goes", dn(to).text() + " [" + to + "]", witness.changed);
        requireNothingKept();
        ended(move(to, from, null));
        assertNotNull(read(dn(from)));
    }

    @Test
    public void whatTheTargetRefusesStays() throws Exception {
        String from = name(0, "a");
        String to = name(1, "b");
        ended(processes.process(0).add(from, "alpha"));
        ended(processes.process(1).add(to, "beta"));
        assertEquals(ResultCode.ENTRY_ALREADY_EXISTS, code(move(from, to, null)));
        assertEquals("who may not have it there is told no more", ResultCode.INSUFFICIENT_ACCESS_RIGHTS, code(move(from, to, new Witness(true))));
        assertEquals(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, code(move(from, name(1, "free"), new Witness(true))));
        assertNotNull(read(dn(from)));
        requireNothingKept();
        ended(processes.process(1).add(name(1, "free"), "gamma"));
    }

    @Test
    public void aUniqueValueThatComesAlongIsItsOwn() throws Exception {
        String from = name(0, "a");
        ended(processes.process(0).add(from, "alpha"));
        ended(move(from, name(1, "b"), null));
        assertEquals(ResultCode.CONSTRAINT_VIOLATION, code(processes.process(0).add(from, "alpha")));
        assertEquals(ResultCode.CONSTRAINT_VIOLATION, code(processes.process(1).add(name(1, "c"), "alpha")));
    }

    /** What the target says of an entry counts only where it is still the one that is to come. */
    @Test
    public void whoIsSlowerThanAnotherRenameFindsNoEntry() throws Exception {
        String from = name(0, "a");
        ended(processes.process(0).add(from, "alpha"));
        CompletableFuture<Void> gate = new CompletableFuture<>();
        CompletableFuture<Void> asked = new CompletableFuture<>();
        processes.process(0).way(new ShardProcesses.Way() {
            @Override
            public <T> CompletableFuture<T> go(Supplier<CompletableFuture<T>> question) {
                return asked.complete(null) ? gate.thenCompose(none -> question.get()) : question.get();
            }
        });
        CompletableFuture<Void> slow = move(from, name(1, "slow"), null);
        ended(asked);
        ended(move(from, name(1, "fast"), null));
        gate.complete(null);
        assertEquals("and not that another entry has its value", ResultCode.NO_SUCH_OBJECT, code(slow));
        assertNotNull(read(dn(name(1, "fast"))));
    }

    /** A process asks, and is not answered. */
    private ShardProcesses.Way lost(boolean isAsked) {
        return new ShardProcesses.Way() {
            @Override
            public <T> CompletableFuture<T> go(Supplier<CompletableFuture<T>> question) {
                CompletableFuture<T> failed = CompletableFuture.failedFuture(new StoreException(StoreException.Kind.OUTCOME_UNKNOWN, "no answer"));
                return isAsked ? question.get().handle((answer, fault) -> null).thenCompose(none -> failed) : failed;
            }
        };
    }

    @Test
    public void whoeverCannotBeAskedIsWaitedForAndNothingIsDone() throws Exception {
        processes.start(300);
        processes.all().forEach(each -> each.rules(TYPES));
        String from = name(0, "a");
        String to = name(1, "b");
        ended(processes.process(0).add(from));
        for (boolean isAsked : new boolean[] {false, true}) {
            processes.process(0).way(lost(isAsked));
            assertEquals(ResultCode.BUSY, code(move(from, to, null)));
            assertNotNull(read(dn(from)));
        }
        ended(processes.process(1).settle());
        requireNothingKept();
    }

    /** Who cannot be told has done nothing, but the entry is renamed: that is what the client is told. */
    @Test
    public void whatIsMadeAndCannotBeToldIsNotSaidToBeUndone() throws Exception {
        processes.start(300);
        String from = name(0, "a");
        String to = name(1, "b");
        ended(processes.process(0).add(from));
        CompletableFuture<Void> prepared = new CompletableFuture<>();
        processes.process(0).way(new ShardProcesses.Way() {
            @Override
            public <T> CompletableFuture<T> go(Supplier<CompletableFuture<T>> question) {
                return prepared.complete(null) ? question.get()
                        : CompletableFuture.failedFuture(new StoreException(StoreException.Kind.NOT_LEADER, "it answers nothing now; nothing was done"));
            }
        });
        StoreException told = (StoreException) assertThrows(ExecutionException.class, () -> ended(move(from, to, null))).getCause();
        assertEquals(StoreException.Kind.OUTCOME_UNKNOWN, told.kind());
        assertTrue(told.getMessage(), told.getMessage().contains("the update is made") && !told.getMessage().contains("nothing was done"));
        assertNull(read(dn(from)));
        ended(processes.process(1).settle());
        assertNotNull(read(dn(to)));
    }

    /** Questions and answers are lost, and processes begin anew: in the end each entry is in one place, and where it was acknowledged to be, or on its way from there. */
    @Test
    public void eachEntryIsInOnePlaceWhateverIsLost() throws Exception {
        long seed = Seed.of(getClass());
        Random random = new Random(seed);
        int wanderers = 4;
        int[] reached = new int[wanderers];
        int[] sent = new int[wanderers];
        for (int i = 0; i < wanderers; i++) {
            ended(processes.process(shard(dn(place(i, 0)))).add(place(i, 0), "type" + i));
        }
        int made = 0;
        for (int round = 0; round < 150; round++) {
            processes.start(40);
            for (Process each : processes.all()) {
                each.rules(TYPES);
                each.way(sometimes(new Random(random.nextLong())));
            }
            int wanderer = random.nextInt(wanderers);
            int now = found(wanderer, sent[wanderer]);
            sent[wanderer] = Math.max(now + 1, sent[wanderer] + 1);
            CompletableFuture<?> answer = shard(dn(place(wanderer, now))) == shard(dn(place(wanderer, sent[wanderer])))
                    ? processes.process(shard(dn(place(wanderer, now)))).updates().rename(dn(place(wanderer, now)), dn(place(wanderer, sent[wanderer])).rdn(), true, null, TextDirectory.ORIGIN)
                    : move(place(wanderer, now), place(wanderer, sent[wanderer]), null);
            try {
                ended(answer);
                made++;
                reached[wanderer] = sent[wanderer];
                assertEquals("seed " + seed, sent[wanderer], found(wanderer, sent[wanderer]));
            } catch (ExecutionException e) {
                boolean isRefused = e.getCause() instanceof DirectoryException;
                settle(random);
                int after = found(wanderer, sent[wanderer]);
                assertTrue("seed " + seed + ": " + e.getCause(), after == now || !isRefused && after == sent[wanderer]);
            }
        }
        settle(random);
        requireNothingKept();
        assertTrue(made + " were made", made > 20);
        for (int i = 0; i < wanderers; i++) {
            assertTrue("seed " + seed, found(i, sent[i]) >= reached[i]);
        }
    }

    private void settle(Random random) throws Exception {
        processes.start(10_000);
        for (int i = random.nextInt(2), n = 0; n < 2; i = 1 - i, n++) {
            ended(processes.process(i).settle());
        }
        // What one has made the other one is told.
        ended(processes.process(0).settle());
        ended(processes.process(1).settle());
    }

    private static String place(int wanderer, int number) {
        return "w" + wanderer + "p" + number;
    }

    /** At which of its places it is: at one alone. */
    private int found(int wanderer, int most) {
        List<Integer> found = new ArrayList<>();
        for (int i = 0; i <= most; i++) {
            EntryView there = read(dn(place(wanderer, i)));
            if (there != null) {
                assertEquals(List.of("type" + wanderer), ShardedDirectory.values(there.record(), "employeeType"));
                found.add(i);
            }
        }
        assertEquals("places of " + wanderer, 1, found.size());
        return found.get(0);
    }

    private ShardProcesses.Way sometimes(Random random) {
        return new ShardProcesses.Way() {
            @Override
            public <T> CompletableFuture<T> go(Supplier<CompletableFuture<T>> question) {
                int drawn;
                synchronized (random) {
                    drawn = random.nextInt(6);
                }
                return drawn == 0 ? lost(false).go(question) : drawn == 1 ? lost(true).go(question) : question.get();
            }
        };
    }
}
