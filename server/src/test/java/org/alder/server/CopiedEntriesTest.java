package org.alder.server;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
import org.alder.partition.memory.MemoryStore;
import org.alder.partition.rule.EntryLimits;
import org.alder.partition.rule.EntryRules;
import org.alder.partition.rule.ReferenceRule;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.EntryTree;
import org.alder.partition.tree.EntryView;
import org.alder.partition.update.copy.CopiedChange;
import org.alder.partition.update.copy.CopiedEntries;
import org.alder.partition.update.copy.NamedEntries;
import org.alder.partition.update.edit.EntryEdit;
import org.junit.After;
import org.junit.Test;

/** A copy in one store: what is made up, and what stands aside. */
public class CopiedEntriesTest {
    private static final String SUFFIX = TestServer.SUFFIX;
    private static final byte[] COOKIE = bytes("a cookie");

    private final Partition partition = partition();
    private final CopiedEntries copy = new CopiedEntries(partition);

    private static Partition partition() {
        List<IndexDefinition> indexes = List.of(new IndexDefinition(TestServer.SCHEMA.attributeType("entryUUID"), Set.of(IndexKind.EQUALITY), 1000));
        EntryRules rules = new EntryRules(List.of(), ReferenceRule.NONE, List.of(), List.of(), List.of(), EntryLimits.STANDARD);
        return new Partition(TestServer.SCHEMA, new EntryTree(TestServer.dn(SUFFIX)), indexes, new MemoryStore(new AttributeIndexer(TestServer.SCHEMA, indexes)), rules, Set.of());
    }

    @After
    public void close() {
        partition.close();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] uuid(int number) {
        return bytes(new UUID(0, number).toString());
    }

    private CopiedChange unit(int number, String dn) throws Exception {
        String name = dn.substring(dn.indexOf('=') + 1, dn.indexOf(','));
        boolean isSuffix = dn.equals(SUFFIX);
        return copy.prepare(TestServer.dn(dn), uuid(number), List.of(new Attribute("objectClass", List.of(bytes(isSuffix ? "domain" : "organizationalUnit"))),
                new Attribute(isSuffix ? "dc" : "ou", List.of(bytes(name)))));
    }

    private void make(byte[] cookie, CopiedChange... changes) {
        copy.apply(List.of(changes), cookie, new NamedEntries()).join();
    }

    /** The number that a told entry has; null where it has no entry. */
    private byte[] uuidOf(String dn) throws Exception {
        try (Snapshot now = partition.snapshot()) {
            long id = partition.resolve(now, Dn.parse(TestServer.SCHEMA, dn));
            return id == 0 ? null : now.entry(id).operationalValue("entryUUID");
        }
    }

    private void note(String aside) {
        partition.submit(context -> {
            long id = partition.resolve(context.state(), partition.suffix());
            EntryEdit edit = new EntryEdit(TestServer.SCHEMA, context, new EntryView(id, context.state().entry(id), ""), true);
            edit.set(TestServer.SCHEMA.descriptionOrNull("alderFollowAside"), bytes(aside));
            context.modify(id, edit.deltas());
            return null;
        }).join();
    }

    /** Above entries that came first both the one that was renamed and what stood for it have a unit of the same name. */
    @Test
    public void whatWasToldKeepsItsNameBeforeWhatWasMadeUp() throws Exception {
        make(null, unit(1, SUFFIX), unit(2, "ou=old," + SUFFIX), unit(3, "ou=both,ou=old," + SUFFIX), unit(4, "ou=kept,ou=both,ou=old," + SUFFIX));
        make(null, unit(5, "ou=first,ou=both,ou=new," + SUFFIX));
        assertEquals(0, copy.aside());
        make(COOKIE, unit(2, "ou=new," + SUFFIX));
        assertEquals(0, copy.aside());
        assertArrayEquals(uuid(3), uuidOf("ou=both,ou=new," + SUFFIX));
        assertArrayEquals(uuid(4), uuidOf("ou=kept,ou=both,ou=new," + SUFFIX));
        assertArrayEquals(uuid(5), uuidOf("ou=first,ou=both,ou=new," + SUFFIX));
        assertArrayEquals(COOKIE, copy.cookie());
    }

    /** The other way round: what was told takes the place of what was made up, and all that is below that. */
    @Test
    public void whatWasToldTakesWhatIsBelowWhatWasMadeUp() throws Exception {
        make(null, unit(1, SUFFIX), unit(2, "ou=old," + SUFFIX), unit(5, "ou=below,ou=both,ou=old," + SUFFIX), unit(3, "ou=both,ou=new," + SUFFIX));
        make(COOKIE, unit(2, "ou=new," + SUFFIX));
        assertEquals(0, copy.aside());
        assertArrayEquals(uuid(3), uuidOf("ou=both,ou=new," + SUFFIX));
        assertArrayEquals(uuid(5), uuidOf("ou=below,ou=both,ou=new," + SUFFIX));
        assertArrayEquals(COOKIE, copy.cookie());
    }

    /** Whoever goes on behind a session that was cut off. */
    @Test
    public void whatStandsAsideIsKnownToWhoeverGoesOn() throws Exception {
        make(COOKIE, unit(1, SUFFIX), unit(2, "ou=a," + SUFFIX), unit(3, "ou=b," + SUFFIX));
        make(null, unit(3, "ou=a," + SUFFIX));
        CopiedEntries next = new CopiedEntries(partition);
        assertEquals(1, next.aside());
        next.apply(List.of(unit(4, "ou=c," + SUFFIX)), bytes("another"), null).join();
        assertArrayEquals("not noted over it", COOKIE, next.cookie());
        next.apply(List.of(unit(2, "ou=b," + SUFFIX)), bytes("another"), null).join();
        assertEquals(0, next.aside());
        assertArrayEquals(bytes("another"), next.cookie());
    }

    /** As a file with entries may have it. */
    @Test
    public void aNumberThatDoesNotHoldIsCountedAnew() throws Exception {
        make(null, unit(1, SUFFIX), unit(2, "ou=a," + SUFFIX), unit(3, "ou=b," + SUFFIX));
        make(null, unit(3, "ou=a," + SUFFIX));
        note("123456789012345678901234567890");
        make(COOKIE, unit(2, "ou=b," + SUFFIX));
        assertNull("more than there are stand aside", copy.cookie());
        copy.recountAside().join();
        assertEquals(0, copy.aside());
        make(COOKIE);
        assertArrayEquals(COOKIE, copy.cookie());
    }

    /** Also in a spelling that nobody here writes. */
    @Test
    public void aNumberOfAFileGoesWhereNothingStandsAside() throws Exception {
        make(null, unit(1, SUFFIX));
        note("123456789012345678901234567890");
        assertTrue(copy.aside() > 0);
        copy.recountAside().join();
        assertEquals(0, copy.aside());
    }

    @Test
    public void whatIsForgottenIsNoCopy() throws Exception {
        make(COOKIE, unit(1, SUFFIX), unit(2, "ou=a," + SUFFIX));
        make(null, unit(3, "ou=a," + SUFFIX));
        CopiedEntries.forget(partition).join();
        assertNull(copy.cookie());
        assertEquals(0, copy.aside());
    }
}
