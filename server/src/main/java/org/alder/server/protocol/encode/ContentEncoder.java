package org.alder.server.protocol.encode;

import java.util.List;
import java.util.function.Function;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.DirectoryException;
import org.alder.server.control.ResponseControl;
import org.alder.server.directory.EntryCursor;
import org.alder.server.protocol.Responses;

/** Encodes entries each with controls of its own. One thread at a time. */
public final class ContentEncoder {
    private final EntryEncoder encoder;
    private List<ResponseControl> controls = List.of();

    /** @param encoder makes an encoder that asks this for the controls of each entry */
    public ContentEncoder(Function<EntryControls, EntryEncoder> encoder) {
        this.encoder = encoder.apply(entry -> controls);
    }

    /**
     * Writes the entry the cursor stands on as one whole message.
     *
     * @return null, or the message itself, of which nothing is written: the cursor has to stay where it is until it is sent
     */
    public LongEntry write(BerWriter out, int messageId, EntryCursor cursor, List<ResponseControl> entryControls)
            throws DirectoryException {
        controls = entryControls;
        return encoder.write(out, messageId, cursor);
    }

    /** Writes the entry as one that is gone: its name only. */
    public static void writeGone(BerWriter out, int messageId, EntryCursor cursor, List<ResponseControl> entryControls) {
        int message = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.INTEGER, messageId);
        int operation = out.begin(Responses.SEARCH_ENTRY);
        cursor.writeDn(out);
        out.end(out.begin(BerWriter.SEQUENCE));
        out.end(operation);
        Responses.writeControls(out, entryControls);
        out.end(message);
    }
}
