package org.alder.partition.jdbm.store;

import static org.alder.partition.jdbm.store.SchemaDirectory.attribute;
import static org.alder.partition.jdbm.store.SchemaDirectory.change;
import static org.alder.partition.jdbm.store.SchemaDirectory.people;
import static org.alder.partition.jdbm.store.SchemaDirectory.person;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;

import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.request.Modification;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The index keys of large attributes stay right whatever happens to the attributes beside them, and to the schema. */
public class LargeAttributeKeysTest {
    private static final String GROUP = "cn=group," + SchemaDirectory.SUFFIX;
    private static final int MANY = AttributeIndexer.DEFAULT_LARGE_ATTRIBUTE_THRESHOLD + 1;

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private SchemaDirectory directory;

    @Before
    public void open() throws Exception {
        directory = new SchemaDirectory(temporary.getRoot().toPath(), AttributeIndexer.DEFAULT_LARGE_ATTRIBUTE_THRESHOLD,
                "member", "seeAlso", "roleOccupant").open();
    }

    @After
    public void close() {
        directory.close();
    }

    @Test
    public void valuesThatMoveToAnotherLargeAttributeAreFoundThereOnly() throws Exception {
        directory.addAnything(GROUP, attribute("seeAlso", people(0, MANY)));
        directory.modify(GROUP, change(Modification.Kind.DELETE, "seeAlso"),
                change(Modification.Kind.ADD, "roleOccupant", people(0, MANY)));
        assertNotNull(directory.record(GROUP).largeAttribute("roleOccupant"));
        assertEquals(1, directory.found("(roleOccupant=" + person(7) + ")"));
        assertEquals(0, directory.found("(seeAlso=" + person(7) + ")"));
        directory.assertClean();
    }

    @Test
    public void twoLargeAttributesThatSwapTheirValuesAreFoundAsTheyAre() throws Exception {
        directory.addAnything(GROUP, attribute("seeAlso", people(0, MANY)), attribute("roleOccupant", people(MANY, 2 * MANY)));
        directory.modify(GROUP, change(Modification.Kind.REPLACE, "seeAlso", people(MANY, 2 * MANY)),
                change(Modification.Kind.REPLACE, "roleOccupant", people(0, MANY)));
        assertEquals(1, directory.found("(&(roleOccupant=" + person(7) + ")(seeAlso=" + person(MANY + 7) + "))"));
        assertEquals(0, directory.found("(|(seeAlso=" + person(7) + ")(roleOccupant=" + person(MANY + 7) + "))"));
        directory.assertClean();
    }

    @Test
    public void aSubtypeAddedWhileTheServerRunsTakesNoKeyOfALargeAttributeAway() throws Exception {
        directory.addAnything(GROUP, attribute("member", people(0, MANY)));
        assertNotNull(directory.record(GROUP).largeAttribute("member"));
        directory.defineOnline(null, "( 1.2.3.1 NAME 'acmeMember' SUP member )");
        directory.modify(GROUP, change(Modification.Kind.ADD, "acmeMember", person(7)));
        directory.modify(GROUP, change(Modification.Kind.DELETE, "acmeMember", person(7)));
        assertEquals(1, directory.found("(member=" + person(7) + ")"));
        assertNotNull(directory.record(GROUP).largeAttribute("member"));
        directory.assertClean();
    }

    @Test
    public void aLargeAttributeIsInTheRecordBesideASubtypeOfIts() throws Exception {
        directory.addAnything(GROUP, attribute("member", people(0, MANY)));
        directory.defineOnline(null, "( 1.2.3.1 NAME 'acmeMember' SUP member )");
        directory.modify(GROUP, change(Modification.Kind.ADD, "acmeMember", person(7), person(MANY)));
        assertNull(directory.record(GROUP).largeAttribute("member"));
        directory.modify(GROUP, change(Modification.Kind.DELETE, "member", person(7)));
        assertEquals(1, directory.found("(member=" + person(7) + ")"));
        assertEquals(1, directory.found("(member=" + person(MANY) + ")"));
        directory.reopen();
        assertEquals(1, directory.found("(member=" + person(7) + ")"));
        directory.assertClean();
    }

    @Test
    public void aTypePutBelowAnIndexedOneWhileTheServerRunsIsInItsIndex() throws Exception {
        String alone = "( 1.2.3.1 NAME 'acmeMember' EQUALITY distinguishedNameMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.12 )";
        directory.defineOnline(null, alone);
        directory.addAnything(GROUP, attribute("acmeMember", person(1)));
        assertEquals(0, directory.found("(member=" + person(1) + ")"));
        directory.modify(GROUP, change(Modification.Kind.DELETE, "acmeMember"));
        directory.defineOnline(alone, "( 1.2.3.1 NAME 'acmeMember' SUP member )");
        directory.modify(GROUP, change(Modification.Kind.ADD, "acmeMember", person(2)));
        assertEquals(1, directory.found("(member=" + person(2) + ")"));
        directory.assertClean();
    }
}
