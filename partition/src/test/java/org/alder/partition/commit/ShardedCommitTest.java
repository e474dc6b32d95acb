package org.alder.partition.commit;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.alder.partition.Host;
import org.alder.partition.Partition;
import org.alder.partition.PeerShards;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Csn;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.index.IndexKeys;
import org.alder.partition.memory.MemoryStore;
import org.alder.partition.prepared.PreparedTransaction;
import org.alder.partition.prepared.TransactionId;
import org.alder.partition.rule.EntryRules;
import org.alder.partition.rule.UniqueRule;
import org.alder.partition.rule.UniqueValue;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;
import org.alder.partition.store.Transaction;
import org.alder.partition.store.WriteContext;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.ShardedDirectory;
import org.alder.partition.testing.TextDirectory;
import org.alder.partition.tree.EntryView;
import org.alder.partition.update.UpdateBatch;
import org.alder.partition.update.UpdateOptions;
import org.alder.partition.update.UpdateWitness;
import org.junit.Before;
import org.junit.Test;

/** Transactions of three shards in one process: what they come to, what they keep from others, and what is left where the process dies at any place. */
public class ShardedCommitTest {
    private static final int SHARDS = 3;
    private static final EntryRules RULES = EntryRules.standard(TextDirectory.SCHEMA)
            .withUnique(UniqueRule.of(TextDirectory.SCHEMA.attributeType("employeeType")));

    private final List<Store> stores = new ArrayList<>();
    private ShardedDirectory directory;
    private Dn ann;
    private Dn bob;
    private Dn cid;

    @Before
    public void open() throws Exception {
        stores.clear();
        for (int i = 0; i < SHARDS; i++) {
            // Engines may run transactions several times.
            stores.add(new MemoryStore(TextDirectory.INDEXER, 2));
        }
        directory = new ShardedDirectory(stores, RULES);
        directory.addSuffix().get();
        ann = directory.name(0, "ann");
        bob = directory.name(1, "bob");
        cid = directory.name(2, "cid");
    }

    private static <T> T ended(CompletableFuture<T> future) throws Exception {
        return Await.result("the end of an update", future);
    }

    private static DirectoryException refused(ResultCode code, CompletableFuture<?> update) {
        ExecutionException failed = assertThrows(ExecutionException.class, () -> ended(update));
        assertTrue(failed.getCause().toString(), failed.getCause() instanceof DirectoryException);
        assertEquals(failed.getCause().getMessage(), code, ((DirectoryException) failed.getCause()).resultCode());
        return (DirectoryException) failed.getCause();
    }

    private void addAll(String... lines) throws Exception {
        for (Dn each : List.of(ann, bob, cid)) {
            ended(directory.add(null, each, lines));
        }
    }

    @Test
    public void allShardsMakeIt() throws Exception {
        UpdateBatch batch = new UpdateBatch();
        CompletableFuture<EntryView> first = directory.add(batch, bob);
        CompletableFuture<EntryView> second = directory.add(batch, ann);
        CompletableFuture<EntryView> third = directory.addValue(batch, bob, "description", "red");
        CompletableFuture<EntryView> fourth = directory.add(batch, cid);
        assertFalse(first.isDone());
        ended(batch.commit());
        for (CompletableFuture<EntryView> each : List.of(first, second, third, fourth)) {
            assertNotNull(each.getNow(null));
        }
        assertEquals(List.of("red"), directory.values(bob, "description"));
        assertNotNull(directory.read(ann));
        assertNotNull(directory.read(cid));
        Await.until("nothing is left of it", directory::isSettled);
        directory.requireWhole();
    }

    @Test
    public void entriesHaveTheNumberOfTheCommitThatShowsThem() throws Exception {
        UpdateBatch batch = new UpdateBatch();
        directory.add(batch, ann);
        directory.add(batch, bob);
        directory.addValue(batch, bob, "description", "red");
        CompletableFuture<Void> committed = batch.commit();
        ended(committed);
        addAllOf(cid);
        for (Dn each : List.of(ann, bob)) {
            Partition shard = directory.shards().get(directory.number(each));
            try (Snapshot now = shard.snapshot()) {
                EntryView entry = shard.read(now, each);
                Csn csn = Csn.parse(Csn.in(entry.record()));
                assertTrue(each.text(), csn.sequence() <= now.sequence());
                // In the shard of the coordinator the end of the transaction is another commit.
                assertEquals(each.text(), each == bob ? now.sequence() : now.sequence() - (directory.isSettled() ? 1 : 0), csn.sequence());
            }
        }
    }

