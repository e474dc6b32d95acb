package org.alder.partition.jdbm.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.testing.TextDirectory;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.function.ThrowingRunnable;
import org.junit.rules.TemporaryFolder;

/** One transaction that would take more heap than it may is refused before it does, and nothing of it is done. */
public class LargeTransactionTest {
    private static final String PERSON = "cn=ann,dc=example,dc=com";
    private static final int VALUES = 2000;
    private static final StoreSettings UNLIMITED = StoreSettings.defaults().withBackgroundCompaction(false)
            .withTransactionBytes(Long.MAX_VALUE);
    /** Enough for 250 values and their index keys, and not for 500. */
    private static final StoreSettings LIMITED = UNLIMITED.withTransactionBytes(150_000);

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private JdbmStore store;
    private TextDirectory directory;

    private void open(StoreSettings settings) {
        if (store != null) {
            store.close();
        }
        store = JdbmStore.open(temporary.getRoot().toPath().resolve("store"), settings, TextDirectory.INDEXER);
        directory = new TextDirectory(store);
    }

    @Before
    public void fill() throws DirectoryException {
        open(UNLIMITED);
        directory.withSuffix();
        directory.addPerson(PERSON);
        change("add", 0, VALUES);
    }

    @After
    public void check() {
        assertEquals(List.of(), directory.check().problems());
        store.close();
    }

    private void change(String kind, int from, int to) throws DirectoryException {
        directory.modify(PERSON, kind + " employeeType: "
                + IntStream.range(from, to).mapToObj(number -> "Type " + number).collect(Collectors.joining("|")));
    }

    private long count() throws DirectoryException {
        return directory.read(PERSON).record().largeAttribute("employeeType").count();
    }

    private void assertTooLarge(String words, ThrowingRunnable change) throws DirectoryException {
        long before = count();
        StoreException refused = assertThrows(StoreException.class, change);
        assertEquals(refused.toString(), StoreException.Kind.TOO_LARGE, refused.kind());
        assertTrue(refused.getMessage(), refused.getMessage().contains(words));
        assertEquals(before, count());
        assertEquals(List.of(), directory.check().problems());
    }

    @Test
    public void anEntryWithVeryManyValuesIsDeletedInParts() throws DirectoryException {
        open(LIMITED);
        assertTooLarge("change less at a time", () -> directory.delete(PERSON));
        for (int from = 250; from < VALUES; from += 250) {
            change("delete", from, from + 250);
        }
        directory.delete(PERSON);
        assertNull(directory.read(PERSON));
    }

    @Test
    public void soIsAnAttribute() throws DirectoryException {
        open(LIMITED);
        assertTooLarge("employeeType has 2000 values", () -> directory.modify(PERSON, "delete employeeType"));
        assertTooLarge("employeeType has 2000 values", () -> directory.modify(PERSON, "replace employeeType: one"));
        assertTooLarge("change less at a time", () -> change("delete", 0, 1000));
        assertTooLarge("change less at a time", () -> change("add", VALUES, 2 * VALUES));
    }

    @Test
    public void oneValueIsNeverTooMuch() throws DirectoryException {
        open(LIMITED.withTransactionBytes(20_000));
        change("add", VALUES, VALUES + 1);
        change("delete", 7, 8);
        assertEquals(VALUES, count());
    }

    @Test
    public void soAreManyEntries() throws DirectoryException {
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            ids.add(directory.addPerson("cn=child " + i + "," + PERSON).id());
        }
        open(LIMITED);
        assertTooLarge("change less at a time", () -> deleteAll(ids));
        deleteAll(ids.subList(0, 20));
        assertNull(directory.read("cn=child 19," + PERSON));
        assertNotNull(directory.read("cn=child 20," + PERSON));
    }

    /** They are counted before they are made, and the attribute is named. */
    @Test
    public void soAreTheSubstringsOfALongValue() throws DirectoryException {
        open(UNLIMITED.withTransactionBytes(4 << 20));
        String text = new Random(3).ints(100_000, '!', '{').collect(StringBuilder::new, StringBuilder::appendCodePoint,
                StringBuilder::append).toString().replace('|', '-');
        assertTooLarge("the index keys of the values of cn take", () -> directory.modify(PERSON, "add cn: " + text));
        directory.modify(PERSON, "add cn: " + "long and dull ".repeat(7_000));
    }

    private void deleteAll(List<Long> ids) {
        try {
            store.submit(context -> {
                ids.forEach(context::delete);
                return null;
            }).join();
        } catch (CompletionException e) {
            throw (StoreException) e.getCause();
        }
    }

    /** What was acknowledged is replayed, whatever the limit is now. */
    @Test
    public void theLogIsReplayedWithoutLimit() throws DirectoryException {
        change("replace", VALUES, 2 * VALUES);
        open(LIMITED);
        assertEquals(VALUES, count());
        assertNotNull(directory.read(PERSON));
        open(UNLIMITED);
        directory.delete(PERSON);
        open(LIMITED.withTransactionBytes(1));
        assertNull(directory.read(PERSON));
    }
}
