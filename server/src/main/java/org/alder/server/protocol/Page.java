package org.alder.server.protocol;

import java.util.function.Function;
import org.alder.server.control.PagedResults;
import org.alder.server.control.ResponseControl;
import org.alder.server.directory.EntryCursor;

/** How far the page that a client asked for is filled. One thread at a time. */
final class Page {
    private final int size;
    private final Function<EntryCursor, byte[]> cookies;
    private int taken;
    private byte[] cookie = {};
    private boolean more;

    /** @param cookies makes the cookie by which a page goes on behind the entry that the cursor stands on */
    Page(int size, Function<EntryCursor, byte[]> cookies) {
        this.size = size;
        this.cookies = cookies;
    }

    /** Whether the entry the cursor stands on belongs to this page; if not, there is a next one. */
    boolean take(EntryCursor cursor) {
        if (taken == size) {
            more = true;
            return false;
        }
        taken++;
        if (taken == size) {
            cookie = cookies.apply(cursor);
        }
        return true;
    }

    /** The control to answer with. */
    ResponseControl control() {
        return PagedResults.CONTROL.response(more ? cookie : new byte[0]);
    }
}
