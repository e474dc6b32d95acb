package org.alder.server.directory.guard;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.filter.Filter;
import org.alder.partition.request.SearchScope;
import org.alder.partition.testing.Requirement;
import org.alder.server.TestServer;
import org.alder.server.access.Limit;
import org.alder.server.access.LimitPolicy;
import org.alder.server.auth.Identity;
import org.alder.server.directory.Directory;
import org.alder.server.directory.EntryCursor;
import org.alder.server.directory.EntryCursor.Step;
import org.alder.server.directory.OperationContext;
import org.alder.server.directory.SearchPosition;
import org.alder.server.directory.SearchRequest;
import org.junit.Test;

/** Whose limit ends a search, by a clock that the test turns and an endless search. */
public class LimitedDirectoryTest {
    private static final Identity USER = new Identity(TestServer.dn(TestServer.userDn(1)), false);
    private static final Identity ADMINISTRATOR = new Identity(TestServer.dn(TestServer.ADMIN), true);

    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);
    private SearchRequest seen;

    private EntryCursor search(Identity identity, Limits limits, int sizeLimit, int timeLimit,
            long returned) throws DirectoryException {
        Directory endless = (Directory) Proxy.newProxyInstance(Directory.class.getClassLoader(), new Class<?>[] {Directory.class},
                (proxy, method, arguments) -> {
                    seen = (SearchRequest) arguments[1];
                    return Proxy.newProxyInstance(EntryCursor.class.getClassLoader(), new Class<?>[] {EntryCursor.class},
                            (cursor, step, none) -> Step.MATCH);
                });
        SearchRequest request = new SearchRequest(Dn.ROOT, SearchScope.SUBTREE, new Filter.Present("cn"), sizeLimit, timeLimit,
                0, false,
                returned > 0, new SearchPosition(0, 1, returned));
        return new LimitedDirectory(endless, LimitPolicy.of(limits.general()), () -> limits, clock::get).search(new OperationContext(identity, Instant.EPOCH, null), request);
    }

    private static void endsAfter(int entries, ResultCode code, String text, EntryCursor cursor) throws DirectoryException {
        for (int i = 0; i < entries; i++) {
            assertEquals(Step.MATCH, cursor.step(1));
        }
        DirectoryException end = assertThrows(DirectoryException.class, () -> cursor.step(1));
        assertEquals(code, end.resultCode());
        assertTrue(end.getMessage(), end.getMessage().contains(text));
    }

    @Test
    public void theSmallerSizeLimitEndsTheSearch() throws DirectoryException {
        endsAfter(5, ResultCode.SIZE_LIMIT_EXCEEDED, "request's size limit of 5", search(USER, new Limits(9, 0, 0), 5, 0, 0));
        endsAfter(9, ResultCode.SIZE_LIMIT_EXCEEDED, "server's size limit of 9", search(USER, new Limits(9, 0, 0), 20, 0, 0));
        endsAfter(9, ResultCode.SIZE_LIMIT_EXCEEDED, "server's size limit of 9", search(USER, new Limits(9, 0, 0), 0, 0, 0));
        endsAfter(20, ResultCode.SIZE_LIMIT_EXCEEDED, "request's size limit of 20",
                search(ADMINISTRATOR, new Limits(9, 0, 0), 20, 0, 0));
    }

    @Test
    public void theClientsSizeLimitCountsThePagesBefore() throws DirectoryException {
        endsAfter(2, ResultCode.SIZE_LIMIT_EXCEEDED, "request's size limit of 12",
                search(USER, new Limits(9, 0, 0), 12, 0, 10));
        endsAfter(0, ResultCode.SIZE_LIMIT_EXCEEDED, "request's size limit of 12",
                search(USER, new Limits(9, 0, 0), 12, 0, 12));
        endsAfter(9, ResultCode.SIZE_LIMIT_EXCEEDED, "server's size limit of 9", search(USER, new Limits(9, 0, 0), 0, 0, 12));
    }

    @Test
    public void theTimeLimitHoldsForThePlanningAndFromItsBeginning() throws DirectoryException {
        EntryCursor cursor = search(USER, new Limits(0, 7, 0), 0, 0, 0);
        seen.patience().check();
        clock.addAndGet(TimeUnit.SECONDS.toNanos(8));
        DirectoryException end = assertThrows(DirectoryException.class, () -> seen.patience().check());
        assertEquals(ResultCode.TIME_LIMIT_EXCEEDED, end.resultCode());
        endsAfter(0, ResultCode.TIME_LIMIT_EXCEEDED, "server's time limit of 7 s", cursor);
    }

    @Test
    @Requirement(rfc = 4511, section = "4.5.1.5", text = "The time limit of the request, or the server's where that is shorter, ends a search")
    public void theSmallerTimeLimitEndsTheSearch() throws DirectoryException {
        timeLimit(3, "request's time limit of 3 s", search(USER, new Limits(0, 7, 0), 0, 3, 0));
        timeLimit(7, "server's time limit of 7 s (timeLimitSeconds)", search(USER, new Limits(0, 7, 0), 0, 0, 0));
        timeLimit(30, "request's time limit of 30 s", search(ADMINISTRATOR, new Limits(0, 7, 0), 0, 30, 0));
    }

    @Test
    public void aSearchThatAsksForNoTimeHasTheSoftLimit() throws DirectoryException {
        Limits limits = new Limits(Limits.of(Limit.ofKey(0, 0, "sizeLimit"),
                Limit.ofKey(2, 7, "timeLimitSecondsUnasked and timeLimitSeconds"), Limit.ofKey(0, 0, "examinedLimit")), List.of(), 10, 10);
        timeLimit(2, "time limit of 2 s (timeLimitSecondsUnasked and timeLimitSeconds)", search(USER, limits, 0, 0, 0));
        timeLimit(5, "request's time limit of 5 s", search(USER, limits, 0, 5, 0));
    }

    private void timeLimit(int seconds, String text, EntryCursor cursor) throws DirectoryException {
        clock.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
        assertEquals(Step.MATCH, cursor.step(1));
        clock.incrementAndGet();
        endsAfter(0, ResultCode.TIME_LIMIT_EXCEEDED, text, cursor);
    }

    @Test
    public void theExaminedLimitIsTheServersAndNotTheAdministrators() throws DirectoryException {
        search(USER, new Limits(0, 0, 42), 0, 0, 0);
        assertEquals(42, seen.examinedLimit());
        search(ADMINISTRATOR, new Limits(0, 0, 42), 0, 0, 0);
        assertEquals(0, seen.examinedLimit());
    }
}
