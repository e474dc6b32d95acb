package org.alder.server.simulation;

import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.controls.ServerSideSortRequestControl;
import com.unboundid.ldap.sdk.controls.SortKey;
import com.unboundid.ldap.sdk.controls.VirtualListViewRequestControl;
import com.unboundid.ldap.sdk.controls.VirtualListViewResponseControl;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** A search that is asked for in order (RFC 2891), whole or a window of it (a list view). One thread at a time. */
final class SortedReading {
    private static final int MOST_OFFSET = 30;
    private static final int MOST_AROUND = 4;

    private final boolean reverse;
    private final boolean windowed;
    private final int offset;
    private final int before;
    private final int after;
    private int position;
    private int count;

    SortedReading(SplittableRandom random) {
        reverse = random.nextBoolean();
        windowed = random.nextBoolean();
        offset = 1 + random.nextInt(MOST_OFFSET);
        before = random.nextInt(MOST_AROUND);
        after = random.nextInt(MOST_AROUND);
    }

    Control[] request() {
        Control sort = new ServerSideSortRequestControl(true, new SortKey(ContentHistory.SERIAL, reverse));
        return windowed ? new Control[] {sort, new VirtualListViewRequestControl(offset, before, after, 0, null, true)} : new Control[] {sort};
    }

    void ended(Asked asked, List<Control> controls) throws LDAPException {
        if (windowed && asked.result == 0) {
            Control sent = Asked.control(controls, VirtualListViewResponseControl.VIRTUAL_LIST_VIEW_RESPONSE_OID);
            VirtualListViewResponseControl view = new VirtualListViewResponseControl(sent.getOID(), sent.isCritical(), sent.getValue());
            position = view.getTargetPosition();
            count = view.getContentCount();
        }
    }

    /** Who has no value comes behind the others. */
    static int compare(String one, String other) {
        return one.isEmpty() || other.isEmpty() ? Boolean.compare(one.isEmpty(), other.isEmpty()) : one.compareTo(other);
    }

    /** It was just so at one time while it was searched. */
    void requireSeen(Asked asked, ContentHistory history) {
        List<String> found = asked.found.stream().map(each -> each.dn() + " " + each.serial()).toList();
        boolean seen = false;
        for (Map<Long, ContentHistory.Held> state : history.states(asked.sentAt, asked.answeredAt)) {
            List<String> all = new ArrayList<>(state.values().stream().filter(held -> held.isSeenBy(asked.identity(), asked.name))
                    .sorted((one, other) -> reverse ? compare(other.serial(), one.serial()) : compare(one.serial(), other.serial()))
                    .map(each -> each.dn() + " " + each.serial()).toList());
            seen |= windowed ? isWindow(all, found) : all.equals(found);
        }
        assertTrue(asked + ": this was never so" + (windowed ? ", at " + position + " of " + count + " for " + offset + " with " + before
                + " before it and " + after + " behind it" : "") + (reverse ? ", in reverse: " : ": ") + found, seen);
    }

    private boolean isWindow(List<String> all, List<String> found) {
        int target = Math.min(offset, all.size());
        return count == all.size() && position == target && all.subList(Math.max(0, target - 1 - before), Math.min(all.size(), target + after))
                .equals(found);
    }
}
