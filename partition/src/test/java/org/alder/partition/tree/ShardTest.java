package org.alder.partition.tree;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.List;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.Schema;
import org.junit.Test;

public class ShardTest {
    private static final Schema SCHEMA = Schema.load(List.of());
    private static final Dn SUFFIX = dn("ou=people,dc=example,dc=com");

    private static Dn dn(String text) {
        try {
            return Dn.parse(SCHEMA, text);
        } catch (DirectoryException e) {
            throw new AssertionError(e);
        }
    }

    private static int shard(String rdns, int count) {
        return Shard.numberOf(SUFFIX, dn(rdns + "," + SUFFIX.text()), count);
    }

    /** What is on disk depends on it: docs/format/shards.md. */
    @Test
    public void aNameStaysInItsShardForEver() {
        assertEquals("0 2 5 54", shard("uid=user.1", 1) + " " + shard("uid=user.1", 4) + " " + shard("cn=babs+uid=b", 7) + " " + shard("uid=user.2", 64));
    }

    @Test
    public void howANameIsSpeltDoesNotMatter() {
        assertEquals(shard("uid=user.7", 64), shard("UID= USER.7", 64));
        assertEquals(shard("cn=b+uid=a", 64), shard("uid=a+cn=b", 64));
    }

    @Test
    public void allBelowAnEntryIsInItsShard() {
        for (int i = 0; i < 50; i++) {
            assertEquals(shard("uid=user." + i, 16), shard("cn=x,ou=y,uid=user." + i, 16));
        }
    }

    @Test
    public void theSuffixIsInTheFirst() {
        assertEquals(0, Shard.numberOf(SUFFIX, SUFFIX, 64));
        assertTrue(new Shard(0, 3).holds(SUFFIX, SUFFIX));
        assertFalse(new Shard(1, 3).holds(SUFFIX, SUFFIX));
    }

    @Test
    public void namesAreSpreadEvenly() {
        for (int count : new int[] {2, 3, 10, 64}) {
            int[] found = new int[count];
            for (int i = 0; i < 10_000; i++) {
                found[shard("uid=user." + i, count)]++;
            }
            for (int each : found) {
                assertEquals("of " + count + " shards", 10_000.0 / count, each, 10_000.0 / count / 2);
            }
        }
    }

    @Test
    public void thereAreNoOtherNumbers() {
        for (int[] wrong : new int[][] {{-1, 2}, {2, 2}, {0, 0}, {0, 65}}) {
            assertThrows(IllegalArgumentException.class, () -> new Shard(wrong[0], wrong[1]));
        }
    }
}