    private void addAllOf(Dn dn) throws Exception {
        ended(directory.add(null, dn));
        Await.until("nothing is left of it", directory::isSettled);
    }

    /** What is shown of an entry is what became of it, its number too. */
    @Test
    public void whoAsksSeesWhatWasMade() throws Exception {
        addAll();
        List<EntryView> seen = new ArrayList<>();
        UpdateWitness witness = new UpdateWitness() {
            @Override
            public void check(Snapshot state, EntryView target) {
            }

            @Override
            public void changing(Snapshot state, EntryView before, EntryView after) {
            }

            @Override
            public boolean wantsOutcome() {
                return true;
            }

            @Override
            public void changed(Snapshot state, EntryView after) {
                seen.add(after);
            }
        };
        UpdateBatch batch = new UpdateBatch();
        directory.addValue(batch, ann, "description", "red");
        directory.updates(bob).in(batch).add(TextDirectory.dn("cn=below," + bob.text()), ShardedDirectory.attributes("objectClass: device", "cn: below"),
                TextDirectory.ORIGIN, new UpdateOptions(false, false, false, false, witness, null));
        ended(batch.commit());
        EntryView last = seen.get(seen.size() - 1);
        EntryView found = directory.read(TextDirectory.dn(last.dn()));
        assertEquals(found, last);
        Partition shard = directory.shards().get(1);
        assertEquals(shard.store().sequence(), Csn.parse(Csn.in(found.record())).sequence());
    }

    @Test
    public void whatOneShardRefusesNoneMakes() throws Exception {
        ended(directory.add(null, cid));
        for (List<Dn> order : List.of(List.of(ann, bob, cid), List.of(cid, ann, bob), List.of(ann, cid, bob))) {
            UpdateBatch batch = new UpdateBatch();
            List<CompletableFuture<EntryView>> all = new ArrayList<>();
            for (Dn each : order) {
                all.add(directory.add(batch, each));
            }
            refused(ResultCode.ENTRY_ALREADY_EXISTS, batch.commit());
            assertEquals(order.indexOf(cid), batch.failed());
            for (CompletableFuture<EntryView> each : all) {
                assertTrue(each.isCompletedExceptionally());
            }
            assertNull(directory.read(ann));
            assertNull(directory.read(bob));
            assertTrue(directory.isSettled());
        }
    }

    /** A part that is prepared, and whose coordinator is not heard of. */
    private TransactionId prepare(Dn dn, Transaction<Void> work) throws Exception {
        TransactionId id = new TransactionId(UUID.randomUUID(), 0);
        ended(new LocalPart(directory.shards().get(directory.number(dn)), work).prepare(id));
        return id;
    }

    private Transaction<Void> deletion(Dn dn) {
        return context -> {
            Partition shard = directory.shards().get(directory.number(dn));
            context.delete(shard.resolve(context.state(), dn));
            return null;
        };
    }

    @Test
    public void whatIsPreparedNobodyElseChanges() throws Exception {
        directory = new ShardedDirectory(stores, RULES, 300, Host.MACHINE);
        addAll();
        Dn other = directory.name(1, "other");
        ended(directory.add(null, other));
        Dn below = TextDirectory.dn("cn=below," + bob.text());
        TransactionId id = prepare(bob, deletion(bob));
        assertNotNull("what is prepared is not made", directory.read(bob));
        String message = refused(ResultCode.BUSY, directory.addValue(null, bob, "description", "red")).getMessage();
        assertTrue(message, message.contains(id.uuid().toString()) && message.contains("shard 0 cannot be asked"));
        refused(ResultCode.BUSY, directory.delete(null, bob));
        refused(ResultCode.BUSY, directory.updates(bob).add(below, ShardedDirectory.attributes("objectClass: device", "cn: below"), TextDirectory.ORIGIN));
        UpdateBatch batch = new UpdateBatch();
        directory.addValue(batch, ann, "description", "red");
        directory.addValue(batch, bob, "description", "red");
        refused(ResultCode.BUSY, batch.commit());
        assertEquals(List.of(), directory.values(ann, "description"));
        ended(directory.addValue(null, other, "description", "red"));
        CompletableFuture<EntryView> waiting = directory.addValue(null, bob, "description", "blue");
        ended(LocalPart.end(directory.shards().get(1), id, false));
        ended(waiting);
        assertEquals(List.of("blue"), directory.values(bob, "description"));
        assertTrue(directory.isSettled());
    }

