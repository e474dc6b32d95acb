package org.alder.server.directory.feed;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.filter.EntryAccess;
import org.alder.partition.filter.Filter;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
import org.alder.partition.memory.MemoryStore;
import org.alder.partition.request.Patience;
import org.alder.partition.request.SearchScope;
import org.alder.partition.update.UpdateOrigin;
import org.alder.server.TestServer;
import org.alder.server.directory.ContentChange;
import org.alder.server.directory.ContentState;
import org.alder.server.directory.Visibility;
import org.alder.server.directory.naming.NamingContexts;
import org.alder.server.resource.Lag;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** What waits for a client, and how much of it. */
public class PartitionFeedTest {
    private static final Dn SUFFIX = TestServer.dn(TestServer.SUFFIX);

    private NamingContexts.Context updates;
    private int devices;
    private long heldBytes;
    private long mostBytes = Long.MAX_VALUE;
    private final Patience patience = new Patience() {
        @Override
        public void check() {
        }

        @Override
        public void hold(long bytes) throws DirectoryException {
            if (heldBytes + bytes > mostBytes) {
                throw new DirectoryException(ResultCode.BUSY, "there is no memory");
            }
            heldBytes += bytes;
        }

        @Override
        public void giveBack(long bytes) {
            heldBytes -= bytes;
        }
    };

    @Before
    public void open() {
        List<IndexDefinition> indexes = List.of(
                new IndexDefinition(TestServer.SCHEMA.attributeType("objectClass"), Set.of(IndexKind.EQUALITY), 1000));
        MemoryStore store = new MemoryStore(new AttributeIndexer(TestServer.SCHEMA, indexes));
        updates = new NamingContexts.Context(new Partition(TestServer.SCHEMA, SUFFIX, indexes, store));
        add(TestServer.SUFFIX, "domain", "dc", "example");
    }

    @After
    public void close() {
        updates.partition().close();
    }

    private void add(String dn, String objectClass, String naming, String value) {
        List<Attribute> attributes = List.of(attribute("objectClass", objectClass), attribute(naming, value));
        updates.updates().add(TestServer.dn(dn), attributes, new UpdateOrigin(TestServer.ADMIN, Instant.EPOCH)).join();
    }

    private static Attribute attribute(String type, String value) {
        return new Attribute(type, List.of(value.getBytes(StandardCharsets.UTF_8)));
    }

    private void addDevice(String name) {
        add("cn=" + name + "," + TestServer.SUFFIX, "device", "cn", name);
    }

    private PartitionFeed feed(int mostWaiting, long mostWaitingBytes) throws DirectoryException {
        return new PartitionFeed(new SearchContent(updates, SUFFIX, SearchScope.SUBTREE, new Filter.Present("cn"),
                Visibility.BY_SCOPE, EntryAccess.ALL), true, mostWaiting, mostWaitingBytes, patience);
    }

    private PartitionFeed feed(int mostWaiting) throws DirectoryException {
        return feed(mostWaiting, Long.MAX_VALUE);
    }

    @Test
    public void asMuchWaitsAsIsAllowedAndNoMore() throws DirectoryException {
        try (PartitionFeed enough = feed(3); PartitionFeed tooFew = feed(2)) {
            addDevice("a");
            addDevice("b");
            assertEquals("cn=a," + TestServer.SUFFIX, tooFew.next().entry().dn());
            addDevice("c");
            assertEquals("cn=b," + TestServer.SUFFIX, tooFew.next().entry().dn());
            addDevice("d");
            assertEquals("cn=c," + TestServer.SUFFIX, tooFew.next().entry().dn());
            addDevice("e");
            addDevice("f");
            DirectoryException end = assertThrows(DirectoryException.class, tooFew::next);
            assertEquals(ResultCode.ADMIN_LIMIT_EXCEEDED, end.resultCode());
            assertThrows(DirectoryException.class, enough::next);
            assertThrows("for good", DirectoryException.class, tooFew::next);
        }
    }

