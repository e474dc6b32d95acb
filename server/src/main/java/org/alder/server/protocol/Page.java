package org.alder.server.protocol;

import org.alder.server.control.PageCookie;
import org.alder.server.control.PagedResults;
import org.alder.server.control.ResponseControl;
import org.alder.server.directory.EntryCursor;
import org.alder.server.directory.SearchPosition;

/** How far the page that a client asked for is filled. One thread at a time. */
final class Page {
    private final int size;
    private final byte[] search;
    private int taken;
    private SearchPosition last;
    private boolean more;

    /** @param search what must be the same on all pages */
    Page(int size, byte[] search) {
        this.size = size;
        this.search = search;
    }

    /** Whether the entry the cursor stands on belongs to this page; if not, there is a next one. */
    boolean take(EntryCursor cursor) {
        if (taken == size) {
            more = true;
            return false;
        }
        taken++;
        last = cursor.position();
        return true;
    }

    /** The control to answer with. */
    ResponseControl control() {
        return PagedResults.CONTROL.response(more && last != null ? PageCookie.encode(last, search) : new byte[0]);
    }
}
