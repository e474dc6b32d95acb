package org.alder.partition.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.util.List;
import org.alder.partition.store.Commit.Change;
import org.alder.partition.store.Commit.Kind;
import org.junit.Test;

public class MergedChangesTest {
    private final MergedChanges merged = new MergedChanges();

    @Test
    public void eachEntryIsThereOnceWithWhatItCameTo() {
        add(1, Kind.ADDED, Kind.MODIFIED, Kind.RENAMED);
        add(2, Kind.MODIFIED, Kind.RENAMED, Kind.MODIFIED);
        add(3, Kind.RENAMED, Kind.DELETED);
        add(4, Kind.ADDED, Kind.RENAMED, Kind.DELETED);
        add(5, Kind.MODIFIED, Kind.MODIFIED);
        add(1, Kind.MODIFIED);
        assertEquals(List.of(new Change(1, Kind.ADDED), new Change(2, Kind.RENAMED), new Change(3, Kind.DELETED), new Change(5, Kind.MODIFIED)), merged.list());
        assertEquals(4, merged.size());
    }

    @Test
    public void anIdThatIsGivenAgainIsNoneOfTheSameEntry() {
        add(1, Kind.DELETED);
        assertThrows(IllegalStateException.class, () -> add(1, Kind.ADDED));
    }

    private void add(long id, Kind... kinds) {
        for (Kind kind : kinds) {
            merged.add(new Change(id, kind));
        }
    }
}
