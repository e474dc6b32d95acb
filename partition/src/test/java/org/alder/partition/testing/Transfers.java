package org.alder.partition.testing;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.request.Modification;
import org.alder.partition.rule.EntryRules;
import org.alder.partition.rule.UniqueRule;
import org.alder.partition.store.LargeValues;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.EntryView;
import org.alder.partition.update.Renaming;
import org.alder.partition.update.ShardMove;
import org.alder.partition.update.UpdateBatch;
import org.alder.partition.update.UpdateOptions;

/**
 * Accounts in several shards, between which clients transfer, each transfer with a mark of its own in both; wanderers, which are renamed from shard to shard,
 * each with a number that counts up; and tokens, each of which one entry at most may have. What was acknowledged, refused and sent is remembered, so that what
 * is found can be held against it.
 */
public final class Transfers {
    public static final EntryRules RULES = EntryRules.standard(TextDirectory.SCHEMA)
            .withUnique(UniqueRule.of(TextDirectory.SCHEMA.attributeType("employeeType")));
    private static final int ACCOUNTS = 5;
    private static final int WANDERERS = 2;
    private static final String BALANCE = "title";
    private static final String MARKS = "description";
    private static final String TOKENS = "employeeType";

    private final Set<String> acknowledged = new TreeSet<>();
    private final Set<String> refused = new HashSet<>();
    private final int[] reached = new int[WANDERERS];
    private final int[] sent = new int[WANDERERS];
    private int next;

    /** What had been promised by a moment. */
    public record Promises(Set<String> acknowledged, int[] reached) {
        /** What was acknowledged may be lost, but none of it in part. */
        public static final Promises NONE = new Promises(Set.of(), new int[WANDERERS]);
    }

    public static Dn account(int number) {
        return TextDirectory.dn("cn=account" + number + "," + ShardedDirectory.SUFFIX);
    }

    private static Dn wanderer(int number, int place) {
        return TextDirectory.dn("cn=wanderer" + number + "x" + place + "," + ShardedDirectory.SUFFIX);
    }

    public static int accounts() {
        return ACCOUNTS;
    }

    public static int wanderers() {
        return WANDERERS;
    }

    public CompletableFuture<Void> prepare(ShardedDirectory directory) {
        CompletableFuture<Void> all = directory.addSuffix();
        for (int i = 0; i < ACCOUNTS; i++) {
            Dn dn = account(i);
            all = all.thenCompose(none -> directory.add(null, dn, BALANCE + ": 0").thenAccept(added -> { }));
        }
        for (int i = 0; i < WANDERERS; i++) {
            Dn dn = wanderer(i, 0);
            Dn below = TextDirectory.dn("cn=below," + dn.text());
            all = all.thenCompose(none -> directory.add(null, dn)).thenCompose(added -> directory.updates(dn).add(below,
                    ShardedDirectory.attributes("objectClass: device", "cn: below"), TextDirectory.ORIGIN)).thenAccept(added -> { });
        }
        return all;
    }

    public Promises promises() {
        return new Promises(Set.copyOf(acknowledged), reached.clone());
    }

    public int acknowledged() {
        return acknowledged.size();
    }

    public int moves() {
        int sum = 0;
        for (int each : reached) {
            sum += each;
        }
        return sum;
    }

    /** One transfer of what is read before. @param token that the target gets; null for none  @return null where an account cannot be read */
    public Sent transfer(ShardedDirectory directory, int from, int to, String token) {
        String mark = "mark" + next++;
        EntryView source = directory.read(account(from));
        EntryView target = directory.read(account(to));
        UpdateBatch batch = new UpdateBatch();
        change(directory, batch, account(from), source.record(), -1, mark, null);
        change(directory, batch, account(to), target.record(), 1, mark, token);
        return new Sent(mark, batch.commit());
    }

    private static void change(ShardedDirectory directory, UpdateBatch batch, Dn dn, EntryRecord now, int by, String mark, String token) {
        int balance = Integer.parseInt(ShardedDirectory.values(now, BALANCE).get(0));
        List<Modification> all = new ArrayList<>(List.of(modification(Modification.Kind.DELETE, BALANCE, "" + balance),
                modification(Modification.Kind.ADD, BALANCE, "" + (balance + by)), modification(Modification.Kind.ADD, MARKS, mark)));
        if (token != null) {
            all.add(modification(Modification.Kind.ADD, TOKENS, token));
        }
        directory.updates(dn).in(batch).modify(dn, all, TextDirectory.ORIGIN);
    }

