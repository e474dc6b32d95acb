package org.alder.partition.update.rules;

import java.util.List;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.ObjectClass;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.Snapshot;
import org.alder.partition.text.Utf8;
import org.alder.partition.tree.EntryView;
import org.alder.partition.update.edit.ModificationStep;

/** Refuses in a shard what would have to know of, or to be known in, the other shards (docs/sharding.md). Immutable, thread safe. */
public final class Distribution implements ContentRule {
    private final Schema schema;
    private final Dn suffix;
    private final AttributeType memberUrl;
    private final ObjectClass subentry;

    /** @param suffix that of the shards */
    public Distribution(Schema schema, Dn suffix) {
        this.schema = schema;
        this.suffix = suffix;
        this.memberUrl = schema.attributeType("memberURL");
        this.subentry = schema.objectClass("subentry");
    }

    /** The result of a rename that would take an entry to another shard, where that cannot be. */
    public static DirectoryException betweenShards(Dn dn, Dn name, Dn suffix) {
        return new DirectoryException(ResultCode.AFFECTS_MULTIPLE_DSAS, "\"" + dn.text() + "\" cannot become \"" + name.text()
                + "\" here: the entries directly below \"" + suffix.text() + "\" are distributed over shards by their RDNs, and the new name is another"
                + " shard's. Rename it in a request of its own, or add it anew and delete the old one");
    }

    /** The result of a delete of the suffix entry. */
    public static DirectoryException suffixStays(Dn suffix) {
        return new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, "\"" + suffix.text() + "\" is the suffix of a partition that is distributed"
                + " over shards, which all need it: it can be deleted with the partition alone");
    }

    @Override
    public void check(EntryRecord added) throws DirectoryException {
        for (Attribute attribute : added.userAttributes()) {
            requireNoUrl(schema.descriptionOrNull(attribute.description()));
        }
    }

    @Override
    public void check(List<ModificationStep> steps) throws DirectoryException {
        for (ModificationStep step : steps) {
            if (!step.values().isEmpty()) {
                requireNoUrl(step.description());
            }
        }
    }

    private void requireNoUrl(AttributeDescription description) throws DirectoryException {
        if (memberUrl != null && description != null && description.type() == memberUrl) {
            throw new DirectoryException(ResultCode.AFFECTS_MULTIPLE_DSAS, "attribute " + description.text() + ": a group by URL would find the"
                    + " members that are in its own shard alone, and \"" + suffix.text() + "\" is distributed over several");
        }
    }

    @Override
    public void added(Snapshot state, Dn dn, EntryView entry) throws DirectoryException {
        requirePlace(dn, entry.record());
    }

    /** Which object classes that are structural an entry has does not change. */
    @Override
    public void modified(Snapshot state, Changed change) {
    }

    @Override
    public void renamed(Snapshot state, Changed change) throws DirectoryException {
        requirePlace(change.newDn(), change.after().record());
    }

    /** @throws DirectoryException affectsMultipleDSAs for an entry that says something of its siblings, which other shards hold */
    private void requirePlace(Dn dn, EntryRecord record) throws DirectoryException {
        if (dn.size() == suffix.size() + 1 && isSubentry(record)) {
            throw new DirectoryException(ResultCode.AFFECTS_MULTIPLE_DSAS, "\"" + dn.text() + "\" is a subentry, which would be in force in its own"
                    + " shard alone: put it below one of the entries directly below \"" + suffix.text() + '"');
        }
    }

    private boolean isSubentry(EntryRecord record) {
        for (Attribute attribute : record.userAttributes()) {
            if (attribute.description().equalsIgnoreCase("objectClass") && attribute.values().stream().anyMatch(this::isSubentry)) {
                return true;
            }
        }
        return false;
    }

    private boolean isSubentry(byte[] name) {
        ObjectClass known = schema.objectClass(Utf8.stored(name));
        return known != null && subentry != null && known.isSubclassOf(subentry);
    }

    /**
     * What of a record that is loaded cannot be in a shard.
     *
     * @throws DirectoryException as an add would
     */
    public void requireLoadable(Dn dn, EntryRecord record) throws DirectoryException {
        check(record);
        requirePlace(dn, record);
    }
}
