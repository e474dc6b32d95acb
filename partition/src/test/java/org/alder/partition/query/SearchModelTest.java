package org.alder.partition.query;

import static org.alder.partition.testing.TestDirectory.dn;
import static org.alder.partition.testing.TestDirectory.index;
import static org.alder.partition.testing.TestDirectory.inline;
import static org.alder.partition.testing.TestDirectory.utf8;
import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryProbe;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.CompiledFilter;
import org.alder.partition.filter.Filter;
import org.alder.partition.filter.FilterParser;
import org.alder.partition.filter.FilterProbe;
import org.alder.partition.filter.Filters;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
import org.alder.partition.request.SearchScope;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.Snapshot;
import org.alder.partition.testing.Seed;
import org.alder.partition.testing.TestDirectory;
import org.junit.Test;

/** Random directories, filters and scopes: the same answers as the oracle's, whatever indexes there are. */
public class SearchModelTest {
    private static final String SUFFIX = "dc=example,dc=com";
    private static final String LONG_TEXT = "long ".repeat(130);
    private static final long SEED = Seed.of(SearchModelTest.class);

    private final Random random = new Random(SEED);

    @Test
    public void answersAsTheOracle() throws DirectoryException {
        List<IndexDefinition> all = List.of(index("objectClass", IndexKind.EQUALITY),
                index("cn", IndexKind.EQUALITY, IndexKind.SUBSTRING, IndexKind.PRESENCE),
                index("name", IndexKind.EQUALITY, IndexKind.SUBSTRING),
                index("description", IndexKind.SUBSTRING, IndexKind.EQUALITY),
                index("uidNumber", IndexKind.EQUALITY, IndexKind.PRESENCE),
                index("member", IndexKind.EQUALITY), index("jpegPhoto", IndexKind.PRESENCE));
        List<IndexDefinition> inlined = all.stream().map(SearchModelTest::withInline).toList();
        for (int round = 0; round < 25; round++) {
            List<IndexDefinition> some = (random.nextBoolean() ? all : inlined).stream().filter(one -> random.nextInt(4) > 0)
                    .toList();
            compareOneDirectory(switch (round % 5) {
                case 0 -> List.of();
                case 1 -> all;
                case 2 -> inlined;
                default -> some;
            }, round < 3 ? 600 : 60);
        }
    }

    private static IndexDefinition withInline(IndexDefinition index) {
        return switch (index.name()) {
            case "objectclass" -> inline(index, "cn", "uidNumber");
            case "cn" -> inline(index, "description", "objectClass", "uidNumber");
            case "name" -> inline(index, "givenName", "cn");
            case "description" -> inline(index, "name");
            case "uidnumber" -> inline(index, "cn", "member");
            case "member" -> inline(index, "sn", "objectClass");
            default -> index;
        };
    }

    private void compareOneDirectory(List<IndexDefinition> indexes, int size) throws DirectoryException {
        try (TestDirectory directory = new TestDirectory(SUFFIX, indexes.toArray(IndexDefinition[]::new))) {
            List<SearchOracle.Entry> entries = fill(directory, size);
            SearchOracle oracle = new SearchOracle(entries);
            try (Snapshot snapshot = directory.partition().snapshot()) {
                for (SearchOracle.Entry entry : entries) {
                    assertEquals(entry.dn(), directory.partition().dnOf(snapshot, entry.id()));
                    assertEquals(entry.id(), directory.partition().resolve(snapshot, dn(entry.dn().toUpperCase(Locale.ROOT))));
                }
                for (int i = 0; i < 250; i++) {
                    compareOneSearch(directory, snapshot, oracle, entries.get(random.nextInt(random.nextBoolean() ? 1
                            : size)).dn());
                }
            }
        }
    }

    private void compareOneSearch(TestDirectory directory, Snapshot snapshot, SearchOracle oracle,
            String base) throws DirectoryException {
        Filter filter = filter(3, oracleDns(directory, snapshot));
        SearchScope scope = SearchScope.values()[random.nextInt(4)];
        List<Long> expected = oracle.search(base, scope, filter);
        String text = Filters.format(filter);
        SearchQuery query = new SearchQuery(dn(base), scope, FilterParser.parse(text), 0, 0);
        List<Long> found = directory.ids(snapshot, query);
        if (!found.equals(expected)) {
            try (SearchCursor cursor = directory.partition().search(snapshot, query)) {
                assertEquals("seed " + SEED + " " + text + "\n" + cursor.plan(), expected, found);
            }
        }
        assertEquals(text, Filters.format(query.filter()));
        probe(directory, snapshot, query.filter(), oracle.search(SUFFIX, SearchScope.SUBTREE, filter));
        resume(directory, snapshot, query, expected);
    }

