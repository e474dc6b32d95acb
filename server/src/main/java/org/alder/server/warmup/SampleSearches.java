package org.alder.server.warmup;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.alder.partition.Partition;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.AttributeCursor;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.filter.Filter;
import org.alder.partition.filter.FilterEncoder;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
import org.alder.partition.request.SearchScope;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.store.Snapshot;
import org.alder.server.control.ProxiedAuthorization;

/**
 * Searches as clients send them, for entries that are there: by an indexed value, alone and with an object class, by one of two values,
 * by the beginning of a value, by the name of the entry, for a value that nobody has. Each is a whole message. One thread.
 */
public final class SampleSearches {
    private static final int MANY_ENTRIES = 100;
    private static final int MESSAGE_ID = 1;
    private static final int SEARCH = 0x63;
    private static final int CONTROLS = 0xA0;
    private static final int MOST_ENTRIES = 10;
    private static final int MOST_SECONDS = 1;
    /** Of an entry that is read for what it holds: larger ones are few, and say nothing of the others. */
    private static final int MOST_RECORD_BYTES = 64 << 10;
    private static final int MOST_VALUE_BYTES = 128;
    private static final int INITIAL_BYTES = 6;
    private static final String OBJECT_CLASS = "objectClass";
    private static final List<String> ALL = List.of();
    private static final List<String> NONE = List.of("1.1");
    private static final List<String> SOME = List.of("cn", "mail", "memberOf", "entryUUID", "*");

    private final Partition partition;
    private final SplittableRandom random;
    /** Of which names are, to read what entries are looked for by. */
    private final List<String> byValue = new ArrayList<>();
    private final List<String> byInitial = new ArrayList<>();
    /** The least above all entry IDs: of numbers beyond, many would hit upon nothing. */
    private final long idBound;

    /** A value of an entry by which it is found. */
    private record Known(String attribute, byte[] value) {
        Filter filter() {
            return new Filter.Equality(attribute, value);
        }
    }

    /** An entry that is there, and what to ask for to find it. */
    private record Sample(String dn, String parent, byte[] objectClass, List<Known> byValue, List<Known> byInitial) {
        Known any(SplittableRandom random) {
            return byValue.get(random.nextInt(byValue.size()));
        }
    }

    /** @param partition which {@link #hasMany} */
    public SampleSearches(Partition partition, SplittableRandom random) {
        this.partition = partition;
        this.random = random;
        for (IndexDefinition index : partition.indexes()) {
            String name = index.type().name();
            if (!index.type().isSecret() && !name.equalsIgnoreCase(OBJECT_CLASS)) {
                if (index.has(IndexKind.EQUALITY)) {
                    byValue.add(name);
                }
                if (index.has(IndexKind.SUBSTRING)) {
                    byInitial.add(name);
                }
            }
        }
        this.idBound = Math.max(1, idBound(partition));
    }

    private static long idBound(Partition partition) {
        try (Snapshot snapshot = partition.snapshot()) {
            long bound = 1;
            while (bound > 0 && isBefore(snapshot, bound)) {
                bound *= 2;
            }
            long greatest = bound / 2;
            while (bound - greatest > 1) {
                long middle = greatest + (bound - greatest) / 2;
                if (isBefore(snapshot, middle)) {
                    greatest = middle;
                } else {
                    bound = middle;
                }
            }
            return bound;
        }
    }

    /** Whether there is an entry with this ID or a greater one. */
    private static boolean isBefore(Snapshot snapshot, long id) {
        try (Snapshot.EntryCursor entries = snapshot.entries(id)) {
            return entries.next();
        }
    }

    /** Whether there are enough entries for somebody to wait for them: where a directory is only being set up nobody does. */
    public static boolean hasMany(Partition partition) {
        return !partition.isElsewhere() && idBound(partition) >= MANY_ENTRIES;
    }

    /**
     * Searches around one entry, any of all of them.
     *
     * @param asker in whose name the searches are to be answered, who may be nobody; null for that of whoever sends them
     * @return none where the entry that was hit upon is a large one
     * @throws org.alder.partition.error.StoreException if it cannot be read
     */
    public List<byte[]> next(String asker) {
        Sample sample = sample();
        if (sample == null) {
            return List.of();
        }
        Request request = new Request(asker);
        List<byte[]> searches = new ArrayList<>();
        searches.add(request.search(sample.dn, SearchScope.BASE, new Filter.Present(OBJECT_CLASS), random.nextBoolean() ? ALL : SOME));
        if (!sample.byValue.isEmpty()) {
            addByValue(sample, request, searches);
        }
        if (!sample.byInitial.isEmpty()) {
            Known known = sample.byInitial.get(random.nextInt(sample.byInitial.size()));
            byte[] initial = Arrays.copyOf(known.value, Math.min(known.value.length, INITIAL_BYTES));
            searches.add(request.search(suffix(), SearchScope.SUBTREE, new Filter.Substring(known.attribute, initial, List.of(), null), SOME));
        }
        return searches;
    }

