package org.alder.server.cli.output;

import java.io.Closeable;
import java.io.IOException;
import org.alder.ldif.LdifEntry;

/** Writes the entries that a search finds, one after the other as they come. One thread. {@link #close} ends the text, not the stream. */
public interface EntryOutput extends Closeable {
    void entry(LdifEntry entry) throws IOException;

    /** What was found and is not shown, in words; null if all is. */
    default String omitted() {
        return null;
    }
}
