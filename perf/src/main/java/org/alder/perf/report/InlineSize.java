package org.alder.perf.report;

/**
 * What inline values cost. Immutable.
 *
 * @param inline whether there are any
 * @param indexBytes of the index that may have them, for each entry
 * @param diskBytes of all, for each entry
 * @param loadedPerSecond entries
 */
public record InlineSize(String inline, double indexBytes, double diskBytes, double loadedPerSecond) {
}
