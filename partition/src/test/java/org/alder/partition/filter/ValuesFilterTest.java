package org.alder.partition.filter;

import static org.alder.partition.testing.TestDirectory.SCHEMA;
import static org.alder.partition.testing.TestDirectory.utf8;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.error.DirectoryException;
import org.junit.Test;

public class ValuesFilterTest {
    private static boolean chooses(List<Filter> items, String attribute, String value) throws DirectoryException {
        byte[] spelt = utf8(attribute);
        ValueTest test = ValuesFilter.of(SCHEMA, items).test(spelt, 0, spelt.length);
        byte[] bytes = utf8(value);
        return test != null && test.matches(bytes, 0, bytes.length);
    }

    /** Few are tested one by one, many are looked up. */
    @Test
    public void whatIsChosenDoesNotDependOnHowManyItemsThereAre() throws DirectoryException {
        for (int others : new int[] {0, 1, 5, 20, 3000}) {
            List<Filter> items = new ArrayList<>();
            for (int i = 0; i < others; i++) {
                items.add(new Filter.Equality("cn", utf8("other " + i)));
                items.add(new Filter.Equality("objectClass", utf8("device")));
            }
            items.add(new Filter.Equality("cn", utf8("Some  ONE")));
            items.add(new Filter.Equality("objectClass", utf8("person")));
            items.add(new Filter.Equality("userPassword", utf8("Secret")));
            assertEquals(true, chooses(items, "cn", "some one"));
            assertEquals(others > 0, chooses(items, "cn", "other 0"));
            assertEquals(false, chooses(items, "cn", "other -1"));
            assertEquals(false, chooses(items, "cn", "Secret"));
            assertEquals(true, chooses(items, "userPassword", "Secret"));
            assertEquals(false, chooses(items, "userPassword", "secret"));
            assertEquals("a value, not what an entry would be found by", false, chooses(items, "objectClass", "inetOrgPerson"));
            assertEquals(true, chooses(items, "objectClass", "PERSON"));
            byte[] sn = utf8("sn");
            assertNull(ValuesFilter.of(SCHEMA, items).test(sn, 0, sn.length));
        }
    }
}
