package org.alder.server.simulation;

import com.unboundid.ldap.protocol.SearchResultEntryProtocolOp;
import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.Control;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** One request of a {@link SimulatedClient}, and what has come of it. One thread at a time. */
final class Asked {
    private static final long NOT_YET = Long.MAX_VALUE;

    final int id;
    final Kind kind;
    /** The bind before it, or null. */
    final Asked bind;
    /** Of a bind: as whom; of an update: the entry; of a search: its base. */
    final String name;
    /** The newest commit when it was sent, and when it was answered. */
    final long sentAt;
    long answeredAt;
    /** Of an update: what it writes, which nothing else does, or null. Of a rename: where to, or null. */
    String token;
    String target;
    /** Of a search: whether it is for marked entries only. */
    boolean marked;
    /** Whether it was sent when nothing more might be done. */
    boolean behindEnd;
    long abandonedAt = NOT_YET;
    boolean canceled;
    /** The result, or null. */
    Integer result;
    final List<Found> found = new ArrayList<>();
    final List<ContentHistory.ToldChange> told = new ArrayList<>();
    SyncedContent copy;
    PagedReading reading;
    SortedReading sorted;
    SimulatedTransaction transaction;

    /** What was asked. */
    enum Kind {
        BIND, WHO_AM_I, ADD, MODIFY, RENAME, DELETE, SEARCH, PAGE, SORTED, FOLLOW, SYNC, SYNC_ONCE, CANCEL, START_TLS,
        START_TRANSACTION, QUEUE, END_TRANSACTION;

        static final Set<Kind> SEARCHES = EnumSet.of(SEARCH, PAGE, SORTED, FOLLOW, SYNC, SYNC_ONCE);
        static final Set<Kind> UPDATES = EnumSet.of(ADD, MODIFY, RENAME, DELETE);

        /** Whether it goes on until somebody ends it. */
        boolean isFollowed() {
            return this == FOLLOW || this == SYNC;
        }
    }

    /** An entry as it was found. */
    record Found(String dn, String serial, String uuid) {
        static Found of(SearchResultEntryProtocolOp entry) {
            return new Found(entry.getDN(), value(entry, ContentHistory.SERIAL), value(entry, "entryUUID"));
        }

        private static String value(SearchResultEntryProtocolOp entry, String name) {
            return entry.getAttributes().stream().filter(each -> each.getName().equals(name)).map(Attribute::getValue).findFirst().orElse("");
        }
    }

    Asked(int id, Kind kind, Asked bind, String name, long sentAt) {
        this.id = id;
        this.kind = kind;
        this.bind = bind;
        this.name = name;
        this.sentAt = sentAt;
    }

    /** Who asks, once the bind before has ended. */
    String identity() {
        return bind == null || bind.result == null || bind.result != 0 ? "" : bind.name;
    }

    boolean isAbandoned() {
        return abandonedAt != NOT_YET;
    }

    void abandoned(long step) {
        abandonedAt = Math.min(abandonedAt, step);
    }

    /** Which has to be there. */
    static Control control(List<Control> controls, String oid) {
        return controls.stream().filter(each -> each.getOID().equals(oid)).findFirst()
                .orElseThrow(() -> new AssertionError("no control " + oid + " in " + controls));
    }

    @Override
    public String toString() {
        return kind + " " + id + " " + name + (target == null ? "" : " to " + target) + (token == null ? "" : " by " + token) + " result "
                + result + (isAbandoned() ? " abandoned" : "") + (canceled ? " canceled" : "");
    }
}