    /** What a probe of the filter says of the stored attributes alone leaves out no entry that the filter finds. */
    private static void probe(TestDirectory directory, Snapshot snapshot, Filter filter, List<Long> expected) throws DirectoryException {
        Schema schema = directory.partition().schema();
        EntryProbe probe = FilterProbe.of(CompiledFilter.compile(schema, filter).whereTrue(), schema.attributeType("member"));
        for (long id : probe == null ? List.<Long>of() : expected) {
            assertTrue("entry " + id + ", " + Filters.format(filter), probe.holds(passed(probe, snapshot.entry(id))));
        }
    }

    private static long passed(EntryProbe probe, EntryRecord record) {
        long passed = 0;
        List<Attribute> attributes = new ArrayList<>(record.userAttributes());
        attributes.addAll(record.operationalAttributes());
        for (Attribute attribute : attributes) {
            byte[] name = utf8(attribute.description());
            for (int i = 0; i < probe.tests().size(); i++) {
                EntryProbe.Test test = probe.tests().get(i);
                if (test.selects(name, 0, name.length) && attribute.values().stream().anyMatch(value -> test.matches(value, 0, value.length))) {
                    passed |= 1L << i;
                }
            }
        }
        return passed;
    }

    /** A page that begins behind any of the results has the rest. */
    private void resume(TestDirectory directory, Snapshot snapshot, SearchQuery query,
            List<Long> expected) throws DirectoryException {
        if (expected.size() > 1) {
            int at = random.nextInt(expected.size());
            SearchQuery rest = new SearchQuery(query.base(), query.scope(), query.filter(), expected.get(at), 0);
            assertArrayEquals(expected.subList(at + 1, expected.size()).toArray(), directory.ids(snapshot, rest).toArray());
        }
    }

    private static List<String> oracleDns(TestDirectory directory, Snapshot snapshot) {
        return IntStream.rangeClosed(1, 20).mapToObj(id -> directory.partition().dnOf(snapshot, id)).toList();
    }

    private List<SearchOracle.Entry> fill(TestDirectory directory, int size) {
        List<SearchOracle.Entry> entries = new ArrayList<>();
        int fanOut = 1 + random.nextInt(10);
        for (int i = 0; i < size; i++) {
            String dn = i == 0 ? SUFFIX : "cn=" + (random.nextInt(5) == 0
                    ? text().trim().replaceAll(" +", " ").toLowerCase(Locale.ROOT) + i : "e" + i)
                    + "," + entries.get(Math.min(entries.size() - 1, random.nextInt(fanOut) * random.nextInt(4))).dn();
            Map<String, List<String>> attributes = attributes(entries);
            List<String> lines = new ArrayList<>();
            attributes.forEach((name, values) -> values.forEach(value -> lines.add(name + ": " + value)));
            long id = directory.add(dn, lines.toArray(String[]::new));
            Map<String, List<String>> lowerCase = new LinkedHashMap<>();
            attributes.forEach((name, values) -> lowerCase.put(canonical(name), values));
            entries.add(new SearchOracle.Entry(id, dn, lowerCase));
        }
        return entries;
    }

    private static String canonical(String name) {
        return name.toLowerCase(Locale.ROOT).replace("commonname", "cn").replace("2.5.4.4", "sn");
    }

    private Map<String, List<String>> attributes(List<SearchOracle.Entry> entries) {
        Map<String, List<String>> attributes = new LinkedHashMap<>();
        attributes.put("objectClass", List.of(pick("inetOrgPerson", "person", "groupOfNames")));
        maybe(attributes, pick("cn", "commonName", "CN"), text(), text() + "2");
        maybe(attributes, pick("sn", "2.5.4.4"), text());
        maybe(attributes, "cn;lang-en", text());
        maybe(attributes, "givenName", text());
        maybe(attributes, "description", text(), text() + " x");
        maybe(attributes, "uidNumber", pick("0", "7", "-7", "10", "100", "255", "256"));
        maybe(attributes, "jpegPhoto", "x");
        if (!entries.isEmpty()) {
            maybe(attributes, "member", entries.get(random.nextInt(entries.size())).dn());
        }
        return attributes;
    }

