package org.alder.partition.jdbm.backup;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.alder.fuzz.Scratch;
import org.alder.partition.error.StoreException;
import org.alder.partition.file.CheckedText;

/** A point of a backup: read and written again it is the same and leads nowhere else, or it is found to be damaged. */
public final class BackupFuzz {
    private static final Path FILE = Scratch.file("20261122T221854123Z");
    private static final CheckedText CHECKED = new CheckedText("crc32c");

    private BackupFuzz() {
    }

    /** The lines of a point, which get the right checksum. */
    public static void point(byte[] input) throws IOException {
        Scratch.write(FILE, CHECKED.encode(new String(input, StandardCharsets.UTF_8)));
        BackupPoint point;
        try {
            point = PointFile.read(FILE);
        } catch (StoreException e) {
            assertEquals(e.getMessage(), StoreException.Kind.CORRUPT, e.kind());
            return;
        }
        Path folder = FILE.getParent();
        point.files().forEach(file -> assertTrue(file.name(), folder.resolve(file.name()).normalize().startsWith(folder)));
        point.stores().forEach(store -> assertEquals(store.partition(), folder, folder.resolve(store.partition()).normalize().getParent()));
        Scratch.write(FILE, PointFile.encode(point));
        assertEquals(point, PointFile.read(FILE));
    }
}
