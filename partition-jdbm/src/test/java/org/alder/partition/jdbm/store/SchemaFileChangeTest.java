package org.alder.partition.jdbm.store;

import static org.alder.partition.jdbm.store.SchemaDirectory.attribute;
import static org.alder.partition.jdbm.store.SchemaDirectory.change;
import static org.alder.partition.jdbm.store.SchemaDirectory.people;
import static org.alder.partition.jdbm.store.SchemaDirectory.person;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.folder.Manifest;
import org.alder.partition.jdbm.folder.ManifestFile;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.request.Modification.Kind;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.testing.TextDirectory;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** A store is opened with another schema than the one its keys were derived by, and perhaps with changes in its log. */
public class SchemaFileChangeTest {
    private static final String DN_TYPE = " EQUALITY distinguishedNameMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.12 )";
    private static final String ALONE = "( 1.2.3.1 NAME 'acmeMember'" + DN_TYPE;
    private static final String BELOW_MEMBER = "( 1.2.3.1 NAME 'acmeMember' SUP member )";
    private static final String EXACT = "( 1.2.3.2 NAME 'acmeName' EQUALITY caseExactMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )";
    private static final String IGNORE = EXACT.replace("caseExactMatch", "caseIgnoreMatch");
    private static final String GROUP = "cn=group," + SchemaDirectory.SUFFIX;
    private static final int THRESHOLD = 4;

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private SchemaDirectory directory;

    @Before
    public void make() {
        directory = new SchemaDirectory(temporary.getRoot().toPath(), THRESHOLD, "member");
    }

    @After
    public void close() {
        directory.close();
    }

    private long generation() throws IOException {
        return ManifestFile.read(directory.data()).generation();
    }

    @Test
    public void aTypePutBelowAnIndexedOneInItsFileIsInTheIndex() throws Exception {
        directory.open(ALONE);
        directory.addAnything(GROUP, attribute("acmeMember", person(1)));
        assertEquals(0, directory.found("(member=" + person(1) + ")"));
        directory.reopen(BELOW_MEMBER);
        assertEquals(1, directory.found("(member=" + person(1) + ")"));
        directory.assertClean();
        directory.reopen(ALONE);
        assertEquals(0, directory.found("(member=" + person(1) + ")"));
        directory.assertClean();
    }

    @Test
    public void namesAreFoundByTheNewRuleOfAnAttributeThatIsNotIndexed() throws Exception {
        directory.open(EXACT);
        directory.addAnything("acmeName=Foo," + SchemaDirectory.SUFFIX, attribute("cn", "x"));
        assertNull(directory.record("acmeName=foo," + SchemaDirectory.SUFFIX));
        directory.reopen(IGNORE);
        assertNotNull(directory.record("acmeName=foo," + SchemaDirectory.SUFFIX));
        directory.assertClean();
    }

    @Test
    public void aRuleThatMakesOneNameOfTwoIsRefused() throws Exception {
        String foo = "acmeName=Foo," + SchemaDirectory.SUFFIX;
        directory.open(EXACT);
        directory.addAnything(foo, attribute("cn", "x"));
        directory.addAnything(foo.replace("Foo", "foo"), attribute("cn", "y"));
        directory.store().flush();
        directory.close();
        StoreException refused = assertThrows(StoreException.class, () -> directory.open(IGNORE));
        assertEquals(refused.toString(), StoreException.Kind.REFUSED, refused.kind());
        assertTrue(refused.getMessage(), refused.getMessage().contains("have the same name by the schema there is now"));
        directory.open(EXACT);
        assertNotNull(directory.record(foo));
        directory.assertClean();
    }

