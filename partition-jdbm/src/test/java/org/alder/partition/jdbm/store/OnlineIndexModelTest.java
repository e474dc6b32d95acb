package org.alder.partition.jdbm.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.alder.partition.Partition;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.filter.FilterParser;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
import org.alder.partition.jdbm.folder.FolderChecker;
import org.alder.partition.jdbm.folder.ManifestFile;
import org.alder.partition.jdbm.settings.Durability;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.task.Threads;
import org.alder.partition.query.SearchCursor;
import org.alder.partition.query.SearchQuery;
import org.alder.partition.request.SearchScope;
import org.alder.partition.rule.EntryRules;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.store.Snapshot;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.RandomUpdates;
import org.alder.partition.testing.Seed;
import org.alder.partition.testing.TextDirectory;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Indexes are added, removed, changed and built anew while a directory is updated, with flushes, compactions, restarts and kills in
 * the middle of builds: entries and keys are those of a plain oracle, and every search finds what one without indexes finds, also
 * in snapshots that were opened before. {@code -Dalder.test.seed} repeats a run, {@code -Dalder.test.rounds} makes it longer.
 */
public final class OnlineIndexModelTest {
    private static final int OPERATIONS_PER_ROUND = 30;
    private static final String[] WORDS = {"ant", "bee", "cat", "dog", "eel", "fox"};
    private static final String[] TYPES = {"cn", "sn", "name", "description", "title", "employeeType", "employeeNumber",
        "modifyTimestamp"};
    private static final Set<String> ALWAYS = Set.of("objectClass", "sn", "entryUUID");

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final long seed = Seed.of(OnlineIndexModelTest.class);
    private final Random random = new Random(~seed);
    private final IndexGate gate = new IndexGate();
    private final List<Snapshot> old = new ArrayList<>();
    private List<IndexDefinition> wanted = TextDirectory.DEFINITIONS;
    private Path data;
    private JdbmStore store;
    private TextDirectory directory;
    private int changes;
    private int refused;
    private int killed;

    @Test
    public void everyIndexIsWholeOrNotUsed() throws Exception {
        data = folder.newFolder().toPath();
        store = open();
        directory = new TextDirectory(store);
        RandomUpdates updates = new RandomUpdates(directory, seed);
        for (int round = Integer.getInteger("alder.test.rounds", 25); round > 0; round--) {
            updates.run(OPERATIONS_PER_ROUND);
            disturb(random.nextInt(12));
            updates.run(OPERATIONS_PER_ROUND / 3);
            updates.verify();
            verifySearches();
            verifyOld();
        }
        finish();
        updates.verify();
        store.flush();
        assertEquals("seed " + seed, List.of(), FolderChecker.check(data));
        reopen(data);
        updates.verify();
        store.close();
        System.out.println("OnlineIndexModelTest " + updates + ", " + changes + " changes of indexes, " + refused + " refused, "
                + killed + " kills");
        assertTrue("seed " + seed + ": " + changes + " changes", changes > 0);
    }

    private void disturb(int what) throws Exception {
        switch (what) {
            case 0 -> store.flush();
            case 1 -> store.compact();
            case 2 -> {
                gate.open();
                reopen(data);
            }
            case 3 -> kill();
            case 4 -> gate.open();
            case 5 -> finish();
            case 6 -> old.add(store.snapshot());
            default -> change();
        }
    }

    /** All that was built is there, and nothing is being built. */
    private void finish() throws Exception {
        gate.open();
        Await.until("indexes are built", () -> store.indexBuild() == null || store.indexBuild().failure() != null);
        assertNull("seed " + seed, store.indexBuild());
        try (Snapshot snapshot = store.snapshot()) {
            assertTrue("seed " + seed, snapshot.indexer().building().isEmpty());
        }
        assertEquals("seed " + seed, names(wanted), names(directory.partition().indexes()));
    }

    private static Set<String> names(List<IndexDefinition> definitions) {
        return definitions.stream().map(each -> each.name() + each.kinds()).collect(Collectors.toCollection(TreeSet::new));
    }

    private void change() throws Exception {
        List<IndexDefinition> next = new ArrayList<>(wanted);
        String name = TYPES[random.nextInt(TYPES.length)];
        AttributeType type = TextDirectory.SCHEMA.attributeType(name);
        boolean anew = ALWAYS.contains(name) || random.nextInt(4) == 0;
        if (!anew) {
            next.removeIf(each -> each.type() == type);
            if (random.nextInt(3) > 0) {
                next.add(random.nextInt(next.size() + 1), TextDirectory.index(name, kinds(type)));
            }
        }
        if (random.nextInt(3) > 0) {
            // What is under way ends, which it could not behind the gate.
            gate.open();
            Await.until("indexes are built", () -> store.indexBuild() == null);
        }
        // One that came to the gate only when it is closed again would never end, and the change waits for its end.
        Await.until("a build is at the gate, or past it", () -> gate.isReached() || store.indexBuild() == null);
        gate.open();
        gate.close();
        try {
            directory.partition().changeIndexes(next, anew ? Set.of(type) : Set.of());
            wanted = List.copyOf(next);
            changes++;
        } catch (DirectoryException e) {
            assertEquals(e.getMessage(), ResultCode.UNWILLING_TO_PERFORM, e.resultCode());
            assertTrue(e.getMessage(), e.getMessage().contains("more values of an attribute than are kept in its record"));
            refused++;
        }
    }

