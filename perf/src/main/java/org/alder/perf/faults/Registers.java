package org.alder.perf.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.Schema;
import org.alder.partition.tree.Shard;
import org.alder.perf.client.Message;
import org.alder.perf.client.Request;
import org.alder.perf.client.Request.Scope;
import org.alder.perf.client.SearchFilter;

/**
 * The entries whose values are what clients change, some in each shard. A value is never written twice; those of counters begin with their numbers, which only grow.
 *
 * @param exchanged names of those that are written as others come
 * @param counters  names of the others
 * @param shards    over which they are spread; 1 where the partition is not distributed
 */
record Registers(List<String> exchanged, List<String> counters, int shards) {
    static final String SUFFIX = "dc=example,dc=com";
    static final String INITIAL = "0.0";
    private static final String VALUE = "description";
    /** Where there are shards no two entries have the same value of it. It has an index by default. */
    static final String UNIQUE = "seeAlso";

    /** As many in each shard. */
    static Registers of(int shards) {
        return new Registers(names("r", shards == 1 ? 3 : 2, shards), names("c", shards == 1 ? 2 : 1, shards), shards);
    }

    /** Of entries that are no registers, one in each shard. */
    List<String> together() {
        return names("t", 1, shards);
    }

    private static List<String> names(String letter, int ofEach, int shards) {
        Schema schema = Schema.load(List.of());
        int[] found = new int[shards];
        List<String> names = new ArrayList<>();
        for (int i = 0; names.size() < ofEach * shards; i++) {
            int shard = shardOf(schema, letter + i, shards);
            if (found[shard] < ofEach) {
                found[shard]++;
                names.add(letter + i);
            }
        }
        return names;
    }

    private static int shardOf(Schema schema, String name, int shards) {
        try {
            return Shard.numberOf(Dn.parse(schema, SUFFIX), Dn.parse(schema, dn(name)), shards);
        } catch (DirectoryException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Which shard has each of them. */
    Map<String, Integer> shardOfEach() {
        Schema schema = Schema.load(List.of());
        return Stream.concat(exchanged.stream(), counters.stream()).collect(Collectors.toMap(name -> name, name -> shardOf(schema, name, shards)));
    }

    static String dn(String name) {
        return "cn=" + name + "," + SUFFIX;
    }

    private static SortedSet<String> set(String value) {
        return new TreeSet<>(List.of(value));
    }

    static Request suffix() {
        return new Request.Add(SUFFIX, Map.of("objectClass", set("domain"), "dc", set("example")));
    }

    static Request add(String name, String value) {
        return new Request.Add(dn(name), Map.of("objectClass", set("device"), "cn", set(name), VALUE, set(value)));
    }

    static Request addUnique(String name, String value) {
        return new Request.Add(dn(name), Map.of("objectClass", set("device"), "cn", set(name), UNIQUE, set(value)));
    }

    static Request write(String name, String value) {
        return new Request.Modify(dn(name), List.of(new Request.Change(Request.Kind.REPLACE, VALUE, List.of(value))));
    }

    static Request compareAndWrite(String name, String expected, String value) {
        return new Request.Modify(dn(name), List.of(new Request.Change(Request.Kind.DELETE, VALUE, List.of(expected)),
                new Request.Change(Request.Kind.ADD, VALUE, List.of(value))));
    }

    static Request.Search search(String dn) {
        return new Request.Search(dn, Scope.BASE, new SearchFilter.Present("objectClass"), List.of(VALUE));
    }

    /** Of the first entry; null where there is none. */
    static String value(List<Message> entries) {
        return entries.isEmpty() ? null : value(entries.get(0).attributes());
    }

    static String value(Map<String, SortedSet<String>> attributes) {
        SortedSet<String> values = attributes.get(VALUE);
        return values == null ? null : String.join(" and ", values);
    }

    /** Of a counter's value. */
    static long number(String value) {
        return Long.parseLong(value.substring(0, value.indexOf('.')));
    }
}
