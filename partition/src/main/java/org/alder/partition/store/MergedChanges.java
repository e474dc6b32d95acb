package org.alder.partition.store;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What changes that follow each other come to, each entry once, in the order of the first change to it. One thread. */
public final class MergedChanges {
    private final Map<Long, Commit.Kind> kinds = new LinkedHashMap<>();

    /** @throws IllegalStateException where an ID was given again, so that these are no changes of one entry */
    public void add(Commit.Change change) {
        add(change.id(), change.kind());
    }

    /** The same. */
    public void add(long id, Commit.Kind now) {
        Commit.Kind before = kinds.get(id);
        if (before == Commit.Kind.DELETED) {
            throw new IllegalStateException("the entry ID " + id + " was deleted and is " + now + " behind that");
        } else if (before == Commit.Kind.ADDED && now == Commit.Kind.DELETED) {
            kinds.remove(id);
        } else if (before == null || now == Commit.Kind.DELETED || before == Commit.Kind.MODIFIED && now == Commit.Kind.RENAMED) {
            kinds.put(id, now);
        }
    }

    public int size() {
        return kinds.size();
    }

    /** A copy. One that was added and deleted again is not in it. */
    public List<Commit.Change> list() {
        List<Commit.Change> changes = new ArrayList<>(kinds.size());
        kinds.forEach((id, kind) -> changes.add(new Commit.Change(id, kind)));
        return List.copyOf(changes);
    }
}
