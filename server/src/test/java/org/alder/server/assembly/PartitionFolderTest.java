package org.alder.server.assembly;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.alder.partition.Partition;
import org.alder.partition.check.CheckProgress;
import org.alder.partition.check.Checker;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.error.StoreException;
import org.alder.partition.filter.FilterParser;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.query.SearchCursor;
import org.alder.partition.query.SearchQuery;
import org.alder.partition.request.SearchScope;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.SchemaEdit;
import org.alder.partition.schema.SchemaRevision;
import org.alder.partition.schema.definition.DefinitionKind;
import org.alder.partition.store.Snapshot;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.TextDirectory;
import org.alder.partition.update.Updates;
import org.alder.server.TestServer;
import org.alder.server.config.ConfigurationReader;
import org.alder.server.config.PartitionConfiguration;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What a start does where a schema file has other rules than when the data were written. */
public class PartitionFolderTest {
    private static final String EXACT = "( 1.2.3.1 NAME 'acmeName' EQUALITY caseExactMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )";
    private static final String IGNORE = EXACT.replace("caseExactMatch", "caseIgnoreMatch");
    /** A build never gets to its end. */
    private static final String SLOW = "mergeBytesPerSecond: 1\n";
    private static final int ENTRIES = 50;
    private static final String BADGE = "( 1.2.3.2 NAME 'acmeBadge' EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )";

    @Rule
    public TemporaryFolder folder = new TemporaryFolder();

    private Schema schema;

    private Partition open(String more, String... types) throws Exception {
        Path root = folder.getRoot().toPath();
        Path file = root.resolve("types.ldif");
        Files.write(file, Stream.concat(Stream.of("dn: cn=schema"), Stream.of(types).map(type -> "attributeTypes: " + type)).toList());
        Path configuration = root.resolve("conf.ldif");
        Files.writeString(configuration, "dn: cn=config\nobjectClass: alderServer\n\ndn: cn=first,cn=config\nobjectClass: alderPartition\nsuffix: "
                + TestServer.SUFFIX + "\nindex: objectClass eq\nindex: acmeName eq\nindex: member eq\nindex: title eq\n" + more);
        schema = Schema.load(List.of(file));
        PartitionConfiguration partition = ConfigurationReader.read(configuration).partitions().get(0);
        return new PartitionFolder(schema, partition, new DataFolder(root)).open();
    }

    private void fill(Partition partition, String attribute) throws Exception {
        Updates updates = new Updates(partition);
        updates.add(dn(TestServer.SUFFIX), List.of(attribute("objectClass", "domain"), attribute("dc", "example")), TextDirectory.ORIGIN).join();
        for (int i = 0; i < ENTRIES; i++) {
            updates.add(dn("cn=p" + i + "," + TestServer.SUFFIX), List.of(attribute("objectClass", "device", "extensibleObject"),
                    attribute("cn", "p" + i), attribute(attribute, "Foo"), attribute("title", "t")), TextDirectory.ORIGIN).join();
        }
    }

    private Dn dn(String text) throws Exception {
        return Dn.parse(schema, text);
    }

    private static Attribute attribute(String description, String... values) {
        return new Attribute(description, Stream.of(values).map(value -> value.getBytes(StandardCharsets.UTF_8)).toList());
    }

    private static int found(Partition partition, String filter) throws Exception {
        try (Snapshot snapshot = partition.snapshot(); SearchCursor cursor = partition.search(snapshot,
                new SearchQuery(partition.suffix(), SearchScope.SUBTREE, FilterParser.parse(filter), 0, 0))) {
            int count = 0;
            while (cursor.step(10 * ENTRIES) == SearchCursor.Step.MATCH) {
                count++;
            }
            return count;
        }
    }

    private static Set<String> building(Partition partition) {
        return partition.unfinishedIndexes().stream().map(AttributeType::name).collect(Collectors.toSet());
    }

    private void assertClean(Partition partition) {
        try (Snapshot snapshot = partition.snapshot()) {
            assertEquals(List.of(), new Checker(schema, partition.suffix(), (AttributeIndexer) snapshot.indexer())
                    .check(snapshot, CheckProgress.NONE).problems());
        }
    }

    private void changeAtStarts(String attribute, String[] before, String[] after, Set<String> touched, String filter, int then) throws Exception {
        try (Partition partition = open("", before)) {
            fill(partition, attribute);
            assertEquals(ENTRIES - then, found(partition, filter));
            partition.store().maintenance().flush();
        }
        try (Partition partition = open(SLOW, after)) {
            assertEquals("it serves meanwhile", touched, building(partition));
            assertEquals(then, found(partition, filter));
            assertEquals(ENTRIES, found(partition, "(title=T)"));
        }
        try (Partition partition = open(SLOW, after)) {
            assertEquals("as after a crash, it goes on", touched, building(partition));
        }
        try (Partition partition = open("", after)) {
            // They are used from the moment they are complete; the build has ended a little later.
            Await.until("indexes are built", () -> building(partition).isEmpty() && partition.store().maintenance().indexBuild() == null);
            assertEquals(then, found(partition, filter));
            assertClean(partition);
        }
        try (Partition partition = open(SLOW, after)) {
            assertEquals("nothing is left to do", Set.of(), building(partition));
        }
    }

