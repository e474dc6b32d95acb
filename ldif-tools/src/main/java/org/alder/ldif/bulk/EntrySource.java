package org.alder.ldif.bulk;

import java.io.IOException;
import org.alder.ldif.LdifEntry;

/** Where a bulk load takes its entries from: LDIF files, or a generator. One thread. */
@FunctionalInterface
public interface EntrySource {
    /** The next entry, or null at the end. */
    LdifEntry next() throws IOException;
}
