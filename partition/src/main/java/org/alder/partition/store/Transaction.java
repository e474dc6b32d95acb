package org.alder.partition.store;

import org.alder.partition.error.DirectoryException;

/**
 * A change to be validated and made against the newest state. Runs on the store's only writer thread, so nothing can come
 * between its reads and its writes; it must be short and must not block. If it throws, none of its writes happen.
 */
@FunctionalInterface
public interface Transaction<T> {
    T run(WriteContext context) throws DirectoryException;
}