    @Test
    public void whatWaitedIsDoneToWhatWasMade() throws Exception {
        addAll();
        TransactionId id = prepare(bob, deletion(bob));
        CompletableFuture<EntryView> waiting = directory.addValue(null, bob, "description", "blue");
        ended(LocalPart.end(directory.shards().get(1), id, true));
        refused(ResultCode.NO_SUCH_OBJECT, waiting);
        ended(LocalPart.end(directory.shards().get(1), id, true));
        assertNull(directory.read(bob));
    }

    @Test
    public void aNameThatIsToBeGivenIsTaken() throws Exception {
        TransactionId id = prepare(bob, context -> {
            ended(directory, context, bob);
            return null;
        });
        CompletableFuture<EntryView> same = directory.add(null, bob);
        assertFalse(same.isDone());
        ended(LocalPart.end(directory.shards().get(1), id, true));
        refused(ResultCode.ENTRY_ALREADY_EXISTS, same);
        directory.requireWhole();
    }

    /** As an update adds it. */
    private static void ended(ShardedDirectory directory, WriteContext context, Dn dn) {
        Partition shard = directory.shards().get(directory.number(dn));
        long suffix = shard.resolve(context.state(), shard.suffix());
        context.add(context.allocateId(), EntryRecord.of(suffix, TextDirectory.utf8(dn.rdn().text()),
                ShardedDirectory.attributes("objectClass: device", dn.rdn().text().replace("=", ": ")),
                ShardedDirectory.attributes("structuralObjectClass: device", "entryUUID: " + UUID.randomUUID())));
    }

    @Test
    public void aValueThatIsToBeUniqueIsKeptFromAllShards() throws Exception {
        directory = new ShardedDirectory(stores, RULES, 300, Host.MACHINE);
        addAll();
        UpdateBatch twice = new UpdateBatch();
        directory.addValue(twice, ann, "employeeType", "alpha");
        directory.addValue(twice, bob, "employeeType", "Alpha");
        refused(ResultCode.CONSTRAINT_VIOLATION, twice.commit());
        UpdateBatch others = new UpdateBatch();
        directory.addValue(others, ann, "description", "red");
        directory.addValue(others, bob, "employeeType", "Alpha");
        directory.addValue(others, cid, "employeeType", "alpha");
        refused(ResultCode.CONSTRAINT_VIOLATION, others.commit());
        UpdateBatch once = new UpdateBatch();
        directory.addValue(once, ann, "description", "red");
        directory.addValue(once, bob, "employeeType", "alpha");
        ended(once.commit());
        refused(ResultCode.CONSTRAINT_VIOLATION, directory.addValue(null, cid, "employeeType", "alpha"));
        TransactionId id = prepare(bob, context -> {
            Partition shard = directory.shards().get(1);
            shard.claim(UniqueValue.of(UniqueRule.of(TextDirectory.SCHEMA.attributeType("employeeType")), TextDirectory.SCHEMA.attributeType("employeeType"),
                    IndexKeys.equality(TextDirectory.utf8("beta")), new byte[0]));
            return null;
        });
        refused(ResultCode.BUSY, directory.addValue(null, cid, "employeeType", "beta"));
        refused(ResultCode.BUSY, directory.add(null, directory.name(1, "same"), "employeeType: beta"));
        ended(LocalPart.end(directory.shards().get(1), id, false));
        ended(directory.addValue(null, cid, "employeeType", "beta"));
    }

