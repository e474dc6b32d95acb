package org.alder.server.directory.guard;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.server.TestServer;
import org.alder.server.auth.Identity;
import org.junit.Test;

public class FollowedCountTest {
    private static final Identity USER = new Identity(TestServer.dn(TestServer.userDn(1)), false);
    private static final Identity ADMINISTRATOR = new Identity(TestServer.dn(TestServer.ADMIN), true);

    private static final int MOST = 10;
    private static final int MOST_OF_ONE = 4;

    private final FollowedCount count = new FollowedCount(() -> MOST, () -> MOST_OF_ONE);

    private List<FollowedCount.Place> take(Identity identity, int wanted) throws DirectoryException {
        List<FollowedCount.Place> places = new ArrayList<>();
        for (int i = 0; i < wanted; i++) {
            places.add(count.take(identity));
        }
        return places;
    }

    private void refuses(Identity identity, String text) {
        DirectoryException refusal = assertThrows(DirectoryException.class, () -> count.take(identity));
        assertEquals(ResultCode.ADMIN_LIMIT_EXCEEDED, refusal.resultCode());
        assertTrue(refusal.getMessage(), refusal.getMessage().contains(text));
    }

    /** With sixteen connections one user had all there were, and no replica was told anything. */
    @Test
    public void oneUserLeavesPlacesForOthers() throws DirectoryException {
        take(USER, MOST_OF_ONE);
        refuses(USER, TestServer.userDn(1));
        take(ADMINISTRATOR, MOST - MOST_OF_ONE);
        refuses(ADMINISTRATOR, MOST + " searches are told changes already, as many as may be (maxFollowedSearches)");
        refuses(Identity.ANONYMOUS, MOST + " searches");
    }

    @Test
    public void aPlaceIsGivenBackOnce() throws DirectoryException {
        List<FollowedCount.Place> places = take(USER, MOST_OF_ONE);
        places.get(0).close();
        places.get(0).close();
        take(USER, 1);
        refuses(USER, "(maxFollowedSearchesPerIdentity)");
    }
}
