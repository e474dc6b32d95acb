package org.alder.server.directory.feed;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.EntryAccess;
import org.alder.partition.filter.Filter;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
import org.alder.partition.memory.MemoryStore;
import org.alder.partition.request.Patience;
import org.alder.partition.request.SearchScope;
import org.alder.partition.rule.EntryRules;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.EntryTree;
import org.alder.partition.tree.Shard;
import org.alder.server.TestServer;
import org.alder.server.directory.ContentChange;
import org.alder.server.directory.ContentState;
import org.alder.server.directory.Visibility;
import org.alder.server.directory.naming.NamingContexts;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** In which order the changes of several shards are told, and up to where a client is that was told them. */
public class ShardsFeedTest {
    private static final int SHARDS = 3;
    private static final Dn SUFFIX = TestServer.dn(TestServer.SUFFIX);
    private static final long TOP = 1;

    private final List<Partition> shards = new ArrayList<>();
    private ShardsFeed feed;

    @Before
    public void open() throws DirectoryException {
        List<IndexDefinition> indexes = List.of(new IndexDefinition(TestServer.SCHEMA.attributeType("objectClass"), Set.of(IndexKind.EQUALITY), 1000),
                new IndexDefinition(TestServer.SCHEMA.attributeType("entryUUID"), Set.of(IndexKind.EQUALITY), 1000));
        for (int i = 0; i < SHARDS; i++) {
            MemoryStore store = new MemoryStore(new AttributeIndexer(TestServer.SCHEMA, indexes));
            shards.add(new Partition(TestServer.SCHEMA, new EntryTree(SUFFIX, new Shard(i, SHARDS)), indexes, store, EntryRules.standard(TestServer.SCHEMA), Set.of()));
            store.submit(context -> {
                context.add(context.allocateId(), record(0, "dc=example", "domain", new UUID(0, 0)));
                return null;
            }).join();
        }
        follow();
    }

    @After
    public void close() {
        feed.close();
        shards.forEach(Partition::close);
    }

    private void follow() throws DirectoryException {
        List<PartitionFeed> feeds = new ArrayList<>();
        for (Partition each : shards) {
            feeds.add(PartitionFeed.of(new SearchContent(new NamingContexts.Context(each), SUFFIX, each.shard().hasCopyOfSuffix() ? SearchScope.CHILDREN : SearchScope.SUBTREE,
                    new Filter.Present("cn"), Visibility.BY_SCOPE, EntryAccess.ALL), true, SHARDS, Patience.ENDLESS));
        }
        feed = new ShardsFeed(feeds, true, Patience.ENDLESS);
    }

    private static EntryRecord record(long parent, String rdn, String objectClass, UUID uuid) {
        List<Attribute> user = List.of(new Attribute("objectClass", List.of(utf8(objectClass))),
                new Attribute(rdn.substring(0, rdn.indexOf('=')), List.of(utf8(rdn.substring(rdn.indexOf('=') + 1)))));
        return EntryRecord.of(parent, utf8(rdn), user, List.of(new Attribute("entryUUID", List.of(utf8(uuid.toString())))));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** In one commit. */
    private void add(int shard, UUID uuid, String... names) {
        shards.get(shard).store().submit(context -> {
            for (String name : names) {
                context.add(context.allocateId(), record(TOP, "cn=" + name, "device", uuid == null ? UUID.randomUUID() : uuid));
            }
            return null;
        }).join();
    }

    private void delete(int shard, String name) {
        long id;
        try (Snapshot now = shards.get(shard).snapshot()) {
            id = shards.get(shard).resolve(now, TestServer.dn("cn=" + name + "," + TestServer.SUFFIX));
        }
        shards.get(shard).store().submit(context -> {
            context.delete(id);
            return null;
        }).join();
    }

    /** The newest state of each shard. */
    private ContentState state() {
        return new ContentState(shards.stream().map(each -> {
            try (Snapshot now = each.snapshot()) {
                return now.csn();
            }
        }).toList());
    }

    private String next() throws DirectoryException {
        ContentChange change = feed.next();
        return change == null ? null : change.kind() + " " + change.entry().dn().replaceAll("cn=|,.*", "") + (change.last() ? "." : "");
    }

    /** A cookie after the last change of one commit says nothing of a commit of which a part is told. */
    @Test
    public void aCommitIsToldToItsEndBeforeAnotherShardHasItsTurn() throws DirectoryException {
        add(0, null, "a", "b", "c");
        add(1, null, "d");
        add(2, null, "e", "f");
        add(0, null, "g");
        List<ContentState> told = new ArrayList<>();
        List<String> changes = new ArrayList<>();
        for (String change = next(); change != null; change = next()) {
            changes.add(change);
            if (change.endsWith(".")) {
                told.add(feed.position());
            }
        }
        assertEquals(List.of("ADDED a", "ADDED b", "ADDED c.", "ADDED d.", "ADDED e", "ADDED f.", "ADDED g."), changes);
        assertEquals(state(), told.get(3));
        for (int i = 1; i < told.size(); i++) {
            assertEquals("one commit further", 1, told.get(i).commitsSince(told.get(i - 1)));
        }
    }

    @Test
    public void whatTheClientHasIsLeftOutOfEachShard() throws DirectoryException {
        add(0, null, "a");
        ContentState state = state();
        add(1, null, "b");
        add(2, null, "c");
        feed.skipTo(state);
        assertEquals("ADDED b.", next());
        assertEquals("ADDED c.", next());
        assertNull(next());
        assertEquals(state(), feed.position());
    }

    /** The client has one entry of that identity in the end, whichever shard is told first, and of more than two. */
    @Test
    public void whatIsInAnotherShardIsToldAsItIsThereAndNotAsGone() throws DirectoryException {
        for (int from = 0; from < SHARDS; from++) {
            for (int to = 0; to < SHARDS; to++) {
                UUID uuid = UUID.randomUUID();
                add(from, uuid, "old");
                assertEquals("ADDED old.", next());
                delete(from, "old");
                add(to, uuid, "new");
                List<String> changes = new ArrayList<>();
                for (String change = next(); change != null; change = next()) {
                    changes.add(change);
                }
                assertEquals(List.of("ADDED new.", "MODIFIED new."), changes.stream().sorted().toList());
                assertEquals(state(), feed.position());
                delete(to, "new");
                assertEquals("DELETED new.", next());
                assertNull(next());
            }
        }
    }
}
