package org.alder.partition.memory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.alder.partition.entry.Csn;
import org.alder.partition.id.IdSet;
import org.alder.partition.store.ChangeHistory;
import org.alder.partition.store.Commit;
import org.alder.partition.store.Snapshot;

/** What the newest commits changed. Thread safe. */
final class MemoryHistory {
    private static final int MOST_COMMITS = 100_000;

    private record Past(Csn csn, List<Commit.Change> changes, List<byte[]> deleted) {
    }

    private final Deque<Past> commits = new ArrayDeque<>();
    /** The state that the oldest commit kept was made from: what was changed since then is known. */
    private Csn oldest;

    /** @param first the state that the first commit is made from */
    MemoryHistory(Csn first) {
        oldest = first;
    }

    synchronized void add(MemoryCommit commit) {
        commits.add(new Past(commit.stateAfter().csn(), commit.changes(), commit.deleted()));
        if (commits.size() > MOST_COMMITS) {
            oldest = commits.remove().csn;
        }
    }

    synchronized void forget(Csn upTo) {
        oldest = upTo;
    }

    synchronized ChangeHistory changes(Csn since, Snapshot upTo) {
        if (since.sequence() < oldest.sequence()) {
            return ChangeHistory.without(ChangeHistory.Answer.FORGOTTEN);
        }
        if (!since.equals(oldest) && !since.equals(upTo.csn()) && commits.stream().noneMatch(commit -> since.equals(commit.csn))) {
            return ChangeHistory.without(ChangeHistory.Answer.FOREIGN);
        }
        IdSet changed = IdSet.EMPTY;
        IdSet renamed = IdSet.EMPTY;
        List<byte[]> deleted = new ArrayList<>();
        for (Past commit : commits) {
            if (commit.csn.sequence() <= since.sequence() || commit.csn.sequence() > upTo.sequence()) {
                continue;
            }
            deleted.addAll(commit.deleted);
            for (Commit.Change change : commit.changes) {
                IdSet one = IdSet.of(change.id());
                boolean gone = change.kind() == Commit.Kind.DELETED;
                changed = gone ? changed.andNot(one) : changed.or(one);
                renamed = gone ? renamed.andNot(one) : change.kind() == Commit.Kind.RENAMED ? renamed.or(one) : renamed;
            }
        }
        return new ChangeHistory(ChangeHistory.Answer.KNOWN, changed, renamed, deleted);
    }
}
