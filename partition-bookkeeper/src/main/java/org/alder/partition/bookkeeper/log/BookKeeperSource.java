package org.alder.partition.bookkeeper.log;

import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.alder.partition.bookkeeper.log.LedgerList.Ledger;
import org.alder.partition.bookkeeper.log.LedgerReader.Position;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.log.LogGroup;
import org.alder.partition.jdbm.log.LogSource;
import org.apache.bookkeeper.client.api.BKException;
import org.apache.bookkeeper.client.api.ReadHandle;

/**
 * What a replicated log holds, read back from its bookies; each ledger is a part, and reading may begin at any transaction. Only what
 * bookies have confirmed is read, so nothing that a leader has to give up is ever seen: of the ledger that is being written that may be
 * behind what its leader has acknowledged, by {@link ClusterSettings#lacMillis}. Nothing is held between calls; any thread.
 */
public final class BookKeeperSource implements LogSource {
    private final LogCluster cluster;
    private final LedgerListNode node;
    private final UUID storeId;
    private final LongFunction<ReadHandle> own;
    private final SchemaVersions schema;

    /**
     * @param own    the writer's handle of a ledger that it is writing, which knows at once what is confirmed; else null
     * @param schema of this member, which groups wait for; null where whoever reads applies nothing
     */
    BookKeeperSource(LogCluster cluster, LedgerListNode node, UUID storeId, LongFunction<ReadHandle> own, SchemaVersions schema) {
        this.schema = schema;
        this.cluster = cluster;
        this.node = node;
        this.storeId = storeId;
        this.own = own;
    }

    private Deadline deadline() {
        return Deadline.in(cluster.settings().resolveMillis());
    }

    private LedgerList list() throws IOException {
        LedgerList list = node.read(deadline());
        LedgerListNode.checkStore(list, storeId, node.path());
        return list;
    }

    @Override
    public long timeBefore(long firstSequence) throws IOException {
        for (Ledger ledger : list().ledgers()) {
            if (ledger.firstSequence() == firstSequence) {
                return ledger.timeBefore();
            }
        }
        Since since = readAsFarAs(firstSequence - 1, firstSequence - 1, group -> { });
        return since == Since.MISSING ? System.currentTimeMillis() : since.timeMillis();
    }

    /** @param cut nothing is there to be cut: a leader has ended what the one before left */
    @Override
    public long replay(long firstSequence, boolean cut, Consumer<LogGroup> groups) throws IOException {
        LedgerList list = list();
        node.checkReachesBack(list, firstSequence);
        Since since = walk(list, firstSequence - 1, Long.MAX_VALUE, group -> {
            LogGroup wanted = group.between(firstSequence - 1, Long.MAX_VALUE);
            if (wanted != null) {
                groups.accept(wanted);
            }
        });
        if (since == Since.MISSING) {
            throw missing(list, firstSequence);
        }
        return since.lastSequence();
    }

    private StoreException missing(LedgerList list, long firstSequence) {
        return new StoreException(StoreException.Kind.CORRUPT, "the log at znode " + node.path() + " has no transaction " + firstSequence
                + ": it begins with " + list.firstSequence() + " and ends with "
                + (list.last() == null ? "that" : "ledger " + list.last().id()) + "; copy the store anew from another machine");
    }

    @Override
    public long partOf(long sequence) throws IOException {
        return list().ledgers().stream().mapToLong(Ledger::firstSequence).filter(first -> first <= sequence).max().orElse(sequence);
    }

    @Override
    public Since readSince(long sequence, long upTo, Consumer<LogGroup> groups) throws IOException {
        Since found = readAsFarAs(sequence, upTo, groups);
        return found.lastSequence() < upTo ? Since.MISSING : found;
    }

    /** As far as is confirmed. */
    @Override
    public Since readAsFarAs(long sequence, long upTo, Consumer<LogGroup> groups) throws IOException {
        return walk(list(), sequence, upTo, groups);
    }

