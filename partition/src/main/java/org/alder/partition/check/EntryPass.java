package org.alder.partition.check;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.dn.Ava;
import org.alder.partition.dn.Dn;
import org.alder.partition.dn.Rdn;
import org.alder.partition.entry.AttributeCursor;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.StoreException;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.value.MatchingRule;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.LargeValues;
import org.alder.partition.store.Snapshot;
import org.roaringbitmap.RoaringBitmap;

/**
 * Reads every entry once: checks it by itself, and gathers in bounded memory (a bit an ID, 8 bytes an entryUUID) what the
 * comparisons between entries and with the indexes need. One thread.
 */
final class EntryPass {
    private static final long PROGRESS_STEP = 1 << 14;

    private final Schema schema;
    private final Dn suffix;
    private final EntryIndexer indexer;
    private final Snapshot snapshot;
    private final Findings findings;
    private final PostingSums sums;
    private final AttributeDescription entryUuid;

    private final RoaringBitmap ids = new RoaringBitmap();
    private final RoaringBitmap parents = new RoaringBitmap();
    private final RoaringBitmap withLarge = new RoaringBitmap();
    private long[] uuidHashes = new long[1024];
    private int uuids;
    private long entries;
    private long roots;
    private long lastId;

    EntryPass(Schema schema, Dn suffix, EntryIndexer indexer, Snapshot snapshot, Findings findings, PostingSums sums) {
        this.snapshot = snapshot;
        this.schema = schema;
        this.suffix = suffix;
        this.indexer = indexer;
        this.findings = findings;
        this.sums = sums;
        entryUuid = schema.descriptionOrNull("entryUUID");
    }

    void run(CheckProgress progress) {
        try (Snapshot.EntryCursor cursor = snapshot.entries(1)) {
            while (cursor.next()) {
                checkOrder(cursor.id());
                check(cursor);
                if (++entries % PROGRESS_STEP == 0) {
                    progress.update("entries", entries, 0);
                }
            }
        }
        progress.update("entries", entries, entries);
        if (entries > 0 && roots != 1) {
            findings.entry(Problem.Kind.WRONG_ROOT, 0, roots + " entries have no parent, expected 1");
        }
    }

    long entries() {
        return entries;
    }

    /** All IDs. */
    RoaringBitmap ids() {
        return ids;
    }

    /** The parents of all entries, without 0. */
    RoaringBitmap parents() {
        return parents;
    }

    /** The entries with large attributes. */
    RoaringBitmap withLarge() {
        return withLarge;
    }

    /** The hashes that more than one entryUUID has; two different ones collide about once in 2^64 pairs. */
    Set<Long> repeatedUuidHashes() {
        Arrays.sort(uuidHashes, 0, uuids);
        Set<Long> repeated = new HashSet<>();
        for (int i = 1; i < uuids; i++) {
            if (uuidHashes[i] == uuidHashes[i - 1]) {
                repeated.add(uuidHashes[i]);
            }
        }
        return repeated;
    }

    private void checkOrder(long id) {
        if (id <= lastId) {
            findings.entry(Problem.Kind.WRONG_ORDER, id, "entry " + id + " comes after entry " + lastId);
        }
        lastId = id;
    }

    private void check(Snapshot.EntryCursor cursor) {
        long id = cursor.id();
        ids.add((int) id);
        try {
            EntryRecord record = cursor.entry();
            notePlace(record);
            checkAttributes(id, record);
            checkRdn(id, record);
            if (record.hasLarge()) {
                withLarge.add((int) id);
            }
            indexer.forEachKey(record, (index, key) -> sums.add(PostingSums.hash(index, key), id));
        } catch (BerException e) {
            findings.entry(Problem.Kind.BAD_RECORD, id, e.getMessage());
        } catch (StoreException e) {
            Findings.requireDamage(e);
            findings.entry(Problem.Kind.BAD_RECORD, id, e.getMessage());
        }
    }

    private void notePlace(EntryRecord record) {
        if (record.parentId() == HierarchyKeys.NO_PARENT) {
            roots++;
        } else {
            parents.add((int) record.parentId());
        }
    }

