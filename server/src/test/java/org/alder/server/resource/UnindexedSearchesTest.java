package org.alder.server.resource;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.List;
import org.alder.server.resource.UnindexedSearches.Missing;
import org.junit.Test;

/** However many attributes clients ask for, what costs most is remembered. */
public class UnindexedSearchesTest {
    private final UnindexedSearches searches = new UnindexedSearches();

    private static List<Missing> missing(String attribute) {
        return List.of(new Missing("dc=example,dc=com", attribute, "eq"));
    }

    @Test
    public void whatSearchesTookIsAddedUpAndTheDearestComesFirst() {
        searches.note(missing("title"), false, 10, 100, 1);
        searches.note(missing("street"), false, 15, 100, 1);
        searches.note(missing("title"), true, 10, 50, 2);
        UnindexedSearches.Row title = searches.rows().get(0);
        assertEquals(new UnindexedSearches.Row(missing("title").get(0), 2, 1, 20, 150, 3, title.last()), title);
        assertEquals("street", searches.rows().get(1).missing().attribute());
    }

    @Test
    public void whoAsksForManyAttributesPushesOutWhatCostsLeastAlone() {
        searches.note(missing("dear"), true, 1_000_000, 100_000, 0);
        for (int i = 0; i < 10 * UnindexedSearches.MOST_ROWS; i++) {
            searches.note(missing("cheap" + i), false, 1, 1, 0);
        }
        assertEquals(UnindexedSearches.MOST_ROWS, searches.rows().size());
        assertEquals("dear", searches.rows().get(0).missing().attribute());
        assertTrue(searches.rows().stream().anyMatch(row -> row.missing().attribute().equals("cheap" + (10 * UnindexedSearches.MOST_ROWS - 1))));
    }
}
