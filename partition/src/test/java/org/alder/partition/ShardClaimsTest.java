package org.alder.partition;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.memory.MemoryStore;
import org.alder.partition.request.Modification;
import org.alder.partition.rule.EntryRules;
import org.alder.partition.rule.UniqueRule;
import org.alder.partition.store.Store;
import org.alder.partition.store.Transaction;
import org.alder.partition.testing.TextDirectory;
import org.alder.partition.tree.EntryTree;
import org.alder.partition.tree.EntryView;
import org.alder.partition.tree.Shard;
import org.alder.partition.update.RuleChange;
import org.alder.partition.update.UpdateBatch;
import org.alder.partition.update.Updates;
import org.junit.Before;
import org.junit.Test;

/** Values that are unique in two shards: what one of them has, what it is about to write, and what becomes of that. */
public final class ShardClaimsTest {
    private static final String BASE = "dc=example,dc=com";
    private static final UniqueRule TYPES = UniqueRule.of(TextDirectory.SCHEMA.attributeType("employeeType"));

    /** A store whose transactions end when the test says so. */
    private static final class HeldStore {
        private final Store inner = new MemoryStore(TextDirectory.INDEXER, 2);
        private final List<Runnable> endings = new ArrayList<>();
        private boolean isHeld;
        /** What held transactions come to instead of being made. */
        private StoreException failure;

        Store store() {
            return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class}, (self, method, arguments) -> {
                if (method.getName().equals("submit") && isHeld) {
                    return submit((Transaction<?>) arguments[0]);
                }
                try {
                    return method.invoke(inner, arguments);
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            });
        }

        /** Runs it at once, as the writer of a group does, and shows what it wrote at its end. */
        private <T> CompletableFuture<T> submit(Transaction<T> transaction) {
            StoreException cause = failure;
            if (cause == null) {
                CompletableFuture<T> made = inner.submit(transaction);
                return made.isCompletedExceptionally() ? made : ending(() -> made);
            }
            CompletableFuture<T> failed = inner.submit(context -> {
                transaction.run(context);
                throw cause;
            });
            return ending(() -> failed);
        }

        private <T> CompletableFuture<T> ending(Supplier<CompletableFuture<T>> end) {
            CompletableFuture<T> shown = new CompletableFuture<>();
            endings.add(() -> end.get().whenComplete((value, fault) -> {
                if (fault == null) {
                    shown.complete(value);
                } else {
                    shown.completeExceptionally(fault);
                }
            }));
            return shown;
        }

