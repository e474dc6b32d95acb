package org.alder.ldif.bulk;

import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.alder.ldif.LdifAttribute;
import org.alder.ldif.LdifEntry;
import org.alder.partition.dn.Dn;
import org.alder.partition.dn.EntryName;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.Varints;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.rule.EntryRules;
import org.alder.partition.schema.NamingRules;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.BulkLoad;
import org.alder.partition.update.EntryPreparation;
import org.alder.partition.update.UpdateOrigin;
import org.alder.partition.update.rules.UniqueKeys;

/** Does with entries, batch by batch, what needs no other entry: checks, encodes, derives the index keys. Thread safe. */
final class BatchPreparation {
    private final Schema schema;
    private final Dn suffix;
    private final EntryPreparation preparation;
    private final UpdateOrigin origin;
    private final UniqueKeys unique;
    private final BulkLoad load;

    BatchPreparation(Schema schema, Dn suffix, UpdateOrigin origin, EntryRules rules, BulkLoad load) {
        this.schema = schema;
        this.suffix = suffix;
        this.preparation = new EntryPreparation(schema, rules.limits());
        this.origin = origin;
        this.unique = new UniqueKeys(schema, rules.unique());
        this.load = load;
    }

    List<LoadEntry> prepare(List<LdifEntry> entries) {
        Hashes hashes = new Hashes();
        List<LoadEntry> prepared = new ArrayList<>(entries.size());
        for (LdifEntry entry : entries) {
            try {
                prepared.add(prepare(entry, hashes));
            } catch (DirectoryException e) {
                prepared.add(LoadEntry.refused(entry, e.getMessage()));
            }
        }
        return prepared;
    }

    private LoadEntry prepare(LdifEntry entry, Hashes hashes) throws DirectoryException {
        Dn dn = Dn.parse(schema, entry.dn());
        if (!dn.isDescendantOrSelf(suffix)) {
            return LoadEntry.elsewhere(entry, dn, "it is not under the suffix \"" + suffix.text() + "\"");
        }
        EntryRecord record = preparation.prepareLoad(dn, attributes(entry), origin);
        if (load instanceof ShardedLoad shards) {
            shards.requireLoadable(dn, record);
        }
        NamingRules rules = schema.namingRules();
        EntryName name = rules.isEmpty() ? null : EntryName.of(schema, record);
        String violation = name == null ? null : name.violation(rules);
        if (violation != null) {
            return LoadEntry.refused(entry, violation);
        }
        List<LoadedValues.Value> values =
                LoadedValues.Value.of(hashes.digest, unique.of(dn, record, has(entry, "entryUUID")));
        return new LoadEntry(entry, null, dn, hashes.of(dn), dn.size() == suffix.size() ? null : hashes.ofParent(dn), name,
                values, load.prepare(record));
    }

    private static boolean has(LdifEntry entry, String attribute) {
        for (LdifAttribute line : entry.attributes()) {
            if (line.description().equalsIgnoreCase(attribute)) {
                return true;
            }
        }
        return false;
    }

    /** Values in a row become one attribute; those that stand apart are joined when the entry is prepared. */
    private static List<Attribute> attributes(LdifEntry entry) {
        List<LdifAttribute> lines = entry.attributes();
        List<Attribute> attributes = new ArrayList<>(lines.size());
        int at = 0;
        while (at < lines.size()) {
            String description = lines.get(at).description();
            int end = at + 1;
            while (end < lines.size() && lines.get(end).description().equals(description)) {
                end++;
            }
            attributes.add(new Attribute(description, values(lines, at, end)));
            at = end;
        }
        return attributes;
    }

    private static List<byte[]> values(List<LdifAttribute> lines, int from, int to) {
        if (to - from == 1) {
            return List.of(lines.get(from).value());
        }
        List<byte[]> values = new ArrayList<>(to - from);
        for (LdifAttribute line : lines.subList(from, to)) {
            values.add(line.value());
        }
        return values;
    }

    /** Hashes of DNs; entries that follow each other mostly have the same parent. */
    private static final class Hashes {
        private final MessageDigest digest = DnHash.newDigest();
        private byte[] lastParent = {};
        private DnHash lastParentHash;

        DnHash of(Dn dn) {
            byte[] form = dn.normalized();
            return DnHash.of(digest, form, form.length);
        }

        /** The parent's normal form is the beginning of the child's. */
        DnHash ofParent(Dn dn) {
            byte[] form = dn.normalized();
            int leafBytes = dn.rdn().normalized().length;
            int length = form.length - leafBytes - Varints.put(new byte[Varints.MAX_BYTES], 0, leafBytes);
            if (lastParentHash == null || !Arrays.equals(lastParent, 0, lastParent.length, form, 0, length)) {
                lastParent = Arrays.copyOf(form, length);
                lastParentHash = DnHash.of(digest, form, length);
            }
            return lastParentHash;
        }
    }
}
