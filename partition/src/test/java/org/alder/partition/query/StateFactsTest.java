package org.alder.partition.query;

import static org.alder.partition.testing.TextDirectory.SCHEMA;
import static org.alder.partition.testing.TextDirectory.attributes;
import static org.alder.partition.testing.TextDirectory.dn;
import static org.alder.partition.testing.TextDirectory.utf8;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.alder.partition.Partition;
import org.alder.partition.derived.ComputedGroups;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.GivenUpException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.filter.CompiledFilter;
import org.alder.partition.filter.FilterParser;
import org.alder.partition.filter.Truth;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
import org.alder.partition.memory.MemoryStore;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.WriteContext;
import org.alder.partition.tree.EntryView;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** What is remembered of a state is never taken for that of another one, whatever its number. */
public class StateFactsTest {
    private static final String SUFFIX = "dc=example,dc=com";
    private static final String ANN = "cn=ann," + SUFFIX;

    private Partition partition;
    private long suffix;
    private long ann;

    @Before
    public void setUp() {
        List<IndexDefinition> indexes = List.of(
                new IndexDefinition(SCHEMA.attributeType("member"), Set.of(IndexKind.EQUALITY), 10),
                new IndexDefinition(SCHEMA.attributeType("memberURL"), Set.of(IndexKind.PRESENCE), 10));
        partition = new Partition(SCHEMA, dn(SUFFIX), indexes, new MemoryStore(new AttributeIndexer(SCHEMA, indexes)));
        partition.submit(context -> {
            suffix = add(context, HierarchyKeys.NO_PARENT, "dc=example", "objectClass: domain", "dc: example");
            ann = add(context, suffix, "cn=ann", "objectClass: person", "objectClass: top", "cn: ann", "sn: x");
            return null;
        }).join();
    }

    @After
    public void close() {
        partition.close();
    }

    private static long add(WriteContext context, long parent, String rdn, String... lines) {
        return add(context, EntryRecord.of(parent, utf8(rdn), attributes(lines), List.of()));
    }

    private static long add(WriteContext context, EntryRecord record) {
        long id = context.allocateId();
        context.add(id, record);
        return id;
    }

    private void addGroup(WriteContext context) {
        add(context, suffix, "cn=group", "objectClass: groupOfURLs", "cn: group",
                "memberURL: ldap:///" + SUFFIX + "??sub?(objectClass=person)");
    }

    /** Under names that no client would spell so: an entry of a file may. */
    private void addArea(WriteContext context) {
        add(context, EntryRecord.of(suffix, utf8("cn=area"), attributes("2.5.4.0: collectiveAttributeSubentry",
                "2.5.4.0: SUBENTRY", "2.5.4.3: area", "c-l: Here"), attributes("2.5.18.6: {}")));
    }

    private boolean isTrue(Snapshot state, String filter) {
        try {
            return CompiledFilter.compile(SCHEMA, FilterParser.parse(filter))
                    .evaluate(partition.candidate(state, new EntryView(ann, state.entry(ann), ANN))) == Truth.TRUE;
        } catch (DirectoryException e) {
            throw new IllegalArgumentException(filter, e);
        }
    }

    private void read(String filter, boolean expected) {
        try (Snapshot snapshot = partition.snapshot()) {
            assertEquals(filter, expected, isTrue(snapshot, filter));
            partition.special(snapshot);
        }
    }

    private static final String IN_GROUP = "(memberOf=cn=group," + SUFFIX + ")";
    private static final String HERE = "(c-l=here)";

    @Test
    public void aTransactionSeesWhatItWroteItself() {
        read(IN_GROUP, false);
        read(HERE, false);
        partition.submit(context -> {
            assertTrue(!isTrue(context.state(), IN_GROUP) && !isTrue(context.state(), HERE));
            addGroup(context);
            context.advance();
            assertTrue("a dynamic group", isTrue(context.state(), IN_GROUP) && !isTrue(context.state(), HERE));
            addArea(context);
            context.advance();
            assertTrue("a collective attribute", isTrue(context.state(), IN_GROUP) && isTrue(context.state(), HERE));
            return null;
        }).join();
        read(IN_GROUP, true);
        read(HERE, true);
    }

    @Test
    public void whatAFailedTransactionSawIsForgotten() {
        for (int i = 0; i < 2; i++) {
            assertThrows(CompletionException.class, () -> partition.submit(context -> {
                addGroup(context);
                addArea(context);
                context.advance();
                assertTrue(isTrue(context.state(), IN_GROUP) && isTrue(context.state(), HERE));
                throw new IllegalStateException("as the test wants");
            }).join());
            partition.submit(context -> {
                assertTrue(!isTrue(context.state(), IN_GROUP) && !isTrue(context.state(), HERE));
                context.advance();
                return null;
            }).join();
            read(IN_GROUP, false);
            read(HERE, false);
        }
    }

    @Test
    public void aReadersStateIsNotThatOfALaterOne() {
        try (Snapshot before = partition.snapshot()) {
            assertEquals(false, isTrue(before, HERE));
            partition.submit(context -> {
                addArea(context);
                return null;
            }).join();
            read(HERE, true);
            assertEquals(false, isTrue(before, HERE));
            assertTrue(partition.special(before).subentries().isEmpty());
        }
    }

    /** The search that finds a group's members is part of who asks for them: it ended as if it had found all. */
    @Test
    public void membersThatAreWorkedOutAreAllOrNone() {
        partition.submit(context -> {
            for (int i = 0; i < 500; i++) {
                add(context, suffix, "cn=p" + i, "objectClass: person", "objectClass: top", "cn: p" + i, "sn: x");
            }
            addGroup(context);
            return null;
        }).join();
        ComputedGroups groups = partition.memberships().dynamic();
        AtomicInteger asked = new AtomicInteger();
        try (Snapshot snapshot = partition.snapshot()) {
            long group = groups.all(snapshot).iterator().next();
            DirectoryException over = new DirectoryException(ResultCode.TIME_LIMIT_EXCEEDED, "over");
            for (int most : new int[] {0, 1, 3}) {
                asked.set(0);
                GivenUpException e = assertThrows(GivenUpException.class, () -> groups.membersOf(PatientSnapshot.of(snapshot, () -> {
                    if (asked.incrementAndGet() > most) {
                        throw over;
                    }
                }), group));
                assertSame(over, e.result());
            }
            assertEquals(501, groups.membersOf(PatientSnapshot.of(snapshot, asked::incrementAndGet), group).cardinality());
        }
    }
}
