package org.alder.server.control.search;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.server.directory.SearchPosition;

/**
 * The cookie of a paged search. It holds all there is to know, so that the server keeps nothing between pages and goes on after a
 * restart. It gives no rights: whoever makes one up sees what he could have searched for anyway.
 *
 * <p>Format, version 1 (docs/format/page-cookie.md), 29 bytes, integers big endian:
 * <pre>
 *   version    1 byte, 1
 *   partition  4 bytes  position in the configuration
 *   last ID    8 bytes  of the page before
 *   returned   8 bytes  entries on the pages so far
 *   check      8 bytes  CRC-32C of what is before, then CRC-32C of that and the search (who, base, scope, filter)
 * </pre>
 */
public final class PageCookie {
    private static final byte VERSION = 1;
    private static final int CHECKED_BYTES = 21;
    private static final int BYTES = CHECKED_BYTES + 8;

    private PageCookie() {
    }

    /** @param search what must be the same on all pages */
    public static byte[] encode(SearchPosition position, byte[] search) {
        ByteBuffer cookie = ByteBuffer.allocate(BYTES);
        cookie.put(VERSION).putInt(position.partition()).putLong(position.id()).putLong(position.returned());
        return cookie.putLong(check(cookie.array(), search)).array();
    }

    /** @throws DirectoryException unwillingToPerform if the server did not give this cookie to this search */
    public static SearchPosition decode(byte[] cookie, byte[] search) throws DirectoryException {
        if (cookie.length != BYTES || cookie[0] != VERSION
                || ByteBuffer.wrap(cookie).getLong(CHECKED_BYTES) != check(cookie, search)) {
            throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM,
                    "paged results control: the cookie is not one that this search got; start again without a cookie");
        }
        ByteBuffer fields = ByteBuffer.wrap(cookie, 1, BYTES - 1);
        return new SearchPosition(fields.getInt(), fields.getLong(), fields.getLong());
    }

    private static long check(byte[] cookie, byte[] search) {
        CRC32C crc = new CRC32C();
        crc.update(cookie, 0, CHECKED_BYTES);
        long fields = crc.getValue();
        crc.update(search, 0, search.length);
        return fields << 32 | crc.getValue();
    }
}
