package org.alder.partition.update;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.alder.partition.Partition;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.request.Modification;
import org.alder.partition.rule.EntryLimits;
import org.alder.partition.rule.EntryRules;
import org.alder.partition.rule.UniqueRule;
import org.alder.partition.rule.ValueConstraint;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.Seed;
import org.alder.partition.testing.TextDirectory;
import org.alder.partition.tree.EntryView;
import org.alder.partition.update.rules.UniqueScan;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.function.ThrowingRunnable;

/** Rules that change while a partition is open: what is there, what comes meanwhile, and what waits. */
public final class RuleChangeTest {
    private static final String BASE = "dc=example,dc=com";
    private static final UniqueRule TYPES = unique(null, null, "employeeType");

    private TextDirectory directory;
    private Partition partition;
    private Updates updates;

    @Before
    public void setUp() throws DirectoryException {
        directory = new TextDirectory().withSuffix();
        partition = directory.partition();
        updates = new Updates(partition);
        person("ann", "alpha");
        person("bob", "beta");
    }

    @After
    public void isClean() {
        assertEquals(List.of(), directory.check().problems());
    }

    private static String dn(String name) {
        return "cn=" + name + "," + BASE;
    }

    private EntryView person(String name, String type) throws DirectoryException {
        return directory.addPerson(dn(name), "employeeType: " + type);
    }

    private CompletableFuture<EntryView> submitted(String name, String type) {
        return updates.add(TextDirectory.dn(dn(name)), TextDirectory.attributes("objectClass: inetOrgPerson", "sn: x", "cn: " + name,
                "employeeType: " + type), TextDirectory.ORIGIN);
    }

    private static AttributeType type(String name) {
        return TextDirectory.SCHEMA.attributeType(name);
    }

    private static UniqueRule unique(String base, String filter, String... attributes) {
        try {
            return UniqueRule.of(TextDirectory.SCHEMA, List.of(attributes).stream().map(RuleChangeTest::type).toList(), base == null ? null : TextDirectory.dn(base), filter);
        } catch (DirectoryException e) {
            throw new IllegalArgumentException(filter, e);
        }
    }

    private RuleChange begin(UniqueRule rule) throws DirectoryException {
        RuleChange change = RuleChange.begin(partition, partition.rules().withUnique(rule), List.of(rule));
        boolean unique = false;
        try {
            change.look();
            unique = true;
            return change;
        } finally {
            if (!unique) {
                change.giveUp();
            }
        }
    }

    private void make(UniqueRule rule) throws DirectoryException {
        RuleChange change = begin(rule);
        change.hold();
        change.take();
    }

    private static DirectoryException refused(ResultCode code, ThrowingRunnable work, String... texts) {
        DirectoryException refusal = assertThrows(DirectoryException.class, work);
        assertEquals(refusal.getMessage(), code, refusal.resultCode());
        for (String text : texts) {
            assertTrue(refusal.getMessage(), refusal.getMessage().contains(text));
        }
        return refusal;
    }

    private static DirectoryException fault(CompletableFuture<?> future) {
        CompletionException fault = assertThrows(CompletionException.class, future::join);
        return (DirectoryException) fault.getCause();
    }

    @Test
    public void whatIsThereTwiceIsNamedAndNothingChanges() throws DirectoryException {
        person("eve", "ALPHA");
        EntryRules before = partition.rules();
        String[] texts = {"employeeType", '"' + dn("ann") + '"', '"' + dn("eve") + '"', "alpha"};
        refused(ResultCode.CONSTRAINT_VIOLATION, () -> begin(TYPES), texts);
        refused(ResultCode.CONSTRAINT_VIOLATION, () -> RuleChange.check(partition, before.withUnique(TYPES), List.of(TYPES)), texts);
        assertSame(before, partition.rules());
        person("joe", "alpha");
        directory.delete(dn("joe"));
        directory.delete(dn("eve"));
        RuleChange.check(partition, before.withUnique(TYPES), List.of(TYPES));
        make(TYPES);
        refused(ResultCode.CONSTRAINT_VIOLATION, () -> person("eve", "alpha"));
        RuleChange away = RuleChange.begin(partition, before, List.of());
        away.hold();
        away.take();
        person("eve", "alpha");
    }