    private static Modification modification(Modification.Kind kind, String attribute, String value) {
        return new Modification(kind, attribute, List.of(TextDirectory.utf8(value)));
    }

    /** Something sent. */
    public record Sent(String mark, CompletableFuture<?> answer) {
    }

    /** Told the answer to a transfer. @param fault null for success */
    public void told(Sent transfer, Throwable fault, boolean isUnknown) {
        if (fault == null) {
            acknowledged.add(transfer.mark);
        } else if (!isUnknown) {
            refused.add(transfer.mark);
        }
    }

    /** To its next name, whichever shard has it. */
    public Sent wander(ShardedDirectory directory, int number) {
        Dn from = wanderer(number, reached[number]);
        Dn to = wanderer(number, reached[number] + 1);
        sent[number] = reached[number] + 1;
        if (directory.number(from) == directory.number(to)) {
            return new Sent("" + number, directory.updates(from).rename(from, to.rdn(), true, null, TextDirectory.ORIGIN));
        }
        return new Sent("" + number, ShardMove.run(side(directory, from), side(directory, to), new Renaming(from, to.rdn(), true, null, TextDirectory.ORIGIN)));
    }

    private static ShardMove.Side side(ShardedDirectory directory, Dn dn) {
        return new ShardMove.Side(directory.shards().get(directory.number(dn)), directory.updates(dn), UpdateOptions.NONE);
    }

    public void wandered(int number) {
        reached[number] = sent[number];
    }

    /** What is found when all that was under way is finished. */
    public void check(String when, ShardedDirectory directory, Promises promises) throws DirectoryException {
        int sum = 0;
        Map<String, Integer> marks = new HashMap<>();
        for (int i = 0; i < ACCOUNTS; i++) {
            EntryRecord account = directory.read(account(i)).record();
            sum += Integer.parseInt(ShardedDirectory.values(account, BALANCE).get(0));
            allValues(directory, account(i), MARKS).forEach(mark -> marks.merge(mark, 1, Integer::sum));
        }
        assertEquals(when + ": the sum", 0, sum);
        marks.forEach((mark, times) -> assertEquals(when + ": accounts with " + mark, 2, (int) times));
        promises.acknowledged.forEach(mark -> assertTrue(when + ": " + mark + " was acknowledged, and is lost", marks.containsKey(mark)));
        refused.forEach(mark -> assertTrue(when + ": " + mark + " was refused, and is made", !marks.containsKey(mark)));
        for (int i = 0; i < WANDERERS; i++) {
            requireOnce(when, directory, i, promises.reached[i]);
        }
        requireTokens(when, directory);
        directory.requireWhole();
    }

    /** Outside of the record, too. */
    private static List<String> allValues(ShardedDirectory directory, Dn dn, String attribute) {
        Partition shard = directory.shards().get(directory.number(dn));
        try (Snapshot now = shard.snapshot()) {
            EntryView entry = shard.read(now, dn);
            return ShardedDirectory.values(new LargeValues(now, entry.id()).whole(entry.record()), attribute);
        }
    }

    private void requireOnce(String when, ShardedDirectory directory, int number, int least) {
        int found = -1;
        for (int place = 0; place <= sent[number]; place++) {
            if (directory.read(wanderer(number, place)) != null) {
                assertTrue(when + ": wanderer " + number + " is at " + found + " and at " + place, found < 0);
                assertTrue(when + ": what is below wanderer " + number + " at " + place, directory.read(TextDirectory.dn("cn=below," + wanderer(number, place).text())) != null);
                found = place;
            }
        }
        assertTrue(when + ": wanderer " + number + " is at " + found + ", expected " + least + " to " + sent[number], found >= least);
    }

    private static void requireTokens(String when, ShardedDirectory directory) {
        Set<String> tokens = new HashSet<>();
        for (int i = 0; i < ACCOUNTS; i++) {
            for (String token : allValues(directory, account(i), TOKENS)) {
                assertTrue(when + ": two entries have " + token, tokens.add(token));
            }
        }
    }
}
