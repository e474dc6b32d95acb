package org.alder.server.protocol.search;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.DirectoryException;
import org.alder.server.control.ResponseControl;
import org.alder.server.protocol.Exchange;
import org.alder.server.protocol.LdapResult;
import org.alder.server.protocol.encode.LongEntrySending;
import org.alder.server.resource.Lag;
import org.alder.server.wire.Connection;

/**
 * A search that goes on with changes, in slices on worker threads: it holds none while there is nothing to tell, or the client
 * does not read. It does not count among the requests that its connection waits for. Ended by abandon, cancel, the next bind, the
 * end of the connection, and by its source.
 */
final class FollowedSearch {
    private static final int SLICE_BYTES = 256 << 10;

    private final Exchange exchange;
    private final Source source;
    private final Connection connection;
    private final LongEntrySending longEntry;
    private final AtomicBoolean waiting = new AtomicBoolean();
    private volatile boolean stopped;
    /** How much of the buffer is whole messages. */
    private int whole;

    /** What is told. One thread at a time, but for {@link #lag}; the search closes it. */
    interface Source extends AutoCloseable {
        /** How far it got. */
        enum Progress {
            /** There may be more. */
            MORE,
            /** There is no more now: {@link #whenReady} says when. */
            WAIT,
            /** That was all: the search has succeeded. */
            END
        }

        /**
         * Writes whole messages, about one.
         *
         * @param longEntry takes an entry too long to be written, which is to be sent behind what is written and before more is
         * @throws DirectoryException the search's result; what was written before stands
         */
        Progress write(BerWriter out, LongEntrySending longEntry) throws DirectoryException;

        /** Runs the continuation once, when it is worth another try. */
        void whenReady(Runnable continuation);

        /** What waits to be told; null while it tells what was there before. Any thread may ask at any time. */
        Lag lag();

        /** What goes with the result. @param success whether it is that */
        List<ResponseControl> controls(boolean success);

        /** The result for a failure. */
        LdapResult result(Throwable failure);

        @Override
        void close();
    }

    FollowedSearch(Exchange exchange, Source source) {
        this.exchange = exchange;
        this.source = source;
        this.connection = exchange.connection();
        this.longEntry = new LongEntrySending(connection);
    }

    void start() {
        exchange.onStop(this::stop);
        exchange.tells(source::lag);
        runSlice();
    }

    private void stop() {
        stopped = true;
        wake();
    }

    private void runSlice() {
        BerWriter out = new BerWriter(connection.chunkBytes());
        whole = 0;
        Source.Progress progress = Source.Progress.MORE;
        LdapResult failure = null;
        try {
            if (longEntry.send(out, stopped)) {
                progress = tell(out);
            }
        } catch (DirectoryException | RuntimeException | Error e) {
            out.truncate(whole);
            failure = source.result(e);
            stopped |= longEntry.giveUp(e) || exchange.isAbandoned();
        }
        flush(out);
        goOn(progress, failure);
    }

    private Source.Progress tell(BerWriter out) throws DirectoryException {
        long sent = 0;
        Source.Progress progress = Source.Progress.MORE;
        while (progress == Source.Progress.MORE && !stopped && sent < SLICE_BYTES && !connection.isCongested()) {
            progress = source.write(out, longEntry);
            whole = out.size();
            if (!longEntry.isEmpty()) {
                flush(out);
                if (!longEntry.send(out, stopped)) {
                    return progress;
                }
            } else if (whole >= connection.chunkBytes()) {
                sent += whole;
                flush(out);
            }
        }
        return progress;
    }

    private void flush(BerWriter out) {
        if (out.size() > 0) {
            connection.write(out.toByteArray());
            out.clear();
            whole = 0;
        }
    }

    private void goOn(Source.Progress progress, LdapResult failure) {
        if (stopped && !longEntry.isInside()) {
            source.close();
            exchange.endStopped();
        } else if (failure != null || progress == Source.Progress.END) {
            List<ResponseControl> controls = source.controls(failure == null);
            source.close();
            exchange.answer(failure == null ? LdapResult.SUCCESS : failure, controls);
        } else {
            await(progress);
        }
    }

    private void await(Source.Progress progress) {
        waiting.set(true);
        if (!longEntry.isEmpty()) {
            longEntry.whenReady(this::wake);
            return;
        }
        if (connection.isCongested()) {
            connection.whenDrained(this::wake);
        } else if (progress == Source.Progress.WAIT) {
            source.whenReady(this::wake);
        } else {
            wake();
        }
        if (stopped) {
            wake();
        }
    }

    private void wake() {
        if (waiting.compareAndSet(true, false)) {
            exchange.workers().execute(this::runSlice);
        }
    }
}