    private void checkAttributes(long id, EntryRecord record) throws BerException {
        Set<AttributeDescription> seen = new HashSet<>();
        AttributeCursor cursor = record.cursor(true);
        while (cursor.next()) {
            AttributeDescription description = schema.descriptionOrNull(cursor.bytes(), cursor.nameOffset(), cursor.nameLength());
            if (description == null) {
                findings.entry(Problem.Kind.BAD_RECORD, id, "attribute " + cursor.description() + " is not in the schema");
            } else if (!seen.add(description)) {
                findings.entry(Problem.Kind.BAD_RECORD, id, "attribute " + cursor.description() + " is there twice");
            }
            readValues(id, cursor);
            if (entryUuid != null && entryUuid.equals(description)) {
                noteUuid(uuidHash(cursor.values().get(0)));
            }
        }
        for (LargeAttribute attribute : record.largeAttributes()) {
            AttributeDescription description = schema.descriptionOrNull(attribute.description());
            if (description == null || !seen.add(description)) {
                findings.entry(Problem.Kind.BAD_RECORD, id, "the large attribute " + attribute.description()
                        + (description == null ? " is not in the schema" : " is there twice"));
            }
        }
    }

    private void readValues(long id, AttributeCursor cursor) throws BerException {
        BerReader values = cursor.valueReader();
        if (!values.hasMore()) {
            findings.entry(Problem.Kind.BAD_RECORD, id, "attribute " + cursor.description() + " has no values");
        }
        while (values.hasMore()) {
            values.readBytes(BerWriter.OCTET_STRING);
        }
    }

    private void noteUuid(long hash) {
        if (uuids == uuidHashes.length) {
            uuidHashes = Arrays.copyOf(uuidHashes, uuids * 2);
        }
        uuidHashes[uuids++] = hash;
    }

    boolean isUuid(String description) {
        return entryUuid != null && entryUuid.equals(schema.descriptionOrNull(description));
    }

    /** Of the equality rule's normal form, which is the same for both cases of a letter. */
    long uuidHash(byte[] value) {
        return PostingSums.hash(0, normalized(entryUuid.type().equality(), value));
    }

    private static byte[] normalized(MatchingRule rule, byte[] value) {
        try {
            return rule == null ? value : rule.normalize(value);
        } catch (DirectoryException e) {
            return value;
        }
    }

    private void checkRdn(long id, EntryRecord record) {
        try {
            Rdn rdn = Rdn.parse(schema, record.rdn());
            if (record.parentId() == HierarchyKeys.NO_PARENT && !rdn.equals(suffix.rdn())) {
                findings.entry(Problem.Kind.WRONG_ROOT, id, "the entry without parent has the RDN \"" + record.rdn()
                        + "\", expected that of the suffix \"" + suffix.text() + "\"");
            }
            for (Ava ava : rdn.avas()) {
                checkAva(id, record, ava);
            }
        } catch (DirectoryException e) {
            findings.entry(Problem.Kind.BAD_RDN, id, "\"" + record.rdn() + "\": " + e.getMessage());
        }
    }

    private void checkAva(long id, EntryRecord record, Ava ava) throws DirectoryException {
        AttributeDescription sought = schema.description(ava.typeText());
        MatchingRule rule = ava.type().equality();
        byte[] soughtValue = normalized(rule, ava.value());
        AttributeCursor cursor = record.cursor(true);
        while (cursor.next()) {
            if (sought.equals(schema.descriptionOrNull(cursor.bytes(), cursor.nameOffset(), cursor.nameLength()))
                    && cursor.values().stream().anyMatch(value -> Arrays.equals(normalized(rule, value), soughtValue))) {
                return;
            }
        }
        for (LargeAttribute attribute : record.largeAttributes()) {
            if (sought.equals(schema.descriptionOrNull(attribute.description()))
                    && new LargeValues(snapshot, id).find(attribute, soughtValue) != null) {
                return;
            }
        }
        findings.entry(Problem.Kind.BAD_RDN, id, "the entry has not the value of " + ava.typeText() + " that its RDN \""
                + record.rdn() + "\" names");
    }
}
