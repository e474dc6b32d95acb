package org.alder.server.cli.option;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import org.junit.Test;

public class MemoryOptionTest {
    private static final long HEAP = 4L << 30;

    @Test
    public void sizesAreReadWithAndWithoutUnit() throws CommandException {
        assertEquals(1 << 20, MemoryOption.bytes("1048576", HEAP));
        assertEquals(1 << 20, MemoryOption.bytes("1024k", HEAP));
        assertEquals(64 << 20, MemoryOption.bytes("64M", HEAP));
        assertEquals(2L << 30, MemoryOption.bytes("2GiB", HEAP));
    }

    @Test
    public void whatIsNoSizeOrOutOfRangeIsRefused() {
        for (String size : new String[] {"", "x", "1.5g", "-1m", "1t", "1048575", "2049m", "999999999999g"}) {
            assertThrows(size, CommandException.class, () -> MemoryOption.bytes(size, HEAP));
        }
    }
}
