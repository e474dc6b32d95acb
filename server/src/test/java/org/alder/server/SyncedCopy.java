package org.alder.server;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.sdk.AsyncRequestID;
import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.IntermediateResponse;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.ContentSyncDoneControl;
import com.unboundid.ldap.sdk.controls.ContentSyncInfoIntermediateResponse;
import com.unboundid.ldap.sdk.controls.ContentSyncInfoType;
import com.unboundid.ldap.sdk.controls.ContentSyncRequestControl;
import com.unboundid.ldap.sdk.controls.ContentSyncRequestMode;
import com.unboundid.ldap.sdk.controls.ContentSyncState;
import com.unboundid.ldap.sdk.controls.ContentSyncStateControl;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A client's copy of what a search finds, kept as RFC 4533 says: by what the server tells and nothing else. */
public final class SyncedCopy implements AutoCloseable {
    private final LDAPConnection connection;
    private final String base;
    private final String filter;
    private final Map<UUID, String> entries = new TreeMap<>();
    private final Set<UUID> named = new HashSet<>();
    /** What was told of each entry, and with which cookie, in its order: for the message of a test that fails. */
    private final Map<UUID, List<String>> history = new TreeMap<>();
    private FollowingListener told = new FollowingListener();
    private boolean toldOnce = true;
    private String cookieOfDeletions;
    private boolean deletionsFirst;
    private boolean hadPresentPhase;
    private String cookie;

    public SyncedCopy(LDAPConnection connection, String base, String filter) {
        this.connection = connection;
        this.base = base;
        this.filter = filter;
    }

    /** An empty copy of something else, on the same connection. */
    SyncedCopy of(String otherBase, String otherFilter) {
        return new SyncedCopy(connection, otherBase, otherFilter);
    }

    /** The same copy on another connection. */
    SyncedCopy on(LDAPConnection other) {
        SyncedCopy copy = new SyncedCopy(other, base, filter);
        copy.entries.putAll(entries);
        copy.history.putAll(history);
        copy.cookie = cookie;
        return copy;
    }

    LDAPConnection connection() {
        return connection;
    }

    String cookie() {
        return cookie;
    }

    /** Name and text of each entry by its UUID. */
    public Map<UUID, String> content() {
        return entries;
    }

    /** What was told of each entry, as a text. */
    public String history() {
        return history.entrySet().stream().map(each -> each.getKey() + ": " + String.join("; ", each.getValue()))
                .collect(Collectors.joining("\n", "told of each entry:\n", "\n"));
    }

    private void note(UUID uuid, String what) {
        history.computeIfAbsent(uuid, key -> new ArrayList<>()).add(what);
    }

    static Map<UUID, String> content(LDAPConnection connection, String base, String filter) throws LDAPException {
        Map<UUID, String> content = new TreeMap<>();
        SearchResult found = connection.search(base, SearchScope.SUB, filter, "*", "entryUUID", "entryCSN");
        for (SearchResultEntry entry : found.getSearchEntries()) {
            content.put(UUID.fromString(entry.getAttributeValue("entryUUID")), entry.toLDIFString());
        }
        return content;
    }

    private SearchRequest request(String with, ContentSyncRequestMode mode, boolean reload) throws LDAPException {
        told = new FollowingListener();
        SearchRequest request = new SearchRequest(told, base, SearchScope.SUB, filter, "*", "entryUUID", "entryCSN");
        request.setControls(new ContentSyncRequestControl(true, mode, with == null ? null : new ASN1OctetString(with), reload));
        request.setIntermediateResponseListener(told);
        named.clear();
        deletionsFirst = true;
        hadPresentPhase = false;
        return request;
    }

    /** Whether no entry of the last refresh came before a set of deleted ones. */
    boolean tellsDeletionsFirst() {
        return deletionsFirst;
    }

    /** The cookie that came with the last set of deleted entries, or null. */
    String cookieOfDeletions() {
        return cookieOfDeletions;
    }

    /** Brings the copy up to date. Returns how many entries were sent. */
    public int poll() throws Exception {
        return poll(cookie, false);
    }

    /** The same with another cookie. */
    int poll(String with, boolean reload) throws Exception {
        connection.asyncSearch(request(with, ContentSyncRequestMode.REFRESH_ONLY, reload));
        int sent = 0;
        Object next = told.next(Object.class);
        while (!(next instanceof SearchResult)) {
            sent += next instanceof SearchResultEntry ? 1 : 0;
            take(next);
            next = told.next(Object.class);
        }
        SearchResult result = (SearchResult) next;
        if (result.getResultCode().intValue() != 0) {
            throw new LDAPException(result);
        }
        ContentSyncDoneControl done = ContentSyncDoneControl.get(result);
        cookie = done.getCookie().stringValue();
        if (!done.refreshDeletes()) {
            entries.keySet().retainAll(named);
        }
        return sent;
    }

