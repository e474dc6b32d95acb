package org.alder.partition.jdbm.log;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.function.Consumer;
import org.alder.partition.error.StoreException;

/**
 * What a store's log holds, read back: files of the store's folder, or a log that several machines hold. It consists of parts, each of
 * them for the groups from a sequence number on. Safe beside the writer, but for {@link #replay}, which its owner calls.
 */
public interface LogSource {
    /**
     * When the transaction before a part's first one was committed, in milliseconds since 1970; the time of this call where the part does
     * not tell, as after a crash while it was made.
     */
    long timeBefore(long firstSequence) throws IOException;

    /**
     * Reads all groups of the parts from the given one on.
     *
     * @param firstSequence the first sequence number of the part to begin with
     * @param cut whether what was being written when the writer stopped, and never acknowledged, is removed; false changes nothing
     * @return the last sequence number read; {@code firstSequence - 1} where there is none
     * @throws StoreException of kind CORRUPT, naming file and offset, where a record is damaged or a part is missing
     */
    long replay(long firstSequence, boolean cut, Consumer<LogGroup> groups) throws IOException;

    /** The first sequence number of the part that holds the given transaction, or will. */
    long partOf(long sequence) throws IOException;

    /**
     * Reads the groups behind a sequence number, up to one that was published; parts that recovery does not need may be among
     * those read.
     *
     * @param groups given every group that holds such a transaction; the first and the last may hold others too
     * @return {@link Since#MISSING} if the log does not reach back so far; then it may have been given groups all the same
     * @throws StoreException of kind CORRUPT, naming file and offset, where a record is damaged
     * @throws NoSuchFileException if a part was removed meanwhile
     */
    Since readSince(long sequence, long upTo, Consumer<LogGroup> groups) throws IOException;

    /** As {@link #readSince}, but as far as the log shows it now without a gap, at most up to the given number. */
    Since readAsFarAs(long sequence, long upTo, Consumer<LogGroup> groups) throws IOException;

    /**
     * What {@link #readSince} found.
     *
     * @param timeMillis   when the transaction of that sequence was committed
     * @param lastSequence the last transaction that was read
     */
    record Since(long timeMillis, long lastSequence) {
        /** Nothing. */
        public static final Since MISSING = new Since(-1, -1);
    }
}
