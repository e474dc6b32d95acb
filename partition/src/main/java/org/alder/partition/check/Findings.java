package org.alder.partition.check;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.StoreException;
import org.alder.partition.index.IndexKeys;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;

/** Collects problems up to the limit and gives them readable names. One thread. */
final class Findings {
    private static final int MAX_DEPTH = 200;

    private final Snapshot snapshot;
    private final Dn suffix;
    private final List<EntryIndexer.IndexSpec> indexes;
    private final List<Problem> problems = new ArrayList<>();
    private boolean complete = true;

    Findings(Snapshot snapshot, Dn suffix, List<EntryIndexer.IndexSpec> indexes) {
        this.snapshot = snapshot;
        this.suffix = suffix;
        this.indexes = indexes;
    }

    void entry(Problem.Kind kind, long id, String detail) {
        add(kind, id, "", "", detail);
    }

    void key(Problem.Kind kind, long id, int index, byte[] key, String detail) {
        add(kind, id, indexes.get(index).name(), IndexKeys.printable(key), detail);
    }

    void stoppedAt(String where, StoreException cause) {
        complete = false;
        add(Problem.Kind.UNREADABLE, 0, "", "", where + ": " + cause.getMessage());
    }

    /** Damage is a finding; all else means that the check cannot be made. */
    static void requireDamage(StoreException e) {
        if (e.kind() != StoreException.Kind.CORRUPT) {
            throw e;
        }
    }

    void markIncomplete() {
        complete = false;
    }

    private void add(Problem.Kind kind, long id, String index, String key, String detail) {
        if (problems.size() < Checker.MAX_PROBLEMS) {
            problems.add(new Problem(kind, id, dn(id), index, key, detail));
        } else {
            complete = false;
        }
    }

    boolean isFull() {
        return problems.size() >= Checker.MAX_PROBLEMS;
    }

    CheckReport report(long entries, long keys, long postings) {
        return new CheckReport(entries, keys, postings, problems, complete);
    }

    /** The DN as far up as the records lead; the checked state may be damaged, so no step is taken for granted. */
    private String dn(long id) {
        StringBuilder dn = new StringBuilder();
        try {
            long at = id;
            for (int depth = 0; at != HierarchyKeys.NO_PARENT && depth < MAX_DEPTH; depth++) {
                EntryRecord record = snapshot.entry(at);
                if (record == null) {
                    return dn.toString();
                }
                boolean isRoot = record.parentId() == HierarchyKeys.NO_PARENT;
                dn.append(dn.length() == 0 ? "" : ",").append(isRoot ? suffix.text() : record.rdn());
                at = record.parentId();
            }
        } catch (StoreException e) {
            requireDamage(e);
            return dn.append(dn.length() == 0 ? "" : ",").append("... (").append(e.getMessage()).append(')').toString();
        }
        return dn.toString();
    }
}
