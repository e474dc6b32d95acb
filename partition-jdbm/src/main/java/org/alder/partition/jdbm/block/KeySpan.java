package org.alder.partition.jdbm.block;

/**
 * Keys from one to another, both inclusive; the arrays are shared, not to be changed.
 *
 * @param last at or above the first
 */
public record KeySpan(byte[] first, byte[] last) {
}
