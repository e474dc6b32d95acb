package org.alder.perf.engine;

import static org.junit.Assert.assertEquals;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class PlainJdbmTreeTest {
    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Test
    public void findsThePositionOfEachKeyAndNoOther() throws Exception {
        List<byte[]> keys = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            keys.add(key(String.format(Locale.ROOT, "key.%05d", 2 * i)));
        }
        Path file = folder.getRoot().toPath().resolve("plain");
        PlainJdbmTree.build(file, keys);
        for (int cached : new int[] {3, 10_000}) {
            try (PlainJdbmTree tree = PlainJdbmTree.open(file, cached)) {
                for (int i = 0; i < keys.size(); i += 7) {
                    assertEquals(i, tree.find(keys.get(i)));
                    assertEquals(-1, tree.find(key(String.format(Locale.ROOT, "key.%05d", 2 * i + 1))));
                }
            }
        }
    }

    private static byte[] key(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
