package org.alder.server.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a configuration says about one partition. Immutable.
 *
 * @param name     the RDN value of its configuration entry; also the name of its folder in the data folder
 * @param settings the values of {@link PartitionKeys}
 * @param heap     what it gets of the heap
 */
public record PartitionConfiguration(String name, Settings settings, HeapShare heap) {
    /** When an update is acknowledged. */
    public enum Durability {
        SYNC, INTERVAL, NONE
    }

    /** Whether the entries are in one store, or in several. */
    public enum Distribution {
        NONE, HASH
    }

    /** How entries are stored. All but NONE are the same: the last three are what earlier builds did. */
    public enum Compression {
        NONE, CODED, LZ4, ZSTD, ZSTD_DICTIONARY
    }

    /** Whether TLS is started with a followed server. */
    public enum FollowTls {
        AUTO, NONE
    }

    /** What is said to clients that want to change a copy. */
    public enum FollowUpdates {
        REFER, REFUSE
    }

    public <T> T get(Key<T> key) {
        return settings.get(key);
    }

    public String suffix() {
        return settings.get(PartitionKeys.SUFFIX);
    }

    /** Over how many stores its entries are distributed. */
    public int shards() {
        return shards(settings);
    }

    static int shards(Settings settings) {
        return settings.get(PartitionKeys.DISTRIBUTION) == Distribution.HASH ? settings.get(PartitionKeys.SHARDS) : 1;
    }

    /** The same with what another says of the keys that a running server goes by. */
    PartitionConfiguration live(PartitionConfiguration newer) {
        return new PartitionConfiguration(name, settings.live(newer.settings), heap);
    }

    public List<IndexLine> indexes() {
        return settings.get(PartitionKeys.INDEX);
    }

    /** In words, which keys say much more than the partition gets of the heap. */
    public Optional<String> heapNote() {
        List<String> notes = new ArrayList<>();
        note(notes, PartitionKeys.MEMORY_LAYER_BYTES, heap.memoryLayerBytes());
        note(notes, PartitionKeys.HELD_LAYER_BYTES, heap.heldLayerBytes());
        note(notes, PartitionKeys.INDEX_CACHE_BYTES, heap.indexCacheBytes());
        return notes.isEmpty() ? Optional.empty() : Optional.of("partition " + name + " gets " + String.join(", ", notes)
                + ": all partitions share a heap of " + (Runtime.getRuntime().maxMemory() >> 20)
                + " MiB (ALDER_JAVA_OPTS=-Xmx... makes it larger)");
    }

    private void note(List<String> notes, Key<Long> key, long bytes) {
        long said = get(key);
        if (bytes < said - said / 10) {
            notes.add((bytes >> 20) + " of the " + (said >> 20) + " MiB that " + key + " says");
        }
    }

    /** What holds between keys, and defaults that depend on others. */
    static Settings checked(Settings given) throws ConfigurationException {
        if (given.get(PartitionKeys.SUFFIX) == null) {
            throw given.fault("expected a suffix");
        }
        Set<String> attributes = new HashSet<>();
        Set<String> equality = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        List<IndexLine> indexes = given.get(PartitionKeys.INDEX);
        for (int i = 0; i < indexes.size(); i++) {
            IndexLine index = indexes.get(i);
            if (!attributes.add(index.attribute().toLowerCase(Locale.ROOT))) {
                throw given.fault(PartitionKeys.INDEX, i, "a second line for " + index.attribute()
                        + ", expected the only index line for an attribute");
            }
            if (index.isEquality()) {
                equality.add(index.attribute());
            }
        }
        checkFollowing(given, equality);
        Settings checked = shards(given) == 1 ? given : distributed(given, equality);
        for (Key<List<String>> key : List.of(PartitionKeys.PRIMARY_KEY, PartitionKeys.MEMBER_OF, PartitionKeys.REFERENCE)) {
            checked = indexed(checked, key, equality);
        }
        return checked;
    }

    /** Rules between entries are of one store: those that could not hold between shards are refused, and are not the default. */
    private static Settings distributed(Settings given, Set<String> equality) throws ConfigurationException {
        for (Key<? extends List<?>> key : List.of(PartitionKeys.MEMBER_OF, PartitionKeys.REFERENCE, PartitionKeys.AUTO_NUMBER)) {
            if (given.isGiven(key) && !given.get(key).isEmpty()) {
                throw given.fault(key, 0, refused(key));
            }
        }
        if (given.get(PartitionKeys.REFERENCES_MUST_EXIST)) {
            throw given.fault(PartitionKeys.REFERENCES_MUST_EXIST, refused(PartitionKeys.REFERENCES_MUST_EXIST));
        }
        if (!equality.contains("entryUUID")) {
            throw given.fault(PartitionKeys.DISTRIBUTION, "a partition that is distributed over shards needs index: entryUUID eq");
        }
        return given.withDefault(PartitionKeys.MEMBER_OF, List.of()).withDefault(PartitionKeys.REFERENCE, List.of());
    }

    private static String refused(Key<?> key) {
        return key + " cannot be kept between shards, over which distribution: hash spreads the entries (docs/sharding.md): expected no "
                + key + ", or a partition without distribution";
    }

    private static void checkFollowing(Settings given, Set<String> equality) throws ConfigurationException {
        boolean hasLogin = given.get(PartitionKeys.FOLLOW_BIND_DN) != null;
        if (hasLogin != (given.get(PartitionKeys.FOLLOW_PASSWORD_FILE) != null)) {
            throw given.fault(hasLogin ? PartitionKeys.FOLLOW_BIND_DN : PartitionKeys.FOLLOW_PASSWORD_FILE,
                    "expected both " + PartitionKeys.FOLLOW_BIND_DN + " and " + PartitionKeys.FOLLOW_PASSWORD_FILE + ", or neither");
        } else if (given.get(PartitionKeys.FOLLOW_PROVIDER) != null && !equality.contains("entryUUID")) {
            throw given.fault(PartitionKeys.FOLLOW_PROVIDER, "a partition that follows another server needs index: entryUUID eq");
        }
    }

    /** Of the default those that have an equality index; one that the file names and has none is refused. */
    private static Settings indexed(Settings given, Key<List<String>> key, Set<String> equality) throws ConfigurationException {
        List<String> names = given.get(key);
        for (int i = 0; i < names.size() && given.isGiven(key); i++) {
            if (!equality.contains(names.get(i))) {
                throw given.fault(key, i, "\"" + names.get(i) + "\" is not an attribute of an index line with eq, or none");
            }
        }
        return given.isGiven(key) ? given : given.withDefault(key, names.stream().filter(equality::contains).toList());
    }
}
