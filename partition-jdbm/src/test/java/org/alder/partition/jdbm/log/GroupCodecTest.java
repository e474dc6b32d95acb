package org.alder.partition.jdbm.log;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.SystemRecords;
import org.junit.Test;

/** Payloads with system records, which are of version 4; all others stay as they were. */
public class GroupCodecTest {
    private static final Operation DELETE = new Operation.Delete(8, new byte[0]);
    private static final Operation KEEP = new Operation.Keep(300, "a/b", new byte[] {1, 2});
    private static final Operation FORGET = new Operation.Keep(0, "c", null);
    /** The example of docs/format/commit-log.md. */
    private static final String EXAMPLE = "04 00 64 e8 07 01 03 04 08 00 05 ac 02 03 61 2f 62 02 01 02 06 00 01 63";

    private static byte[] bytes(String hex) {
        return HexFormat.ofDelimiter(" ").parseHex(hex);
    }

    private static LogGroup group(Operation... operations) {
        return new LogGroup(100, 1000, List.of(List.of(operations)));
    }

    @Test
    public void systemRecordsMakeItVersion4() {
        assertArrayEquals(bytes(EXAMPLE), GroupCodec.bytesOf(group(DELETE, KEEP, FORGET)));
        LogGroup found = GroupCodec.groupOf(bytes(EXAMPLE));
        assertTrue(found.isSame(group(DELETE, KEEP, FORGET)));
        Operation.Keep kept = (Operation.Keep) found.transactions().get(0).get(1);
        assertEquals("a/b", kept.key());
        assertEquals(300, kept.id());
        assertArrayEquals(new byte[] {1, 2}, kept.record());
        assertNull(((Operation.Keep) found.transactions().get(0).get(2)).record());
        SystemRecords records = Operation.applied(SystemRecords.NONE.with("c", new byte[1]), found.transactions().get(0));
        assertArrayEquals(new byte[] {1, 2}, records.get("a/b"));
        assertNull(records.get("c"));
    }

    @Test
    public void withoutThemItIsVersion3() {
        assertEquals(3, GroupCodec.bytesOf(group(DELETE))[0]);
    }

    /** A build that knows version 3 alone tells versions apart in the same way. */
    @Test
    public void aLaterVersionIsNamed() {
        byte[] later = bytes(EXAMPLE);
        later[0] = 5;
        assertEquals("log record version 5, expected 2 to 4", refusal(later));
    }

    @Test
    public void whatIsMalformedIsRefused() {
        byte[] whole = bytes(EXAMPLE);
        for (int length = 0; length < whole.length; length++) {
            refusal(Arrays.copyOf(whole, length));
        }
        refusal(Arrays.copyOf(whole, whole.length + 1));
        for (byte version = 2; version <= 3; version++) {
            byte[] earlier = whole.clone();
            earlier[0] = version;
            assertEquals("operation kind 5 in a log record of version " + version + ", expected 1 to 4", refusal(earlier));
        }
        byte[] key = whole.clone();
        key[whole.length - 1] = ' ';
        assertEquals("the key \" \" of a system record in a log record", refusal(key));
        byte[] kind = whole.clone();
        kind[whole.length - 4] = 7;
        assertEquals("operation kind 7 in a log record of version 4, expected 1 to 6", refusal(kind));
    }

    private static String refusal(byte[] payload) {
        StoreException e = assertThrows(HexFormat.of().formatHex(payload), StoreException.class, () -> GroupCodec.groupOf(payload));
        assertEquals(StoreException.Kind.CORRUPT, e.kind());
        return e.getMessage();
    }

    @Test
    public void keysAreAscii() {
        byte[] payload = GroupCodec.bytesOf(group(new Operation.Keep(0, "~!", "x".getBytes(StandardCharsets.US_ASCII))));
        assertTrue(GroupCodec.groupOf(payload).isSame(group(new Operation.Keep(0, "~!", new byte[] {'x'}))));
    }
}
