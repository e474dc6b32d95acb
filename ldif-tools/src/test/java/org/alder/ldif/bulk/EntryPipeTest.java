package org.alder.ldif.bulk;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.alder.ldif.LdifAttribute;
import org.alder.ldif.LdifEntry;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.rule.EntryRules;
import org.alder.partition.schema.Schema;
import org.alder.partition.update.UpdateOrigin;
import org.junit.Test;

public class EntryPipeTest {
    private static final int ENTRIES = 200;
    /** Larger than a batch, so that each is one. */
    private static final int VALUE_BYTES = 1 << 20;

    private final AtomicInteger read = new AtomicInteger();
    private final AtomicInteger taken = new AtomicInteger();
    private final AtomicInteger mostUnderWay = new AtomicInteger();

    /** Entries that are refused, so that no store is needed. */
    private LdifEntry entry() {
        if (read.get() == ENTRIES) {
            return null;
        }
        mostUnderWay.accumulateAndGet(read.incrementAndGet() - taken.get(), Math::max);
        return new LdifEntry("cn=" + read + ",dc=elsewhere", List.of(new LdifAttribute("description", new byte[VALUE_BYTES])));
    }

    private static BatchPreparation preparation() throws IOException, DirectoryException {
        try (Stream<Path> files = Files.list(Path.of("..", "conf", "schema"))) {
            Schema schema = Schema.load(files.filter(file -> file.toString().endsWith(".ldif")).sorted().toList());
            UpdateOrigin origin = new UpdateOrigin("cn=Directory Manager", Instant.EPOCH);
            return new BatchPreparation(schema, Dn.parse(schema, "dc=example,dc=com"), origin,
                    EntryRules.standard(schema), null);
        }
    }

    private void takeAll(long roomBytes) throws IOException, DirectoryException {
        try (EntryPipe pipe = new EntryPipe(this::entry, preparation(), roomBytes)) {
            for (List<LoadEntry> batch = pipe.next(); batch != null; batch = pipe.next()) {
                for (LoadEntry entry : batch) {
                    assertEquals("cn=" + taken.incrementAndGet() + ",dc=elsewhere", entry.source().dn());
                }
            }
        }
        assertEquals(ENTRIES, taken.get());
    }

    /** One is with the reader, one in preparation or with the taker. */
    @Test
    public void entriesLargerThanTheRoomGoOneByOne() throws IOException, DirectoryException {
        takeAll(VALUE_BYTES / 2);
        assertTrue("under way: " + mostUnderWay, mostUnderWay.get() <= 3);
    }

    @Test
    public void asManyAsThereIsRoomFor() throws IOException, DirectoryException {
        takeAll(4L * VALUE_BYTES);
        assertTrue("under way: " + mostUnderWay, mostUnderWay.get() <= 6);
    }
}
