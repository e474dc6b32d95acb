package org.alder.server;

import static org.junit.Assert.assertEquals;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.StoreException;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
import org.alder.partition.memory.MemoryStore;
import org.alder.partition.rule.EntryLimits;
import org.alder.partition.rule.EntryRules;
import org.alder.partition.rule.ReferenceRule;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;
import org.alder.partition.testing.Seed;
import org.alder.partition.tree.EntryTree;
import org.alder.partition.tree.Shard;
import org.alder.partition.update.copy.CopiedChange;
import org.alder.partition.update.copy.CopiedEntries;
import org.alder.partition.update.copy.NamedEntries;
import org.junit.After;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/**
 * Shards that are a copy, and fail between any two of their transactions: a server that tells from the last cookie on what has changed, as it is now, ends with
 * exactly its entries, each in its shard. Names change hands among few entries, and subtrees go from shard to shard. Beside a new seed there are those that once
 * found something: what was made up took the name of what was told, one that stood aside was forgotten with the session, and what an earlier transaction of one
 * call had told was not known in the next.
 */
@RunWith(Parameterized.class)
public class ShardedCopyFaultsTest {
    private static final String SUFFIX = TestServer.SUFFIX;
    private static final int SHARDS = 3;
    private static final int ROUNDS = 400;

    private final Random random;
    private final List<Partition> shards = new ArrayList<>();
    /** One in so many transactions fails; 0 for none. */
    private int failing;
    /** What the server has: names by entryUUID, in the order in which they last changed, and what else is in them. */
    private final Map<String, String> names = new LinkedHashMap<>();
    private final Map<String, String> contents = new TreeMap<>();
    /** What has changed since the cookie. */
    private final Map<String, Boolean> changed = new LinkedHashMap<>();

    @Parameters(name = "{0}")
    public static List<Long> seeds() {
        return List.of(Seed.of(ShardedCopyFaultsTest.class), 25L, 37L, 56L, 6198L);
    }

    public ShardedCopyFaultsTest(long seed) {
        random = new Random(seed);
        for (int i = 0; i < SHARDS; i++) {
            List<IndexDefinition> indexes = List.of(new IndexDefinition(TestServer.SCHEMA.attributeType("entryUUID"), Set.of(IndexKind.EQUALITY), 1000));
            EntryRules rules = new EntryRules(List.of(), ReferenceRule.NONE, List.of(), List.of(), List.of(), EntryLimits.STANDARD);
            shards.add(new Partition(TestServer.SCHEMA, new EntryTree(TestServer.dn(SUFFIX), new Shard(i, SHARDS)), indexes,
                    failing(new MemoryStore(new AttributeIndexer(TestServer.SCHEMA, indexes))), rules, Set.of()));
        }
        Partition.join(shards, null);
    }

    @After
    public void close() {
        shards.forEach(Partition::close);
    }

