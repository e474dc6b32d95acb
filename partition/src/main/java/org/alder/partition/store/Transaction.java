package org.alder.partition.store;

import java.util.function.Supplier;
import org.alder.partition.error.DirectoryException;

/**
 * A change to be validated and made against the newest state. Nothing of other transactions can come between its reads and its
 * writes; it must be short and must not block. If it throws, none of its writes happen; a {@link RetryException} answers nobody.
 *
 * <p>An engine may run it again, on any thread, each time against a newer state and with a new context, and only the last run
 * counts: what it wrote before is forgotten, and the IDs it was given are lost. So it has no effect but through its context and
 * its result, and what it remembers beside them it sets anew in each run.
 */
@FunctionalInterface
public interface Transaction<T> {
    T run(WriteContext context) throws DirectoryException;

    /** What it is, for the log. */
    default String what() {
        return "an update";
    }

    /** Whether it may take so long that others, which do not, are to go first. */
    default boolean isLong() {
        return false;
    }

    /** Whether it is to be on the disk when its future completes, also where the store promises less for others. */
    default boolean isSynced() {
        return false;
    }

    /** The same, called so in the log. */
    default Transaction<T> called(boolean isLong, Supplier<String> what) {
        Transaction<T> inner = this;
        return new Transaction<>() {
            @Override
            public T run(WriteContext context) throws DirectoryException {
                return inner.run(context);
            }

            @Override
            public boolean isSynced() {
                return inner.isSynced();
            }

            @Override
            public boolean isLong() {
                return isLong;
            }

            @Override
            public String what() {
                return what.get();
            }
        };
    }
}
