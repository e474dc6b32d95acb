package org.alder.server.cli.client;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.List;
import org.junit.Test;

/** What {@code alder index --wait} goes by. */
public class ServedIndexesTest {
    private static ServedIndexes served(boolean complete, ServedIndexes.Build build) {
        return new ServedIndexes("dc=example,dc=com", List.of(new ServedIndexes.Index("uid", "eq", true, 7, 8), new ServedIndexes.Index("cn", "eq,sub", complete, -1, -1)),
                build);
    }

    @Test
    public void nothingIsCompleteWhileSomethingIsBuiltOrCannotBeUsed() {
        ServedIndexes.Build build = new ServedIndexes.Build(List.of("cn"), "entries", 1000, 2000, 4, 4, "");
        assertTrue(served(true, null).isComplete());
        assertFalse("built anew", served(true, build).isComplete());
        assertFalse(served(false, build).isComplete());
        assertFalse("and nothing builds it", served(false, null).isComplete());
        assertEquals(List.of("cn"), served(false, null).unfinished());
        assertEquals("cn: entries, 1,000 of 2,000 in 4 s, about 4 s left", build.text());
    }

    @Test
    public void whyNothingIsBuiltIsSaid() {
        assertEquals("cn: waiting for room on the disk: 17 bytes free",
                new ServedIndexes.Build(List.of("cn"), "waiting for room on the disk", 0, -1, 4, -1, "17 bytes free").text());
    }
}
