package org.alder.partition.query.plan;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.stream.LongStream;
import org.alder.partition.id.IdSet;
import org.alder.partition.store.Snapshot;
import org.junit.Test;

/** What is put together of several keys is asked among candidates, as a key is. */
public class IndexTermTest {
    /** Under the key of one byte b: all multiples of b up to a million. Reads no set whole. */
    private final Snapshot snapshot = (Snapshot) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Snapshot.class},
            (proxy, method, arguments) -> switch (method.getName()) {
                case "cardinality" -> (long) (1_000_000 / number(arguments));
                case "ids" -> multiples((IdSet) arguments[2], number(arguments));
                default -> throw new AssertionError("reads " + method.getName());
            });

    private static int number(Object[] arguments) {
        return ((byte[]) arguments[1])[0];
    }

    private static IdSet multiples(IdSet among, int number) {
        return IdSet.of(ids(among).filter(id -> id % number == 0).toArray());
    }

    private static LongStream ids(IdSet set) {
        IdSet.IdIterator ids = set.iterator();
        return LongStream.generate(ids::next).limit(set.cardinality());
    }

    private IndexTerm multiplesOf(int number) {
        return new IndexTerm.Key(snapshot, null, new byte[] {(byte) number}, true);
    }

    @Test
    public void aUnionIsAskedForTheCandidatesAlone() {
        IdSet candidates = IdSet.of(4, 5, 6, 7, 900_000);
        IndexTerm union = new IndexTerm.Union(List.of(multiplesOf(2), multiplesOf(3)));
        assertEquals(List.of(4L, 6L, 900_000L), ids(union.ids(snapshot, candidates)).boxed().toList());
        assertTrue(union.costNanos(candidates) < union.costNanos() / 5);
    }

    @Test
    public void anIntersectionIsAskedForTheCandidatesAlone() {
        IdSet candidates = IdSet.of(4, 5, 6, 7, 900_000);
        IndexTerm both = new IndexTerm.Intersection(List.of(multiplesOf(3), multiplesOf(2)), true);
        assertEquals(List.of(6L, 900_000L), ids(both.ids(snapshot, candidates)).boxed().toList());
        assertTrue(both.costNanos(candidates) < both.costNanos() / 5);
    }
}
