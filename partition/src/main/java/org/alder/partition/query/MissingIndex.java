package org.alder.partition.query;

import org.alder.partition.index.IndexKind;

/**
 * What no index answers of a filter, so that it is tested on entries. Immutable.
 *
 * @param name of the attribute; the item itself, with its value, where that is about no single attribute
 * @param isAttribute whether the name is that of an attribute
 * @param index that would answer it; null if none would
 */
public record MissingIndex(String name, boolean isAttribute, IndexKind index) {
}