    private void addByValue(Sample sample, Request request, List<byte[]> searches) {
        for (Known known : sample.byValue) {
            searches.add(request.search(suffix(), SearchScope.SUBTREE, known.filter(), ALL));
        }
        Known one = sample.any(random);
        Filter ofClass = new Filter.And(List.of(new Filter.Equality(OBJECT_CLASS, sample.objectClass), one.filter()));
        searches.add(request.search(suffix(), SearchScope.SUBTREE, ofClass, random.nextBoolean() ? SOME : NONE));
        searches.add(request.search(suffix(), SearchScope.SUBTREE, new Filter.Or(List.of(one.filter(), sample.any(random).filter())), SOME));
        searches.add(request.search(sample.parent, SearchScope.ONE_LEVEL, one.filter(), ALL));
        byte[] nobodys = Arrays.copyOf(one.value, one.value.length + 1);
        nobodys[one.value.length] = '~';
        searches.add(request.search(suffix(), SearchScope.SUBTREE, new Filter.Equality(one.attribute, nobodys), ALL));
    }

    /** The name of an entry that may well be a user's; null if the one that was hit upon is none. */
    public String user() {
        Sample sample = sample();
        return sample == null || sample.byValue.isEmpty() ? null : sample.dn;
    }

    private String suffix() {
        return partition.suffix().text();
    }

    private Sample sample() {
        try (Snapshot snapshot = partition.snapshot(); Snapshot.EntryCursor entries = snapshot.entries(random.nextLong(idBound))) {
            if (!entries.next() || entries.entry().length() > MOST_RECORD_BYTES || entries.entry().hasLarge()) {
                return null;
            }
            String dn = partition.dnOf(snapshot, entries.id());
            Dn name = Dn.stored(partition.schema(), dn);
            String parent = name.equals(partition.suffix()) ? dn : name.parent().text();
            return sample(dn, parent, entries.entry());
        }
    }

    private Sample sample(String dn, String parent, EntryRecord record) {
        List<Known> values = new ArrayList<>();
        List<Known> initials = new ArrayList<>();
        byte[] objectClass = null;
        AttributeCursor attributes = record.cursor(false);
        while (attributes.next()) {
            AttributeDescription description = partition.schema().descriptionOrNull(attributes.description());
            AttributeType type = description == null ? null : description.type();
            byte[] value = attributes.values().get(0);
            if (type == null || value.length > MOST_VALUE_BYTES) {
                continue;
            }
            if (type.name().equalsIgnoreCase(OBJECT_CLASS)) {
                objectClass = value;
            }
            if (byValue.contains(type.name())) {
                values.add(new Known(type.name(), value));
            }
            if (byInitial.contains(type.name()) && value.length > INITIAL_BYTES) {
                initials.add(new Known(type.name(), value));
            }
        }
        return objectClass == null ? null : new Sample(dn, parent, objectClass, values, initials);
    }

    /** Writes the messages of one asker. */
    private record Request(String asker) {
        byte[] search(String base, SearchScope scope, Filter filter, List<String> attributes) {
            BerWriter out = new BerWriter(256);
            int message = out.begin(BerWriter.SEQUENCE);
            out.integer(BerWriter.INTEGER, MESSAGE_ID);
            int search = out.begin(SEARCH);
            out.string(BerWriter.OCTET_STRING, base);
            out.integer(BerWriter.ENUMERATED, scope.ordinal());
            out.integer(BerWriter.ENUMERATED, 0);
            out.integer(BerWriter.INTEGER, MOST_ENTRIES);
            out.integer(BerWriter.INTEGER, MOST_SECONDS);
            out.bool(BerWriter.BOOLEAN, false);
            FilterEncoder.write(filter, out);
            int list = out.begin(BerWriter.SEQUENCE);
            attributes.forEach(name -> out.string(BerWriter.OCTET_STRING, name));
            out.end(list);
            out.end(search);
            if (asker != null) {
                writeProxy(out);
            }
            out.end(message);
            return out.toByteArray();
        }

        private void writeProxy(BerWriter out) {
            int all = out.begin(CONTROLS);
            int one = out.begin(BerWriter.SEQUENCE);
            out.string(BerWriter.OCTET_STRING, ProxiedAuthorization.VERSION_2.oid());
            out.bool(BerWriter.BOOLEAN, true);
            out.string(BerWriter.OCTET_STRING, "dn:" + asker);
            out.end(one);
            out.end(all);
        }
    }
}