    private void maybe(Map<String, List<String>> attributes, String name, String... values) {
        if (random.nextBoolean()) {
            attributes.put(name, Arrays.asList(values).subList(0, 1 + random.nextInt(values.length)));
        }
    }

    private String text() {
        return pick("a", "ab", "abc", "ABCD", "abcabc", "b  c", " bc", "ab cab", "cab", "Äb", "c", "aaaa", LONG_TEXT + "a",
                LONG_TEXT + "b");
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private Filter filter(int depth, List<String> dns) {
        int kind = depth == 0 ? 9 : random.nextInt(11);
        if (kind == 10) {
            return conjunction(dns);
        } else if (kind < 3) {
            return new Filter.And(filters(depth - 1, dns));
        } else if (kind < 5) {
            return new Filter.Or(filters(depth - 1, dns));
        }
        return kind == 5 ? new Filter.Not(filter(depth - 1, dns)) : item(dns);
    }

    /** What inline values answer, among other things. */
    private Filter conjunction(List<String> dns) {
        List<Filter> parts = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            Filter equality = random.nextInt(3) > 0 ? equality(pick("cn", "description", "name"), dns)
                    : equality(pick("objectClass", "uidNumber", "member"), dns);
            parts.add(random.nextInt(6) == 0 ? new Filter.Not(equality) : random.nextInt(4) > 0 ? equality
                    : new Filter.Or(List.of(equality, equality(((Filter.Equality) equality).description(), dns))));
        }
        parts.add(random.nextBoolean() ? new Filter.GreaterOrEqual("uidNumber", utf8(pick("0", "-7", "8", "255")))
                : item(dns));
        return new Filter.And(parts);
    }

    private Filter equality(String name, List<String> dns) {
        return new Filter.Equality(name, utf8(switch (name) {
            case "objectClass" -> pick("person", "top", "inetOrgPerson", "groupOfNames");
            case "uidNumber" -> pick("0", "7", "-7", "10", "100", "255", "256");
            case "member" -> dns.get(random.nextInt(dns.size()));
            default -> text();
        }));
    }

    private List<Filter> filters(int depth, List<String> dns) {
        return IntStream.range(0, random.nextInt(4)).mapToObj(i -> filter(depth, dns)).toList();
    }

    private Filter item(List<String> dns) {
        String name = pick("cn", "CN", "name", "sn", "givenName", "description", "cn;lang-en", "name;lang-en", "noSuchAttribute");
        String dn = dns.get(random.nextInt(dns.size()));
        return switch (random.nextInt(15)) {
            case 0, 1 -> new Filter.Equality(name, utf8(text()));
            case 2 -> new Filter.Present(pick(name, "jpegPhoto", "uidNumber", "objectClass", "member"));
            case 3, 4, 5 -> substring(name);
            case 6 -> new Filter.GreaterOrEqual(pick("uidNumber", "uidNumber", "cn"), utf8(pick("0", "-7", "8", "255", "x")));
            case 7 -> new Filter.LessOrEqual(pick("uidNumber", "uidNumber", "nothing"), utf8(pick("0", "-7", "8", "255", "x")));
            case 8 -> new Filter.Equality("objectClass", utf8(pick("person", "top", "inetOrgPerson", "GROUPOFNAMES", "device")));
            case 9 -> new Filter.Equality(pick("uidNumber", "jpegPhoto"), utf8(pick("7", "10", "x")));
            case 10 -> new Filter.Approximate(name, utf8(text()));
            case 11 -> new Filter.Equality("member", utf8(dn));
            case 12 -> new Filter.Extensible("1.2.840.113556.1.4.1941", "member", utf8(dn), false);
            case 13 -> new Filter.Extensible(null, pick("cn", "name"), utf8(pick("a", "ABCD", "abcd", "e3")),
                    random.nextBoolean());
            default -> new Filter.Extensible(pick("caseExactMatch", "noSuchMatch"), pick("cn", "name"), utf8(pick("a", "ABCD")),
                    false);
        };
    }

    private Filter substring(String name) {
        byte[] initial = random.nextBoolean() ? utf8(piece()) : null;
        byte[] last = random.nextBoolean() ? utf8(piece()) : null;
        List<byte[]> any = IntStream.range(0, initial == null && last == null ? 1
                : random.nextInt(3)).mapToObj(i -> utf8(piece())).toList();
        return new Filter.Substring(name, initial, any, last);
    }

    private String piece() {
        return pick("a", "ab", "bc", "abc", "ABCD", "ca", "c", "b", "long", "aa", "äb");
    }
}
