package org.alder.server.directory.guard;

import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ExaminedLimitException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.request.Patience;
import org.alder.partition.text.Counted;
import org.alder.server.access.Limit;
import org.alder.server.access.LimitKind;
import org.alder.server.access.LimitPolicy;
import org.alder.server.access.LimitSet;
import org.alder.server.directory.ChangeFeed;
import org.alder.server.directory.ContentRefresh;
import org.alder.server.directory.ContentState;
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
    private final LimitPolicy policy;
    private final LongSupplier nanoClock;
    private final FollowedCount followed;

    /** @param limits how many searches may be told changes */
    public LimitedDirectory(Directory inner, LimitPolicy policy, Supplier<Limits> limits) {
        this(inner, policy, limits, System::nanoTime);
    }

    LimitedDirectory(Directory inner, LimitPolicy policy, Supplier<Limits> limits, LongSupplier nanoClock) {
        super(inner);
        this.policy = policy;
        this.followed = new FollowedCount(() -> limits.get().followed(), () -> limits.get().followedPerIdentity());
        this.nanoClock = nanoClock;
    }

    /** Null for administrators, who have none. */
    private LimitSet limits(OperationContext context) {
        return context.identity().administrator() ? null : policy.of(context.requester(),
                context.client() == null ? LimitSet.EMPTY : context.client().limits(context.identity()));
    }

    @Override
    public EntryCursor search(OperationContext context, SearchRequest request) throws DirectoryException {
        LimitSet limits = limits(context);
        Deadline deadline = deadline(request, limits);
        return limited(inner.search(context, limited(request, limits, deadline)), limits, sizeLimit(request, limits), deadline);
    }

    private static SearchRequest limited(SearchRequest request, LimitSet limits, Deadline deadline) {
        int examined = limits == null ? request.examinedLimit() : examined(limits.get(LimitKind.EXAMINED));
        SearchRequest limited = examined == request.examinedLimit() ? request : request.withExaminedLimit(examined);
        return deadline == null ? limited : limited.withPatience(request.patience().and(deadline));
    }

    /** 0 is none there. */
    private static int examined(Limit limit) {
        return limit.hard() == Limit.NONE ? 0 : (int) Math.max(1, limit.hard());
    }

    private static EntryCursor limited(EntryCursor cursor, LimitSet limits, Bound size, Deadline deadline) {
        Limit examined = limits == null ? null : limits.get(LimitKind.EXAMINED);
        return deadline == null && size == Bound.NONE && (examined == null || examined.hard() == Limit.NONE) ? cursor
                : new LimitedCursor(cursor, examined, size, deadline);
    }

    @Override
    public ChangeFeed follow(OperationContext context, SearchRequest request, boolean wholeContent) throws DirectoryException {
        FollowedCount.Place place = followed.take(context.identity());
        boolean done = false;
        try {
            ChangeFeed feed = new CountedFeed(inner.follow(context, request, wholeContent), place);
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
    public ContentRefresh refresh(OperationContext context, SearchRequest request, ContentState since) throws DirectoryException {
        LimitSet limits = limits(context);
        Deadline deadline = deadline(request, limits);
        return inner.refresh(context, limited(request, limits, deadline), since)
                .withEntries(cursor -> limited(cursor, limits, sizeLimit(request, limits), deadline));
    }

    /** The entries still allowed, and the text that says why no more. */
    private record Bound(long value, String text) {
        static final Bound NONE = new Bound(Long.MAX_VALUE, "");
    }

    private static Bound sizeLimit(SearchRequest request, LimitSet limits) {
        Bound own = request.sizeLimit() == 0 ? Bound.NONE
                : new Bound(Math.max(0, request.sizeLimit() - request.after().returned()),
                "the request's size limit of " + Counted.of(request.sizeLimit(), "entry") + " is reached");
        return least(own, request.sizeLimit(), limits, LimitKind.SIZE, "the server's size limit of ", each -> Counted.of(each, "entry"),
                "; it holds for one page: use paged results");
    }

    /** Null if there is none. */
    private Deadline deadline(SearchRequest request, LimitSet limits) {
        Bound own = request.timeLimitSeconds() == 0 ? Bound.NONE : new Bound(request.timeLimitSeconds(),
                "the request's time limit of " + request.timeLimitSeconds() + " s is reached");
        Bound least = least(own, request.timeLimitSeconds(), limits, LimitKind.TIME, "the server's time limit of ", each -> each + " s", "");
        return least == Bound.NONE ? null : new Deadline(least);
    }

    private static Bound least(Bound own, long wanted, LimitSet limits, LimitKind kind, String what, LongFunction<String> counted, String advice) {
        if (limits == null) {
            return own;
        }
        Limit limit = limits.get(kind);
        long most = limit.of(wanted);
        if (most == Limit.NONE || own.value <= most) {
            return own;
        }
        String more = wanted > 0 || limit.hard() == most ? "" : ", for searches that ask for none, is reached; they may ask for "
                + (limit.hard() == Limit.NONE ? "any" : "up to " + limit.hard());
        return new Bound(most, what + counted.apply(most) + " (" + limit.origin() + ")" + (more.isEmpty() ? " is reached" : more) + advice);
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

    private static final class LimitedCursor extends EntryCursorFilter {
        /** Null for none. */
        private final Limit examined;
        private final Bound size;
        /** Null for none. */
        private final Deadline deadline;
        private long returned;

        LimitedCursor(EntryCursor cursor, Limit examined, Bound size, Deadline deadline) {
            super(cursor);
            this.examined = examined;
            this.size = size;
            this.deadline = deadline;
        }

        @Override
        public void requireTime() throws DirectoryException {
            super.requireTime();
            checkDeadline();
        }

        private void checkDeadline() throws DirectoryException {
            if (deadline != null) {
                deadline.check();
            }
        }

        @Override
        public Step step(int maxExamined) throws DirectoryException {
            checkDeadline();
            Step step = inner(maxExamined);
            if (step == Step.MATCH && ++returned > size.value) {
                throw new DirectoryException(ResultCode.SIZE_LIMIT_EXCEEDED, size.text);
            }
            return step;
        }

        private Step inner(int maxExamined) throws DirectoryException {
            try {
                return super.step(maxExamined);
            } catch (ExaminedLimitException e) {
                throw examined == null ? e : new ExaminedLimitException(e.getMessage() + " (" + examined.origin() + ")");
            }
        }
    }
}