    @Test(timeout = Await.MILLIS)
    public void theIndexOfATypeWithAnotherRuleIsBuiltWhileItServes() throws Exception {
        changeAtStarts("acmeName", new String[] {EXACT}, new String[] {IGNORE}, Set.of("acmeName"), "(acmeName=FOO)", ENTRIES);
    }

    @Test(timeout = Await.MILLIS)
    public void theIndexOfATypeAboveAnotherOneIsBuiltWhileItServes() throws Exception {
        String above = EXACT.replace("1.2.3.1", "1.2.3.9");
        String alone = EXACT.replace("acmeName", "acmeOther");
        String below = "( 1.2.3.1 NAME 'acmeOther' SUP acmeName )";
        changeAtStarts("acmeOther", new String[] {above, alone}, new String[] {above, below}, Set.of("acmeName"), "(acmeName=Foo)", ENTRIES);
    }

    private interface Edit {
        void change(SchemaEdit edit) throws Exception;
    }

    /** As a server does with a change that a client makes. */
    private void writeOnline(Schema served, Edit change) throws Exception {
        SchemaEdit edit = served.edit();
        change.change(edit);
        SchemaRevision revision = edit.revise();
        Files.write(data().onlineSchema(), revision.onlineFile());
        revision.adopt();
    }

    private DataFolder data() {
        return new DataFolder(folder.getRoot().toPath());
    }

    /** What a command does that began a moment ago. */
    private PartitionFolder reader(Schema known) throws Exception {
        return new PartitionFolder(known, ConfigurationReader.read(folder.getRoot().toPath().resolve("conf.ldif")).partitions().get(0), data());
    }

    private Schema load() {
        return Schema.load(List.of(folder.getRoot().toPath().resolve("types.ldif")), data().onlineSchema());
    }

    private void addBadge(Partition partition) throws Exception {
        new Updates(partition).add(dn("cn=badge," + TestServer.SUFFIX), List.of(attribute("objectClass", "device", "extensibleObject"),
                attribute("cn", "badge"), attribute("acmeBadge", "Foo")), TextDirectory.ORIGIN).join();
    }

    @Test(timeout = Await.MILLIS)
    public void aSchemaThatItsServerChangesIsReadAgain() throws Exception {
        try (Partition partition = open("", EXACT)) {
            fill(partition, "acmeName");
            PartitionFolder before = reader(load());
            writeOnline(schema, edit -> edit.add(DefinitionKind.ATTRIBUTE_TYPE, BADGE));
            addBadge(partition);
            partition.store().maintenance().flush();
            try (Partition read = before.openReadOnly()) {
                assertEquals(1, found(read, "(acmeBadge=foo)"));
                assertEquals("types that were there are the same", ENTRIES, found(read, "(acmeName=Foo)"));
            }
            PartitionFolder with = reader(load());
            new Updates(partition).delete(dn("cn=badge," + TestServer.SUFFIX), TextDirectory.ORIGIN).join();
            partition.store().maintenance().flush();
            writeOnline(schema, edit -> edit.remove(DefinitionKind.ATTRIBUTE_TYPE, BADGE));
            partition.store().maintenance().keepFingerprint();
            try (Partition read = with.openReadOnly()) {
                assertEquals(0, found(read, "(acmeBadge=foo)"));
                assertEquals(ENTRIES, found(read, "(acmeName=Foo)"));
            }
        }
    }

    @Test(timeout = Await.MILLIS)
    public void aServerThatIsJustChangingTheSchemaIsWaitedFor() throws Exception {
        try (Partition partition = open("", EXACT)) {
            fill(partition, "acmeName");
            writeOnline(schema, edit -> edit.add(DefinitionKind.ATTRIBUTE_TYPE, BADGE));
            partition.store().maintenance().keepFingerprint();
            writeOnline(schema, edit -> edit.remove(DefinitionKind.ATTRIBUTE_TYPE, BADGE));
            PartitionFolder reader = reader(load());
            StoreException refused = assertThrows(StoreException.class, reader::openReadOnly);
            assertTrue(refused.getMessage(), refused.getMessage().contains("the schema no longer defines 1.2.3.2"));
            CompletableFuture<Void> noted = CompletableFuture.runAsync(partition.store().maintenance()::keepFingerprint,
                    CompletableFuture.delayedExecutor(60, TimeUnit.MILLISECONDS));
            reader.openReadOnly().close();
            noted.join();
        }
    }
}
