package org.alder.partition.update.copy;

import java.math.BigInteger;
import java.util.List;
import java.util.Set;
import org.alder.partition.Partition;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.request.Modification;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.WriteContext;
import org.alder.partition.text.Utf8;
import org.alder.partition.tree.EntryView;
import org.alder.partition.update.edit.EntryEdit;
import org.alder.partition.update.edit.ModificationStep;

/**
 * What the suffix entry of a store says of the copy in it, and no other server of that entry. Of several shards the first has the cookie, and each one, in its
 * copy of the suffix entry, its own number of entries that stand aside: kept with them in one transaction, so that whoever goes on behind a crash knows of them.
 *
 * @param cookie up to where the copy is; null for nowhere
 * @param aside  how many entries stand aside
 */
record CopyNotes(byte[] cookie, long aside) {
    /** The attribute that has the number; it is not there for 0. */
    static final String ASIDE = "alderFollowAside";
    private static final BigInteger MOST_ASIDE = BigInteger.valueOf(IdSet.MAX_ID);

    /** The attributes that these are kept in. */
    record Attributes(AttributeDescription cookie, AttributeDescription aside) {
        /** @throws StoreException of kind REFUSED if the schema lacks what a copy needs */
        static Attributes of(Schema schema) {
            Attributes attributes = new Attributes(schema.descriptionOrNull(CopiedEntries.COOKIE), schema.descriptionOrNull(ASIDE));
            if (attributes.cookie == null || attributes.aside == null || schema.objectClass(CopiedEntries.GLUE) == null) {
                throw new StoreException(StoreException.Kind.REFUSED, "the schema has not all of " + CopiedEntries.COOKIE + ", " + ASIDE + " and " + CopiedEntries.GLUE
                        + ", which a partition that follows another server and one with shards need: conf/schema/follow.ldif has them");
            }
            return attributes;
        }

        Set<AttributeDescription> all() {
            return Set.of(cookie, aside);
        }
    }

    /** @param description without options, as these have none */
    static boolean has(String description) {
        return description.equalsIgnoreCase(CopiedEntries.COOKIE) || description.equalsIgnoreCase(ASIDE);
    }

    /** Of the newest state. */
    static CopyNotes of(Partition partition) {
        try (Snapshot now = partition.snapshot()) {
            long id = partition.resolve(now, partition.suffix());
            return of(id == HierarchyKeys.NO_PARENT ? null : now.entry(id));
        }
    }

    /** @param suffix null for none */
    static CopyNotes of(EntryRecord suffix) {
        byte[] aside = suffix == null ? null : suffix.operationalValue(ASIDE);
        return new CopyNotes(suffix == null ? null : suffix.operationalValue(CopiedEntries.COOKIE), aside == null ? 0 : number(aside));
    }

    /** Of a store that was loaded from a file it may be any integer: then they are counted at the end of the next refresh. */
    private static long number(byte[] aside) {
        return new BigInteger(Utf8.stored(aside)).max(BigInteger.ZERO).min(MOST_ASIDE).longValueExact();
    }

    boolean isNone() {
        return cookie == null && aside == 0;
    }

    /** Makes a suffix entry say this. @return empty where it does */
    List<AttributeDelta> deltas(Schema schema, WriteContext context, EntryView suffix) throws DirectoryException {
        Attributes attributes = Attributes.of(schema);
        EntryEdit edit = new EntryEdit(schema, context, suffix, true);
        edit.apply(replace(attributes.cookie, cookie == null ? List.of() : List.of(cookie)));
        edit.apply(replace(attributes.aside, aside == 0 ? List.of() : List.of(CopiedEntries.utf8(Long.toString(aside)))));
        return edit.deltas();
    }

    private static ModificationStep replace(AttributeDescription attribute, List<byte[]> values) {
        return new ModificationStep(Modification.Kind.REPLACE, attribute, values);
    }
}
