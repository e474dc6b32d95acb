package org.alder.partition.jdbm.folder;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.alder.fuzz.Scratch;
import org.alder.partition.error.StoreException;
import org.alder.partition.file.CheckedText;
import org.alder.partition.jdbm.disk.SystemDisk;

/** A store's manifest: read and written again it is the same, or it is found to be damaged. */
public final class ManifestFuzz {
    private static final Path FOLDER = Scratch.file(ManifestFile.NAME).getParent();
    private static final CheckedText CHECKED = new CheckedText("crc32c");

    private ManifestFuzz() {
    }

    /** The lines of a manifest, which get the right checksum. */
    public static void manifest(byte[] input) throws IOException {
        Scratch.write(FOLDER.resolve(ManifestFile.NAME), CHECKED.encode(new String(input, StandardCharsets.UTF_8)));
        Manifest manifest;
        try {
            manifest = ManifestFile.read(FOLDER);
        } catch (StoreException e) {
            assertEquals(e.getMessage(), StoreException.Kind.CORRUPT, e.kind());
            return;
        }
        ManifestFile.write(SystemDisk.INSTANCE, FOLDER, manifest);
        assertEquals(manifest, ManifestFile.read(FOLDER));
    }
}
