package org.alder.partition.bookkeeper.log;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.alder.partition.bookkeeper.log.EntryFormat.Header;
import org.alder.partition.bookkeeper.log.LedgerList.Ledger;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.log.GroupCodec;
import org.alder.partition.jdbm.log.LogGroup;
import org.apache.bookkeeper.client.api.BKException;
import org.apache.bookkeeper.client.api.LedgerEntries;
import org.apache.bookkeeper.client.api.LedgerEntry;
import org.apache.bookkeeper.client.api.ReadHandle;

/** Reads the groups of one ledger, and checks that they follow each other. One thread. */
final class LedgerReader {
    /** How much is asked for at once, about. */
    private static final int WINDOW_BYTES = 1 << 20;
    private static final int MOST_ENTRIES = 512;

    private final ReadHandle handle;
    private final Ledger ledger;
    private final long limitMillis;
    private final SchemaVersions schema;
    private int window = 4;

    /**
     * @param limitMillis for each answer
     * @param schema      of this member, which groups wait for; null where whoever reads applies nothing
     */
    LedgerReader(ReadHandle handle, Ledger ledger, long limitMillis, SchemaVersions schema) {
        this.schema = schema;
        this.handle = handle;
        this.ledger = ledger;
        this.limitMillis = limitMillis;
    }

    private String place(long entry) {
        return "ledger " + ledger.id() + ", entry " + entry;
    }

    /** The number of the entry with which the group begins that holds a transaction; behind the last one where none does. */
    long find(long sequence, long lastEntry) throws IOException {
        long low = 0;
        long high = lastEntry + 1;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (EntryFormat.header(entries(middle, middle).get(0), place(middle)).lastSequence() < sequence) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The position of the group that begins at an entry. */
    Position at(long entry) throws IOException {
        return new Position(entry, EntryFormat.header(entries(entry, entry).get(0), place(entry)).firstSequence(), 0);
    }

    /** Whether the entries before a position end with the transaction before it. */
    boolean endsBefore(Position at) throws IOException {
        if (at.entry == 0) {
            return ledger.firstSequence() == at.sequence;
        }
        Header before = EntryFormat.header(entries(at.entry - 1, at.entry - 1).get(0), place(at.entry - 1));
        return before.isLastPiece() && before.lastSequence() + 1 == at.sequence;
    }

    /** Where a reader has come to: the entry and the transaction that come next, and when the one before was committed. */
    record Position(long entry, long sequence, long timeMillis) {
    }

    /**
     * Reads whole groups, up to an entry.
     *
     * @param from   the position of the first one; its time does not matter
     * @param groups given each group, and says whether to go on
     * @throws StoreException of kind CORRUPT, naming ledger and entry, where the next group is not the one that follows
     * @throws IOException    also where the next group needs a version of the schema that this member does not have
     */
    Position read(Position from, long lastEntry, Predicate<LogGroup> groups) throws IOException {
        Position at = from;
        Gathered gathered = new Gathered();
        long next = from.entry;
        boolean goOn = true;
        while (goOn && next <= lastEntry) {
            for (byte[] entry : entries(next, Math.min(lastEntry, next + window - 1))) {
                LogGroup group = goOn ? gathered.add(entry, next, at.sequence) : null;
                next++;
                if (group != null) {
                    at = new Position(next, group.lastSequence() + 1, group.timeMillis());
                    goOn = groups.test(group);
                }
            }
        }
        return at;
    }

    /** The position behind the last whole group. The entries behind that are pieces of one that its writer did not finish. */
    Position end(long lastEntry) throws IOException {
        for (long i = lastEntry; i >= 0; i--) {
            Header header = EntryFormat.header(entries(i, i).get(0), place(i));
            if (header.isLastPiece()) {
                long first = i - header.pieces() + 1;
                if (first < 0) {
                    throw EntryFormat.corrupt(place(i), "the last of " + header.pieces() + " pieces, but there are none before it");
                }
                return read(new Position(first, header.firstSequence(), 0), i, group -> true);
            }
        }
        return new Position(0, ledger.firstSequence(), ledger.timeBefore());
    }

    private List<byte[]> entries(long from, long to) throws IOException {
        List<byte[]> contents = new ArrayList<>();
        try (LedgerEntries entries = LogCluster.await(handle.readAsync(from, to), Deadline.in(limitMillis), place(from))) {
            for (LedgerEntry entry : entries) {
                contents.add(entry.getEntryBytes());
            }
        } catch (BKException e) {
            throw LogCluster.failed("cannot read " + place(from) + " to " + to, e);
        }
        adapt(contents);
        return contents;
    }

    /** Small entries are read many at once. */
    private void adapt(List<byte[]> contents) {
        long bytes = contents.stream().mapToLong(content -> content.length).sum();
        window = (int) Math.max(1, Math.min(MOST_ENTRIES, Math.min(2L * window, WINDOW_BYTES * (long) contents.size() / Math.max(1, bytes))));
    }

    /** The pieces of the group that is being read. */
    private final class Gathered {
        private final ByteArrayOutputStream payload = new ByteArrayOutputStream();
        private Header begun;

        /** The group, where this is its last piece; else null. */
        LogGroup add(byte[] entry, long number, long sequence) throws IOException {
            Header header = EntryFormat.header(entry, place(number));
            check(header, number, sequence);
            payload.write(entry, header.bytes(), entry.length - header.bytes());
            begun = header;
            if (!header.isLastPiece()) {
                return null;
            }
            begun = null;
            if (schema != null) {
                schema.require(header.schema());
            }
            return decode(header, number);
        }

        private void check(Header header, long number, long sequence) {
            int piece = begun == null ? 0 : begun.piece() + 1;
            if (header.firstSequence() != sequence) {
                throw EntryFormat.corrupt(place(number), "a group that begins with transaction " + header.firstSequence() + ", expected "
                        + sequence);
            }
            if (header.epoch() != ledger.epoch() || header.piece() != piece || begun != null && (header.pieces() != begun.pieces()
                    || header.lastSequence() != begun.lastSequence())) {
                throw EntryFormat.corrupt(place(number), "found " + header + ", expected piece " + piece + " of epoch " + ledger.epoch()
                        + (begun == null ? "" : " behind " + begun));
            }
        }

        private LogGroup decode(Header header, long number) {
            LogGroup group;
            try {
                group = GroupCodec.groupOf(payload.toByteArray());
            } catch (StoreException e) {
                throw new StoreException(StoreException.Kind.CORRUPT, place(number) + ": " + e.getMessage(), e);
            }
            payload.reset();
            if (group.firstSequence() != header.firstSequence() || group.lastSequence() != header.lastSequence()) {
                throw EntryFormat.corrupt(place(number), "transactions " + group.firstSequence() + " to " + group.lastSequence() + " under "
                        + header);
            }
            return group;
        }
    }
}