    /** They are in one key only by the hash of them, or at the end of what is read in one state. */
    @Test
    public void longValuesAndManyAreLookedAt() throws DirectoryException {
        String text = "x".repeat(600);
        for (int i = 0; i < 300; i++) {
            person("p" + i, text + i);
        }
        make(TYPES);
        RuleChange away = RuleChange.begin(partition, partition.rules().withUnique(), List.of());
        away.hold();
        away.take();
        person("eve", text + 299);
        refused(ResultCode.CONSTRAINT_VIOLATION, () -> begin(TYPES), dn("p299"), dn("eve"));
    }

    @Test
    public void attributesOfOneRuleShareTheirValues() throws DirectoryException {
        UniqueRule rule = unique(null, null, "employeeType", "cn");
        directory.addPerson(dn("eve"), "employeeType: eve");
        begin(rule).giveUp();
        directory.modify(dn("eve"), "add cn: Beta");
        refused(ResultCode.CONSTRAINT_VIOLATION, () -> begin(rule), dn("bob"), dn("eve"), "eta");
        directory.modify(dn("bob"), "replace employeeType: gamma");
        directory.modify(dn("eve"), "add employeeType: beta");
        begin(rule).giveUp();
    }

    @Test
    public void onlyEntriesThatAreMeantCount() throws DirectoryException {
        directory.add("ou=in," + BASE, "objectClass: organizationalUnit");
        directory.addPerson("cn=eve,ou=in," + BASE, "employeeType: alpha");
        UniqueRule rule = unique("ou=in," + BASE, "(!(description=double))", "employeeType");
        RuleChange change = begin(rule);
        directory.addPerson("cn=joe,ou=in," + BASE, "employeeType: alpha", "description: double");
        change.hold();
        change.take();
        refused(ResultCode.CONSTRAINT_VIOLATION, () -> directory.modify("cn=joe,ou=in," + BASE, "delete description: double"));
        refused(ResultCode.CONSTRAINT_VIOLATION, () -> directory.rename(dn("ann"), "cn=ann", false, "ou=in," + BASE));
        directory.delete("cn=joe,ou=in," + BASE);
        refused(ResultCode.CONSTRAINT_VIOLATION, () -> begin(TYPES), dn("ann"), "cn=eve,ou=in");
    }

    @Test
    public void whatIsWrittenTwiceMeanwhileIsFoundInTheEnd() throws DirectoryException {
        RuleChange change = begin(TYPES);
        person("eve", "alpha");
        refused(ResultCode.CONSTRAINT_VIOLATION, change::hold, dn("ann"), dn("eve"), "alpha");
        CompletableFuture<EntryView> waiting = submitted("joe", "beta");
        assertFalse("updates are held", waiting.isDone());
        change.giveUp();
        assertNotNull("and judged by what held before", waiting.join());
        assertNull(partition.rules().trial());
    }

    @Test
    public void whatWasTakenBackMeanwhileIsNotInTheWay() throws DirectoryException {
        RuleChange change = begin(TYPES);
        person("eve", "alpha");
        directory.modify(dn("bob"), "replace employeeType: alpha");
        directory.delete(dn("eve"));
        directory.modify(dn("bob"), "replace employeeType: beta");
        change.hold();
        change.take();
        refused(ResultCode.CONSTRAINT_VIOLATION, () -> person("eve", "alpha"));
    }

    /** No entry of it is written when it is moved. */
    @Test
    public void aSubtreeThatIsMovedMeanwhileIsFoundInTheEnd() throws DirectoryException {
        directory.add("ou=in," + BASE, "objectClass: organizationalUnit");
        directory.add("ou=tree," + BASE, "objectClass: organizationalUnit");
        directory.addPerson("cn=eve,ou=in," + BASE, "employeeType: alpha");
        directory.addPerson("cn=joe,ou=tree," + BASE, "employeeType: alpha");
        RuleChange change = begin(unique("ou=in," + BASE, null, "employeeType"));
        directory.rename("ou=tree," + BASE, "ou=tree", false, "ou=in," + BASE);
        refused(ResultCode.CONSTRAINT_VIOLATION, change::hold, "cn=eve,ou=in," + BASE, "cn=joe,ou=tree,ou=in," + BASE);
        change.giveUp();
    }

    @Test
    public void tooMuchMeanwhileIsToldAsSuch() throws DirectoryException {
        RuleChange change = begin(TYPES);
        for (int i = 0; i < 1001; i++) {
            person("p" + i, "alpha");
        }
        refused(ResultCode.BUSY, change::hold, "1000");
        change.giveUp();
    }

    @Test
    public void anAttributeWithoutAnIndexIsRefused() {
        refused(ResultCode.UNWILLING_TO_PERFORM, () -> begin(unique(null, null, "title")), "title", "not complete");
    }

