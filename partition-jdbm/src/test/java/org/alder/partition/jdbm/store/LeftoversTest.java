package org.alder.partition.jdbm.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.folder.Leftovers;
import org.alder.partition.jdbm.folder.StoreFolder;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.store.BulkLoad;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.slf4j.LoggerFactory;

/** What a start removes, and when. */
public class LeftoversTest {
    private static final TestIndexer INDEXER = new TestIndexer("color");
    /** Each writes numbers with digits of its own. */
    private static final List<String> LOCALES = List.of("fa-IR", "ar-EG", "mr");

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private Path folder() {
        return temporary.getRoot().toPath().resolve("store");
    }

    private JdbmStore open() {
        return JdbmStore.open(folder(), StoreSettings.defaults(), INDEXER);
    }

    private void makeTwoSegments() {
        try (JdbmStore store = open()) {
            StoreTests.add(store, 0, "top", "red");
            store.flush();
            StoreTests.add(store, 1, "a", "red");
            store.flush();
        }
    }

    private List<String> names(String prefix) throws IOException {
        try (Stream<Path> files = Files.list(folder())) {
            return files.map(file -> file.getFileName().toString()).filter(name -> name.startsWith(prefix)).sorted().toList();
        }
    }

    private Path segmentOf(long number) throws IOException {
        try (Stream<Path> files = Files.list(folder())) {
            return files.filter(file -> StoreFolder.numberOf(file) == number).findFirst().orElseThrow();
        }
    }

    /** Something that no manifest names. */
    private void leaveSomething() throws IOException {
        Path left = Files.createDirectory(folder().resolve("segment-000077"));
        Files.write(left.resolve("master.entries"), new byte[100]);
    }