    private IndexKind[] kinds(AttributeType type) {
        List<IndexKind> kinds = new ArrayList<>();
        for (IndexKind kind : IndexKind.values()) {
            boolean possible = switch (kind) {
                case EQUALITY -> type.equality() != null;
                case SUBSTRING -> type.substring() != null;
                case PRESENCE -> true;
            };
            if (possible && random.nextBoolean()) {
                kinds.add(kind);
            }
        }
        return kinds.isEmpty() ? new IndexKind[] {IndexKind.PRESENCE} : kinds.toArray(IndexKind[]::new);
    }

    /** What lies in the folder now is what a killed process leaves. */
    private void kill() throws Exception {
        killed++;
        if (gate.isClosed() && store.indexBuild() != null) {
            gate.awaitReached();
        } else {
            finish();
        }
        Path[] copy = new Path[1];
        Await.until("a moment in which the folder does not change", () -> (copy[0] = copyOfOneMoment()) != null);
        gate.open();
        reopen(copy[0]);
    }

    /** Null where a flush replaced files meanwhile: a killed process leaves what was there at one moment. */
    private Path copyOfOneMoment() throws IOException {
        Path copy = folder.newFolder().toPath().resolve("data");
        byte[] manifest = Files.readAllBytes(data.resolve(ManifestFile.NAME));
        try (Stream<Path> files = Files.walk(data)) {
            files.forEach(file -> copy(file, copy.resolve(data.relativize(file).toString())));
        } catch (UncheckedIOException e) {
            if (e.getCause() instanceof NoSuchFileException) {
                return null;
            }
            throw e;
        }
        return Arrays.equals(manifest, Files.readAllBytes(data.resolve(ManifestFile.NAME))) ? copy : null;
    }

    private static void copy(Path from, Path to) {
        try {
            Files.copy(from, to);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void reopen(Path path) {
        old.forEach(Snapshot::close);
        old.clear();
        store.close();
        gate.forget();
        data = path;
        store = open();
        directory.reopen(store);
    }

    /** Nothing merges on its own, so that what is copied stands still. */
    private JdbmStore open() {
        StoreSettings settings = StoreSettings.defaults().withDurability(Durability.NONE, 100).withBackgroundCompaction(false);
        return JdbmStore.open(data, settings, TextDirectory.indexer(wanted), gate.disk(), Threads.INSTANCE);
    }

    private void verifySearches() throws DirectoryException {
        try (Snapshot snapshot = store.snapshot()) {
            verifySearches(snapshot);
        }
    }

    private void verifyOld() throws DirectoryException {
        for (Snapshot snapshot : old) {
            assertEquals("seed " + seed, List.of(), directory.check(snapshot).problems());
            verifySearches(snapshot);
        }
    }

    private void verifySearches(Snapshot snapshot) throws DirectoryException {
        Partition partition = directory.partition();
        Set<AttributeType> all = Set.copyOf(TextDirectory.SCHEMA.attributeTypes());
        Partition walking = new Partition(TextDirectory.SCHEMA, partition.suffix(), wanted, store,
                EntryRules.standard(TextDirectory.SCHEMA), all);
        for (String type : TYPES) {
            String word = WORDS[random.nextInt(WORDS.length)];
            for (String filter : List.of("(" + type + "=" + word + ")", "(" + type + "=*)", "(" + type + "=*" + word.charAt(1) + "*)",
                    "(&(" + type + "=" + word + ")(objectClass=person))")) {
                assertEquals("seed " + seed + ": " + filter, found(walking, snapshot, filter), found(partition, snapshot, filter));
            }
        }
    }

    private static Set<Long> found(Partition partition, Snapshot snapshot, String filter) throws DirectoryException {
        Set<Long> ids = new TreeSet<>();
        try (SearchCursor cursor = partition.search(snapshot, new SearchQuery(partition.suffix(), SearchScope.SUBTREE,
                FilterParser.parse(filter), 0, 0))) {
            while (cursor.step(1000) == SearchCursor.Step.MATCH) {
                ids.add(cursor.view().id());
            }
        }
        return ids;
    }
}