    private void changeLargeNames() throws Exception {
        directory.open(EXACT, ALONE);
        directory.addAnything(GROUP, attribute("acmeName", "Ann", "ann", "Bob", "Cid", "Dan", "Eve"),
                attribute("acmeMember", people(0, 8)));
        directory.store().flush();
        assertEquals(2, directory.record(GROUP).largeAttributes().size());
        directory.modify(GROUP, change(Kind.DELETE, "acmeName", "ann", "Bob"), change(Kind.ADD, "acmeName", "Fay"),
                change(Kind.DELETE, "acmeMember", person(1)));
        directory.rename(GROUP, "cn=Group");
        directory.modify(GROUP, change(Kind.REPLACE, "acmeMember", person(3)), change(Kind.ADD, "acmeName", "Gil"));
    }

    private Set<String> values(String description) throws Exception {
        return new TreeSet<>(TextDirectory.values(directory.whole(GROUP), description));
    }

    @Test
    public void theLogOfALargeAttributeIsReplayedUnderAnotherRule() throws Exception {
        changeLargeNames();
        directory.reopen(IGNORE, BELOW_MEMBER);
        assertEquals(Set.of("Ann", "Cid", "Dan", "Eve", "Fay", "Gil"), values("acmeName"));
        assertEquals(Set.of(person(3)), values("acmeMember"));
        assertEquals(1, directory.found("(&(member=" + person(3) + ")(acmeName=fay))"));
        directory.modify(GROUP, change(Kind.DELETE, "acmeName", "ANN"));
        directory.assertClean();
    }

    @Test
    public void theLogOfALargeAttributeIsReplayedWithoutItsType() throws Exception {
        changeLargeNames();
        directory.reopen();
        assertEquals(Set.of("Ann", "Cid", "Dan", "Eve", "Fay", "Gil"), values("acmeName"));
        directory.reopen(EXACT, ALONE);
        assertEquals(Set.of("Ann", "Cid", "Dan", "Eve", "Fay", "Gil"), values("acmeName"));
        directory.assertClean();
    }

    @Test
    public void aTypeThatComesBackHasItsKeysAgain() throws Exception {
        directory.open(BELOW_MEMBER);
        directory.addAnything(GROUP, attribute("acmeMember", person(1)));
        directory.reopen();
        assertEquals(0, directory.found("(member=" + person(1) + ")"));
        directory.reopen();
        directory.reopen(BELOW_MEMBER);
        assertEquals(1, directory.found("(member=" + person(1) + ")"));
        directory.assertClean();
    }

    @Test
    public void onlyWhatKeysDependOnHasThemDerivedAnew() throws Exception {
        directory.open(ALONE);
        directory.addAnything(GROUP, attribute("acmeMember", person(1)));
        directory.reopen(ALONE.replace("NAME", "DESC 'other words' NAME"), EXACT);
        directory.reopen(EXACT, ALONE);
        assertEquals(1, generation());
        directory.store().flush();
        directory.reopen(EXACT.replace("NAME 'acmeName'", "NAME ( 'acmeName' 'acmeOther' )"), ALONE);
        assertEquals(2, generation());
        directory.reopen(EXACT.replace("NAME 'acmeName'", "NAME ( 'acmeName' 'acmeOther' )"), ALONE);
        assertEquals(2, generation());
    }

    /** With indexes of member and of acmeName, in which its values and names with it are. */
    private SchemaDirectory indexed() throws Exception {
        directory.open();
        directory.close();
        directory = new SchemaDirectory(temporary.newFolder().toPath(), THRESHOLD, "member", "acmeName");
        directory.open(EXACT);
        return directory;
    }

    private List<String> tables() throws IOException {
        return ManifestFile.read(directory.data()).indexes().stream().map(EntryIndexer.IndexSpec::name).toList();
    }

