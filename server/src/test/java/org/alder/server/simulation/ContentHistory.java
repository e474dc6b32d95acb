package org.alder.server.simulation;

import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.alder.partition.Partition;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.store.Commit;
import org.alder.partition.store.CommitFollower;
import org.alder.partition.store.Snapshot;
import org.alder.server.SimulatedServer;
import org.alder.server.TestServer;

/** What the directory held after each commit, by the simplest means, and who may know of it. One thread at a time. */
final class ContentHistory implements CommitFollower {
    /** Each update writes a value of its own. */
    static final String SERIAL = "serialNumber";
    /** What only the entries have that were there first. */
    static final String MARK = "x";

    private final Partition partition;
    private final TreeMap<Long, Map<Long, Held>> states = new TreeMap<>();
    private final List<Change> changes = new ArrayList<>();
    private final Map<String, Long> commits = new HashMap<>();

    /** An entry in one state. */
    record Held(String dn, String serial, boolean marked) {
        /** Whether the entry may be in the content of a search. */
        boolean isSeenBy(String identity, String base) {
            return maySee(identity, dn) && dn.endsWith(base);
        }
    }

    /** What became of an entry. @param before null for one that is new  @param after null for one that is gone */
    private record Change(long sequence, Commit.Kind kind, Held before, Held after) {
    }

    /** A change as a follower is told it. */
    record ToldChange(long sequence, String kind, String dn) {
    }

    ContentHistory(Partition partition) {
        this.partition = partition;
        try (Snapshot snapshot = partition.snapshot(); Snapshot.EntryCursor entries = snapshot.entries(0)) {
            Map<Long, Held> state = new TreeMap<>();
            while (entries.next()) {
                state.put(entries.id(), held(snapshot, entries.id()));
            }
            states.put(snapshot.sequence(), state);
        }
    }

    static boolean maySee(String identity, String dn) {
        return identity.equals(TestServer.ADMIN) || !identity.isEmpty() && !dn.endsWith(SimulatedServer.SECRET);
    }

    /** Whether he may change it. */
    static boolean mayChange(String identity, String dn) {
        return identity.equals(TestServer.ADMIN) || !identity.isEmpty() && dn.endsWith(SimulatedServer.OPEN);
    }

    private Held held(Snapshot snapshot, long id) {
        EntryRecord record = snapshot.entry(id);
        return record == null ? null : new Held(partition.dnOf(snapshot, id), value(record, SERIAL), value(record, "description").startsWith(MARK));
    }

    private static String value(EntryRecord record, String name) {
        return record.userAttributes().stream().filter(each -> each.description().equals(name))
                .map(each -> new String(each.values().get(0), StandardCharsets.UTF_8)).findFirst().orElse("");
    }

    @Override
    public void committed(Commit commit) {
        try (commit) {
            Map<Long, Held> state = new TreeMap<>(states.lastEntry().getValue());
            for (Commit.Change change : asTold(commit.changes())) {
                Held after = held(commit.after(), change.id());
                Held before = after == null ? state.remove(change.id()) : state.put(change.id(), after);
                changes.add(new Change(commit.sequence(), change.kind(), before, after));
                if (after != null) {
                    commits.putIfAbsent(after.serial, commit.sequence());
                }
            }
            states.put(commit.sequence(), state);
        }
    }

    /** Of one commit followers are told what is gone first, and the rest in the order of entry IDs. */
    private static List<Commit.Change> asTold(List<Commit.Change> changes) {
        return changes.stream().sorted(Comparator.comparing((Commit.Change each) -> each.kind() != Commit.Kind.DELETED)
                .thenComparing(Commit.Change::id)).toList();
    }

    @Override
    public void missed() {
        throw new AssertionError("a memory store tells everything");
    }

    /** The commit that has written this first, or null. */
    Long commitOf(String token) {
        return commits.get(token);
    }

    /** Whether an entry has come to have this name. */
    boolean wasThere(String dn) {
        return changes.stream().anyMatch(each -> each.after != null && each.after.dn.equals(dn));
    }

    /** By entry ID, in their order: what there was after a commit. */
    Map<Long, Held> state(long sequence) {
        return states.floorEntry(sequence).getValue();
    }

    /** What there was at one time or another. */
    Collection<Map<Long, Held>> states(long from, long to) {
        return states.subMap(states.floorKey(from), true, to, true).values();
    }

    /** The content of a search for everything, as lines. */
    Map<String, String> content(long sequence, String identity, String base) {
        return state(sequence).values().stream().filter(each -> each.isSeenBy(identity, base)).collect(Collectors.toMap(Held::dn, Held::serial));
    }

    Map<String, String> newest(String identity, String base) {
        return content(states.lastKey(), identity, base);
    }

    /** What a search has found was all there was, at one time while it was searched. */
    void requireSeen(Asked asked) {
        Map<String, String> found = asked.found.stream().collect(Collectors.toMap(Asked.Found::dn, Asked.Found::serial));
        boolean seen = states(asked.sentAt, asked.answeredAt).stream().anyMatch(state -> state.values().stream()
                .filter(each -> each.isSeenBy(asked.identity(), asked.name) && (each.marked || !asked.marked))
                .collect(Collectors.toMap(Held::dn, Held::serial)).equals(found));
        assertTrue(asked + ": this was never so: " + found, seen);
    }

    /** What somebody is told who follows everything below a base. */
    List<ToldChange> toldTo(String identity, String base) {
        List<ToldChange> told = new ArrayList<>();
        for (Change change : changes) {
            Held shown = change.after == null ? change.before : change.after;
            if (shown.isSeenBy(identity, base)) {
                String kind = switch (change.kind) {
                    case ADDED -> "add";
                    case MODIFIED -> "modify";
                    case DELETED -> "delete";
                    // Who must not know its name before is told of a new one.
                    case RENAMED -> maySee(identity, change.before.dn) ? "moddn" : "add";
                };
                told.add(new ToldChange(change.sequence, kind, shown.dn));
            }
        }
        return told;
    }
}
