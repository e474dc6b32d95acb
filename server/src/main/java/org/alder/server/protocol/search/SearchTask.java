package org.alder.server.protocol.search;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.server.control.ResponseControl;
import org.alder.server.control.search.Explain;
import org.alder.server.directory.EntryCursor;
import org.alder.server.directory.EntryCursor.Step;
import org.alder.server.directory.SearchCost;
import org.alder.server.protocol.Exchange;
import org.alder.server.protocol.Faults;
import org.alder.server.protocol.LdapResult;
import org.alder.server.protocol.Responses;
import org.alder.server.protocol.encode.EntryEncoder;
import org.alder.server.protocol.encode.LongEntrySending;
import org.alder.server.wire.Connection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A search that is being answered, in slices: a short first one on the I/O thread, so that a cheap search needs no other thread
 * and one write, the others on worker threads. While the connection has much output queued it waits without a thread. It owns the
 * cursor and closes it, however the search ends.
 */
final class SearchTask {
    private static final Logger LOG = LoggerFactory.getLogger(SearchTask.class);
    private static final int FIRST_SLICE = 64;
    private static final int SLICE = 2048;
    /** How many candidates are examined between two looks at the clock: some cost a thousand times as much as others. */
    private static final int STEP = 32;
    /** How long the first slice keeps the I/O thread at most, looked at after every so many entries. */
    private static final long FIRST_SLICE_NANOS = 2_000_000;
    /** How long another keeps a worker, so that others have their turns. */
    private static final long SLICE_NANOS = 5_000_000;
    private static final int LOOK = 8;
    /** What was found is returned with these. */
    private static final Set<ResultCode> KEPT_RESULTS = EnumSet.of(ResultCode.SUCCESS, ResultCode.TIME_LIMIT_EXCEEDED,
            ResultCode.SIZE_LIMIT_EXCEEDED, ResultCode.ADMIN_LIMIT_EXCEEDED);
    private static final int BUFFER_BYTES = 64 << 10;
    private static final int LARGEST_KEPT_BUFFER = 1 << 20;
    /** Larger entries are counted while they are encoded. */
    private static final int LARGE_ENTRY_BYTES = 64 << 10;
    /** About what the plan of an ordinary filter, the cursor and its place in the store cost while a search waits. */
    private static final long WAITING_BYTES = 16 << 10;
    private static final ThreadLocal<BerWriter> BUFFERS = new ThreadLocal<>();

    private final Exchange exchange;
    private final EntryCursor cursor;
    private final EntryEncoder encoder;
    private final Arrangement arrangement;
    private final List<ResponseControl> answer;
    /** Null if it is not to be told. */
    private final List<String> plan;
    private final Connection connection;
    private final AtomicBoolean waiting = new AtomicBoolean();
    private volatile boolean stopped;
    /** Whether the arrangement has to return what it kept. */
    private boolean unloading;
    private List<ResponseControl> arrangementControls = List.of();
    /** How the search ends when all is returned that was kept; null while it goes on. */
    private LdapResult found;
    /** Whether the cursor stands on an entry that has not been returned because that may take long. */
    private boolean left;
    /** Whether what is done may take long, because it holds up no other connection. */
    private boolean onWorker;
    /** Of what the search keeps while it waits, and of its cursor. */
    private long countedBytes;
    /** Entries that were returned. */
    private long returned;
    /** How much of the buffer is whole messages. */
    private int whole;
    private final LongEntrySending longEntry;

    /**
     * @param arrangement null if all entries are returned as they are found
     * @param answer controls to answer with in any case
     * @param plan how the search was planned, to be told at the end with its cost; null if that is not to be told
     */
    SearchTask(Exchange exchange, EntryCursor cursor, EntryEncoder encoder, Arrangement arrangement,
               List<ResponseControl> answer, List<String> plan) {
        this.exchange = exchange;
        this.cursor = cursor;
        this.encoder = encoder;
        this.arrangement = arrangement;
        this.answer = answer;
        this.plan = plan;
        this.connection = exchange.connection();
        this.longEntry = new LongEntrySending(connection);
    }

