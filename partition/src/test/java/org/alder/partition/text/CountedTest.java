package org.alder.partition.text;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class CountedTest {
    @Test
    public void oneIsNotMany() {
        assertEquals("1 entry", Counted.of(1, "entry"));
        assertEquals("0 entries", Counted.of(0, "entry"));
        assertEquals("2 index keys", Counted.of(2, "index key"));
        assertEquals("3 indexes", Counted.of(3, "index"));
        assertEquals("1 search", Counted.of(1, "search"));
        assertEquals("7 searches", Counted.of(7, "search"));
    }
}