    @Test
    public void theLagIsWhatWaitsAndForHowLong() throws DirectoryException {
        try (PartitionFeed feed = feed(10)) {
            assertEquals(Lag.NONE, feed.lag());
            addDevice("a");
            addDevice("b");
            Lag both = feed.lag();
            assertEquals(2, both.changes());
            assertTrue(both.nanos() > 0);
            assertTrue("it grows while nothing is taken", feed.lag().nanos() >= both.nanos());
            feed.next();
            assertEquals(1, feed.lag().changes());
            feed.next();
            assertEquals("what is taken is told", Lag.NONE, feed.lag());
            assertNull(feed.next());
        }
    }

    @Test
    public void theSearchThatCouldNotFollowHasNoneThatWait() throws DirectoryException {
        try (PartitionFeed feed = feed(1)) {
            addDevice("a");
            addDevice("b");
            assertThrows(DirectoryException.class, feed::next);
            assertEquals(Lag.NONE, feed.lag());
        }
    }

    @Test
    public void largeChangesWaitInBoundedMemory() throws DirectoryException {
        try (PartitionFeed feed = feed(100, 8000)) {
            addDevice("large." + "x".repeat(3000));
            addDevice("small");
            assertEquals(ContentChange.Kind.ADDED, feed.next().kind());
            addDevice("also.large." + "x".repeat(3000));
            assertEquals("cn=small," + TestServer.SUFFIX, feed.next().entry().dn());
            addDevice("too.large." + "x".repeat(3000));
            DirectoryException end = assertThrows(DirectoryException.class, feed::next);
            assertEquals(ResultCode.ADMIN_LIMIT_EXCEEDED, end.resultCode());
        }
    }

    /** A thousand searches that did not read had a gigabyte of places in queues. */
    @Test
    public void placesOfChangesThatWaitAreCountedAndGivenBack() throws DirectoryException {
        try (PartitionFeed feed = feed(10_000)) {
            addDevices(1000);
            assertTrue("held " + heldBytes, heldBytes >= 50_000);
            for (int i = 0; i < 1000; i++) {
                feed.next();
            }
            assertNull(feed.next());
            assertEquals(0, heldBytes);
            mostBytes = heldBytes;
            addDevices(1000);
            DirectoryException end = assertThrows(DirectoryException.class, feed::next);
            assertTrue(end.getMessage(), end.getMessage().contains("there is no memory"));
        }
        assertEquals(0, heldBytes);
        mostBytes = Long.MAX_VALUE;
        try (PartitionFeed feed = feed(10_000)) {
            addDevices(1000);
            assertTrue("held " + heldBytes, heldBytes > 0);
        }
        assertEquals("closed", 0, heldBytes);
    }

    private void addDevices(int count) {
        for (int i = 0; i < count; i++) {
            addDevice("device." + devices++);
        }
    }

    @Test
    public void missedCommitsEndIt() throws DirectoryException {
        AtomicInteger woken = new AtomicInteger();
        try (PartitionFeed feed = feed(10)) {
            feed.whenReady(woken::incrementAndGet);
            feed.missed();
            assertEquals(1, woken.get());
            assertThrows(DirectoryException.class, feed::next);
        }
    }

    @Test
    public void wakesOnceForWhatIsNew() throws DirectoryException {
        AtomicInteger woken = new AtomicInteger();
        try (PartitionFeed feed = feed(10)) {
            assertNull(feed.next());
            feed.whenReady(woken::incrementAndGet);
            assertEquals(0, woken.get());
            addDevice("a");
            addDevice("b");
            assertEquals(1, woken.get());
            feed.whenReady(woken::incrementAndGet);
            assertEquals("there is something already", 2, woken.get());
            assertEquals(ContentChange.Kind.ADDED, feed.next().kind());
            ContentChange second = feed.next();
            assertEquals(ContentState.of(second.csn()), feed.position());
            assertNull(feed.next());
        }
    }
}