    /** @param worker whether this is a worker thread, and not one that serves other connections too */
    void start(boolean worker) {
        onWorker = worker;
        exchange.onStop(this::stop);
        // However much a client asks for, what it does not read is bounded.
        runSlice(connection.isCongested() ? 0 : FIRST_SLICE);
    }

    private void stop() {
        stopped = true;
        wake();
    }

    private void runSlice(int most) {
        BerWriter out = takeBuffer();
        whole = 0;
        LdapResult result = slice(out, most);
        if (result != null && found == null && arrangement != null) {
            // All is found: what was kept is returned, and then this.
            unload(result);
            result = slice(out, most);
        }
        String refusal = result == null && !stopped ? countWaiting() : null;
        if (refusal != null) {
            longEntry.set(null);
            found = LdapResult.of(ResultCode.BUSY, refusal);
            result = found;
        }
        if (stopped && !longEntry.isInside()) {
            closeCursor();
            exchange.endStopped();
        } else if (result != null) {
            end(out, result);
        } else {
            flush(out);
            pause();
        }
        giveBack(out);
    }

    /** Returns the result at the end, null if the search is to go on later. */
    private LdapResult slice(BerWriter out, int most) {
        try {
            return longEntry.send(out, stopped) && !stopped ? find(out, most) : null;
        } catch (DirectoryException | RuntimeException | Error e) {
            out.truncate(whole);
            stopped |= longEntry.giveUp(e) || exchange.isAbandoned();
            return Faults.toResult(e);
        }
    }

    /** Encodes what is found. Returns the result at the end, null if the search is to go on later. */
    private LdapResult find(BerWriter out, int most) throws DirectoryException {
        if (unloading && !sendKept(out)) {
            return null;
        }
        long started = System.nanoTime();
        long allowed = onWorker ? SLICE_NANOS : FIRST_SLICE_NANOS;
        int rest = found == null ? most : 0;
        while (rest > 0 && !stopped) {
            int examined = Math.min(rest, onWorker ? STEP : LOOK);
            Step step = left ? Step.MATCH : cursor.step(examined);
            if (step == Step.END) {
                return LdapResult.SUCCESS;
            }
            rest -= step == Step.PAUSED ? examined : 1;
            if (step == Step.PAUSED) {
                countCursor();
            } else if (step == Step.REFERENCE) {
                Responses.writeReference(out, exchange.messageId(), cursor.references());
            } else if (!onWorker && encoder.maySearch(cursor)) {
                left = true;
                return null;
            } else {
                Arrangement.Take take = arrangement == null ? Arrangement.Take.SEND
                        : arrangement.take(cursor, encoder, exchange.messageId());
                left = take == Arrangement.Take.AFTER_KEPT;
                if (take == Arrangement.Take.END) {
                    return LdapResult.SUCCESS;
                } else if (left) {
                    unload(null);
                    return null;
                } else if (take == Arrangement.Take.SEND) {
                    encode(out);
                }
            }
            boolean timely = step != Step.PAUSED && rest % LOOK != 0 || System.nanoTime() - started < allowed;
            rest = send(out) && timely ? rest : 0;
        }
        return found;
    }

    private void encode(BerWriter out) throws DirectoryException {
        returned++;
        int entryBytes = encoder.isOfNames() ? 0 : cursor.attributes().length();
        if (entryBytes < LARGE_ENTRY_BYTES) {
            longEntry.set(encoder.write(out, exchange.messageId(), cursor));
            return;
        }
        exchange.memory().grow(entryBytes);
        try {
            longEntry.set(encoder.write(out, exchange.messageId(), cursor));
            whole = out.size();
            flush(out);
        } finally {
            exchange.memory().shrink(entryBytes);
        }
    }

    /** Sends what is encoded, if it is enough. Returns whether more should be found now. */
    private boolean send(BerWriter out) {
        whole = out.size();
        if (!longEntry.isEmpty()) {
            flush(out);
            return longEntry.send(out, stopped) && !connection.isCongested();
        }
        if (whole >= connection.chunkBytes()) {
            flush(out);
            return !connection.isCongested();
        }
        return true;
    }