        void end() {
            isHeld = false;
            endings.forEach(Runnable::run);
            endings.clear();
        }
    }

    private final List<HeldStore> stores = List.of(new HeldStore(), new HeldStore());
    private final List<Partition> shards = new ArrayList<>();
    private final List<Updates> updates = new ArrayList<>();

    @Before
    public void shards() throws Exception {
        open(10_000);
        for (Updates each : updates) {
            each.add(TextDirectory.dn(BASE), TextDirectory.attributes("objectClass: domain", "objectClass: extensibleObject", "dc: example", "employeeType: suffix"),
                    TextDirectory.ORIGIN).get();
        }
        rules(TYPES);
    }

    private void open(long mostMillis) {
        for (int i = 0; i < stores.size(); i++) {
            shards.add(new Partition(TextDirectory.SCHEMA, new EntryTree(TextDirectory.dn(BASE), new Shard(i, stores.size())), TextDirectory.DEFINITIONS,
                    stores.get(i).store(), EntryRules.standard(TextDirectory.SCHEMA), Set.of()));
            updates.add(new Updates(shards.get(i)));
        }
        Partition.join(shards, null, mostMillis, Host.MACHINE);
    }

    private void rules(UniqueRule... unique) {
        shards.forEach(each -> each.changeRules(each.rules().withUnique(unique)));
    }

    private CompletableFuture<EntryView> add(int shard, String name, String type) {
        return add(updates.get(shard), name, type);
    }

    private static CompletableFuture<EntryView> add(Updates updates, String name, String type) {
        return updates.add(TextDirectory.dn("cn=" + name + "," + BASE), TextDirectory.attributes("objectClass: inetOrgPerson", "sn: x", "cn: " + name,
                "employeeType: " + type), TextDirectory.ORIGIN);
    }

    private static <T> T ended(CompletableFuture<T> update) throws Exception {
        return update.get(60, TimeUnit.SECONDS);
    }

    private static void refused(ResultCode code, CompletableFuture<?> update) {
        ExecutionException failed = assertThrows(ExecutionException.class, () -> ended(update));
        assertEquals(failed.getCause().getMessage(), code, ((DirectoryException) failed.getCause()).resultCode());
    }

    @Test
    public void whatAnotherShardHasIsTaken() throws Exception {
        ended(add(0, "ann", "alpha"));
        refused(ResultCode.CONSTRAINT_VIOLATION, add(1, "bob", "ALPHA"));
        ended(add(1, "bob", "beta"));
        refused(ResultCode.CONSTRAINT_VIOLATION, updates.get(0).modify(TextDirectory.dn("cn=ann," + BASE),
                List.of(new Modification(Modification.Kind.ADD, "employeeType", List.of(TextDirectory.utf8("beta")))), TextDirectory.ORIGIN));
        ended(updates.get(0).delete(TextDirectory.dn("cn=ann," + BASE), TextDirectory.ORIGIN));
        ended(add(1, "cid", "alpha"));
    }

    @Test
    public void theCopyOfTheSuffixEntryIsNoOtherEntry() throws Exception {
        refused(ResultCode.CONSTRAINT_VIOLATION, add(1, "ann", "suffix"));
        ended(updates.get(0).modify(TextDirectory.dn(BASE), List.of(new Modification(Modification.Kind.REPLACE, "employeeType",
                List.of(TextDirectory.utf8("other"), TextDirectory.utf8("suffix")))), TextDirectory.ORIGIN));
        ended(updates.get(0).modify(TextDirectory.dn(BASE), List.of(new Modification(Modification.Kind.REPLACE, "employeeType", List.of())),
                TextDirectory.ORIGIN));
        ended(add(1, "ann", "suffix"));
    }

    @Test
    public void whatAnotherShardIsAboutToWriteIsWaitedFor() throws Exception {
        stores.get(0).isHeld = true;
        CompletableFuture<EntryView> first = add(0, "ann", "alpha");
        CompletableFuture<EntryView> second = add(1, "bob", "alpha");
        CompletableFuture<EntryView> other = add(1, "cid", "beta");
        ended(other);
        assertFalse(first.isDone());
        assertFalse(second.isDone());
        stores.get(0).end();
        ended(first);
        refused(ResultCode.CONSTRAINT_VIOLATION, second);
    }

    @Test
    public void whatAnotherShardWasAboutToWriteAndDidNotIsFree() throws Exception {
        stores.get(0).isHeld = true;
        stores.get(0).failure = new StoreException(StoreException.Kind.DISK_FULL, "no room");
        CompletableFuture<EntryView> first = add(0, "ann", "alpha");
        CompletableFuture<EntryView> second = add(1, "bob", "alpha");
        assertFalse(second.isDone());
        stores.get(0).end();
        assertTrue(assertThrows(ExecutionException.class, () -> ended(first)).getCause() instanceof StoreException);
        ended(second);
        refused(ResultCode.CONSTRAINT_VIOLATION, add(0, "ann", "alpha"));
    }

    @Test
    public void whatMayHaveBeenWrittenIsNobodysUntilThatIsKnown() throws Exception {
        stores.get(0).isHeld = true;
        stores.get(0).failure = new StoreException(StoreException.Kind.OUTCOME_UNKNOWN, "who knows");
        CompletableFuture<EntryView> first = add(0, "ann", "alpha");
        CompletableFuture<EntryView> second = add(1, "bob", "alpha");
        stores.get(0).end();
        assertThrows(ExecutionException.class, () -> ended(first));
        refused(ResultCode.BUSY, second);
        refused(ResultCode.BUSY, add(1, "bob", "alpha"));
        shards.clear();
        updates.clear();
        open(10_000);
        rules(TYPES);
        ended(add(1, "bob", "alpha"));
    }

    @Test
    public void nobodyWaitsForEver() throws Exception {
        Partition.join(shards, null, 50, Host.MACHINE);
        stores.get(0).isHeld = true;
        CompletableFuture<EntryView> first = add(0, "ann", "alpha");
        refused(ResultCode.BUSY, add(1, "bob", "alpha"));
        stores.get(0).end();
        ended(first);
        refused(ResultCode.CONSTRAINT_VIOLATION, add(1, "bob", "alpha"));
    }

    /** Each has what the other one wants. */
    @Test
    public void transactionsThatCrossDoNotWaitForEachOther() throws Exception {
        stores.get(0).isHeld = true;
        CompletableFuture<EntryView> held = add(0, "held", "gamma");
        UpdateBatch batch = new UpdateBatch();
        CompletableFuture<EntryView> beta = add(updates.get(1).in(batch), "bob", "beta");
        CompletableFuture<EntryView> gamma = add(updates.get(1).in(batch), "cid", "gamma");
        CompletableFuture<Void> both = batch.commit();
        assertFalse(both.isDone());
        CompletableFuture<EntryView> last = add(0, "dan", "beta");
        assertEquals("a transaction that waits keeps its values", 2, stores.get(0).endings.size());
        stores.get(0).end();
        ended(held);
        ended(last);
        refused(ResultCode.CONSTRAINT_VIOLATION, both);
        refused(ResultCode.CONSTRAINT_VIOLATION, beta);
        refused(ResultCode.CONSTRAINT_VIOLATION, gamma);
    }

    @Test
    public void aShardFollowsItself() throws Exception {
        stores.get(0).isHeld = true;
        CompletableFuture<EntryView> ann = add(0, "ann", "alpha");
        CompletableFuture<EntryView> gone = updates.get(0).delete(TextDirectory.dn("cn=ann," + BASE), TextDirectory.ORIGIN);
        CompletableFuture<EntryView> bob = add(0, "bob", "alpha");
        assertEquals(3, stores.get(0).endings.size());
        CompletableFuture<EntryView> cid = add(1, "cid", "alpha");
        assertFalse(cid.isDone());
        stores.get(0).end();
        ended(ann);
        ended(gone);
        ended(bob);
        refused(ResultCode.CONSTRAINT_VIOLATION, cid);
    }

    @Test
    public void aNewRuleLooksAtAllShards() throws Exception {
        rules();
        ended(add(0, "ann", "alpha"));
        ended(add(1, "bob", "alpha"));
        EntryRules unique = shards.get(0).rules().withUnique(TYPES);
        for (Partition each : shards) {
            DirectoryException refused = assertThrows(DirectoryException.class, () -> RuleChange.check(each, unique, List.of(TYPES)));
            assertEquals(ResultCode.CONSTRAINT_VIOLATION, refused.resultCode());
            assertTrue(refused.getMessage(), refused.getMessage().contains("cn=ann," + BASE) && refused.getMessage().contains("cn=bob," + BASE));
        }
        ended(updates.get(0).delete(TextDirectory.dn("cn=ann," + BASE), TextDirectory.ORIGIN));
        List<RuleChange> changes = new ArrayList<>();
        for (Partition each : shards) {
            changes.add(RuleChange.begin(each, unique, List.of(TYPES)));
        }
        for (RuleChange each : changes) {
            each.look();
        }
        ended(add(0, "cid", "alpha"));
        DirectoryException late = assertThrows(DirectoryException.class, () -> {
            for (RuleChange each : changes) {
                each.hold();
            }
        });
        assertTrue(late.getMessage(), late.getMessage().contains("cn=cid," + BASE) && late.getMessage().contains("cn=bob," + BASE));
        changes.forEach(RuleChange::giveUp);
        ended(updates.get(1).delete(TextDirectory.dn("cn=bob," + BASE), TextDirectory.ORIGIN));
        RuleChange.check(shards.get(0), unique, List.of(TYPES));
        RuleChange.check(shards.get(1), unique, List.of(TYPES));
    }
}