    private Store failing(Store store) {
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
            if (method.getName().equals("submit") && failing > 0 && random.nextInt(failing) == 0) {
                return CompletableFuture.failedFuture(new StoreException(StoreException.Kind.DISK_FULL, "as the test wants"));
            }
            try {
                return method.invoke(store, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }

    private void tell(String uuid, String dn) {
        names.remove(uuid);
        changed.remove(uuid);
        changed.put(uuid, true);
        if (dn != null) {
            names.put(uuid, dn);
        }
    }

    private String uuidOf(String dn) {
        return names.entrySet().stream().filter(each -> each.getValue().equals(dn)).map(Map.Entry::getKey).findFirst().orElse(null);
    }

    private boolean isLeaf(String dn) {
        return names.values().stream().noneMatch(each -> each.endsWith("," + dn));
    }

    private static String parent(String dn) {
        return dn.substring(dn.indexOf(',') + 1);
    }

    private String anyDn() {
        String unit = "ou=" + random.nextInt(4) + "," + (random.nextBoolean() ? SUFFIX : "ou=" + random.nextInt(4) + "," + SUFFIX);
        return random.nextBoolean() ? "cn=" + random.nextInt(4) + "," + unit : unit;
    }

    /** As the server would let a client do. */
    private void change() {
        String dn = anyDn();
        String uuid = uuidOf(dn);
        switch (random.nextInt(5)) {
            case 0, 1 -> {
                if (uuid == null && uuidOf(parent(dn)) != null) {
                    String added = new UUID(random.nextLong(), random.nextLong()).toString();
                    contents.put(added, "new");
                    tell(added, dn);
                }
            }
            case 2 -> {
                if (uuid != null && isLeaf(dn)) {
                    contents.remove(uuid);
                    tell(uuid, null);
                }
            }
            case 3 -> rename(dn, uuid);
            default -> {
                if (random.nextInt(4) == 0 && uuidOf(SUFFIX) != null) {
                    contents.put(uuidOf(SUFFIX), "number " + random.nextInt());
                    tell(uuidOf(SUFFIX), SUFFIX);
                } else if (uuid != null) {
                    contents.put(uuid, "number " + random.nextInt());
                    tell(uuid, dn);
                }
            }
        }
    }

    private void rename(String dn, String uuid) {
        String to = anyDn();
        if (uuid == null || uuidOf(to) != null || uuidOf(parent(to)) == null || ("," + to).endsWith("," + dn) || dn.charAt(0) != to.charAt(0)) {
            return;
        }
        names.replaceAll((each, name) -> name.endsWith("," + dn) ? name.substring(0, name.length() - dn.length()) + to : name);
        tell(uuid, to);
    }

    private CopiedChange toldOf(CopiedEntries copy, String uuid) throws Exception {
        byte[] id = uuid.getBytes(StandardCharsets.US_ASCII);
        String dn = names.get(uuid);
        if (dn == null) {
            return new CopiedChange.Remove(id);
        }
        String rdn = dn.substring(0, dn.indexOf(','));
        String type = rdn.substring(0, rdn.indexOf('='));
        List<Attribute> attributes = new ArrayList<>();
        attributes.add(attribute("objectClass", type.equals("dc") ? "domain" : type.equals("ou") ? "organizationalUnit" : "device"));
        attributes.add(attribute(type, rdn.substring(rdn.indexOf('=') + 1)));
        attributes.add(attribute("description", contents.get(uuid)));
        return copy.prepare(TestServer.dn(dn), id, attributes);
    }

    private static Attribute attribute(String type, String value) {
        return new Attribute(type, List.of(value.getBytes(StandardCharsets.UTF_8)));
    }

    /** What has changed since the cookie, in some transactions, as one that follows makes it. @return whether the copy has all of it */
    private boolean follow(int cookie) throws Exception {
        CopiedEntries copy = new CopiedEntries(shards.get(0));
        List<String> told = new ArrayList<>(changed.keySet());
        boolean misplaced = false;
        NamedEntries named = new NamedEntries();
        try {
            for (int from = 0; from < told.size();) {
                int to = Math.min(told.size(), from + 1 + random.nextInt(5));
                List<CopiedChange> batch = new ArrayList<>();
                for (String uuid : told.subList(from, to)) {
                    batch.add(toldOf(copy, uuid));
                }
                byte[] noted = to == told.size() ? Integer.toString(cookie).getBytes(StandardCharsets.US_ASCII) : null;
                CopiedEntries.Outcome outcome = copy.apply(batch, noted, named).join();
                misplaced |= outcome.tookTold();
                from = to;
            }
        } catch (CompletionException e) {
            if (!"as the test wants".equals(e.getCause().getMessage())) {
                throw e;
            }
            return false;
        }
        if (misplaced || copy.aside() > 0) {
            // As one that follows asks for all once more.
            names.keySet().forEach(each -> changed.putIfAbsent(each, true));
            return false;
        }
        return true;
    }

    private static String description(EntryRecord entry) {
        return entry.userAttributes().stream().filter(each -> each.description().equals("description"))
                .map(each -> new String(each.values().get(0), StandardCharsets.UTF_8)).findFirst().orElse("none");
    }

    private Map<String, String> stored() {
        Map<String, String> stored = new TreeMap<>();
        for (int i = 0; i < SHARDS; i++) {
            Partition shard = shards.get(i);
            try (Snapshot now = shard.snapshot(); Snapshot.EntryCursor all = now.entries(0)) {
                while (all.next()) {
                    if (i > 0 && all.entry().parentId() == HierarchyKeys.NO_PARENT) {
                        assertEquals("the copy of the suffix entry", contents.get(uuidOf(SUFFIX)), description(all.entry()));
                        continue;
                    }
                    Dn dn = TestServer.dn(shard.dnOf(now, all.id()));
                    assertEquals(dn.text(), i, Shard.numberOf(shard.suffix(), dn, SHARDS));
                    byte[] uuid = all.entry().operationalValue("entryUUID");
                    String before = stored.put(new String(uuid, StandardCharsets.US_ASCII), dn.text() + ": " + description(all.entry()));
                    assertEquals("is there twice: " + dn.text(), null, before);
                }
            }
        }
        return stored;
    }

    /** How many are named as those are that gave up their names, in any shard. */
    private long aside() {
        long aside = 0;
        for (Partition shard : shards) {
            try (Snapshot now = shard.snapshot(); Snapshot.EntryCursor all = now.entries(0)) {
                while (all.next()) {
                    byte[] uuid = all.entry().operationalValue("entryUUID");
                    aside += all.entry().rdn().equals("entryUUID=" + new String(uuid, StandardCharsets.US_ASCII)) ? 1 : 0;
                }
            }
        }
        return aside;
    }

    private Map<String, String> expected() {
        Map<String, String> expected = new TreeMap<>();
        names.forEach((uuid, dn) -> expected.put(uuid, dn + ": " + contents.get(uuid)));
        return expected;
    }

    @Test
    public void endsWithTheEntriesOfTheServerWhereverItFails() throws Exception {
        String root = new UUID(random.nextLong(), random.nextLong()).toString();
        contents.put(root, "the suffix");
        tell(root, SUFFIX);
        int failures = 0;
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = random.nextInt(12); i >= 0; i--) {
                change();
            }
            failing = random.nextBoolean() ? 3 + random.nextInt(10) : 0;
            boolean made = follow(round);
            failing = 0;
            failures += made ? 0 : 1;
            assertEquals("round " + round, aside(), new CopiedEntries(shards.get(0)).aside());
            if (made) {
                changed.clear();
                assertEquals("after round " + round, expected(), stored());
            }
        }
        contents.put(root, "the last");
        tell(root, SUFFIX);
        assertEquals("all of it", true, follow(ROUNDS));
        assertEquals(expected(), stored());
        assertEquals(Integer.toString(ROUNDS), new String(new CopiedEntries(shards.get(1)).cookie(), StandardCharsets.US_ASCII));
        assertEquals("some failed, and some did not: " + failures, true, failures > ROUNDS / 20 && failures < ROUNDS / 2);
    }
}
