package org.alder.server.directory;

import java.util.List;
import java.util.function.Predicate;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryAttributes;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.schema.AttributeType;

/** An entry that is to be returned to a client. Methods may throw {@link org.alder.partition.error.StoreException}. */
public interface FoundEntry {
    /** The entry's DN as it is spelt. */
    String dn();

    EntryAttributes attributes();

    /** Opens the values of a large attribute of the record; of use until the cursor that found the entry goes on. */
    ValueCursor openValues(LargeAttribute attribute);

    /** Writes the entry's DN as an LDAPDN. */
    void writeDn(BerWriter out);

    /** Which of the entry's attributes may be returned. */
    AttributeAccess access();

    /** The wanted ones of the operational attributes that are computed and not stored. */
    List<Attribute> virtualAttributes(Predicate<AttributeType> wanted);

    /**
     * Asked from time to time while what is done for one entry takes long.
     *
     * @throws DirectoryException timeLimitExceeded if the search has no more time, canceled if nobody waits for it
     */
    default void requireTime() throws DirectoryException {
        // Without a limit there is always time.
    }
}
