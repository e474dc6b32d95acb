package org.alder.ldif.bulk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.alder.ldif.LdifAttribute;
import org.alder.ldif.LdifEntry;
import org.alder.ldif.LdifGenerator;
import org.alder.ldif.LdifReader;
import org.alder.ldif.RejectFile;
import org.alder.ldif.progress.Progress;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.rule.EntryRules;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.BulkLoad;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.KeyedRecord;
import org.alder.partition.update.UpdateOrigin;
import org.junit.BeforeClass;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class BulkImportTest {
    private static final UpdateOrigin ORIGIN = new UpdateOrigin("cn=Directory Manager", Instant.parse("2026-11-21T00:00:00Z"));
    private static final String BASE = "dn: dc=example,dc=com\nobjectClass: domain\ndc: example\n";
    private static final String USERS = "dn: ou=users,dc=example,dc=com\nobjectClass: organizationalUnit\nou: users\n";

    private static Schema schema;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final Collected collected = new Collected();

    /** Keeps what the engine would be given. */
    private final class Collected implements BulkLoad {
        private final Map<Long, EntryRecord> records = new TreeMap<>();
        private boolean published;

        @Override
        public KeyedRecord prepare(EntryRecord record) {
            return KeyedRecord.of(new AttributeIndexer(schema, List.of()), record);
        }

        @Override
        public void add(long id, KeyedRecord entry) {
            assertNull("ID " + id + " twice", records.put(id, entry.record()));
            for (int key = 0; key < entry.keyCount(); key++) {
                byte[] bytes = Arrays.copyOfRange(entry.keys(), entry.keyOffset(key), entry.keyEnd(key));
                assertEquals(entry.record().parentId(), HierarchyKeys.parentOf(bytes));
            }
        }

        @Override
        public Path workFolder() {
            return folder.getRoot().toPath();
        }

        @Override
        public void build(BuildProgress progress) {
            assertFalse(published);
        }

        @Override
        public void publish(BuildProgress progress) {
            progress.update("building", records.size(), records.size());
            published = true;
        }

        @Override
        public void close() {
            records.clear();
        }
    }

    @BeforeClass
    public static void loadSchema() throws Exception {
        try (Stream<Path> files = Files.list(Path.of("..", "conf", "schema"))) {
            schema = Schema.load(files.filter(file -> file.toString().endsWith(".ldif")).sorted().toList());
        }
    }

    private RejectFile rejects() {
        return new RejectFile(folder.getRoot().toPath().resolve("rejects.ldif"));
    }

    private ImportResult load(String ldif, RejectFile rejects) throws Exception {
        try (BulkImport importing = importing(rejects); LdifSource source = new LdifSource(
                new LdifReader(new ByteArrayInputStream(ldif.getBytes(UTF_8))), rejects, Progress.NONE)) {
            importing.read(source);
            return importing.publish(Progress.NONE);
        }
    }

    private BulkImport importing(RejectFile rejects) throws Exception {
        return new BulkImport(schema, Dn.parse(schema, "dc=example,dc=com"), ORIGIN, EntryRules.standard(schema), collected,
                rejects);
    }

    @Test
    public void entriesAreNumberedUnderTheirParents() throws Exception {
        try (RejectFile rejects = rejects()) {
            assertEquals(new ImportResult(3, 0), load(BASE + "\n" + USERS
                    + "\ndn: UID=a, OU=Users , DC=Example,DC=com\nchangetype: add\nobjectClass: account\nuid: a\n", rejects));
        }
        assertTrue(collected.published);
        assertEquals(List.of(0L, 1L, 2L), collected.records.values().stream().map(EntryRecord::parentId).toList());
        assertEquals("UID=a", collected.records.get(3L).rdn());
    }

    @Test
    public void entriesThatStandBeforeTheirParentsWaitForThem() throws Exception {
        StringBuilder ldif = new StringBuilder();
        String dn = "dc=example,dc=com";
        for (int depth = 1; depth <= 40; depth++) {
            dn = "ou=" + depth + "," + dn;
            ldif.insert(0, "dn: " + dn + "\nobjectClass: organizationalUnit\nou: " + depth + "\n\n");
        }
        try (RejectFile rejects = rejects()) {
            assertEquals(new ImportResult(42, 1), load(ldif + BASE + "\n" + "dn: uid=a,ou=none,dc=example,dc=com\nobjectClass: account\n"
                    + "uid: a\n\ndn: ou=last,dc=example,dc=com\nobjectClass: organizationalUnit\nou: last\n", rejects));
        }
        Map<String, Long> ids = new TreeMap<>();
        collected.records.forEach((id, record) -> ids.put(record.rdn(), id));
        for (int depth = 2; depth <= 40; depth++) {
            assertEquals(ids.get("ou=" + (depth - 1)).longValue(), collected.records.get(ids.get("ou=" + depth)).parentId());
        }
        String rejected = Files.readString(folder.getRoot().toPath().resolve("rejects.ldif"));
        assertTrue(rejected, rejected.startsWith("# line 165: entry \"uid=a,ou=none,dc=example,dc=com\": its parent is not in the file"));
    }

    @Test
    public void valuesThatStandApartComeTogether() throws Exception {
        try (RejectFile rejects = rejects()) {
            load(BASE + "description: one\no: x\ndescription: two\n", rejects);
        }
        assertEquals(List.of("objectClass 2", "dc 1", "description 2", "o 1"), collected.records.get(1L).userAttributes().stream()
                .map(attribute -> attribute.description() + " " + attribute.values().size()).toList());
    }

    @Test
    public void badRecordsAreRejectedWithLineAndReasonAndTheRestLoads() throws Exception {
        String ldif = BASE + "\n" + USERS
                + "\ndn: uid=orphan,ou=nowhere,dc=example,dc=com\nobjectClass: account\nuid: orphan\n"
                + "\ndn: dc=org\nobjectClass: domain\ndc: org\n"
                + "\ndn: uid=b,ou=users,dc=example,dc=com\nobjectClass: account\nuid: b\nnoSuchAttribute: 1\n"
                + "\ndn: ou=users,dc=example,dc=com\nobjectClass: organizationalUnit\nou: users\n"
                + "\ndn: uid=c,ou=users,dc=example,dc=com\nchangetype: delete\n"
                + "\ndn: uid=d,ou=users,dc=example,dc=com\nobjectClass account\n"
                + "\ndn: uid=e,ou=users,dc=example,dc=com\nobjectClass: account\nuid: e\n";
        Path file;
        try (RejectFile rejects = rejects()) {
            assertEquals(new ImportResult(3, 6), load(ldif, rejects));
            file = rejects.path();
        }
        String text = Files.readString(file);
        for (String reason : List.of("# line 9: entry \"uid=orphan,ou=nowhere,dc=example,dc=com\": its parent",
                "is not under the suffix",
                "noSuchAttribute", "was there before in this load", "a change other than add", "# line 30: ")) {
            assertTrue(reason + " in\n" + text, text.contains(reason));
        }
    }

    @Test
    public void aFaultWhileReadingStopsTheLoad() throws Exception {
        try (RejectFile rejects = rejects(); BulkImport importing = importing(rejects)) {
            IOException fault = assertThrows(IOException.class, () -> importing.read(() -> {
                throw new IOException("the disk is gone");
            }));
            assertEquals("the disk is gone", fault.getMessage());
        }
    }

    @Test
    public void aFaultWhilePreparingStopsTheLoad() throws Exception {
        try (RejectFile rejects = rejects(); BulkImport importing = importing(rejects)) {
            LdifEntry broken = new LdifEntry("dc=example,dc=com", List.of(new LdifAttribute("dc", null)));
            Iterator<LdifEntry> entries = List.of(broken).iterator();
            IOException fault = assertThrows(IOException.class, () -> importing.read(() -> entries.hasNext() ? entries.next()
                    : null));
            assertTrue(fault.getMessage(), fault.getMessage().contains("NullPointerException"));
        }
    }

    @Test
    public void thousandsOfEntriesKeepTheirOrder() throws Exception {
        LdifGenerator generator = new LdifGenerator(LdifGenerator.DEFAULT_SEED);
        List<LdifEntry> entries = new ArrayList<>(LdifGenerator.baseEntries());
        for (int i = 1; i <= 3000; i++) {
            entries.add(generator.entry(i));
        }
        try (RejectFile rejects = rejects(); BulkImport importing = importing(rejects)) {
            Iterator<LdifEntry> iterator = entries.iterator();
            assertEquals(3002, importing.read(() -> iterator.hasNext() ? iterator.next() : null));
            assertEquals(0, rejects.count());
        }
        assertEquals("uid=user.3000", collected.records.get(3002L).rdn());
    }
}