    @Test
    public void anotherRuleHasTheIndexesBuiltAnewThatItTouches() throws Exception {
        indexed().addAnything(GROUP, attribute("acmeName", "Foo"), attribute("member", person(1)));
        directory.store().flush();
        assertEquals(0, directory.found("(acmeName=FOO)"));
        List<String> before = tables();
        directory.reopen(IGNORE);
        assertEquals(1, directory.found("(acmeName=FOO)"));
        assertEquals(1, directory.found("(member=" + person(1) + ")"));
        directory.assertClean();
        assertEquals("all of the others stay where they are", before.subList(0, 3), tables().subList(0, 3));
        assertNotEquals(before.get(3), tables().get(3));
        assertEquals(1, generation());
        List<String> after = tables();
        directory.reopen(IGNORE);
        assertEquals(after, tables());
    }

    @Test
    public void anotherRuleOfATypeInNamesThatAreValuesHasTheirIndexBuiltAnew() throws Exception {
        indexed().addAnything(GROUP, attribute("member", "cn=x,acmeName=Foo," + SchemaDirectory.SUFFIX, "cn=Foo," + SchemaDirectory.SUFFIX));
        directory.store().flush();
        directory.modify(GROUP, change(Kind.ADD, "acmeName", "Bar"));
        List<String> before = tables();
        assertEquals(0, directory.found("(member=cn=x,acmeName=foo," + SchemaDirectory.SUFFIX + ")"));
        directory.reopen(IGNORE);
        assertEquals(1, directory.found("(member=cn=x,acmeName=foo," + SchemaDirectory.SUFFIX + ")"));
        assertEquals(1, directory.found("(acmeName=BAR)"));
        directory.assertClean();
        assertEquals(before.subList(0, 2), tables().subList(0, 2));
        assertNotEquals(before.get(2), tables().get(2));
        assertEquals(1, generation());
        before = tables();
        directory.modify(GROUP, change(Kind.DELETE, "member", "cn=x,acmeName=FOO," + SchemaDirectory.SUFFIX));
        directory.store().flush();
        directory.reopen(EXACT);
        directory.assertClean();
        assertEquals("no name has it any more", before.subList(0, 3), tables().subList(0, 3));
    }

    @Test
    public void aNameThatIsEscapedInAValueIsSeen() throws Exception {
        String nested = "seeAlso=\\61cmeName\\3DFoo," + SchemaDirectory.SUFFIX;
        indexed().addAnything(GROUP, attribute("member", nested));
        directory.store().flush();
        directory.reopen(IGNORE);
        assertEquals(1, directory.found("(member=seeAlso=acmeName\\5c3Dfoo," + SchemaDirectory.SUFFIX + ")"));
        directory.assertClean();
    }

    @Test
    public void anotherRuleOfATypeInNamesOfEntriesHasAllKeysDerivedAnew() throws Exception {
        indexed().addAnything("acmeName=Foo," + SchemaDirectory.SUFFIX, attribute("cn", "x"));
        directory.store().flush();
        directory.reopen(IGNORE);
        assertNotNull(directory.record("acmeName=foo," + SchemaDirectory.SUFFIX));
        directory.assertClean();
        assertEquals(2, generation());
        directory.modify("acmeName=foo," + SchemaDirectory.SUFFIX, change(Kind.ADD, "acmeName", "Other"));
        directory.rename("acmeName=foo," + SchemaDirectory.SUFFIX, "cn=x");
        directory.reopen(EXACT);
        directory.assertClean();
        assertEquals("what the log takes away is in the segments", 3, generation());
    }

    @Test
    public void anotherRuleOfATypeWithValuesBesideTheRecordHasAllKeysDerivedAnew() throws Exception {
        indexed().addAnything(GROUP, attribute("acmeName", "Ann", "ann", "Bob", "Cid", "Dan", "Eve"));
        directory.reopen(IGNORE);
        assertEquals(1, directory.found("(acmeName=ANN)"));
        directory.assertClean();
        assertEquals("they are in the log alone", 2, generation());
    }

