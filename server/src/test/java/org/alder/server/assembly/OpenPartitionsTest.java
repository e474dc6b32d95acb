package org.alder.server.assembly;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

public class OpenPartitionsTest {
    @Test
    public void allPartitionsAreClosedAlsoWhenOneCannotBe() {
        List<String> closed = new ArrayList<>();
        IllegalStateException first = new IllegalStateException("first");
        IllegalStateException thrown = assertThrows(IllegalStateException.class, () -> OpenPartitions.closeAll(List.of(
                () -> closed.add("a"),
                () -> {
                    throw first;
                },
                () -> closed.add("b"),
                () -> {
                    throw new IllegalStateException("second");
                })));
        assertEquals(List.of("a", "b"), closed);
        assertSame(first, thrown);
        assertEquals(1, thrown.getSuppressed().length);
    }
}
