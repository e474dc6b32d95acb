package org.alder.server.simulation;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.protocol.IntermediateResponseProtocolOp;
import com.unboundid.ldap.protocol.SearchResultEntryProtocolOp;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.controls.ContentSyncDoneControl;
import com.unboundid.ldap.sdk.controls.ContentSyncInfoIntermediateResponse;
import com.unboundid.ldap.sdk.controls.ContentSyncInfoType;
import com.unboundid.ldap.sdk.controls.ContentSyncRequestControl;
import com.unboundid.ldap.sdk.controls.ContentSyncRequestMode;
import com.unboundid.ldap.sdk.controls.ContentSyncState;
import com.unboundid.ldap.sdk.controls.ContentSyncStateControl;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.alder.server.control.search.SyncCookie;

/**
 * A copy of what a search finds, kept as RFC 4533 says: by what the server tells, and nothing else. Whoever asks for it next, on this
 * connection or another, goes on with the copy as it is and its last cookie. One thread at a time.
 */
final class SyncedContent {
    private static final int REFRESH_REQUIRED = 4096;

    final String base;
    private final Map<UUID, Asked.Found> entries = new HashMap<>();
    private final Set<UUID> named = new HashSet<>();
    private final List<Claim> claims = new ArrayList<>();
    private ASN1OctetString cookie;
    /** Who was given the cookie. */
    private String identity;
    private SimulatedClient user;
    private Asked by;
    /** Whether what is told now are changes as they are made. */
    private boolean refreshed;
    /** Whether it may be told before what was changed during a present phase, which brings the next cookie. */
    private boolean isCatchingUp;

    /** With a cookie the copy is what there was at its commit. */
    private record Claim(Asked by, long sequence, Map<String, String> content) {
    }

    SyncedContent(String base) {
        this.base = base;
    }

    /** Whether nobody is told of it any more. */
    boolean isFree() {
        return by == null || by.result != null || by.isAbandoned() || user.isGone();
    }

    /** Whether he may go on with it. */
    boolean isBegunBy(String who) {
        return who.equals(identity) && isFree();
    }

    Control request(boolean persist) {
        return new ContentSyncRequestControl(true, persist ? ContentSyncRequestMode.REFRESH_AND_PERSIST : ContentSyncRequestMode.REFRESH_ONLY,
                cookie, false);
    }

    void use(SimulatedClient client, Asked asked) {
        user = client;
        by = asked;
        named.clear();
        refreshed = false;
        isCatchingUp = false;
    }

    /** Who has given it up takes no more of it: another one may have it. */
    private boolean isOf(Asked asked) {
        if (asked != by || asked.isAbandoned()) {
            return false;
        }
        assertTrue(asked + " is told changes since the cookie of \"" + identity + "\"", cookie == null || asked.identity().equals(identity));
        return true;
    }

    void entry(Asked asked, SearchResultEntryProtocolOp entry, List<Control> controls) throws LDAPException {
        if (!isOf(asked)) {
            return;
        }
        Control sent = Asked.control(controls, ContentSyncStateControl.SYNC_STATE_OID);
        ContentSyncStateControl control = new ContentSyncStateControl(sent.getOID(), sent.isCritical(), sent.getValue());
        UUID uuid = control.getEntryUUID();
        String what = asked + " is told " + control.getState() + " " + entry.getDN();
        if (control.getState() == ContentSyncState.DELETE) {
            assertNotNull(what + ", which it has not", entries.remove(uuid));
        } else {
            Asked.Found before = entries.put(uuid, Asked.Found.of(entry));
            named.add(uuid);
            boolean isNew = control.getState() == ContentSyncState.ADD;
            assertTrue(what + ", and has " + before, !refreshed || isNew && isCatchingUp || isNew == (before == null));
        }
        take(control.getCookie());
    }

    void info(Asked asked, IntermediateResponseProtocolOp message) throws LDAPException {
        if (!isOf(asked)) {
            return;
        }
        ContentSyncInfoIntermediateResponse info = ContentSyncInfoIntermediateResponse.decode(message.toIntermediateResponse());
        if (info.getType() == ContentSyncInfoType.SYNC_ID_SET) {
            assertTrue(info.refreshDeletes());
            entries.keySet().removeAll(info.getEntryUUIDs());
            // Of the state before: what the copy is at that commit it is no more.
            advance(info.getCookie());
            return;
        } else if (info.getType() == ContentSyncInfoType.REFRESH_PRESENT) {
            entries.keySet().retainAll(named);
        }
        refreshed |= (info.getType() == ContentSyncInfoType.REFRESH_PRESENT || info.getType() == ContentSyncInfoType.REFRESH_DELETE)
                && info.refreshDone();
        take(info.getCookie());
        isCatchingUp = info.getType() == ContentSyncInfoType.REFRESH_PRESENT;
    }

    private void take(ASN1OctetString next) {
        if (next == null) {
            return;
        }
        advance(next);
        isCatchingUp = false;
        claims.add(new Claim(by, sequence(next), content()));
    }

    private void advance(ASN1OctetString next) {
        assertTrue(by + ": a cookie of commit " + sequence(next) + " behind " + cookie, cookie == null || sequence(next) >= sequence(cookie));
        cookie = next;
        identity = by.identity();
    }

    private static long sequence(ASN1OctetString cookie) {
        return SyncCookie.parse(cookie.getValue()).state().csn().sequence();
    }

    private Map<String, String> content() {
        return entries.values().stream().collect(Collectors.toMap(Asked.Found::dn, Asked.Found::serial, (one, other) -> one + "," + other));
    }

    /** @param mayBeForgotten whether the server has forgotten what was changed */
    void ended(Asked asked, List<Control> controls, boolean mayBeForgotten) throws LDAPException {
        if (asked != by || asked.isAbandoned()) {
            return;
        }
        boolean isForeign = cookie != null && !asked.identity().equals(identity);
        assertTrue(asked + " goes on with the cookie of \"" + identity + "\"", !isForeign || asked.result != 0);
        if (asked.result == 0) {
            Control sent = Asked.control(controls, ContentSyncDoneControl.SYNC_DONE_OID);
            ContentSyncDoneControl done = new ContentSyncDoneControl(sent.getOID(), sent.isCritical(), sent.getValue());
            if (!done.refreshDeletes()) {
                entries.keySet().retainAll(named);
            }
            take(done.getCookie());
        } else if (asked.result == REFRESH_REQUIRED) {
            assertTrue(asked + " is sent away with a cookie of this content", isForeign || mayBeForgotten);
            entries.clear();
            cookie = null;
        }
    }

    /** How often it was what a cookie says. */
    long claims() {
        return claims.size();
    }

    void requireExact(ContentHistory history) {
        for (Claim claim : claims) {
            assertEquals("what " + claim.by + " has with the cookie of commit " + claim.sequence,
                    history.content(claim.sequence, claim.by.identity(), base), claim.content);
        }
    }

    /** Of who is still told. */
    void requireNewest(Asked asked, ContentHistory history) {
        if (asked == by) {
            assertTrue(asked + " waits for the end of its refresh", refreshed);
            assertEquals("what " + asked + " has in the end", history.newest(asked.identity(), base), content());
        }
    }
}
