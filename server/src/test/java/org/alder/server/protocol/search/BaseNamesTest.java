package org.alder.server.protocol.search;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;

import java.util.Arrays;
import java.util.List;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.SchemaEdit;
import org.alder.partition.schema.definition.DefinitionKind;
import org.junit.Test;

public class BaseNamesTest {
    private static final String TYPE = "( 1.3.6.1.4.1.99999.1.9 NAME 'x-badge' EQUALITY RULE SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )";

    private final Schema schema = Schema.load(List.of());
    private final BaseNames bases = new BaseNames(schema);

    @Test
    public void aSpellingIsParsedOnce() throws Exception {
        Dn first = bases.parse("ou=People,dc=example");
        assertSame(first, bases.parse("ou=People," + "dc=example".concat("")));
        assertEquals("OU=people,dc=example", bases.parse("OU=people,dc=example").text());
        assertEquals(first, bases.parse("OU=people,dc=example"));
        assertSame(Dn.ROOT, bases.parse(""));
    }

    /** Far more than are remembered: each is found to be what it is. */
    @Test
    public void manySpellingsAreNotTakenForEachOther() throws Exception {
        for (int turn = 0; turn < 2; turn++) {
            for (int i = 0; i < 3000; i++) {
                assertEquals("cn=" + i + ",dc=example", bases.parse("cn=" + i + ",dc=example").text());
            }
        }
        String longest = "cn=" + "x".repeat(300);
        assertEquals(longest, bases.parse(longest).text());
    }

    @Test
    public void whatIsNoNameIsRefusedEachTime() {
        for (int turn = 0; turn < 2; turn++) {
            assertEquals(ResultCode.INVALID_DN_SYNTAX, assertThrows(DirectoryException.class, () -> bases.parse("no name")).resultCode());
        }
    }

    @Test
    public void aChangeOfTheSchemaHoldsForKnownSpellings() throws Exception {
        SchemaEdit first = schema.edit();
        first.add(DefinitionKind.ATTRIBUTE_TYPE, TYPE.replace("RULE", "caseIgnoreMatch"));
        first.revise().adopt();
        assertArrayEquals(bases.parse("x-badge=a").normalized(), bases.parse("x-badge=A").normalized());
        SchemaEdit second = schema.edit();
        second.remove(DefinitionKind.ATTRIBUTE_TYPE, TYPE.replace("RULE", "caseIgnoreMatch"));
        second.add(DefinitionKind.ATTRIBUTE_TYPE, TYPE.replace("RULE", "caseExactMatch"));
        second.revise().adopt();
        assertFalse(Arrays.equals(bases.parse("x-badge=A").normalized(), bases.parse("x-badge=a").normalized()));
    }
}
