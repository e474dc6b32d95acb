package org.alder.partition.update;

import static org.alder.partition.testing.TextDirectory.values;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.alder.partition.derived.VirtualAttributes;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.EntryAccess;
import org.alder.partition.rule.EntryLimits;
import org.alder.partition.store.Snapshot;
import org.alder.partition.testing.Requirement;
import org.alder.partition.testing.TextDirectory;
import org.alder.partition.tree.EntryView;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** What updates that succeed make of the entries. */
public final class UpdatesTest {
    private static final String BASE = "dc=example,dc=com";
    private static final String PEOPLE = "ou=people," + BASE;
    private static final String ANN = "cn=Ann," + PEOPLE;

    private TextDirectory directory;

    @Before
    public void setUp() throws DirectoryException {
        directory = new TextDirectory().withSuffix();
        directory.add(PEOPLE, "objectClass: organizationalUnit");
        directory.addPerson(ANN, "cn: Annie", "description: blue", "description: Red", "employeeNumber: 7", "audio: first");
    }

    @After
    public void isClean() {
        assertEquals(List.of(), directory.check().problems());
    }

    @Test
    public void addReturnsTheEntryUnderTheStoredSpellingOfItsParent() throws DirectoryException {
        EntryView added = directory.addPerson("CN=Bob,OU=People,DC=Example,DC=Com", "cn: bob");
        assertEquals("CN=Bob," + PEOPLE, added.dn());
        assertEquals(added, directory.read("cn=bob," + PEOPLE));
        assertEquals(List.of("bob"), values(added.record(), "cn"));
    }

    @Test
    @Requirement(rfc = 4511, section = "4.7", text = "Values of the RDN that are missing are added")
    public void addCompletesTheValuesOfTheRdn() throws DirectoryException {
        EntryRecord record = directory.addPerson("cn=Bob+uid=b\\,1," + BASE, "cn: Robert").record();
        assertEquals(List.of("Robert", "Bob"), values(record, "cn"));
        assertEquals(List.of("b,1"), values(record, "uid"));
    }

    @Test
    public void addJoinsAttributesGivenUnderTwoNames() throws DirectoryException {
        EntryRecord record = directory.addPerson("cn=Bob," + BASE, "surname: Second", "SN: Third").record();
        assertEquals(List.of("Surname", "Second", "Third"), values(record, "sn"));
        assertEquals(List.of(), values(record, "surname"));
    }

    @Test
    public void addWritesTheOperationalAttributes() throws DirectoryException {
        EntryRecord record = directory.read(ANN).record();
        assertEquals(List.of("inetOrgPerson"), values(record, "structuralObjectClass"));
        assertEquals(List.of("cn=Directory Manager"), values(record, "creatorsName"));
        assertEquals(List.of("cn=Directory Manager"), values(record, "modifiersName"));
        assertEquals(List.of("20261121074300Z"), values(record, "createTimestamp"));
        assertEquals(List.of("20261121074300Z"), values(record, "modifyTimestamp"));
        assertTrue(values(record, "entryUUID").get(0)
                .matches("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"));
        assertTrue(values(record, "entryCSN").get(0).matches("\\d{14}\\.\\d{3}000Z#000000#000#[0-9a-f]{6}"));
        assertEquals(7, record.operationalAttributes().size());
    }

    @Test
    public void loadKeepsOperationalAttributesAndDropsVirtualOnes() throws DirectoryException {
        List<Attribute> attributes = TextDirectory.attributes("objectClass: person", "sn: x", "createTimestamp: 20010101000000Z",
                "entryUUID: 597ae2f6-16a6-1027-98f4-d28b5365dc14", "entryDN: cn=old", "hasSubordinates: TRUE",
                "structuralObjectClass: device");
        EntryRecord record = new EntryPreparation(TextDirectory.SCHEMA, EntryLimits.STANDARD)
                .prepareLoad(TextDirectory.dn("cn=x," + BASE), attributes, TextDirectory.ORIGIN).withParent(42);
        assertEquals(42, record.parentId());
        assertEquals("cn=x", record.rdn());
        assertEquals(List.of("20010101000000Z"), values(record, "createTimestamp"));
        assertEquals(List.of("20261121074300Z"), values(record, "modifyTimestamp"));
        assertEquals(List.of("597ae2f6-16a6-1027-98f4-d28b5365dc14"), values(record, "entryUUID"));
        assertEquals(List.of("person"), values(record, "structuralObjectClass"));
        assertEquals(List.of("20261121074300.000000Z#000000#000#000000"), values(record, "entryCSN"));
        assertEquals(7, record.operationalAttributes().size());
    }

