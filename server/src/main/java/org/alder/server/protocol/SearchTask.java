package org.alder.server.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.query.SearchCursor.Step;
import org.alder.server.control.ResponseControl;
import org.alder.server.directory.EntryCursor;
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
    private static final int STEP = 256;
    /** What was found is returned with these: success, timeLimitExceeded, sizeLimitExceeded, adminLimitExceeded. */
    private static final Set<Integer> KEPT_RESULTS = Set.of(0, 3, 4, 11);
    private static final int CHUNK_BYTES = 32 << 10;
    private static final int LARGEST_KEPT_BUFFER = 1 << 20;
    private static final ThreadLocal<BerWriter> BUFFERS = new ThreadLocal<>();

    private final Exchange exchange;
    private final EntryCursor cursor;
    private final EntryEncoder encoder;
    private final Page page;
    private final List<ResponseControl> moreControls;
    private final Executor workers;
    private final Connection connection;
    private final AtomicBoolean waiting = new AtomicBoolean();
    private volatile boolean stopped;
    /** Null if the entries are returned as they are found. */
    private Sorting sorting;
    private List<ResponseControl> sortControls = List.of();
    /** How much of the buffer is whole messages. */
    private int whole;
    private final LongEntrySending longEntry;

    /**
     * @param page null if the search is not paged, or sorted
     * @param sorting null if it is not sorted
     * @param moreControls to answer with in any case
     */
    SearchTask(Exchange exchange, EntryCursor cursor, EntryEncoder encoder, Page page, Sorting sorting,
               List<ResponseControl> moreControls, Executor workers) {
        this.sorting = sorting;
        this.moreControls = moreControls;
        this.exchange = exchange;
        this.cursor = cursor;
        this.encoder = encoder;
        this.page = page;
        this.workers = workers;
        this.connection = exchange.connection();
        this.longEntry = new LongEntrySending(connection, CHUNK_BYTES);
    }

    void start() {
        exchange.onStop(this::stop);
        runSlice(FIRST_SLICE);
    }

    private void stop() {
        stopped = true;
        wake();
    }

    private void runSlice(int most) {
        BerWriter out = takeBuffer();
        whole = 0;
        LdapResult result;
        try {
            result = longEntry.send(out, stopped) && !stopped ? find(out, most) : null;
        } catch (DirectoryException | RuntimeException | Error e) {
            out.truncate(whole);
            result = Faults.toResult(e);
            stopped |= longEntry.giveUp(e);
        }
        if (stopped && !longEntry.isInside()) {
            closeCursor();
            exchange.endStopped();
        } else if (result != null) {
            end(out, result);
        } else {
            flush(out);
            goOn();
        }
        giveBack(out);
    }

    /** Encodes what is found. Returns the result at the end, null if the search is to go on later. */
    private LdapResult find(BerWriter out, int most) throws DirectoryException {
        int left = most;
        while (left > 0 && !stopped) {
            int examined = Math.min(left, STEP);
            Step step = cursor.step(examined);
            if (step == Step.END) {
                return LdapResult.SUCCESS;
            }
            left -= step == Step.PAUSED ? examined : 1;
            if (step == Step.MATCH) {
                if (page != null && !page.take(cursor)) {
                    return LdapResult.SUCCESS;
                }
                if (sorting != null) {
                    if (sorting.take(cursor, encoder, exchange.messageId())) {
                        continue;
                    }
                    flushSorted(out);
                }
                longEntry.set(encoder.write(out, exchange.messageId(), cursor));
            } else if (step == Step.REFERENCE) {
                Responses.writeReference(out, exchange.messageId(), cursor.references());
            }
            if (step != Step.PAUSED) {
                whole = out.size();
                if (!longEntry.isEmpty()) {
                    flush(out);
                    left = longEntry.send(out, stopped) && !connection.isCongested() ? left : 0;
                } else if (whole >= CHUNK_BYTES) {
                    flush(out);
                    left = connection.isCongested() ? 0 : left;
                }
            }
        }
        return null;
    }

    private void flush(BerWriter out) {
        if (out.size() > 0) {
            connection.write(out.toByteArray());
            out.clear();
            whole = 0;
        }
    }

    /** Returns the sorted entries; what comes after is not sorted. */
    private void flushSorted(BerWriter out) {
        for (byte[] message : sorting.messages()) {
            out.raw(message, 0, message.length);
            if (out.size() >= CHUNK_BYTES) {
                flush(out);
            }
        }
        whole = out.size();
        sortControls = sorting.controls();
        sorting = null;
    }

    private void end(BerWriter out, LdapResult found) {
        closeCursor();
        LdapResult result = found;
        if (sorting != null) {
            result = sorting.result(found);
            if (KEPT_RESULTS.contains(found.code())) {
                flushSorted(out);
            } else {
                sortControls = sorting.controls();
            }
        }
        List<ResponseControl> controls = new ArrayList<>(moreControls);
        controls.addAll(sortControls);
        if (cursor.listView() != null) {
            controls.add(ListViews.response(cursor.listView()));
        }
        if (page != null) {
            controls.add(page.control());
        }
        Responses.writeResult(out, exchange.messageId(), Responses.SEARCH_DONE, result, controls);
        exchange.respond(out.toByteArray());
    }

    /** Whatever it says, the client gets its answer. */
    private void closeCursor() {
        try {
            cursor.close();
        } catch (RuntimeException e) {
            LOG.error("the cursor of a search on {} does not close", connection, e);
        }
    }

    private void goOn() {
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
            workers.execute(() -> runSlice(SLICE));
        }
    }

    private static BerWriter takeBuffer() {
        BerWriter buffer = BUFFERS.get();
        if (buffer == null) {
            buffer = new BerWriter(2 * CHUNK_BYTES);
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
