package org.alder.partition.jdbm.store;

import static org.alder.partition.jdbm.store.SchemaDirectory.attribute;
import static org.alder.partition.jdbm.store.SchemaDirectory.change;
import static org.alder.partition.jdbm.store.SchemaDirectory.people;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.alder.partition.entry.Attribute;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.folder.FolderChecker;
import org.alder.partition.jdbm.folder.ManifestFile;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.request.Modification.Kind;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** A store is opened with other indexes than it had: those it lacks are built, and no others. */
public class AddedIndexTest {
    private static final int THRESHOLD = 4;
    private static final String GROUP = "cn=group," + SchemaDirectory.SUFFIX;

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private SchemaDirectory directory;

    @After
    public void close() {
        if (directory != null) {
            directory.close();
        }
    }

    private void open(String... indexed) throws Exception {
        close();
        directory = new SchemaDirectory(temporary.getRoot().toPath(), THRESHOLD, indexed);
        directory.open();
    }

    private Path data() {
        return directory.data();
    }

    private long generation() throws IOException {
        return ManifestFile.read(data()).generation();
    }

    private static String dn(int number) {
        return "cn=name " + number + "," + SchemaDirectory.SUFFIX;
    }

    private void add(int from, int to) throws Exception {
        for (int i = from; i < to; i++) {
            directory.addAnything(dn(i), attribute("sn", "smith"), attribute("description", "d" + i % 3));
        }
    }

    private void assertSound(long generation) throws IOException {
        directory.assertClean();
        assertEquals(generation, generation());
        directory.store().flush();
        assertEquals(List.of(), FolderChecker.check(data()));
    }

    @Test
    public void whatSegmentsAndLogHoldIsInAnAddedIndex() throws Exception {
        open("sn");
        add(0, 30);
        directory.store().flush();
        directory.modify(dn(3), change(Kind.REPLACE, "description", "flushed"));
        directory.store().flush();
        add(30, 40);
        directory.modify(dn(4), change(Kind.REPLACE, "description", "logged"));
        open("sn", "description");
        assertEquals(1, directory.found("(description=flushed)"));
        assertEquals(1, directory.found("(description=logged)"));
        assertEquals(40, directory.found("(description=*)"));
        directory.modify(dn(5), change(Kind.DELETE, "description"));
        assertEquals(39, directory.found("(description=*)"));
        assertSound(1);
        open("description", "sn");
        assertSound(1);
        directory.store().compact();
        assertEquals(1, ManifestFile.read(data()).segments().size());
        assertSound(1);
        open("description", "sn");
        assertEquals(39, directory.found("(description=*)"));
        assertSound(1);
    }

    @Test
    public void anIndexThatComesBackKnowsWhatHappenedWithoutIt() throws Exception {
        open("sn", "description");
        add(0, 20);
        directory.store().flush();
        open("sn");
        directory.modify(dn(3), change(Kind.REPLACE, "description", "without"));
        directory.store().flush();
        directory.modify(dn(4), change(Kind.DELETE, "description"));
        open("sn", "description");
        assertEquals(1, directory.found("(description=without)"));
        assertEquals(19, directory.found("(description=*)"));
        assertSound(1);
        open("description");
        assertSound(1);
        open("description", "cn", "sn");
        assertEquals(20, directory.found("(sn=smith)"));
        assertEquals(1, directory.found("(cn=name 7)"));
        assertSound(1);
    }

    @Test
    public void valuesOfLargeAttributesAreInAnAddedIndex() throws Exception {
        open("sn");
        directory.addAnything(GROUP, attribute("member", people(0, 9)));
        directory.store().flush();
        directory.modify(GROUP, change(Kind.ADD, "member", people(9, 12)), change(Kind.DELETE, "member", people(0, 1)));
        open("sn", "member");
        assertEquals(1, directory.record(GROUP).largeAttributes().size());
        assertEquals(1, directory.found("(member=" + people(10, 11)[0] + ")"));
        assertEquals(0, directory.found("(member=" + people(0, 1)[0] + ")"));
        assertEquals(1, directory.found("(member=*)"));
        assertSound(1);
    }

    /** In the index of a supertype they share keys with other attributes, so they may not be large any more. */
    @Test
    public void anIndexThatLargeAttributesCannotBeInHasAllBuilt() throws Exception {
        open("sn");
        directory.addAnything(GROUP, attribute("member", people(0, 9)));
        directory.store().flush();
        open("sn", "distinguishedName");
        assertEquals(0, directory.record(GROUP).largeAttributes().size());
        assertEquals(1, directory.found("(distinguishedName=" + people(3, 4)[0] + ")"));
        assertSound(2);
    }

    @Test
    public void readersBesideAreToldThatAnIndexIsMissing() throws Exception {
        open("sn");
        Attribute[] some = {attribute("sn", "x")};
        directory.addAnything(dn(1), some);
        directory.store().flush();
        SchemaDirectory other = new SchemaDirectory(temporary.newFolder().toPath(), THRESHOLD, "sn", "description");
        other.open();
        other.close();
        StoreException refused = assertThrows(StoreException.class, () -> JdbmStore.openReadOnly(data(),
                StoreSettings.defaults(), other.indexer()));
        assertTrue(refused.getMessage(), refused.getMessage().contains("the configuration has indexes that the data lack (description): start the server once"));
    }
}
