package org.alder.server.protocol.search;

import java.util.List;
import java.util.function.Function;
import org.alder.server.control.ResponseControl;
import org.alder.server.control.search.PagedResults;
import org.alder.server.directory.EntryCursor;
import org.alder.server.protocol.encode.EntryEncoder;

/** The first so many entries, as they are found, with what says whether there are more. */
final class Page implements Arrangement {
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

    @Override
    public Take take(EntryCursor entry, EntryEncoder encoder, int messageId) {
        if (taken == size) {
            more = true;
            return Take.END;
        }
        taken++;
        if (taken == size) {
            cookie = cookies.apply(entry);
        }
        return Take.SEND;
    }

    @Override
    public List<ResponseControl> controls() {
        return List.of(PagedResults.CONTROL.response(more ? cookie : new byte[0]));
    }
}