    public AsyncRequestID follow() throws LDAPException {
        return connection.asyncSearch(request(cookie, ContentSyncRequestMode.REFRESH_AND_PERSIST, false));
    }

    void awaitRefreshed() throws Exception {
        boolean done = false;
        while (!done) {
            done = take(told.next(Object.class));
        }
    }

    /** Takes changes up to an entry's. */
    void awaitEntry(String dn) throws Exception {
        SearchResultEntry entry;
        do {
            entry = told.next(SearchResultEntry.class);
            take(entry);
        } while (!entry.getDN().equals(dn));
    }

    /** Takes the refresh. Returns null after that, or the result if the search ends before. */
    public SearchResult awaitRefreshedOrEnd() throws Exception {
        boolean done = false;
        while (!done) {
            Object next = told.next(Object.class);
            if (next instanceof SearchResult end) {
                return end;
            }
            done = take(next);
        }
        return null;
    }

    /** Takes changes up to an entry's. Returns null after that, or the result if the search ends before. @param seen is shown each */
    public SearchResult awaitEntryOrEnd(String dn, Consumer<SearchResultEntry> seen) throws Exception {
        Object next = null;
        while (!(next instanceof SearchResultEntry entry && entry.getDN().equals(dn))) {
            next = told.next(Object.class);
            if (next instanceof SearchResult end) {
                return end;
            }
            take(next);
            if (next instanceof SearchResultEntry entry) {
                seen.accept(entry);
            }
        }
        return null;
    }

    SearchResult awaitResult() throws Exception {
        return told.next(SearchResult.class);
    }

    /** What is deleted may be told as such more than once. */
    void mayBeToldAgain() {
        toldOnce = false;
    }

    /** Whether nothing is told that was not taken. */
    boolean isQuiet() {
        return told.isQuiet();
    }

    /** Takes what is told next, whatever it is. */
    void takeNext() throws Exception {
        take(told.next(Object.class));
    }

    /** Takes the next change. */
    ContentSyncState next() throws Exception {
        SearchResultEntry entry = told.next(SearchResultEntry.class);
        take(entry);
        return ContentSyncStateControl.get(entry).getState();
    }

    /** Returns whether the refresh ends with it. */
    private boolean take(Object message) throws LDAPException {
        if (message instanceof SearchResultEntry entry) {
            ContentSyncStateControl control = ContentSyncStateControl.get(entry);
            assertNotNull(control);
            note(control.getEntryUUID(), control.getState() + " " + entry.getDN() + " " + entry.getAttributeValue("entryCSN")
                    + " after " + cookie);
            if (control.getState() == ContentSyncState.DELETE) {
                if (entries.remove(control.getEntryUUID()) == null && toldOnce) {
                    fail("what is deleted was there: " + control.getEntryUUID() + ", " + history());
                }
            } else {
                entries.put(control.getEntryUUID(), new Entry(entry.getDN(), entry.getAttributes()).toLDIFString());
                named.add(control.getEntryUUID());
            }
            cookie = control.getCookie() == null ? cookie : control.getCookie().stringValue();
            return false;
        }
        ContentSyncInfoIntermediateResponse info = ContentSyncInfoIntermediateResponse.decode((IntermediateResponse) message);
        cookie = info.getCookie() == null ? cookie : info.getCookie().stringValue();
        if (info.getType() == ContentSyncInfoType.SYNC_ID_SET) {
            cookieOfDeletions = info.getCookie() == null ? null : info.getCookie().stringValue();
            assertTrue(info.refreshDeletes());
            deletionsFirst &= named.isEmpty();
            info.getEntryUUIDs().forEach(uuid -> note(uuid, "deleted before " + cookie));
            entries.keySet().removeAll(info.getEntryUUIDs());
        } else if (info.getType() == ContentSyncInfoType.REFRESH_PRESENT) {
            entries.keySet().retainAll(named);
            hadPresentPhase = true;
        } else if (info.getType() == ContentSyncInfoType.REFRESH_DELETE) {
            assertFalse("OpenLDAP's consumer takes all that is not named from here on for deleted", hadPresentPhase);
        }
        return info.getType() != ContentSyncInfoType.SYNC_ID_SET && info.refreshDone();
    }

    @Override
    public void close() {
        connection.close();
    }
}
