package org.alder.partition.check;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.Test;

public final class PostingSumsTest {
    private static final long ONE = hash(1, "one");
    private static final long TWO = hash(1, "two");

    private final PostingSums sums = new PostingSums();

    private static long hash(int index, String key) {
        return PostingSums.hash(index, key.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Test
    public void theSamePostingsInAnotherOrderLeaveNothing() {
        for (long id = 1; id <= 1000; id++) {
            sums.add(hash((int) id % 3, "key " + id % 7), id);
        }
        for (long id = 1000; id >= 1; id--) {
            sums.subtract(hash((int) id % 3, "key " + id % 7), id);
        }
        assertEquals(List.of(), sums.unequalBuckets());
    }

    @Test
    public void idsThatChangedPlacesAreSeen() {
        sums.add(ONE, 1);
        sums.add(TWO, 2);
        sums.subtract(ONE, 2);
        sums.subtract(TWO, 1);
        assertEquals(Set.of(PostingSums.bucket(ONE), PostingSums.bucket(TWO)), new HashSet<>(sums.unequalBuckets()));
    }

    @Test
    public void otherIdsOfTheSameCountAndSumAreSeen() {
        sums.add(ONE, 1);
        sums.add(ONE, 4);
        sums.subtract(ONE, 2);
        sums.subtract(ONE, 3);
        assertEquals(List.of(PostingSums.bucket(ONE)), sums.unequalBuckets());
    }

    @Test
    public void aPostingThatIsThereTwiceIsSeen() {
        sums.add(ONE, 1);
        sums.subtract(ONE, 1);
        sums.subtract(ONE, 1);
        assertEquals(List.of(PostingSums.bucket(ONE)), sums.unequalBuckets());
    }

    @Test
    public void indexLengthAndEveryByteCount() {
        Set<Long> hashes = new HashSet<>();
        String key = "0123456789abcdefXYZ";
        for (int length = 0; length <= key.length(); length++) {
            hashes.add(hash(0, key.substring(0, length)));
            hashes.add(hash(1, key.substring(0, length)));
            hashes.add(hash(0, key.substring(0, length) + "\0"));
        }
        assertEquals(3 * (key.length() + 1), hashes.size());
        for (int at = 0; at < key.length(); at++) {
            assertNotEquals(hash(0, key), hash(0, key.substring(0, at) + '_' + key.substring(at + 1)));
        }
    }
}