    /** Each has what the other one wants. */
    @Test
    public void transactionsThatCrossBothEnd() throws Exception {
        addAll("description: 0");
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            List<Dn> order = i % 2 == 0 ? List.of(ann, bob, cid) : List.of(cid, bob, ann);
            UpdateBatch batch = new UpdateBatch();
            for (Dn each : order) {
                directory.addValue(batch, each, "description", "of " + i);
            }
            all.add(CompletableFuture.supplyAsync(batch::commit, Await.THREADS).thenCompose(committed -> committed));
        }
        for (CompletableFuture<Void> each : all) {
            ended(each);
        }
        assertEquals(41, directory.values(bob, "description").size());
        Await.until("nothing is left of them", directory::isSettled);
    }

    @Test
    public void updatesAreHeldOnlyWhenNothingIsUndecided() throws Exception {
        addAll();
        TransactionId id = prepare(bob, deletion(bob));
        directory.shards().get(0).holdUpdates();
        UpdateBatch batch = new UpdateBatch();
        directory.addValue(batch, ann, "description", "red");
        directory.addValue(batch, cid, "description", "red");
        CompletableFuture<Void> held = batch.commit();
        assertFalse(held.isDone());
        DirectoryException busy = assertThrows(DirectoryException.class, () -> directory.shards().get(1).holdUpdates());
        assertEquals(ResultCode.BUSY, busy.resultCode());
        ended(LocalPart.end(directory.shards().get(1), id, false));
        directory.shards().get(1).holdUpdates();
        directory.shards().get(1).resumeUpdates();
        assertFalse(held.isDone());
        directory.shards().get(0).resumeUpdates();
        ended(held);
    }

    @Test
    public void whatIsTooLargeIsRefusedWithTheLimit() throws Exception {
        addAll();
        UpdateBatch batch = new UpdateBatch();
        directory.addValue(batch, ann, "description", "red");
        directory.addValue(batch, bob, "description", "x".repeat(PreparedTransaction.MOST_BYTES));
        String message = refused(ResultCode.AFFECTS_MULTIPLE_DSAS, batch.commit()).getMessage();
        assertTrue(message, message.contains("" + PreparedTransaction.MOST_BYTES));
        assertTrue(directory.isSettled());
    }

    /** The store's own limits hold for what is prepared, as it has to be made later. */
    @Test
    public void whatTheStoreWouldRefuseIsRefusedWhenItIsPrepared() throws Exception {
        addAll();
        Dn below = TextDirectory.dn("cn=below," + bob.text());
        ended(directory.updates(bob).add(below, ShardedDirectory.attributes("objectClass: device", "cn: below"), TextDirectory.ORIGIN));
        ExecutionException e = assertThrows(ExecutionException.class, () -> prepare(bob, deletion(bob)));
        assertTrue(e.toString(), e.getCause() instanceof IllegalStateException);
        assertTrue(directory.isSettled());
    }

    /** Wherever it dies, or a store fails, all shards come to the same. */
    @Test
    public void whateverFailsAllOfItIsMadeOrNothing() throws Exception {
        int made = 0;
        int given = 0;
        for (ScriptedStore.Fate fate : ScriptedStore.Fate.values()) {
            boolean isUndisturbed = false;
            for (int at = 1; !isUndisturbed; at++) {
                open();
                addAll("description: before");
                ScriptedStore.Script script = new ScriptedStore.Script(at, fate);
                ShardedDirectory dying = new ShardedDirectory(stores.stream().map(each -> ScriptedStore.of(each, script)).toList(), RULES, 200, Host.MACHINE);
                UpdateBatch batch = new UpdateBatch();
                for (Dn each : List.of(ann, bob, cid)) {
                    dying.exchange(batch, each, "description", "before", "after");
                }
                CompletableFuture<Void> committed = batch.commit();
                boolean dies = fate == ScriptedStore.Fate.DIES_BEFORE || fate == ScriptedStore.Fate.DIES_BEHIND;
                Throwable answer = dies ? null : Await.result("an answer", committed.handle((none, fault) -> fault));
                boolean isAcknowledged = committed.isDone() && !committed.isCompletedExceptionally();
                isUndisturbed = script.transactions() < at;
                directory = new ShardedDirectory(stores, RULES);
                ended(directory.settle());
                ended(directory.settle());
                String when = fate + " at " + at;
                List<String> values = directory.values(ann, "description");
                for (Dn each : List.of(ann, bob, cid)) {
                    assertEquals(when, values, directory.values(each, "description"));
                }
                boolean isMade = values.equals(List.of("after"));
                assertTrue(when, isMade || !isAcknowledged);
                if (answer instanceof DirectoryException || answer instanceof StoreException store && store.kind() != StoreException.Kind.OUTCOME_UNKNOWN) {
                    assertFalse(when + ": " + answer, isMade);
                }
                assertTrue(when, directory.isSettled());
                directory.requireWhole();
                made += isMade ? 1 : 0;
                given += isMade ? 0 : 1;
                assertTrue("it does not end", at < 100);
            }
        }
        assertTrue("made " + made + ", given up " + given, made > 10 && given > 10);
    }

    /** One that is being made is left alone. */
    @Test
    public void nobodyGivesUpWhatIsBeingMade() throws Exception {
        addAll();
        TransactionId id = prepare(bob, deletion(bob));
        LocalShards all = new LocalShards(directory.shards());
        ended(directory.shards().get(0).shards().enter(id.uuid()));
        ended(directory.settle());
        assertEquals(PeerShards.Verdict.OPEN, ended(all.verdict(id)));
        assertFalse(directory.isSettled());
        directory.shards().get(0).shards().leave(id.uuid());
        assertEquals(PeerShards.Verdict.NOT_MADE, ended(all.verdict(id)));
        ended(directory.settle());
        assertTrue(directory.isSettled());
        assertNotNull(directory.read(bob));
    }

    @Test
    public void whatIsLeftIsFinishedAtOnceAndThenByAThread() throws Exception {
        addAll();
        prepare(bob, deletion(bob));
        try (Settling settling = Settling.start(directory.shards(), new LocalShards(directory.shards()))) {
            assertNotNull(settling);
            assertTrue(directory.isSettled());
            prepare(bob, deletion(bob));
            Await.until("it is given up", directory::isSettled);
        }
        assertNotNull(directory.read(bob));
    }

    /** As where a data folder with such a record is what a cluster begins with: it stays until one member leads both shards. */
    @Test
    public void whoLeadsTheCoordinatorTooFinishesIt() throws Exception {
        addAll();
        TransactionId id = prepare(bob, deletion(bob));
        AtomicInteger leads = new AtomicInteger(2);
        List<Store> members = new ArrayList<>();
        for (int i = 0; i < SHARDS; i++) {
            int number = i;
            members.add(ScriptedStore.of(stores.get(i), () -> leads.get() == number || leads.get() == SHARDS));
        }
        ShardedDirectory member = new ShardedDirectory(members, RULES);
        ended(member.settle());
        leads.set(1);
        StoreException elsewhere = (StoreException) assertThrows(ExecutionException.class, () -> ended(member.settle())).getCause();
        assertEquals(StoreException.Kind.NOT_LEADER, elsewhere.kind());
        assertNotNull(PreparedTransaction.in(stores.get(1).systemRecords(), id.uuid()));
        leads.set(SHARDS);
        ended(member.settle());
        assertTrue(member.isSettled());
        assertNotNull(member.read(bob));
    }

    @Test
    public void recordsOfShardsThatDoNotExistAreRefused() throws Exception {
        addAll();
        prepare(bob, deletion(bob));
        UnfinishedTransactions.check(directory.shards());
        TransactionId elsewhere = new TransactionId(UUID.randomUUID(), SHARDS);
        ended(new LocalPart(directory.shards().get(2), deletion(cid)).prepare(elsewhere));
        StoreException refused = assertThrows(StoreException.class, () -> UnfinishedTransactions.check(directory.shards()));
        assertEquals(StoreException.Kind.CORRUPT, refused.kind());
        assertTrue(refused.getMessage(), refused.getMessage().contains(PreparedTransaction.key(elsewhere.uuid())) && refused.getMessage().contains("below 3"));
    }

    @Test
    public void whatBringsItsOwnNumberKeepsIt() throws Exception {
        byte[] own = new Csn(1_000, 5).bytes();
        UpdateBatch batch = new UpdateBatch();
        directory.add(batch, ann);
        directory.updates(bob).in(batch).add(bob, ShardedDirectory.attributes("objectClass: device", bob.rdn().text().replace("=", ": "),
                "entryCSN: " + new String(own, StandardCharsets.US_ASCII)), TextDirectory.ORIGIN,
                new UpdateOptions(false, false, true, false, null, null));
        ended(batch.commit());
        assertArrayEquals(own, Csn.in(directory.read(bob).record()));
    }
}
