package org.alder.partition.query;

import static org.alder.partition.testing.TestDirectory.dn;
import static org.alder.partition.testing.TestDirectory.index;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.filter.EntryAccess;
import org.alder.partition.filter.FilterParser;
import org.alder.partition.index.IndexKind;
import org.alder.partition.request.Patience;
import org.alder.partition.request.SearchScope;
import org.alder.partition.store.Snapshot;
import org.alder.partition.testing.TestDirectory;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** How much is looked up before a search's first entry, and that planning ends when nobody waits for it. */
public class PatienceTest {
    private static final String SUFFIX = "dc=example,dc=com";
    /** Look-ups between two questions whether anybody waits. */
    private static final int ASKED_EACH = 64;

    private final AtomicInteger asked = new AtomicInteger();
    private TestDirectory directory;

    @Before
    public void fill() {
        directory = new TestDirectory(SUFFIX, index("st", IndexKind.EQUALITY, IndexKind.SUBSTRING),
                index("uidNumber", IndexKind.EQUALITY));
        directory.add(SUFFIX, "objectClass: domain");
        directory.add("cn=long," + SUFFIX, "objectClass: device", "st: " + text(100_000) + "tail");
        for (int i = 0; i < 2000; i++) {
            directory.add("cn=" + i + "," + SUFFIX, "objectClass: device", "uidNumber: " + i, "st: s" + i);
        }
    }

    @After
    public void close() {
        directory.close();
    }

    /** Different keys all along. */
    private static String text(int length) {
        StringBuilder text = new StringBuilder(length + 8);
        for (int i = 0; text.length() < length; i++) {
            text.append(Integer.toString(i, 36)).append('-');
        }
        return text.substring(0, length);
    }

    private List<Long> search(String filter, Patience patience) throws DirectoryException {
        try (Snapshot snapshot = directory.partition().snapshot()) {
            return directory.ids(snapshot, new SearchQuery(dn(SUFFIX), SearchScope.SUBTREE, FilterParser.parse(filter), 0, 0,
                    EntryAccess.ALL, patience));
        }
    }

    private int lookUps(String filter, List<Long> expected) throws DirectoryException {
        asked.set(0);
        assertEquals(expected, search(filter, asked::incrementAndGet));
        return asked.get() * ASKED_EACH;
    }

    @Test
    public void aLongSubstringIsLookedUpByAFewOfItsKeys() throws DirectoryException {
        String all = text(100_000);
        for (String filter : List.of("(st=*" + all + "*)", "(st=" + all + "*)", "(st=*" + all.substring(1) + "tail)",
                "(st=*" + all.substring(10, 50_000) + "*" + all.substring(50_010) + "*)")) {
            int lookUps = lookUps(filter, List.of(2L));
            assertTrue(lookUps + " look-ups", lookUps <= 4 * ASKED_EACH);
        }
        assertTrue(lookUps("(st=*" + all + "x*)", List.of()) <= 4 * ASKED_EACH);
        assertEquals(List.of(2L), search("(st=*" + "*a".repeat(1) + "*tail)", Patience.ENDLESS));
    }

    @Test
    public void manyPiecesOfTwoBytesAreNotAllLookedUp() throws DirectoryException {
        assertTrue(lookUps("(st=*" + "zz*".repeat(5000) + ")", List.of()) <= 20 * ASKED_EACH);
    }

    @Test
    public void planningEndsWhenNobodyWaits() {
        Patience none = () -> {
            asked.incrementAndGet();
            throw new DirectoryException(ResultCode.TIME_LIMIT_EXCEEDED, "over");
        };
        for (String filter : List.of("(uidNumber>=0)", "(&(uidNumber>=0)(uidNumber<=1999))", "(|" + "(uidNumber=7)".repeat(500) + ")",
                "(&(st=s*)(!(uidNumber>=0)))", "(&(st=s*)(|" + "(uidNumber=7)".repeat(500) + "))")) {
            asked.set(0);
            DirectoryException e = assertThrows(filter, DirectoryException.class, () -> search(filter, none));
            assertEquals(ResultCode.TIME_LIMIT_EXCEEDED, e.resultCode());
            assertEquals("it is not asked again", 1, asked.get());
        }
    }

    @Test
    public void aUsualSearchNeverAsks() throws DirectoryException {
        assertEquals(0, lookUps("(&(uidNumber=7)(st=s7))", List.of(10L)));
    }

    /** Neither in the look-ups that testing each entry takes, nor among the items of a filter that tests one entry for long. */
    @Test
    public void testingEntriesEndsWhenNobodyWaits() {
        Patience none = () -> {
            asked.incrementAndGet();
            throw new DirectoryException(ResultCode.CANCELED, "over");
        };
        StringBuilder many = new StringBuilder("(|");
        for (int i = 0; i < 1000; i++) {
            many.append("(description=*a").append(i).append("*)");
        }
        for (String filter : List.of(many + ")", "(!" + many + "))", "(numSubordinates=5)",  "(|(description=x)(!(numSubordinates>=0)))")) {
            asked.set(0);
            DirectoryException e = assertThrows(filter, DirectoryException.class, () -> search(filter, none));
            assertEquals(ResultCode.CANCELED, e.resultCode());
            assertEquals("it is not asked again", 1, asked.get());
        }
    }

    @Test
    public void aFilterOfManyItemsFindsTheSameHoweverOftenItAsks() throws DirectoryException {
        StringBuilder many = new StringBuilder("(|(uidNumber=77)");
        for (int i = 0; i < 200; i++) {
            many.append("(description=*a").append(i).append("*)");
        }
        List<Long> expected = search(many + ")", Patience.ENDLESS);
        assertEquals(1, expected.size());
        asked.set(0);
        assertEquals(expected, search(many + ")", asked::incrementAndGet));
        assertTrue(asked.get() + " times", asked.get() >= 2000 * 200 / ASKED_EACH);
    }
}
