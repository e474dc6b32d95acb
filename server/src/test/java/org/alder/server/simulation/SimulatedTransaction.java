package org.alder.server.simulation;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.controls.TransactionSpecificationRequestControl;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A transaction (RFC 5805) as a client has it: it is made as a whole, or nothing of it is. One thread at a time. */
final class SimulatedTransaction {
    private final Asked start;
    private final List<Asked> updates = new ArrayList<>();
    private final List<Asked> ends = new ArrayList<>();
    private ASN1OctetString id;
    private boolean commit;
    private boolean left;
    private boolean aborted;

    SimulatedTransaction(Asked start) {
        this.start = start;
    }

    void started(ASN1OctetString identifier) {
        assertTrue(start + " for somebody who has not said who he is", !start.identity().isEmpty());
        id = new ASN1OctetString(identifier.getValue());
    }

    boolean isStarted() {
        return id != null;
    }

    boolean isBeginning() {
        return start.result == null;
    }

    /** Nothing more is asked of it. */
    void leave() {
        left = true;
    }

    boolean isOpen() {
        return id != null && !left && ends.isEmpty();
    }

    ASN1OctetString id() {
        return id;
    }

    Control specification() {
        return new TransactionSpecificationRequestControl(id);
    }

    void update(Asked asked) {
        updates.add(asked);
    }

    /** The entries that it adds and changes. */
    List<String> names() {
        return updates.stream().map(each -> each.name).toList();
    }

    void end(Asked asked, boolean toCommit) {
        commit = toCommit && ends.isEmpty();
        ends.add(asked);
    }

    /** The server has given it up. */
    void aborted() {
        assertTrue(start + " is given up twice", !aborted);
        assertTrue(start + " is given up though it was made", ends.stream().noneMatch(each -> each.result != null && each.result == 0));
        aborted = true;
    }

    /** Whether it was answered that it is made, with something in it. */
    boolean isMade() {
        return commit && !updates.isEmpty() && hasSucceeded();
    }

    private boolean hasSucceeded() {
        return ends.stream().anyMatch(each -> each.result != null && each.result == 0);
    }

    private boolean mayBeMade() {
        return commit && !aborted && !ends.get(0).behindEnd && ends.stream().allMatch(each -> each.result == null || each.result == 0);
    }

    /** All of it, together, or nothing. */
    void requireWhole(ContentHistory history) {
        Map<String, String> last = new LinkedHashMap<>();
        Set<String> never = new HashSet<>();
        for (Asked each : updates) {
            String before = each.result == null || each.result == 0 ? last.put(each.name, each.token) : each.token;
            if (before != null) {
                never.add(before);
            }
        }
        Set<Long> commits = new HashSet<>();
        last.values().forEach(token -> commits.add(history.commitOf(token)));
        String what = start + " with " + updates + ", ended by " + ends + (aborted ? ", given up" : "") + ", is in the commits " + commits;
        never.forEach(token -> assertEquals(what + ": " + token, null, history.commitOf(token)));
        assertTrue(what, commits.size() <= 1 || updates.stream().anyMatch(each -> each.result == null));
        if (!mayBeMade()) {
            commits.remove(null);
            assertEquals(what, Set.of(), commits);
        } else if (hasSucceeded()) {
            assertTrue(what, !commits.contains(null));
            assertTrue(what + ": by another client than began it", start.identity().equals(ends.get(0).identity()));
            updates.stream().filter(each -> each.result == 0).forEach(each ->
                    assertTrue(what + ": he may not " + each, ContentHistory.mayChange(each.identity(), each.name)));
        }
    }
}
