package org.alder.server.directory.guard;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;

import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.server.directory.ChangeFeed;
import org.alder.server.directory.ContentChange;
import org.alder.server.directory.ContentState;
import org.alder.server.resource.Lag;
import org.junit.Test;

/** What a feed tells when rights are lost while it is asked. */
public class GuardedFeedTest {
    private boolean lost;

    /** In which the rights are lost, and more is changed after that, just before the next change is taken. */
    private final class Late implements ChangeFeed {
        private final DirectoryException failure;

        Late(DirectoryException failure) {
            this.failure = failure;
        }

        @Override
        public ContentChange next() throws DirectoryException {
            lost |= failure == null;
            if (failure != null) {
                throw failure;
            }
            return new ContentChange(ContentChange.Kind.MODIFIED, null, null, null, true);
        }

        @Override
        public void skipTo(ContentState state) {
            throw new UnsupportedOperationException();
        }

        @Override
        public ContentState position() {
            return null;
        }

        @Override
        public Lag lag() {
            return Lag.NONE;
        }

        @Override
        public void whenReady(Runnable continuation) {
            continuation.run();
        }

        @Override
        public void close() {
            // Holds nothing.
        }
    }

    @Test
    public void aChangeThatWasMadeAfterTheRightsWereLostIsNotTold() throws DirectoryException {
        try (GuardedFeed feed = new GuardedFeed(new Late(null), () -> !lost, failure -> failure)) {
            DirectoryException ended = assertThrows(DirectoryException.class, feed::next);
            assertEquals(ResultCode.SYNC_REFRESH_REQUIRED, ended.resultCode());
            assertNull(feed.position());
        }
    }

    @Test
    public void aFailureTellsWhatMayBeKnown() throws DirectoryException {
        DirectoryException hidden = DirectoryException.noSuchObject("cn=a,ou=hidden,dc=x", "ou=hidden,dc=x");
        DirectoryException known = DirectoryException.noSuchObject("cn=a,ou=hidden,dc=x", "dc=x");
        try (GuardedFeed feed = new GuardedFeed(new Late(hidden), () -> !lost, failure -> failure == hidden ? known : null)) {
            assertEquals("dc=x", assertThrows(DirectoryException.class, feed::next).matchedDn());
            lost = true;
            assertEquals(ResultCode.SYNC_REFRESH_REQUIRED, assertThrows(DirectoryException.class, feed::next).resultCode());
        }
    }
}
