package org.alder.server.cli.data;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.List;
import org.alder.partition.Partition;
import org.alder.partition.error.StoreException;
import org.junit.Test;

/** An export beside a server that is changing its schema. */
public class ExportVerbTest {
    private int openings;

    private StoreException refused(StoreException.Kind kind) {
        return new StoreException(kind, "opening " + openings);
    }

    @Test
    public void whatIsNotOfOneMomentIsOpenedOnceMore() throws Exception {
        List<Partition> opened = List.of();
        assertSame(opened, ExportVerb.ofOneMoment(() -> {
            if (++openings < 2) {
                throw refused(StoreException.Kind.REFUSED);
            }
            return opened;
        }));
        assertEquals(2, openings);
    }

    @Test
    public void whatDoesNotPassIsTold() {
        StoreException told = assertThrows(StoreException.class, () -> ExportVerb.ofOneMoment(() -> {
            openings++;
            throw refused(StoreException.Kind.REFUSED);
        }));
        assertEquals("opening " + openings, told.getMessage());
        assertTrue("openings: " + openings, openings > 1);
    }

    @Test
    public void whatIsDamagedIsToldAtOnce() {
        assertThrows(StoreException.class, () -> ExportVerb.ofOneMoment(() -> {
            openings++;
            throw refused(StoreException.Kind.CORRUPT);
        }));
        assertEquals(1, openings);
    }
}
