package org.alder.ldif.bulk;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.alder.ldif.LdifEntry;
import org.alder.ldif.RejectFile;
import org.alder.ldif.progress.Phases;
import org.alder.ldif.progress.Progress;
import org.alder.partition.dn.Dn;
import org.alder.partition.id.IdSet;
import org.alder.partition.rule.EntryRules;
import org.alder.partition.schema.NamingRules;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.BulkLoad;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.update.UpdateOrigin;

/**
 * Loads entries into a new generation of one partition: checks each as an online add would be (but for the constraints of
 * values and for what they refer to), numbers them in file order, and leaves the rest to the engine's {@link BulkLoad}. What is
 * not right goes to the reject file, and the good entries load. An entry that comes before its parent waits for the end of the
 * source. Entries are parsed and prepared on all processors; this class itself is for one thread.
 *
 * <p>Its heap does not depend on the number of entries: a bounded number is under way, and which DNs there were, and who waits, is
 * kept in temporary files of the load.
 */
public final class BulkImport implements Closeable {
    private static final String TWICE = "it was there before in this load";

    private final Dn suffix;
    private final BulkLoad load;
    private final RejectFile rejects;
    private final BatchPreparation preparation;
    private final List<Closeable> open = new ArrayList<>();
    private final DnIdTable ids;
    private final LoadedValues values;
    /** Null if there are no structure rules. */
    private final LoadedPlaces places;
    private long lastId;
    private int waitingFiles;

    /**
     * @param origin stands in for operational attributes that the file does not bring
     * @param rules  of which those hold that say how large an entry may be, and what only one may have
     * @param load   closed by the caller, after this
     */
    public BulkImport(Schema schema, Dn suffix, UpdateOrigin origin, EntryRules rules, BulkLoad load, RejectFile rejects)
            throws IOException {
        this.suffix = suffix;
        this.load = load;
        this.rejects = rejects;
        this.preparation = new BatchPreparation(schema, suffix, origin, rules, load);
        NamingRules naming = schema.namingRules();
        this.ids = opened(new DnIdTable(load.workFolder(), "dn"));
        this.values = opened(new LoadedValues(load.workFolder()));
        this.places = naming.allowAllPlaces() ? null : opened(new LoadedPlaces(load.workFolder(), naming));
    }

    private <T extends Closeable> T opened(T file) {
        open.add(file);
        return file;
    }

    /**
     * Loads all entries of one source; may be called for several, one after the other. Returns how many were loaded.
     *
     * @throws OtherSuffixException if none of the first entries is under the suffix
     */
    public long read(EntrySource source) throws IOException {
        long before = lastId;
        WaitingEntries waiting = waiting();
        read(source, waiting);
        long loaded = before;
        // Each time those are loaded at least that are just below what came the time before.
        while (!waiting.isEmpty() && lastId > loaded) {
            loaded = lastId;
            try (WaitingEntries again = waiting) {
                waiting = waiting();
                read(again, waiting);
            }
        }
        try (WaitingEntries orphans = waiting) {
            for (LdifEntry orphan = orphans.next(); orphan != null; orphan = orphans.next()) {
                reject(orphan, "its parent is not in the file, or was rejected");
            }
        }
        return lastId - before;
    }

    private WaitingEntries waiting() {
        return opened(new WaitingEntries(load.workFolder().resolve("waiting-" + ++waitingFiles)));
    }

    private void read(EntrySource source, WaitingEntries waiting) throws IOException {
        try (EntryPipe pipe = new EntryPipe(source, preparation)) {
            for (List<LoadEntry> batch = pipe.next(); batch != null; batch = pipe.next()) {
                if (lastId == 0) {
                    requireSuffix(batch);
                }
                for (LoadEntry entry : batch) {
                    long parentId = entry.refusal() != null || entry.parent() == null ? HierarchyKeys.NO_PARENT : ids.get(entry.parent());
                    if (parentId == 0 && entry.parent() != null) {
                        waiting.add(entry.source());
                        continue;
                    }
                    String refusal = entry.refusal() == null ? add(entry, parentId) : entry.refusal();
                    if (refusal != null) {
                        reject(entry.source(), refusal);
                    }
                }
            }
        }
    }

    private void reject(LdifEntry entry, String reason) throws IOException {
        rejects.reject(entry, "entry \"" + entry.dn() + "\": " + reason);
    }

    /** Says once what would be the reason for all rejects, if nothing of what comes first belongs into this partition. */
    private void requireSuffix(List<LoadEntry> batch) throws IOException {
        LoadEntry highest = null;
        for (LoadEntry entry : batch) {
            if (!entry.isElsewhere()) {
                return;
            }
            highest = highest == null || entry.dn().size() < highest.dn().size() ? entry : highest;
        }
        if (highest != null) {
            throw new OtherSuffixException(highest.source().line(), highest.dn(), suffix);
        }
    }

    /** Returns why the entry cannot be loaded, or null when it is. */
    private String add(LoadEntry entry, long parentId) throws IOException {
        if (lastId == IdSet.MAX_ID) {
            throw new IOException("the partition is full: it cannot hold more than " + IdSet.MAX_ID + " entries");
        }
        String refusal = refusal(entry);
        if (refusal != null) {
            return refusal;
        }
        if (!ids.putIfAbsent(entry.hash(), lastId + 1)) {
            return TWICE;
        }
        values.add(entry.unique(), entry.source().line());
        if (places != null) {
            places.add(entry);
        }
        entry.keyed().setParent(parentId);
        load.add(++lastId, entry.keyed());
        return null;
    }

    private String refusal(LoadEntry entry) {
        String refusal = values.refusal(entry.unique());
        if (refusal != null && ids.get(entry.hash()) != 0) {
            return TWICE;
        }
        return refusal == null && places != null ? places.refusal(entry) : refusal;
    }

    /** Builds what is left and makes the new generation the current one. */
    public ImportResult publish(Progress progress) throws IOException {
        close();
        load.publish(new Phases(progress, Progress.Unit.STEPS)::update);
        progress.finish();
        return new ImportResult(lastId, rejects.count());
    }

    @Override
    public void close() throws IOException {
        for (Closeable file : open) {
            file.close();
        }
    }
}
