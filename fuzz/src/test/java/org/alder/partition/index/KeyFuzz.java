package org.alder.partition.index;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import org.alder.partition.entry.Csn;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.ValueKeys;

/** Keys of indexes as a store gives them back: what they are of can be asked of any bytes. */
public final class KeyFuzz {
    private KeyFuzz() {
    }

    public static void key(byte[] input) {
        if (HierarchyKeys.isChildren(input)) {
            assertArrayEquals(input, HierarchyKeys.children(HierarchyKeys.parentOf(input)));
        } else if (HierarchyKeys.isRdn(input)) {
            assertTrue(input.length > HierarchyKeys.children(HierarchyKeys.parentOf(input)).length);
        }
        if (ValueKeys.isKey(input)) {
            valueKey(input);
        }
        assertTrue(IndexKeys.printable(input).chars().allMatch(c -> c >= ' ' && c < 0x7F));
        Csn csn = Csn.parse(input);
        assertTrue(csn == null || csn.equals(Csn.parse(csn.bytes())));
    }

    /** One that is made anew of what it says is of the same. */
    private static void valueKey(byte[] key) {
        byte[] form = ValueKeys.form(key);
        byte[] value = ValueKeys.value(key);
        byte[] again = ValueKeys.key(ValueKeys.entryId(key), ValueKeys.slot(key), form, value);
        assertEquals(ValueKeys.entryId(key), ValueKeys.entryId(again));
        assertEquals(ValueKeys.slot(key), ValueKeys.slot(again));
        assertArrayEquals(form, ValueKeys.form(again));
        assertArrayEquals(value, ValueKeys.value(again));
        assertEquals(value.length, ValueKeys.valueLength(again));
        assertTrue(ValueKeys.startsWith(again, ValueKeys.ofForm(ValueKeys.entryId(key), ValueKeys.slot(key), form)));
    }
}
