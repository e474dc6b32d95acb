package org.alder.partition.bookkeeper.bookie;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.alder.partition.bookkeeper.log.LedgerEnsembles;
import org.apache.bookkeeper.bookie.Bookie;
import org.apache.bookkeeper.bookie.BookieException;
import org.apache.bookkeeper.bookie.LedgerDirsManager;
import org.apache.bookkeeper.bookie.SortedLedgerStorage;
import org.apache.bookkeeper.client.BKException;
import org.apache.bookkeeper.client.api.LedgerMetadata;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.apache.bookkeeper.meta.LedgerManager;
import org.apache.bookkeeper.net.BookieId;
import org.apache.bookkeeper.proto.BookieProtocol;
import org.apache.bookkeeper.stats.StatsLogger;

/**
 * What a bookie holds. It says that it has not an entry only where it is one of the bookies that are to have it; of another one it says that it does not
 * know. BookKeeper's messages do not name the bookie that they are for: one on an empty disk listens where the one before it did, and who still takes it for that one
 * would end a ledger without what that one has acknowledged. Thread safe; BookKeeper makes it.
 */
public final class NamedLedgerStorage extends SortedLedgerStorage {
    private static final int MOST_KNOWN = 10_000;
    private static final long ANSWER_SECONDS = 5;

    /** Ledgers that name it for all of their entries, as far as was asked. */
    private final Set<Long> naming = Collections.synchronizedSet(Collections.newSetFromMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Boolean> eldest) {
            return size() > MOST_KNOWN;
        }
    }));
    private BookieId own;
    private LedgerManager ledgers;

    @Override
    public void initialize(ServerConfiguration configuration, LedgerManager manager, LedgerDirsManager ledgerFolders, LedgerDirsManager indexFolders, StatsLogger statistics,
            ByteBufAllocator allocator) throws IOException {
        own = BookieId.parse(configuration.getBookieId());
        ledgers = manager;
        super.initialize(configuration, manager, ledgerFolders, indexFolders, statistics, allocator);
    }

    /** Also where it does not know: then {@link #getEntry} says so. */
    @Override
    public boolean ledgerExists(long ledger) throws IOException {
        return super.ledgerExists(ledger) || !mayDeny(ledger, known -> !LedgerEnsembles.lacks(known, own));
    }

    @Override
    public ByteBuf getEntry(long ledger, long entry) throws IOException, BookieException {
        try {
            return super.getEntry(ledger, entry);
        } catch (Bookie.NoLedgerException | Bookie.NoEntryException e) {
            if (mayDeny(ledger, known -> bookies(known, entry).contains(own))) {
                throw e;
            }
            throw new BookieException.DataUnknownException("entry " + entry + " of ledger " + ledger + " is none of " + own + ", as far as is known", e);
        }
    }

    /** @param entry {@link BookieProtocol#LAST_ADD_CONFIRMED} for the last one, whichever that is */
    private static List<BookieId> bookies(LedgerMetadata known, long entry) {
        NavigableMap<Long, ? extends List<BookieId>> parts = known.getAllEnsembles();
        return entry == BookieProtocol.LAST_ADD_CONFIRMED ? parts.lastEntry().getValue() : parts.floorEntry(entry).getValue();
    }

    /**
     * Whether nobody else was asked for than this one.
     *
     * @param isNamed whether it is to have what was asked for, by what is known of the ledger
     */
    private boolean mayDeny(long ledger, Predicate<LedgerMetadata> isNamed) {
        if (naming.contains(ledger)) {
            return true;
        }
        try {
            LedgerMetadata known = ledgers.readLedgerMetadata(ledger).get(ANSWER_SECONDS, TimeUnit.SECONDS).getValue();
            if (!LedgerEnsembles.lacks(known, own)) {
                naming.add(ledger);
            }
            return isNamed.test(known);
        } catch (ExecutionException e) {
            // Deleted, or made a moment ago: ZooKeeper shows here whatever was made before this bookie came.
            return e.getCause() instanceof BKException refused && refused.getCode() == BKException.Code.NoSuchLedgerExistsOnMetadataServerException;
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
