package org.alder.partition.jdbm.store;

import static org.junit.Assert.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.store.BulkLoad;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.KeyedRecord;
import org.alder.partition.store.LargeValues;
import org.alder.partition.store.Snapshot;
import org.alder.partition.testing.TextDirectory;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** A bulk load leaves exactly the keys that the same entries have when they are added one by one. */
public class BulkLoadKeysTest {
    private static final String SUFFIX = "dc=example,dc=com";
    private static final String PEOPLE = "ou=people," + SUFFIX;
    private static final StoreSettings SETTINGS = StoreSettings.defaults().withBackgroundCompaction(false);
    /** More than a set has beside its key. */
    private static final int ALIASES = 1100;

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private static long addAlias(TextDirectory directory, String dn, String target) throws DirectoryException {
        return directory.add(dn, "objectClass: alias", "objectClass: extensibleObject", "aliasedObjectName: " + target).id();
    }

    private static long addReferral(TextDirectory directory, String dn, String url) throws DirectoryException {
        return directory.add(dn, "objectClass: referral", "objectClass: extensibleObject", "ref: " + url).id();
    }

    /** Loads all entries as the bulk import does: prepared before their parents are known. */
    private static void load(TextDirectory source, Path folder) {
        try (BulkLoad load = JdbmStore.bulkLoad(folder, SETTINGS, TextDirectory.INDEXER);
                Snapshot snapshot = source.partition().snapshot(); Snapshot.EntryCursor entries = snapshot.entries(1)) {
            while (entries.next()) {
                EntryRecord whole = new LargeValues(snapshot, entries.id()).whole(entries.entry());
                KeyedRecord keyed = load.prepare(whole.withParent(HierarchyKeys.NO_PARENT));
                keyed.setParent(whole.parentId());
                load.add(entries.id(), keyed);
            }
            load.publish((phase, done, total) -> { });
        }
    }

    private static IdSet special(TextDirectory directory, byte[] key) {
        try (Snapshot snapshot = directory.partition().snapshot()) {
            IdSet ids = snapshot.ids(HierarchyKeys.INDEX, key);
            assertEquals(ids.cardinality(), snapshot.cardinality(HierarchyKeys.INDEX, key));
            return ids;
        }
    }

    private static void assertClean(TextDirectory directory, IdSet aliases, IdSet referrals) {
        assertEquals(List.of(), directory.check().problems());
        assertEquals(aliases, special(directory, HierarchyKeys.aliases()));
        assertEquals(referrals, special(directory, HierarchyKeys.referrals()));
    }

    private static void assertSame(TextDirectory expected, TextDirectory found) {
        try (Snapshot left = expected.partition().snapshot(); Snapshot right = found.partition().snapshot()) {
            StoreTests.assertSame("loaded", TextDirectory.INDEXER.indexes().size(), left, right);
        }
    }

    @Test
    public void aliasesReferralsAndLargeAttributes() throws DirectoryException {
        TextDirectory source = new TextDirectory().withSuffix();
        source.add(PEOPLE, "objectClass: organizationalUnit");
        source.addPerson("cn=Ann," + PEOPLE,
                IntStream.range(0, 30).mapToObj(number -> "employeeType: Type " + number).toArray(String[]::new));
        long[] aliases = new long[ALIASES];
        for (int i = 0; i < ALIASES; i++) {
            aliases[i] = addAlias(source, "cn=alias " + i + "," + (i % 2 == 0 ? SUFFIX : PEOPLE), "cn=Ann," + PEOPLE);
        }
        long far = addReferral(source, "ou=far," + SUFFIX, "ldap://far.example.com/ou=far");
        long farther = addReferral(source, "ou=farther," + PEOPLE, "ldap://farther.example.com/");
        source.addPerson("cn=Zoe," + PEOPLE);
        assertClean(source, IdSet.of(aliases), IdSet.of(far, farther));
        Path folder = temporary.getRoot().toPath().resolve("store");
        load(source, folder);
        try (JdbmStore store = JdbmStore.open(folder, SETTINGS, TextDirectory.INDEXER)) {
            TextDirectory loaded = new TextDirectory(store);
            assertClean(loaded, IdSet.of(aliases), IdSet.of(far, farther));
            assertSame(source, loaded);
            changeAfterTheLoad(loaded, aliases, far);
            store.compact();
            assertClean(loaded, IdSet.of(aliases).andNot(IdSet.of(aliases[0])), IdSet.of(far));
        }
        StoreTests.assertFilesSound(folder);
    }

    private static void changeAfterTheLoad(TextDirectory loaded, long[] aliases, long far) throws DirectoryException {
        loaded.delete("cn=alias 0," + SUFFIX);
        loaded.rename("cn=alias 1," + PEOPLE, "cn=renamed", true, SUFFIX);
        loaded.delete("ou=farther," + PEOPLE);
        assertClean(loaded, IdSet.of(aliases).andNot(IdSet.of(aliases[0])), IdSet.of(far));
        long more = addAlias(loaded, "cn=more," + PEOPLE, "cn=Zoe," + PEOPLE);
        assertClean(loaded, IdSet.of(aliases).andNot(IdSet.of(aliases[0])).or(IdSet.of(more)), IdSet.of(far));
        loaded.delete("cn=more," + PEOPLE);
    }
}
