package org.alder.partition.jdbm.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
import org.alder.partition.jdbm.backup.BackupChecker;
import org.alder.partition.jdbm.backup.BackupFolder;
import org.alder.partition.jdbm.backup.BackupPoint;
import org.alder.partition.jdbm.backup.BackupWriter;
import org.alder.partition.jdbm.backup.Restore;
import org.alder.partition.jdbm.backup.RestoreGoal;
import org.alder.partition.jdbm.folder.FolderChecker;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.task.Threads;
import org.alder.partition.store.Store;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.TextDirectory;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Backups that are made before, in the middle of and after builds of indexes come back whole, and their indexes are. */
public class OnlineIndexBackupTest {
    private static final IndexDefinition ADDED = TextDirectory.index("employeeNumber", IndexKind.EQUALITY);

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private final StoreSettings settings = StoreSettings.defaults().withBackgroundCompaction(false).withChangeHistory(1 << 20);
    private int persons;
    private int restores;

    private static List<IndexDefinition> withAdded() {
        List<IndexDefinition> all = new ArrayList<>(TextDirectory.DEFINITIONS);
        all.removeIf(each -> each.name().equals("employeetype"));
        all.add(ADDED);
        return all;
    }

    private Path file(String name) {
        return temporary.getRoot().toPath().resolve(name);
    }

    private void add(TextDirectory directory, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            directory.addPerson("cn=n" + persons + ",dc=example,dc=com", "cn: n" + persons, "employeeNumber: " + persons, "employeeType: t");
            persons++;
        }
    }

    private BackupPoint save() {
        try (BackupWriter writer = BackupWriter.open(file("backups"))) {
            return writer.save(List.of(new BackupWriter.Source("main", file("data"))), Map::of, (phase, done, total) -> { });
        }
    }

    private void assertRestored(BackupPoint point, int expected, List<IndexDefinition> wanted) throws Exception {
        Path target = file("restored-" + ++restores);
        Restore.run(BackupFolder.open(file("backups")), new RestoreGoal.Point(point.name()), target, (phase, done, total) -> { });
        Path data = target.resolve("partitions").resolve("main");
        assertEquals(List.of(), FolderChecker.check(data));
        try (Store readOnly = JdbmStore.openReadOnly(data, settings, TextDirectory.indexer(wanted))) {
            assertEquals("read before it was open", List.of(), new TextDirectory(readOnly).check().problems());
        }
        try (JdbmStore store = JdbmStore.open(data, settings, TextDirectory.indexer(wanted))) {
            TextDirectory directory = new TextDirectory(store);
            assertEquals(List.of(), directory.check().problems());
            assertNotNull(directory.read("cn=n" + (expected - 1) + ",dc=example,dc=com"));
            assertNull(directory.read("cn=n" + expected + ",dc=example,dc=com"));
            directory.modify("cn=n1,dc=example,dc=com", "replace employeeNumber: 7");
            store.flush();
            store.compact();
            assertEquals(List.of(), directory.check().problems());
        }
        assertEquals(List.of(), FolderChecker.check(data));
    }

    @Test
    public void whatWasBuiltHalfIsNotMissed() throws Exception {
        IndexGate gate = new IndexGate();
        try (JdbmStore store = JdbmStore.open(file("data"), settings, TextDirectory.INDEXER, gate.disk(), Threads.INSTANCE)) {
            TextDirectory directory = new TextDirectory(store).withSuffix();
            add(directory, 20);
            store.flush();
            BackupPoint before = save();
            gate.close();
            directory.partition().changeIndexes(withAdded(), Set.of());
            gate.awaitReached();
            add(directory, 5);
            store.flush();
            add(directory, 5);
            directory.modify("cn=n2,dc=example,dc=com", "delete employeeNumber");
            BackupPoint inTheMiddle = save();
            gate.open();
            Await.until("the index is built", () -> store.indexBuild() == null);
            add(directory, 5);
            BackupPoint after = save();
            store.compact();
            add(directory, 5);
            BackupPoint merged = save();
            assertEquals(List.of(), BackupChecker.check(BackupFolder.open(file("backups")), BackupFolder.open(file("backups")).pointNames(),
                    (phase, done, total) -> { }));
            assertRestored(before, 20, TextDirectory.DEFINITIONS);
            assertRestored(inTheMiddle, 30, withAdded());
            assertRestored(after, 35, withAdded());
            assertRestored(merged, 40, withAdded());
        }
    }
}