    @Test
    public void virtualAttributesAreWorkedOutForWhatIsWanted() {
        try (Snapshot snapshot = directory.partition().snapshot()) {
            VirtualAttributes virtual = directory.partition().virtualAttributes(snapshot);
            EntryView people = directory.partition().read(snapshot, TextDirectory.dn(PEOPLE));
            List<Attribute> all = virtual.of(snapshot, people, type -> true, EntryAccess.ALL, bytes -> { });
            assertEquals(PEOPLE, text(all, "entryDN"));
            assertEquals("cn=schema", text(all, "subschemaSubentry"));
            assertEquals("TRUE", text(all, "hasSubordinates"));
            EntryView ann = directory.partition().read(snapshot, TextDirectory.dn(ANN));
            assertEquals("FALSE", text(virtual.of(snapshot, ann, type -> true, EntryAccess.ALL, bytes -> { }), "hasSubordinates"));
            assertEquals("1", text(all, "numSubordinates"));
            assertEquals(1, virtual.of(snapshot, people,
                    Set.of(TextDirectory.SCHEMA.attributeType("entryDN"))::contains, EntryAccess.ALL, bytes -> { }).size());
        }
    }

    private static String text(List<Attribute> attributes, String description) {
        return attributes.stream().filter(attribute -> attribute.description().equals(description))
                .map(attribute -> new String(attribute.values().get(0), StandardCharsets.UTF_8)).findFirst().orElse(null);
    }

    @Test
    public void deleteReturnsTheEntryAndFreesItsName() throws DirectoryException {
        EntryView ann = directory.read(ANN);
        assertEquals(ann, directory.delete("cn=ANN," + PEOPLE));
        assertNull(directory.read(ANN));
        assertTrue(directory.addPerson(ANN).id() > ann.id());
    }

    @Test
    public void theSuffixEntryCanBeDeletedWhenItIsALeaf() throws DirectoryException {
        directory.delete(ANN);
        directory.delete(PEOPLE);
        directory.delete(BASE);
        assertEquals(0, directory.check().entries());
        EntryView suffix = directory.add("DC=EXAMPLE,DC=COM", "objectClass: domain");
        assertEquals("DC=EXAMPLE,dc=com", suffix.dn());
        assertEquals(suffix, directory.read(BASE));
    }

    @Test
    @Requirement(rfc = 4511, section = "4.6", text = "Modifications are made in their order")
    public void modificationsWorkOnWhatThoseBeforeThemLeft() throws DirectoryException {
        EntryView ann = directory.modify(ANN, "delete description: BLUE", "add description: Blue", "replace title: a",
                "delete title", "add title: b|c");
        assertEquals(List.of("Red", "Blue"), values(ann.record(), "description"));
        assertEquals(List.of("b", "c"), values(ann.record(), "title"));
        assertEquals(ann, directory.read(ANN));
    }

    @Test
    public void replaceKeepsWhatIsTheSameAndTakesTheNewSpelling() throws DirectoryException {
        EntryRecord record = directory.modify(ANN, "replace DESCRIPTION: green|RED|blue").record();
        assertEquals(List.of("blue", "green", "RED"), values(record, "description"));
    }

    @Test
    @Requirement(rfc = 4511, section = "4.6", text = "replace without values")
    public void replaceWithoutValuesDeletesAndMayFindNothing() throws DirectoryException {
        EntryRecord record = directory.modify(ANN, "replace description", "replace title").record();
        assertEquals(List.of(), values(record, "description"));
    }

    @Test
    public void anAttributeIsFoundUnderItsOtherName() throws DirectoryException {
        EntryRecord record = directory.modify(ANN, "add surname: Second", "delete 2.5.4.4: SURNAME").record();
        assertEquals(List.of("Second"), values(record, "sn"));
    }

    @Test
    public void optionsMakeAnotherAttribute() throws DirectoryException {
        EntryRecord record = directory.modify(ANN, "add description;lang-en: blue", "replace description: x").record();
        assertEquals(List.of("blue"), values(record, "description;lang-en"));
        assertEquals(List.of("x"), values(record, "description"));
    }

    @Test
    public void incrementAddsToEveryValue() throws DirectoryException {
        directory.add("cn=staff," + BASE, "objectClass: groupOfNames", "objectClass: posixGroup", "member: " + ANN,
                "gidNumber: 41");
        EntryRecord record = directory.modify("cn=staff," + BASE, "increment gidNumber: 2", "increment gidNumber: -1").record();
        assertEquals(List.of("42"), values(record, "gidNumber"));
        record = directory.modify("cn=staff," + BASE, "increment gidNumber: 99999999999999999999").record();
        assertEquals(List.of("100000000000000000041"), values(record, "gidNumber"));
    }

    @Test
    @Requirement(rfc = 4512, section = "2.5.1", text = "Without an equality rule values cannot be added to or deleted singly")
    public void valuesOfAnAttributeWithoutEqualityRuleChangeAsAWhole() throws DirectoryException {
        EntryRecord record = directory.modify(ANN, "replace audio: second|third").record();
        assertEquals(List.of("second", "third"), values(record, "audio"));
        record = directory.modify(ANN, "delete audio", "add audio: fourth").record();
        assertEquals(List.of("fourth"), values(record, "audio"));
    }

