package org.alder.server.console;

import com.unboundid.ldap.sdk.AsyncRequestID;
import com.unboundid.ldap.sdk.AsyncSearchResultListener;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchResultReference;
import java.util.concurrent.CompletableFuture;

/** Waits for the end of a search that finds nothing. */
record SearchEnd(CompletableFuture<SearchResult> ended) implements AsyncSearchResultListener {
    private static final long serialVersionUID = 1L;

    @Override
    public void searchEntryReturned(SearchResultEntry entry) {
        throw new AssertionError(entry.getDN());
    }

    @Override
    public void searchReferenceReturned(SearchResultReference reference) {
        throw new AssertionError(reference.toString());
    }

    @Override
    public void searchResultReceived(AsyncRequestID id, SearchResult result) {
        ended.complete(result);
    }
}