    @Test
    public void aChangeWhileTheServerRanIsNoReasonToDeriveThemAnew() throws Exception {
        directory.open();
        directory.defineOnline(null, ALONE);
        directory.addAnything(GROUP, attribute("cn", "x"));
        directory.reopen();
        directory.defineOnline(ALONE, BELOW_MEMBER);
        directory.modify(GROUP, change(Kind.ADD, "acmeMember", person(1)));
        directory.reopen();
        directory.modify(GROUP, change(Kind.DELETE, "acmeMember"));
        directory.defineOnline(BELOW_MEMBER, null);
        directory.reopen();
        directory.assertClean();
        assertEquals(1, generation());
    }

    private void closeWithAFlushedGroup() throws Exception {
        directory.open(ALONE);
        directory.addAnything(GROUP, attribute("acmeMember", person(1)));
        directory.store().flush();
        directory.close();
    }

    private void writeFingerprint(String fingerprint) throws IOException {
        Manifest manifest = ManifestFile.read(directory.data());
        ManifestFile.write(SystemDisk.INSTANCE, directory.data(), new Manifest(manifest.storeId(), manifest.generation(),
                manifest.givenIds(), manifest.entries(), manifest.lastFlushed(), manifest.firstLog(), manifest.nextSegment(),
                fingerprint, manifest.indexes(), manifest.segments()));
    }

    @Test
    public void keysOfAnotherUnicodeVersionAreDerivedAnew() throws Exception {
        closeWithAFlushedGroup();
        String fingerprint = ManifestFile.read(directory.data()).fingerprint();
        writeFingerprint(fingerprint.replaceFirst(" unicode \\d+ ", " unicode 1 "));
        directory.open(ALONE);
        assertEquals(2, generation());
        assertEquals(fingerprint, ManifestFile.read(directory.data()).fingerprint());
        directory.assertClean();
    }

    @Test
    public void keysThatSayNothingOfUnicodeStayAndSayItFromNowOn() throws Exception {
        closeWithAFlushedGroup();
        String fingerprint = ManifestFile.read(directory.data()).fingerprint();
        String before = fingerprint.replaceFirst(" unicode \\d+ ", " ");
        assertNotEquals(fingerprint, before);
        writeFingerprint(before);
        directory.open(ALONE);
        assertEquals(1, generation());
        directory.modify(GROUP, change(Kind.ADD, "acmeMember", person(2)));
        directory.store().flush();
        assertEquals(fingerprint, ManifestFile.read(directory.data()).fingerprint());
    }

    /** The form of an object identifier's name is the identifier, as soon as anything in the schema has that name. */
    @Test
    public void namesThatAreValuesHaveOtherKeysWhenTheSchemaDefinesThem() throws Exception {
        String type = "( 1.3.6.1.4.1.99.71 NAME 'acmeOid' EQUALITY objectIdentifierMatch"
                + " SYNTAX 1.3.6.1.4.1.1466.115.121.1.38 )";
        directory.open();
        try (SchemaDirectory names = new SchemaDirectory(temporary.newFolder().toPath(), THRESHOLD, "acmeOid")) {
            names.open(type);
            names.addAnything(GROUP, attribute("acmeOid", "acmeLater"));
            assertEquals(0, names.found("(acmeOid=1.3.6.1.4.1.99.72)"));
            names.reopen(type, "( 1.3.6.1.4.1.99.72 NAME 'acmeLater' EQUALITY caseIgnoreMatch"
                    + " SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )");
            assertEquals(1, names.found("(acmeOid=1.3.6.1.4.1.99.72)"));
            names.assertClean();
        }
    }

    @Test
    public void aFolderOfTheReleaseBeforeIsOpenedAndItsKeysAreDerivedAnew() throws Exception {
        closeWithAFlushedGroup();
        writeFingerprint("keys 1.3 values 1 member:EP");
        StoreException refused = assertThrows(StoreException.class, () -> JdbmStore.openReadOnly(directory.data(),
                StoreSettings.defaults(), directory.indexer()));
        assertTrue(refused.getMessage(), refused.getMessage().contains("start the server once"));
        directory.open(ALONE);
        assertEquals(2, generation());
        directory.assertClean();
    }
}
