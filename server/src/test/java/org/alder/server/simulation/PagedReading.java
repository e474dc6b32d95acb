package org.alder.server.simulation;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.controls.ServerSideSortRequestControl;
import com.unboundid.ldap.sdk.controls.SimplePagedResultsControl;
import com.unboundid.ldap.sdk.controls.SortKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A search that is read page by page (RFC 2696), perhaps in order: other requests come between the pages, and who gave up a page, or
 * lost his connection, asks for it again, as may another one. One thread at a time.
 */
final class PagedReading {
    private static final int UNWILLING = 53;

    final String base;
    private final int size;
    private final boolean sorted;
    private final List<Asked.Found> found = new ArrayList<>();
    private ASN1OctetString cookie = new ASN1OctetString();
    private String identity;
    private long from;
    private Asked last;
    private SimulatedClient user;
    private Asked by;
    private boolean over;

    PagedReading(String base, int size, boolean sorted) {
        this.base = base;
        this.size = size;
        this.sorted = sorted;
    }

    boolean isFree() {
        return !over && (by == null || by.result != null || by.isAbandoned() || user.isGone());
    }

    /** Whether there is a next page that he may ask for. */
    boolean isBegunBy(String who) {
        return who.equals(identity) && isFree();
    }

    Control[] request() {
        Control page = new SimplePagedResultsControl(size, cookie, true);
        return sorted ? new Control[] {page, new ServerSideSortRequestControl(true, new SortKey(ContentHistory.SERIAL))} : new Control[] {page};
    }

    void use(SimulatedClient client, Asked asked) {
        user = client;
        by = asked;
    }

    /** A page counts when it is whole. */
    void ended(Asked asked, List<Control> controls) throws LDAPException {
        if (asked != by || asked.isAbandoned()) {
            return;
        }
        boolean isForeign = identity != null && !asked.identity().equals(identity);
        assertTrue(asked + " goes on with the cookie of \"" + identity + "\"", !isForeign || asked.result != 0);
        assertTrue(asked + " has its own cookie refused", isForeign || asked.result != UNWILLING);
        if (asked.result == 0) {
            Control sent = Asked.control(controls, SimplePagedResultsControl.PAGED_RESULTS_OID);
            cookie = new SimplePagedResultsControl(sent.getOID(), sent.isCritical(), sent.getValue()).getCookie();
            over = cookie.getValueLength() == 0;
            assertTrue(asked + " has a page of " + asked.found.size() + ", of " + size, asked.found.size() <= size
                    && (over || asked.found.size() == size));
            from = identity == null ? asked.sentAt : from;
            identity = asked.identity();
            found.addAll(asked.found);
            last = asked;
        }
    }

    /** Whether somebody has read it to the end. */
    boolean isWhole() {
        return over;
    }

    /** Whoever reads to the end has found what was there all the time once, and nothing that never was there. */
    void requireWhole(ContentHistory history) {
        if (!over) {
            return;
        }
        Collection<Map<Long, ContentHistory.Held>> states = history.states(from, last.answeredAt);
        Set<ContentHistory.Held> ever = new HashSet<>();
        states.forEach(state -> ever.addAll(state.values()));
        Set<ContentHistory.Held> always = new HashSet<>(ever);
        states.forEach(state -> always.retainAll(state.values()));
        Map<String, Integer> times = new HashMap<>();
        Set<String> names = new HashSet<>();
        String before = null;
        for (Asked.Found each : found) {
            String what = "what the pages up to " + last + " have: " + found;
            assertTrue(each + " was never there, in " + what, ever.stream().anyMatch(held -> held.dn().equals(each.dn())
                    && held.serial().equals(each.serial()) && held.isSeenBy(identity, base)));
            times.merge(each.dn(), 1, Integer::sum);
            assertTrue(each + " comes twice in " + what, names.add(each.uuid()) || sorted);
            assertTrue(each + " is not in its place in " + what, before == null || SortedReading.compare(before, each.serial()) <= 0);
            before = sorted ? each.serial() : null;
        }
        always.stream().filter(held -> held.isSeenBy(identity, base)).forEach(held ->
                assertEquals(held + " in what the pages up to " + last + " have: " + found, 1, (int) times.getOrDefault(held.dn(), 0)));
    }
}