    private Since walk(LedgerList list, long sequence, long upTo, Consumer<LogGroup> groups) throws IOException {
        List<Ledger> ledgers = list.ledgers();
        int i = ledgers.size() - 1;
        while (i >= 0 && ledgers.get(i).firstSequence() > sequence) {
            i--;
        }
        Walk walk = new Walk(sequence, upTo, groups);
        if (i < 0) {
            if (list.firstSequence() != sequence + 1) {
                return Since.MISSING;
            }
            walk.timeMillis = list.timeBefore();
            i = 0;
        }
        walk.lastSequence = ledgers.isEmpty() ? sequence : ledgers.get(i).firstSequence() - 1;
        for (; i < ledgers.size() && walk.lastSequence < upTo; i++) {
            walk.read(ledgers.get(i));
        }
        return walk.timeMillis < 0 ? Since.MISSING : new Since(walk.timeMillis, walk.lastSequence);
    }

    /** One reading, from ledger to ledger. */
    private final class Walk {
        private final long sequence;
        private final long upTo;
        private final Consumer<LogGroup> groups;
        private long timeMillis = -1;
        private long lastSequence;

        Walk(long sequence, long upTo, Consumer<LogGroup> groups) {
            this.sequence = sequence;
            this.upTo = upTo;
            this.groups = groups;
        }

        void read(Ledger ledger) throws IOException {
            ReadHandle mine = own.apply(ledger.id());
            if (mine != null) {
                read(ledger, mine, mine.getLastAddConfirmed());
                return;
            }
            try {
                ReadHandle handle = cluster.open(ledger.id(), false, deadline());
                try {
                    read(ledger, handle, confirmed(handle, ledger, deadline()));
                } finally {
                    handle.closeAsync();
                }
            } catch (BKException e) {
                throw LogCluster.failed("cannot read ledger " + ledger.id() + " of the log at znode " + node.path(), e);
            }
        }

        private void read(Ledger ledger, ReadHandle handle, long lastEntry) throws IOException {
            LedgerReader reader = new LedgerReader(handle, ledger, cluster.settings().resolveMillis(), schema);
            Position from = new Position(0, ledger.firstSequence(), 0);
            if (sequence > ledger.firstSequence()) {
                long entry = reader.find(sequence, lastEntry);
                if (entry > lastEntry) {
                    return;
                }
                from = reader.at(entry);
            }
            reader.read(from, lastEntry, this::take);
            checkEnd(ledger);
        }

        private boolean take(LogGroup group) {
            lastSequence = group.lastSequence();
            timeMillis = sequence >= group.firstSequence() && sequence <= lastSequence ? group.timeMillis() : timeMillis;
            if (lastSequence > sequence) {
                groups.accept(group);
            }
            return lastSequence < upTo;
        }

        private void checkEnd(Ledger ledger) {
            if (!ledger.isOpen() && lastSequence < upTo && lastSequence != ledger.lastSequence()) {
                throw new StoreException(StoreException.Kind.CORRUPT, "ledger " + ledger.id() + " ends with transaction " + lastSequence
                        + ", expected " + ledger.lastSequence());
            }
        }
    }

    /** Whether no bookie has the ledger: it has no entry yet, or was deleted. */
    static boolean isUnknown(BKException e) {
        return e.getCode() == BKException.Code.NoSuchLedgerExistsException;
    }

    /** The last entry that may be read; -1 where there is none yet. */
    static long confirmed(ReadHandle handle, Ledger ledger, Deadline deadline) throws IOException, BKException {
        long known = handle.getLastAddConfirmed();
        if (handle.isClosed()) {
            return known;
        }
        try {
            return Math.max(known, LogCluster.await(handle.readLastAddConfirmedAsync(), deadline,
                    "asking for the end of ledger " + ledger.id()));
        } catch (BKException e) {
            if (!isUnknown(e)) {
                throw e;
            }
            return known;
        }
    }
}
