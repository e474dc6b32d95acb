package org.alder.server.directory.local;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.alder.partition.Partition;
import org.alder.partition.entry.Attribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
import org.alder.partition.memory.MemoryStore;
import org.alder.partition.request.Patience;
import org.alder.partition.testing.Await;
import org.alder.server.TestServer;
import org.alder.server.audit.AuditTrail;
import org.alder.server.auth.Identity;
import org.alder.server.directory.OperationContext;
import org.alder.server.directory.FollowedContexts;
import org.alder.server.directory.own.RootDse;
import org.alder.server.resource.Counters;
import org.alder.server.resource.OpenSessions;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

public class PartitionDirectoryTest {
    private static final String SUFFIX = TestServer.SUFFIX;
    private static final int GROUPS = 300;

    private Partition partition;
    private PartitionDirectory directory;

    @Before
    public void open() throws Exception {
        List<IndexDefinition> indexes = List.of(
                new IndexDefinition(TestServer.SCHEMA.attributeType("member"), Set.of(IndexKind.EQUALITY), 1000),
                new IndexDefinition(TestServer.SCHEMA.attributeType("memberURL"), Set.of(IndexKind.PRESENCE), 1000));
        partition = new Partition(TestServer.SCHEMA, TestServer.dn(SUFFIX), indexes,
                new MemoryStore(new AttributeIndexer(TestServer.SCHEMA, indexes)));
        List<Partition> partitions = List.of(partition);
        directory = new PartitionDirectory(TestServer.SCHEMA, () -> partitions, TestServer.dn(TestServer.ADMIN),
                new RootDse(List.of(), List.of(), List.of(), "", ""), List::of, null, null, new Counters(), new OpenSessions(), FollowedContexts.NONE);
        add(SUFFIX, "objectClass: domain", "dc: example");
        for (int i = 0; i < GROUPS; i++) {
            add("cn=g" + i + "," + SUFFIX, "objectClass: groupOfURLs", "cn: g" + i, "memberURL: ldap:///" + SUFFIX + "??sub?(cn=g" + i + ")");
        }
    }

    @After
    public void close() {
        partition.close();
    }

    private static OperationContext context(Patience patience) {
        return new OperationContext(new Identity(TestServer.dn(TestServer.ADMIN), true), Instant.EPOCH, null, AuditTrail.NONE, patience);
    }

    private void add(String dn, String... lines) throws Exception {
        Await.result("an add", directory.add(context(Patience.ENDLESS), TestServer.dn(dn), Arrays.stream(lines)
                .map(line -> new Attribute(line.substring(0, line.indexOf(':')), List.of(utf8(line.substring(line.indexOf(':') + 2)))))
                .toList()));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private boolean isMember(String group, String member, Patience patience) throws Exception {
        return Await.result("a compare", directory.compare(context(patience), TestServer.dn(group + "," + SUFFIX), "member",
                utf8(member + "," + SUFFIX)));
    }

    /** It went on through all groups that there are, whether its client had gone or not. */
    @Test
    public void aCompareEndsWhenNobodyWaits() throws Exception {
        DirectoryException gone = new DirectoryException(ResultCode.CANCELED, "gone");
        AtomicInteger asked = new AtomicInteger();
        assertSame(gone, assertThrows(DirectoryException.class, () -> isMember("cn=g7", "cn=g7", () -> {
            asked.incrementAndGet();
            throw gone;
        })));
        assertEquals(1, asked.get());
        assertEquals(true, isMember("cn=g7", "cn=g7", asked::incrementAndGet));
    }
}
