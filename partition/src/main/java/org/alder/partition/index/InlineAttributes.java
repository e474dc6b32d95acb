package org.alder.partition.index;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.IntFunction;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;

/**
 * The inline attributes of all indexes: which values are gathered for them, and the composite keys made of what was gathered.
 * Immutable, thread safe.
 */
final class InlineAttributes {
    /**
     * So many composite keys an entry gets in one index at most: their number is the product of the values, and an entry with
     * more than a few of both would be written for ever. Beyond, the entry is under {@link IndexKeys#inlineTooMany} instead.
     */
    static final int MAX_KEYS = 128;

    /**
     * Where the values of a type, and of its subtypes, are gathered as equality keys.
     *
     * @param host the index that the composite keys made of them are in
     */
    record Target(AttributeType type, int list, IndexedAttribute host) {
        /** The number of the host. */
        int index() {
            return host.number();
        }
    }

    private record Host(IndexedAttribute index, List<Target> targets) {
    }

    private final List<Host> hosts = new ArrayList<>();
    private final PerType<List<Target>> targetsOf;
    private final int firstList;
    private final List<Target> all = new ArrayList<>();

    /** @param firstList the number of the first list that is free to gather values in */
    InlineAttributes(Schema schema, int firstList, Collection<IndexedAttribute> indexes) {
        this.firstList = firstList;
        Map<AttributeType, List<Target>> defined = new HashMap<>();
        for (IndexedAttribute index : indexes) {
            List<Target> targets = new ArrayList<>();
            for (AttributeType type : index.definition().inline()) {
                Target target = new Target(type, firstList + all.size(), index);
                all.add(target);
                targets.add(target);
                defined.computeIfAbsent(type, none -> new ArrayList<>(1)).add(target);
            }
            if (!targets.isEmpty()) {
                hosts.add(new Host(index, List.copyOf(targets)));
            }
        }
        targetsOf = PerType.inherited(schema, defined);
    }

    boolean isEmpty() {
        return hosts.isEmpty();
    }

    /** How many lists are gathered. */
    int lists() {
        return all.size();
    }

    /** The index that a list is gathered for; the number itself where it is an index's. */
    int indexOf(int list) {
        return list < firstList ? list : all.get(list - firstList).index();
    }

    /** Where the values of this type belong. */
    List<Target> targets(AttributeType type) {
        return targetsOf.get(type);
    }

    /**
     * Adds the composite keys to the lists of the indexes they belong to.
     *
     * @param indexes  the numbers of the indexes that keys were gathered for
     * @param gathered the keys of an index, or of a target's list, by number; each may be there several times
     */
    void addKeys(BitSet indexes, IntFunction<List<byte[]>> gathered) {
        for (Host host : hosts) {
            if (!indexes.get(host.index().number())) {
                continue;
            }
            List<byte[]> keys = gathered.apply(host.index().number());
            List<byte[]> equalityKeys = distinct(keys);
            List<List<byte[]>> inlineKeys = host.targets().stream().map(target -> distinct(gathered.apply(target.list())))
                    .toList();
            long count = (long) equalityKeys.size() * inlineKeys.stream().mapToInt(List::size).sum();
            if (count > MAX_KEYS) {
                keys.add(IndexKeys.inlineTooMany());
            }
            for (byte[] equalityKey : count == 0 ? List.<byte[]>of() : equalityKeys) {
                if (count > MAX_KEYS) {
                    keys.add(IndexKeys.inlineTooMany(equalityKey));
                } else {
                    addKeys(equalityKey, inlineKeys, keys);
                }
            }
        }
    }

    private static void addKeys(byte[] equalityKey, List<List<byte[]>> inlineKeys, List<byte[]> keys) {
        for (int position = 0; position < inlineKeys.size(); position++) {
            for (byte[] inlineKey : inlineKeys.get(position)) {
                keys.add(IndexKeys.inline(equalityKey, position, inlineKey));
            }
        }
    }

    private static List<byte[]> distinct(List<byte[]> keys) {
        if (keys.size() == 1) {
            return IndexKeys.isEquality(keys.get(0)) ? List.of(keys.get(0)) : List.of();
        }
        TreeSet<byte[]> sorted = new TreeSet<>(Arrays::compareUnsigned);
        keys.stream().filter(IndexKeys::isEquality).forEach(sorted::add);
        return List.copyOf(sorted);
    }
}
