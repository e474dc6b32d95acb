package org.alder.server.directory.own;

import java.util.List;
import java.util.function.Supplier;
import org.alder.partition.Partition;
import org.alder.partition.error.StoreException;

/** Reads the partitions of a server, of which some may be taken away meanwhile. Stateless. */
public final class ServedPartitions {
    private ServedPartitions() {
    }

    /** What looks at partitions. */
    @FunctionalInterface
    public interface Reading<T, E extends Exception> {
        T of(List<Partition> all) throws E;
    }

    /**
     * Looks at all, and once more where one of them was taken away meanwhile.
     *
     * @param served those there are now: the same list as long as they are the same
     * @throws StoreException where one fails that is still served
     */
    public static <T, E extends Exception> T read(Supplier<List<Partition>> served, Reading<T, E> reading) throws E {
        while (true) {
            List<Partition> now = served.get();
            try {
                return reading.of(now);
            } catch (StoreException e) {
                if (e.kind() != StoreException.Kind.CLOSED || now == served.get()) {
                    throw e;
                }
            }
        }
    }
}