    /** What was prepared by the old rules, and waits, is judged by the new ones alone: all of them, also in a batch. */
    @Test
    public void whatWaitsIsJudgedByTheNewRules() throws DirectoryException {
        EntryRules stricter = partition.rules().withUnique(TYPES).withLimits(new EntryLimits(1 << 20, 6, 10, 100))
                .withConstraints(new ValueConstraint(List.of(type("employeeType")), new ValueConstraint.OneOf(List.of("alpha", "gamma"))));
        UpdateBatch batch = new UpdateBatch();
        CompletableFuture<EntryView> first = updates.in(batch).add(TextDirectory.dn(dn("one")),
                TextDirectory.attributes("objectClass: person", "sn: x"), TextDirectory.ORIGIN);
        updates.in(batch).modify(TextDirectory.dn(dn("bob")), List.of(new Modification(Modification.Kind.REPLACE, "employeeType",
                List.of(TextDirectory.utf8("alpha")))), TextDirectory.ORIGIN);
        RuleChange change = RuleChange.begin(partition, stricter, List.of(TYPES));
        change.hold();
        CompletableFuture<EntryView> twice = submitted("eve", "alpha");
        CompletableFuture<EntryView> wrong = submitted("joe", "delta");
        CompletableFuture<EntryView> large = updates.add(TextDirectory.dn(dn("lou")), TextDirectory.attributes("objectClass: inetOrgPerson",
                "sn: x", "title: t", "description: d", "street: s", "l: l", "st: st"), TextDirectory.ORIGIN);
        CompletableFuture<EntryView> good = submitted("zoe", "gamma");
        CompletableFuture<Void> together = batch.commit();
        assertFalse(twice.isDone() || wrong.isDone() || large.isDone() || good.isDone() || together.isDone());
        change.take();
        assertEquals(ResultCode.CONSTRAINT_VIOLATION, fault(twice).resultCode());
        assertTrue(fault(wrong).getMessage(), fault(wrong).getMessage().contains("delta"));
        assertEquals(ResultCode.ADMIN_LIMIT_EXCEEDED, fault(large).resultCode());
        assertEquals(dn("zoe"), good.join().dn());
        assertTrue(fault(together).getMessage(), fault(together).getMessage().contains("must be unique"));
        assertEquals(ResultCode.CONSTRAINT_VIOLATION, fault(first).resultCode());
        assertNull("all or none", directory.read(dn("one")));
    }

    /** Whatever clients write while the rule comes and goes: as long as it holds, each value is there once. */
    @Test
    public void besideWritersValuesAreUniqueWhileTheRuleHolds() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        AtomicInteger taken = new AtomicInteger();
        Random seeds = Seed.random(RuleChangeTest.class);
        List<CompletableFuture<Void>> writers = List.of(writer(0, new Random(seeds.nextLong()), done), writer(1, new Random(seeds.nextLong()), done));
        Await.until("the rule to hold some times, and not to some others", () -> {
            if (changed(seeds.nextBoolean())) {
                taken.incrementAndGet();
                new UniqueScan(partition, List.of(TYPES)).requireUnique();
                RuleChange away = RuleChange.begin(partition, partition.rules().withUnique(), List.of());
                away.hold();
                away.take();
            }
            return taken.get() == 20;
        });
        done.set(true);
        writers.forEach(CompletableFuture::join);
    }

    private boolean changed(boolean gladly) throws DirectoryException {
        RuleChange change;
        try {
            change = begin(TYPES);
        } catch (DirectoryException e) {
            return false;
        }
        try {
            change.hold();
        } catch (DirectoryException e) {
            change.giveUp();
            return false;
        }
        if (gladly) {
            change.take();
        } else {
            change.giveUp();
        }
        return gladly;
    }

    private CompletableFuture<Void> writer(int number, Random random, AtomicBoolean done) {
        return CompletableFuture.runAsync(() -> {
            while (!done.get()) {
                String name = "w" + random.nextInt(8);
                CompletableFuture<EntryView> update = random.nextBoolean() ? submitted(name, "t" + random.nextInt(8))
                        : updates.delete(TextDirectory.dn(dn(name)), TextDirectory.ORIGIN);
                try {
                    update.join();
                } catch (CompletionException e) {
                    assertTrue("writer " + number + ": " + e, e.getCause() instanceof DirectoryException);
                }
            }
        }, Await.THREADS);
    }
}
