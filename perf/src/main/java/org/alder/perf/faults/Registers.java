package org.alder.perf.faults;

import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.alder.perf.client.Message;
import org.alder.perf.client.Request;
import org.alder.perf.client.Request.Scope;
import org.alder.perf.client.SearchFilter;

/** The entries whose values are what clients change. A value is never written twice; those of counters begin with their numbers, which only grow. */
final class Registers {
    static final String SUFFIX = "dc=example,dc=com";
    static final String INITIAL = "0.0";
    static final List<String> EXCHANGED = List.of("r0", "r1", "r2");
    static final List<String> COUNTERS = List.of("c0", "c1");
    private static final String VALUE = "description";

    private Registers() {
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
