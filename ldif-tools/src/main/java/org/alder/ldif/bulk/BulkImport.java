package org.alder.ldif.bulk;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.alder.ldif.LdifAttribute;
import org.alder.ldif.LdifEntry;
import org.alder.ldif.RejectFile;
import org.alder.ldif.progress.Phases;
import org.alder.ldif.progress.Progress;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.id.IdSet;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.BulkLoad;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.update.EntryPreparation;
import org.alder.partition.update.PreparedEntry;
import org.alder.partition.update.UpdateOrigin;

/**
 * Loads entries into a new generation of one partition: checks each as an online add would be, numbers them in file order, and
 * leaves the rest to the engine's {@link BulkLoad}. What is not right goes to the reject file, and the good entries load. A
 * parent must come before its children. Parsing runs on a thread of its own; otherwise one thread.
 */
public final class BulkImport {
    private final Schema schema;
    private final Dn suffix;
    private final EntryPreparation preparation;
    private final UpdateOrigin origin;
    private final BulkLoad load;
    private final RejectFile rejects;
    private final DnIdMap ids = new DnIdMap();
    private long lastId;

    /** @param origin stands in for operational attributes that the file does not bring */
    public BulkImport(Schema schema, Dn suffix, UpdateOrigin origin, BulkLoad load, RejectFile rejects) {
        this.schema = schema;
        this.suffix = suffix;
        this.preparation = new EntryPreparation(schema);
        this.origin = origin;
        this.load = load;
        this.rejects = rejects;
    }

    /** Loads all entries of one source; may be called for several, one after the other. Returns how many were loaded. */
    public long read(EntrySource source) throws IOException {
        long before = lastId;
        try (EntryPipe pipe = new EntryPipe(source)) {
            for (LdifEntry entry = pipe.next(); entry != null; entry = pipe.next()) {
                try {
                    add(entry);
                } catch (DirectoryException e) {
                    rejects.reject(entry, "entry \"" + entry.dn() + "\": " + e.getMessage());
                }
            }
        }
        return lastId - before;
    }

    private void add(LdifEntry entry) throws IOException, DirectoryException {
        Dn dn = Dn.parse(schema, entry.dn());
        long parentId = parentOf(dn, entry);
        if (parentId < 0) {
            return;
        }
        PreparedEntry prepared = preparation.prepareLoad(dn, attributes(entry), origin);
        if (lastId == IdSet.MAX_ID) {
            throw new IOException("the partition is full: it cannot hold more than " + IdSet.MAX_ID + " entries");
        }
        if (!ids.putIfAbsent(dn.normalized(), lastId + 1)) {
            rejects.reject(entry, "entry \"" + entry.dn() + "\" was there before in this load");
            return;
        }
        load.add(++lastId, prepared.record(parentId));
    }

    /** The parent's ID, or -1 when there is none and the entry was rejected. */
    private long parentOf(Dn dn, LdifEntry entry) throws IOException {
        if (dn.equals(suffix)) {
            return HierarchyKeys.NO_PARENT;
        }
        if (!dn.isDescendantOrSelf(suffix)) {
            rejects.reject(entry, "entry \"" + entry.dn() + "\" is not under the suffix \"" + suffix.text() + "\"");
            return -1;
        }
        long parentId = ids.get(dn.parent().normalized());
        if (parentId == 0) {
            rejects.reject(entry, "entry \"" + entry.dn() + "\": its parent \"" + dn.parent().text()
                    + "\" is not in the file before it, or was rejected");
            return -1;
        }
        return parentId;
    }

    /** Values of one attribute may stand apart in LDIF; an entry has them together. */
    private static List<Attribute> attributes(LdifEntry entry) {
        Map<String, List<byte[]>> values = new LinkedHashMap<>();
        for (LdifAttribute attribute : entry.attributes()) {
            values.computeIfAbsent(attribute.description(), description -> new ArrayList<>(1)).add(attribute.value());
        }
        List<Attribute> attributes = new ArrayList<>(values.size());
        values.forEach((description, list) -> attributes.add(new Attribute(description, list)));
        return attributes;
    }

    /** Builds what is left and makes the new generation the current one. */
    public ImportResult publish(Progress progress) {
        load.publish(new Phases(progress, Progress.Unit.ENTRIES)::update);
        progress.finish();
        return new ImportResult(lastId, rejects.count());
    }
}