    @Test
    public void passwordsAreOctets() throws DirectoryException {
        EntryRecord record = directory.modify(ANN, "add userPassword: secret|Secret", "delete userPassword: secret").record();
        assertEquals(List.of("Secret"), values(record, "userPassword"));
    }

    @Test
    public void modifyNotesWhoAndWhenEvenIfNothingElseChanges() throws DirectoryException {
        UpdateOrigin other = new UpdateOrigin("", Instant.parse("2027-01-02T03:04:05.678Z"));
        EntryRecord record = directory.modify(other, ANN, "replace description: blue|Red").record();
        assertEquals(List.of("20270102030405Z"), values(record, "modifyTimestamp"));
        assertEquals(List.of(""), values(record, "modifiersName"));
        assertEquals(List.of("20261121074300Z"), values(record, "createTimestamp"));
        assertEquals(List.of("blue", "Red"), values(record, "description"));
    }

    @Test
    public void theSpellingOfTheRdnsValueMayChange() throws DirectoryException {
        EntryView ann = directory.modify(ANN, "replace cn: ANN|Annie");
        assertEquals(List.of("Annie", "ANN"), values(ann.record(), "cn"));
        assertEquals(ANN, ann.dn());
    }

    @Test
    public void auxiliaryClassesComeAndGo() throws DirectoryException {
        directory.modify(ANN, "add objectClass: posixAccount", "add uid: ann", "add uidNumber: 1", "add gidNumber: 1",
                "add homeDirectory: /");
        EntryRecord record = directory.modify(ANN, "delete objectClass: posixaccount", "delete uidNumber", "delete gidNumber",
                "delete homeDirectory").record();
        assertFalse(values(record, "objectClass").contains("posixAccount"));
    }

    @Test
    @Requirement(rfc = 4511, section = "4.9", text = "deleteoldrdn")
    public void renameTakesTheOldValueOnlyWhenAsked() throws DirectoryException {
        EntryView kept = directory.rename(ANN, "cn=Anna", false, null);
        assertEquals("cn=Anna," + PEOPLE, kept.dn());
        assertEquals(List.of("Annie", "Ann", "Anna"), values(kept.record(), "cn"));
        EntryView gone = directory.rename(kept.dn(), "CN=Anne", true, null);
        assertEquals("CN=Anne," + PEOPLE, gone.dn());
        assertEquals(List.of("Annie", "Ann", "Anne"), values(gone.record(), "cn"));
        assertNull(directory.read(kept.dn()));
        assertEquals(gone, directory.read(gone.dn()));
    }

    @Test
    public void renameChangesTheSpelling() throws DirectoryException {
        EntryView ann = directory.rename(ANN, "CN=ANN", true, null);
        assertEquals("CN=ANN," + PEOPLE, ann.dn());
        assertEquals(List.of("Annie", "ANN"), values(ann.record(), "cn"));
        assertEquals("cn=ann," + PEOPLE, directory.rename(ANN, "cn=ann", false, PEOPLE).dn());
        assertEquals(List.of("Annie", "ANN"), values(directory.read(ANN).record(), "cn"));
    }

    @Test
    public void renameToSeveralValuesAndBack() throws DirectoryException {
        EntryView ann = directory.rename(ANN, "uid=a+cn=Ann", true, null);
        assertEquals(List.of("Annie", "Ann"), values(ann.record(), "cn"));
        assertEquals(List.of("a"), values(ann.record(), "uid"));
        assertEquals(ann.id(), directory.read("cn=ann+uid=A," + PEOPLE).id());
        ann = directory.rename("cn=ann+uid=A," + PEOPLE, "cn=Ann", true, null);
        assertEquals(List.of(), values(ann.record(), "uid"));
    }

    @Test
    public void aMovedSubtreeIsFoundAtItsNewPlace() throws DirectoryException {
        directory.add("ou=new," + BASE, "objectClass: organizationalUnit");
        directory.addPerson("cn=child," + ANN);
        directory.read("cn=child," + ANN);
        directory.rename(PEOPLE, "ou=Persons", true, "ou=new," + BASE);
        EntryView child = directory.read("cn=child,cn=ann,ou=persons,ou=new," + BASE);
        assertNotNull(child);
        assertEquals("cn=child,cn=Ann,ou=Persons,ou=new," + BASE, child.dn());
        assertNull(directory.read("cn=child," + ANN));
        assertEquals(List.of("Persons"), values(directory.read("ou=persons,ou=new," + BASE).record(), "ou"));
    }

    @Test
    public void renameNotesWhoAndWhen() throws DirectoryException {
        directory.modify(new UpdateOrigin("", Instant.EPOCH), ANN, "replace title: x");
        EntryRecord record = directory.rename(ANN, "cn=Annie", true, null).record();
        assertEquals(List.of("20261121074300Z"), values(record, "modifyTimestamp"));
        assertEquals(List.of("cn=Directory Manager"), values(record, "modifiersName"));
    }
}
