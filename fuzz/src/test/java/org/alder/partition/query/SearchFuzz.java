package org.alder.partition.query;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.filter.Filter;
import org.alder.partition.filter.FilterParser;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
import org.alder.partition.request.SearchScope;
import org.alder.partition.testing.TestDirectory;

/** Whatever is searched for, indexes find what looking at all entries finds, and not what its opposite finds. */
public final class SearchFuzz {
    private static final String SUFFIX = "dc=example,dc=com";
    private static final String LONG_TEXT = "long ".repeat(130);
    private static final List<IndexDefinition> INDEXES = List.of(index("objectClass", IndexKind.EQUALITY),
            index("cn", IndexKind.EQUALITY, IndexKind.SUBSTRING, IndexKind.PRESENCE),
            index("name", IndexKind.EQUALITY, IndexKind.SUBSTRING), index("description", IndexKind.SUBSTRING, IndexKind.EQUALITY),
            index("uidNumber", IndexKind.EQUALITY, IndexKind.PRESENCE), index("member", IndexKind.EQUALITY),
            index("jpegPhoto", IndexKind.PRESENCE), index("uid", IndexKind.SUBSTRING));
    private static final TestDirectory PLAIN = filled();
    private static final TestDirectory INDEXED = filled(INDEXES.toArray(IndexDefinition[]::new));
    private static final TestDirectory INLINED = filled(INDEXES.stream().map(index -> index.kinds().contains(IndexKind.EQUALITY)
            ? TestDirectory.inline(index, "sn", "givenName") : index).toArray(IndexDefinition[]::new));

    private SearchFuzz() {
    }

    private static IndexDefinition index(String attribute, IndexKind... kinds) {
        return TestDirectory.index(attribute, kinds);
    }

    private static TestDirectory filled(IndexDefinition... indexes) {
        TestDirectory directory = new TestDirectory(SUFFIX, indexes);
        directory.add(SUFFIX, "objectClass: domain", "dc: example");
        directory.add("ou=people," + SUFFIX, "objectClass: organizationalUnit", "ou: people");
        for (int i = 1; i <= 40; i++) {
            List<String> lines = new ArrayList<>(List.of("objectClass: " + (i % 3 == 0 ? "inetOrgPerson" : "person"), "cn: User " + i,
                    "sn: Number" + i % 7));
            add(lines, i % 2 == 0, "cn: other  name " + i % 5, "uidNumber: " + (i - 20));
            add(lines, i % 5 == 0, "description: " + LONG_TEXT + i, "cn;lang-de: Jörg Weiß");
            add(lines, i % 4 == 0, "givenName: ", "uid: user." + i, "description: a*b(c)\\d");
            add(lines, i % 6 == 0, "member: cn=User " + i / 2 + ",ou=people," + SUFFIX, "jpegPhoto: x");
            lines.removeIf(line -> line.endsWith(": "));
            directory.add("cn=User " + i + (i > 30 ? ",cn=User 1" : "") + ",ou=people," + SUFFIX, lines.toArray(String[]::new));
        }
        return directory;
    }

    private static void add(List<String> lines, boolean add, String... more) {
        if (add) {
            lines.addAll(List.of(more));
        }
    }

    /** A filter as text. */
    public static void search(byte[] input) {
        Filter filter;
        try {
            filter = FilterParser.parse(new String(input, StandardCharsets.UTF_8));
        } catch (DirectoryException e) {
            return;
        }
        List<Long> expected = found(PLAIN, filter);
        assertEquals(expected, found(INDEXED, filter));
        assertEquals(expected, found(INLINED, filter));
        List<Long> neither = found(INDEXED, new Filter.And(List.of(filter, new Filter.Not(filter))));
        assertTrue("what is and is not", neither == null || neither.isEmpty());
        List<Long> again = found(INDEXED, new Filter.Not(new Filter.Not(filter)));
        assertTrue("found is " + expected + ", and what is not not is " + again, again == null || again.equals(expected));
    }

    /** How it is answered can be shown, on lines of their own. @return null where the filter is too large */
    private static List<Long> found(TestDirectory directory, Filter filter) {
        SearchQuery query = new SearchQuery(TestDirectory.dn(SUFFIX), SearchScope.SUBTREE, filter, 0, 0);
        try (var snapshot = directory.partition().snapshot(); SearchCursor cursor = directory.partition().search(snapshot, query)) {
            String plan = cursor.plan().toString();
            assertTrue(plan, plan.endsWith("\n") && plan.chars().noneMatch(c -> c < ' ' && c != '\n'));
            return TestDirectory.ids(cursor);
        } catch (DirectoryException e) {
            assertEquals(ResultCode.ADMIN_LIMIT_EXCEEDED, e.resultCode());
            return null;
        }
    }
}
