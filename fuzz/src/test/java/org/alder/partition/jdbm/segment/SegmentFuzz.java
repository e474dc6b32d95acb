package org.alder.partition.jdbm.segment;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.alder.fuzz.Scratch;
import org.alder.partition.error.StoreException;
import org.alder.partition.file.CheckedText;
import org.alder.partition.jdbm.layer.IdSetDelta;

/** What a segment says of itself, and the sets of IDs in its tables: read, or found to be damaged. */
public final class SegmentFuzz {
    private static final Path FOLDER = Scratch.file(SegmentDescriptor.FILE_NAME).getParent();
    private static final CheckedText CHECKED = new CheckedText("crc32c");

    private SegmentFuzz() {
    }

    /** A value of an index table that has no nested trees. */
    public static void idSet(byte[] input) {
        try {
            IdSetCodec.findNestedTrees(input, record -> { });
            IdSetCodec.Head head = IdSetCodec.head(input);
            if (!IdSetCodec.isNested(input)) {
                IdSetDelta delta = IdSetCodec.decode(input, null);
                assertEquals(head.added(), delta.added().cardinality());
                assertEquals(head.removed(), delta.removed().cardinality());
            }
        } catch (StoreException e) {
            assertEquals(e.getMessage(), StoreException.Kind.CORRUPT, e.kind());
        }
    }

    /** The lines of a descriptor, which get the right checksum. */
    public static void descriptor(byte[] input) throws IOException {
        Scratch.write(FOLDER.resolve(SegmentDescriptor.FILE_NAME), CHECKED.encode(new String(input, StandardCharsets.UTF_8)));
        try {
            SegmentDescriptor descriptor = DescriptorFile.read(FOLDER);
            assertTrue(descriptor.master().fileBytes() > 0);
        } catch (StoreException e) {
            assertEquals(e.getMessage(), StoreException.Kind.CORRUPT, e.kind());
        }
    }
}
