package org.alder.ldif.bulk;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.alder.ldif.LdifAttribute;
import org.alder.ldif.LdifEntry;
import org.alder.ldif.LdifWriter;
import org.alder.ldif.progress.Progress;
import org.alder.partition.Partition;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.LargeValues;
import org.alder.partition.store.Snapshot;

/**
 * Writes a whole partition as LDIF, user and operational attributes, at one point in time and so that every parent comes before
 * its children: in the order of the IDs, but an entry that was moved under a younger parent waits for it. One thread.
 */
public final class Export {
    private final Partition partition;
    private final Snapshot snapshot;
    private final LdifWriter writer;
    private final Form form;
    private final Set<Long> writtenEarly = new HashSet<>();
    private long written;

    /** What of each entry is written. */
    public interface Form {
        /** All of it. */
        Form WHOLE = new Form() {
            @Override
            public boolean has(LdifAttribute line) {
                return true;
            }

            @Override
            public boolean has(String description) {
                return true;
            }
        };

        /** Whether this value is. */
        boolean has(LdifAttribute line);

        /** Whether values of this description are, of which there are many. */
        boolean has(String description);
    }

    /** @param snapshot what is exported; the caller closes it, and the writer */
    public Export(Partition partition, Snapshot snapshot, LdifWriter writer, Form form) {
        this.partition = partition;
        this.snapshot = snapshot;
        this.writer = writer;
        this.form = form;
    }

    /** Returns the number of entries written. */
    public long run(Progress progress) throws IOException {
        try (Snapshot.EntryCursor entries = snapshot.entries(1)) {
            while (entries.next()) {
                if (!writtenEarly.remove(entries.id())) {
                    writeWithParents(entries.id(), entries.entry());
                    progress.update(written);
                }
            }
        }
        return written;
    }

    private void writeWithParents(long id, EntryRecord record) throws IOException {
        List<Long> waiting = new ArrayList<>();
        for (long parent = record.parentId(); parent > id && !writtenEarly.contains(parent);
                parent = snapshot.entry(parent).parentId()) {
            waiting.add(parent);
        }
        for (int i = waiting.size() - 1; i >= 0; i--) {
            long parent = waiting.get(i);
            writtenEarly.add(parent);
            write(parent, snapshot.entry(parent));
        }
        write(id, record);
    }

    private void write(long id, EntryRecord record) throws IOException {
        if (record.parentId() == HierarchyKeys.NO_PARENT && partition.shard().hasCopyOfSuffix()) {
            return;
        }
        List<LdifAttribute> attributes = new ArrayList<>(32);
        add(attributes, record.userAttributes());
        add(attributes, record.operationalAttributes());
        writer.write(new LdifEntry(partition.dnOf(snapshot, id), attributes));
        for (LargeAttribute attribute : record.largeAttributes()) {
            if (form.has(attribute.description())) {
                writeValues(id, attribute);
            }
        }
        written++;
    }

    private void writeValues(long id, LargeAttribute attribute) throws IOException {
        try (LargeValues.Cursor values = new LargeValues(snapshot, id).open(attribute)) {
            while (values.next()) {
                writer.writeValue(attribute.description(), values.value());
            }
        }
    }

    private void add(List<LdifAttribute> target, List<Attribute> attributes) {
        for (Attribute attribute : attributes) {
            for (byte[] value : attribute.values()) {
                LdifAttribute line = new LdifAttribute(attribute.description(), value);
                if (form.has(line)) {
                    target.add(line);
                }
            }
        }
    }
}
