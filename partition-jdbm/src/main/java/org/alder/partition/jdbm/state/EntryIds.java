package org.alder.partition.jdbm.state;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.layer.EntryVersionCursor;
import org.alder.partition.jdbm.log.Operation;

/**
 * Gives entries their IDs: one after the other, and when the last of {@link IdSet#MAX_ID} was given, again from the first on, but for those that a layer knows
 * anything of, be it that the entry was deleted. The <em>count</em> of all IDs that were given says which is the next one, and is what a store keeps: it never
 * falls.
 *
 * <p>IDs that are given again come in blocks of {@value #BLOCK}, nothing of which is known when the first of them is given. What is remembered by ID, as names
 * are, is forgotten then, once for a block ({@link #beginsBlock}). An ID that a transaction has kept for later is behind the count, which is as far from
 * coming there again as all IDs. Only the writer's thread gives IDs; any thread asks for the count.
 */
public final class EntryIds {
    static final int BLOCK = 64;
    /** So many blocks are looked at one after the other; then more and more are passed over. */
    private static final int NEAR_BLOCKS = 64;
    private static final long MOST_PASSED = 1 << 16;

    private final AtomicLong count;
    /** Of IDs given again nothing is known up to this count. */
    private long freeUpTo;
    /** The count of the first ID of the block that the newest entry with an ID that was given again is in. */
    private long block = -BLOCK;

    /** @param count of all IDs that were given */
    public EntryIds(long count) {
        this.count = new AtomicLong(count);
    }

    /** How many were given; more than {@link IdSet#MAX_ID} where some were given again. */
    public long count() {
        return count.get();
    }

    /** Whether those that are given were given before. */
    public boolean givesAgain() {
        return count.get() > IdSet.MAX_ID;
    }

    private static long id(long count) {
        return (count - 1) % IdSet.MAX_ID + 1;
    }

    /**
     * Gives one.
     *
     * @param newest all that is known of entries
     * @throws StoreException of kind REFUSED where there is none to give
     */
    public long next(LayerSet newest) {
        long given = count.get();
        if (given >= IdSet.MAX_ID && given >= freeUpTo) {
            given = findBlock(given, newest);
        }
        count.set(given + 1);
        return id(given + 1);
    }

    /** @return the count before the first of a block of which nothing is known, or what is left of it at the end of all IDs */
    private long findBlock(long given, LayerSet newest) {
        long passed = 0;
        long tried = 0;
        for (long first = firstOfBlock(given + 1); first - given <= IdSet.MAX_ID; first = firstOfBlock(first + 1 + passed * BLOCK)) {
            long last = firstOfBlock(first + 1) - 1;
            if (firstKnown(newest, id(first)) > id(last)) {
                freeUpTo = last;
                return first - 1;
            }
            tried++;
            passed = tried < NEAR_BLOCKS ? 0 : Math.min(MOST_PASSED, Math.max(1, 2 * passed));
        }
        throw new StoreException(StoreException.Kind.REFUSED, "the store has no entry IDs to give: " + IdSet.MAX_ID + " were given, and of those that were looked"
                + " at all are in use");
    }

    /** The first count, not below this one, whose ID begins a block. */
    private static long firstOfBlock(long from) {
        long id = id(from);
        long below = (id - 1) % BLOCK;
        return below == 0 ? from : from + Math.min(BLOCK - below, IdSet.MAX_ID + 1 - id);
    }

    /** The least ID, not below this one, of which a layer knows something; above all where there is none. */
    private static long firstKnown(LayerSet newest, long id) {
        EntryVersionCursor known = newest.known(id);
        return known.next() ? known.id() : IdSet.MAX_ID + 1;
    }

    /** Told what is in the log, in its order. */
    public void seen(List<Operation> operations) {
        count.set(after(count.get(), operations));
    }

    /** The count after these operations of the log. */
    public static long after(long count, List<Operation> operations) {
        long most = count;
        for (Operation operation : operations) {
            if (operation.id() > 0 && (operation instanceof Operation.Add || operation instanceof Operation.Keep)) {
                most = Math.max(most, nearest(most, operation.id()));
            }
        }
        return most;
    }

    /** The count that gives the ID and is the nearest to another one: an ID is in the log soon after it was given. */
    private static long nearest(long count, long id) {
        long same = (Math.max(1, count) - 1) / IdSet.MAX_ID * IdSet.MAX_ID + id;
        return same < count - IdSet.MAX_ID / 2 ? same + IdSet.MAX_ID : same > count + IdSet.MAX_ID / 2 && same > IdSet.MAX_ID ? same - IdSet.MAX_ID : same;
    }

    /** Whether these, of one transaction, add an entry with an ID that was given again and is of another block than the last such. */
    public boolean beginsBlock(List<Operation> operations) {
        if (!givesAgain()) {
            return false;
        }
        boolean begins = false;
        for (Operation operation : operations) {
            if (operation instanceof Operation.Add) {
                long given = nearest(count.get(), operation.id());
                begins |= given < block || given >= block + BLOCK;
                block = begins ? given - (operation.id() - 1) % BLOCK : block;
            }
        }
        return begins;
    }
}