    /** @throws DirectoryException busy if what the directory keeps for this search is more than the server has for all */
    private void countCursor() throws DirectoryException {
        long now = cursor.heldBytes();
        if (now > countedBytes) {
            exchange.memory().grow(now - countedBytes);
            countedBytes = now;
        }
    }

    private void flush(BerWriter out) {
        if (out.size() > 0) {
            exchange.send(out.toByteArray());
            out.clear();
            whole = 0;
        }
    }

    /** From now on what was kept is returned, if the result is one with which it is. @param result null if there is none yet */
    private void unload(LdapResult result) {
        arrangementControls = arrangement.controls();
        found = result == null ? null : arrangement.result(result);
        unloading = result == null || KEPT_RESULTS.contains(result.code());
    }

    /** Returns whether all is sent. */
    private boolean sendKept(BerWriter out) {
        for (byte[] message = arrangement.poll(); message != null; message = arrangement.poll()) {
            out.raw(message, 0, message.length);
            returned++;
            whole = out.size();
            if (whole >= connection.chunkBytes()) {
                flush(out);
            }
            if (connection.isCongested()) {
                return false;
            }
        }
        unloading = false;
        return true;
    }

    private void end(BerWriter out, LdapResult result) {
        SearchCost cost = closeCursor();
        List<ResponseControl> controls = answer;
        if (!arrangementControls.isEmpty() || plan != null) {
            controls = new ArrayList<>(answer);
            controls.addAll(arrangementControls);
        }
        if (plan != null) {
            controls.add(Explain.CONTROL.response(cost.examined(), plan));
        }
        Responses.writeResult(out, exchange.messageId(), Responses.SEARCH_DONE, result, controls);
        exchange.respond(result, out.toByteArray());
    }

    /** Whatever it says, the client gets its answer. */
    private SearchCost closeCursor() {
        SearchCost cost = SearchCost.NONE;
        try {
            cost = cursor.cost(exchange.isDetailed());
            exchange.searched(cost, returned);
            cursor.close();
        } catch (RuntimeException e) {
            LOG.error("the cursor of a search on {} does not close", connection, e);
        }
        return cost;
    }

    /**
     * Who waits is counted, with the candidates that are left. An entry that is begun has to be sent to its end.
     *
     * @return null; or why the search cannot wait
     */
    private String countWaiting() {
        long needed = WAITING_BYTES + cursor.heldBytes();
        long more = needed - countedBytes;
        if (more > 0 && longEntry.isInside()) {
            exchange.memory().take(more);
        } else if (more > 0 && !exchange.memory().tryGrow(more)) {
            return exchange.memory().refusal(more);
        }
        countedBytes = Math.max(needed, countedBytes);
        return null;
    }

    /** Goes on when it may. */
    private void pause() {
        waiting.set(true);
        if (!longEntry.isEmpty()) {
            longEntry.whenReady(this::wake);
            return;
        }
        if (connection.isCongested() && !stopped) {
            connection.whenDrained(this::wake);
        } else {
            wake();
        }
        if (stopped) {
            wake();
        }
    }

    private void wake() {
        if (waiting.compareAndSet(true, false)) {
            exchange.workers().execute(() -> {
                onWorker = true;
                // Of many that wait for the client to read, the first may have filled the connection again.
                runSlice(connection.isCongested() ? 0 : SLICE);
            });
        }
    }

    private static BerWriter takeBuffer() {
        BerWriter buffer = BUFFERS.get();
        if (buffer == null) {
            buffer = new BerWriter(BUFFER_BYTES);
            BUFFERS.set(buffer);
        }
        buffer.clear();
        return buffer;
    }

    private static void giveBack(BerWriter buffer) {
        if (buffer.buffer().length > LARGEST_KEPT_BUFFER) {
            BUFFERS.remove();
        }
    }
}