    @Test
    public void aChangeOfLocaleKeepsAllSegments() {
        Locale before = Locale.getDefault();
        makeTwoSegments();
        try {
            long id = 2;
            for (String tag : LOCALES) {
                Locale.setDefault(Locale.forLanguageTag(tag));
                try (JdbmStore store = open()) {
                    assertEquals(tag, id, StoreTests.ids(store, 1, "red").cardinality());
                    assertEquals(++id, StoreTests.add(store, 1, "n" + id, "red"));
                    store.flush();
                }
                StoreTests.assertFilesSound(folder());
            }
            Locale.setDefault(before);
            try (JdbmStore store = open()) {
                assertEquals(IdSet.of(1, 2, 3, 4, 5), StoreTests.ids(store, 1, "red"));
            }
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    public void segmentsNamedWithOtherDigitsAreFound() throws IOException {
        makeTwoSegments();
        long number = 1;
        for (String tag : LOCALES) {
            Files.move(segmentOf(number), folder().resolve("segment-" + String.format(Locale.forLanguageTag(tag), "%06d", number)));
            number = 3 - number;
            try (JdbmStore store = open()) {
                assertEquals(tag, IdSet.of(1, 2), StoreTests.ids(store, 1, "red"));
            }
            StoreTests.assertFilesSound(folder());
        }
        try (JdbmStore store = open()) {
            store.compact();
        }
        assertEquals(1, names("segment-").size());
        try (JdbmStore store = open()) {
            assertEquals(IdSet.of(1, 2), StoreTests.ids(store, 1, "red"));
        }
    }

    @Test
    public void nothingIsRemovedWhileASegmentIsMissing() throws IOException {
        makeTwoSegments();
        leaveSomething();
        Path elsewhere = temporary.getRoot().toPath().resolve("elsewhere");
        Files.move(segmentOf(1), elsewhere);
        List<String> before = names("");
        for (int i = 0; i < 2; i++) {
            boolean load = i == 1;
            StoreException e = assertThrows(StoreException.class, () -> {
                if (load) {
                    JdbmStore.bulkLoad(folder(), StoreSettings.defaults(), INDEXER).close();
                } else {
                    open().close();
                }
            });
            assertEquals(StoreException.Kind.CORRUPT, e.kind());
            assertTrue(e.getMessage(), e.getMessage().contains("names segment 1, but ")
                    && e.getMessage().contains("segment-000002, segment-000077"));
            assertEquals(before, names(""));
        }
        Files.move(elsewhere, folder().resolve("segment-000001"));
        try (JdbmStore store = open()) {
            assertEquals(IdSet.of(1, 2), StoreTests.ids(store, 1, "red"));
        }
        assertEquals(List.of("segment-000001", "segment-000002"), names("segment-"));
        assertEquals(List.of(), names(Leftovers.FOLDER));
    }

    @Test
    public void nothingIsRemovedWhileTheLogIsMissing() throws IOException {
        makeTwoSegments();
        leaveSomething();
        Path log = new StoreFolder(SystemDisk.INSTANCE, folder()).logs().files().get(0);
        Files.delete(log);
        StoreException e = assertThrows(StoreException.class, this::open);
        assertTrue(e.getMessage(), e.getMessage().contains("the log file " + log + ", which is missing"));
        assertTrue(names("segment-").contains("segment-000077"));
    }

    @Test
    public void aNumberWithTwoFoldersIsRefused() throws IOException {
        makeTwoSegments();
        Files.createDirectory(folder().resolve("segment-1"));
        StoreException e = assertThrows(StoreException.class, this::open);
        assertTrue(e.getMessage(), e.getMessage().contains("names segment 1, for which there are segment-000001, segment-1"));
    }

    @Test
    public void whatIsRemovedStaysAsideUntilTheStoreIsOpen() throws IOException {
        makeTwoSegments();
        Path table = segmentOf(1).resolve("index-color.db");
        byte[] sound = Files.readAllBytes(table);
        Files.write(table, new byte[sound.length]);
        for (String copy : List.of("segment-000077", "segment-000077.2")) {
            leaveSomething();
            assertThrows(StoreException.class, this::open);
            assertEquals(List.of("segment-000001", "segment-000002"), names("segment-"));
            assertEquals(100, Files.size(folder().resolve(Leftovers.FOLDER).resolve(copy).resolve("master.entries")));
        }
        Files.write(table, sound);
        try (JdbmStore store = open()) {
            assertEquals(IdSet.of(1, 2), StoreTests.ids(store, 1, "red"));
        }
        assertFalse(Files.exists(folder().resolve(Leftovers.FOLDER)));
    }

    /** The empty log of a new folder was told of at its first start. */
    @Test
    public void onlyWhatHeldSomethingIsToldOf() throws IOException {
        Logger logger = (Logger) LoggerFactory.getLogger(Leftovers.class);
        ListAppender<ILoggingEvent> told = new ListAppender<>();
        told.start();
        Level before = logger.getLevel();
        logger.setLevel(Level.DEBUG);
        logger.addAppender(told);
        try {
            for (boolean first : List.of(true, false)) {
                try (BulkLoad load = JdbmStore.bulkLoad(folder(), StoreSettings.defaults(), INDEXER)) {
                    load.publish((phase, done, total) -> { });
                }
                List<String> lines = told.list.stream().filter(event -> event.getLevel().isGreaterOrEqual(Level.INFO))
                        .map(ILoggingEvent::getFormattedMessage).toList();
                assertEquals(lines.toString(), first, lines.isEmpty());
                try (JdbmStore store = open()) {
                    StoreTests.add(store, 0, "top", "red");
                }
            }
        } finally {
            logger.detachAppender(told);
            logger.setLevel(before);
        }
    }

    @Test
    public void whatIsNotTheStoresStays() throws IOException {
        makeTwoSegments();
        Files.createDirectory(folder().resolve("segment-of-somebody"));
        Files.write(folder().resolve("notes.txt"), new byte[3]);
        open().close();
        assertEquals(List.of("notes.txt"), names("notes"));
        assertTrue(names("segment-").contains("segment-of-somebody"));
    }
}
