package org.alder.partition.jdbm.block;

import java.nio.file.Path;
import org.alder.partition.error.StoreException;

/**
 * A table file does not hold what its format says. The message names file, byte offset, what was found and what was expected.
 * Nothing was answered: the caller must not treat the key as absent, but fail the operation and have the file verified or
 * restored. The file is never changed by reading.
 */
public final class TableCorruptException extends StoreException {

    private static final long serialVersionUID = 1L;

    private final transient Path file;
    private final long offset;

    public TableCorruptException(Path file, long offset, String foundAndExpected, Throwable cause) {
        super(Kind.CORRUPT, file + " at offset " + offset + ": " + foundAndExpected, cause);
        this.file = file;
        this.offset = offset;
    }

    public TableCorruptException(Path file, long offset, String foundAndExpected) {
        this(file, offset, foundAndExpected, null);
    }

    /** The damaged file; null only after Java serialisation. */
    public Path file() {
        return file;
    }

    /** Byte offset in the file of the structure that is wrong, the nearest known. */
    public long offset() {
        return offset;
    }
}
