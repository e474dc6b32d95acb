package org.alder.server;

import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.AsyncRequestID;
import com.unboundid.ldap.sdk.AsyncSearchResultListener;
import com.unboundid.ldap.sdk.IntermediateResponse;
import com.unboundid.ldap.sdk.IntermediateResponseListener;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchResultReference;
import java.util.concurrent.LinkedBlockingQueue;
import org.alder.partition.testing.Await;

/** Keeps what a search that goes on is told, in its order. */
public final class FollowingListener implements AsyncSearchResultListener, IntermediateResponseListener {
    private static final long serialVersionUID = 1L;

    private final transient LinkedBlockingQueue<Object> told = new LinkedBlockingQueue<>();

    @Override
    public void searchEntryReturned(SearchResultEntry entry) {
        told.add(entry);
    }

    @Override
    public void searchReferenceReturned(SearchResultReference reference) {
        told.add(reference);
    }

    @Override
    public void searchResultReceived(AsyncRequestID requestId, SearchResult result) {
        told.add(result);
    }

    @Override
    public void intermediateResponseReturned(IntermediateResponse response) {
        told.add(response);
    }

    /** The next thing told, waited for. */
    public <T> T next(Class<T> type) throws InterruptedException {
        Object next = Await.next("a " + type.getSimpleName(), told);
        assertTrue(next + ", expected " + type.getSimpleName(), type.isInstance(next));
        return type.cast(next);
    }

    /** Whether nothing is told that was not taken. */
    boolean isQuiet() {
        return told.peek() == null;
    }

    void isEmpty() {
        assertNull(told.peek());
    }
}
