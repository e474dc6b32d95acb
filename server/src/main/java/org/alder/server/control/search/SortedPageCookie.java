package org.alder.server.control.search;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;

/**
 * The cookie of a search that is both sorted and paged: as {@link PageCookie} it holds all there is to know.
 *
 * <p>Format, version 2 (docs/format/page-cookie.md), integers big endian:
 * <pre>
 *   version    1 byte, 2
 *   returned   8 bytes  entries on the pages so far
 *   key        the last entry's place in the order
 *   check      8 bytes  CRC-32C of what is before, then CRC-32C of that and the search (who, base, scope, filter, sort keys)
 * </pre>
 *
 * @param key not to be changed
 */
public record SortedPageCookie(long returned, byte[] key) {
    /** Before all pages. */
    public static final SortedPageCookie START = new SortedPageCookie(0, new byte[0]);

    private static final byte VERSION = 2;
    private static final int KEY_OFFSET = 9;
    private static final int CHECK_BYTES = 8;

    /** @param search what must be the same on all pages */
    public byte[] encode(byte[] search) {
        ByteBuffer cookie = ByteBuffer.allocate(KEY_OFFSET + key.length + CHECK_BYTES);
        cookie.put(VERSION).putLong(returned).put(key);
        return cookie.putLong(check(cookie.array(), search)).array();
    }

    /** @throws DirectoryException unwillingToPerform if the server did not give this cookie to this search */
    public static SortedPageCookie decode(byte[] cookie, byte[] search) throws DirectoryException {
        if (cookie.length < KEY_OFFSET + CHECK_BYTES || cookie[0] != VERSION
                || ByteBuffer.wrap(cookie).getLong(cookie.length - CHECK_BYTES) != check(cookie, search)) {
            throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM,
                    "paged results control: the cookie is not one that this sorted search got; start again without a cookie");
        }
        return new SortedPageCookie(ByteBuffer.wrap(cookie).getLong(1),
                Arrays.copyOfRange(cookie, KEY_OFFSET, cookie.length - CHECK_BYTES));
    }

    private static long check(byte[] cookie, byte[] search) {
        CRC32C crc = new CRC32C();
        crc.update(cookie, 0, cookie.length - CHECK_BYTES);
        long fields = crc.getValue();
        crc.update(search, 0, search.length);
        return fields << 32 | crc.getValue();
    }
}
