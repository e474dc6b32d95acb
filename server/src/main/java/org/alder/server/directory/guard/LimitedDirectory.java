package org.alder.server.directory.guard;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.alder.partition.entry.Csn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.request.Patience;
import org.alder.server.directory.ChangeFeed;
import org.alder.server.directory.ContentRefresh;
import org.alder.server.directory.Directory;
import org.alder.server.directory.DirectoryFilter;
import org.alder.server.directory.EntryCursor;
import org.alder.server.directory.EntryCursor.Step;
import org.alder.server.directory.EntryCursorFilter;
import org.alder.server.directory.OperationContext;
import org.alder.server.directory.SearchRequest;

/**
 * Ends searches at the client's and the server's size, time and examined limits (RFC 4511 4.5.1.4 and 4.5.1.5), after the entries
 * that were within. A diagnostic message says whose limit it was.
 */
public final class LimitedDirectory extends DirectoryFilter {
    private final Limits limits;
    private final LongSupplier nanoClock;
    private final FollowedCount followed = new FollowedCount();

    public LimitedDirectory(Directory inner, Limits limits) {
        this(inner, limits, System::nanoTime);
    }

    LimitedDirectory(Directory inner, Limits limits, LongSupplier nanoClock) {
        super(inner);
        this.limits = limits;
        this.nanoClock = nanoClock;
    }

    @Override
    public EntryCursor search(OperationContext context, SearchRequest request) throws DirectoryException {
        boolean exempt = context.identity().administrator();
        int examined = exempt ? request.examinedLimit() : limits.examinedLimit();
        SearchRequest limited = examined == request.examinedLimit() ? request : request.withExaminedLimit(examined);
        Deadline deadline = deadline(request, exempt);
        return limited(super.search(context, deadline == null ? limited
                : limited.withPatience(request.patience().and(deadline))), sizeLimit(request, exempt), deadline);
    }

    private EntryCursor limited(EntryCursor cursor, Bound size, Deadline deadline) {
        return deadline == null && size == Bound.NONE ? cursor : new LimitedCursor(cursor, size, deadline);
    }

    @Override
    public ChangeFeed follow(OperationContext context, SearchRequest request, boolean wholeContent) throws DirectoryException {
        FollowedCount.Place place = followed.take(context.identity());
        boolean done = false;
        try {
            ChangeFeed feed = new CountedFeed(super.follow(context, request, wholeContent), place);
            done = true;
            return feed;
        } finally {
            if (!done) {
                place.close();
            }
        }
    }

    /** The limits hold for what is returned to refresh a copy, not for the changes that follow (RFC 4533 3.5.3 and 3.5.4). */
    @Override
    public ContentRefresh refresh(OperationContext context, SearchRequest request, Csn since) throws DirectoryException {
        boolean exempt = context.identity().administrator();
        int examined = exempt ? request.examinedLimit() : limits.examinedLimit();
        Deadline deadline = deadline(request, exempt);
        SearchRequest limited = request.withExaminedLimit(examined);
        return super.refresh(context, deadline == null ? limited : limited.withPatience(request.patience().and(deadline)), since)
                .withEntries(cursor -> limited(cursor, sizeLimit(request, exempt), deadline));
    }

    /** The entries still allowed, and the text that says why no more. */
    private record Bound(long value, String text) {
        static final Bound NONE = new Bound(Long.MAX_VALUE, "");
    }

    private Bound sizeLimit(SearchRequest request, boolean exempt) {
        Bound own = request.sizeLimit() == 0 ? Bound.NONE
                : new Bound(Math.max(0, request.sizeLimit() - request.after().returned()),
                "the request's size limit of " + request.sizeLimit() + " entries is reached");
        Bound server = exempt || limits.sizeLimit() == 0 ? Bound.NONE : new Bound(limits.sizeLimit(),
                "the server's size limit of " + limits.sizeLimit()
                        + " entries (sizeLimit) is reached; it holds for one page: use paged results");
        return own.value <= server.value ? own : server;
    }

    /** Null if there is none. */
    private Deadline deadline(SearchRequest request, boolean exempt) {
        Bound own = request.timeLimitSeconds() == 0 ? Bound.NONE : new Bound(request.timeLimitSeconds(),
                "the request's time limit of " + request.timeLimitSeconds() + " s is reached");
        Bound server = exempt || limits.timeLimitSeconds() == 0 ? Bound.NONE : new Bound(limits.timeLimitSeconds(),
                "the server's time limit of " + limits.timeLimitSeconds() + " s (timeLimitSeconds) is reached");
        Bound least = own.value <= server.value ? own : server;
        return least == Bound.NONE ? null : new Deadline(least);
    }

    /** Of the planning and the steps together. */
    private final class Deadline implements Patience {
        private final Bound time;
        private final long startNanos;
        private final long allowedNanos;

        Deadline(Bound time) {
            this.time = time;
            this.startNanos = nanoClock.getAsLong();
            this.allowedNanos = TimeUnit.SECONDS.toNanos(time.value);
        }

        @Override
        public void check() throws DirectoryException {
            if (nanoClock.getAsLong() - startNanos > allowedNanos) {
                throw new DirectoryException(ResultCode.TIME_LIMIT_EXCEEDED, time.text);
            }
        }
    }

    private final class LimitedCursor extends EntryCursorFilter {
        private final Bound size;
        /** Null for none. */
        private final Deadline deadline;
        private long returned;

        LimitedCursor(EntryCursor cursor, Bound size, Deadline deadline) {
            super(cursor);
            this.size = size;
            this.deadline = deadline;
        }

        @Override
        public void requireTime() throws DirectoryException {
            if (deadline != null) {
                deadline.check();
            }
        }

        @Override
        public Step step(int maxExamined) throws DirectoryException {
            requireTime();
            Step step = super.step(maxExamined);
            if (step == Step.MATCH && ++returned > size.value) {
                throw new DirectoryException(ResultCode.SIZE_LIMIT_EXCEEDED, size.text);
            }
            return step;
        }
    }
}
