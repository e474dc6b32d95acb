package org.alder.partition.jdbm.memory;

/**
 * One ID that a transaction puts into, or takes out of, the set of one index key. Exact: an added ID was not in the set before,
 * a removed one was.
 *
 * @param key not to be changed
 */
public record KeyChange(int index, byte[] key, long id, boolean added) {
}
