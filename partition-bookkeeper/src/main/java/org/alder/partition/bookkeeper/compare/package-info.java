/**
 * Comparing what the members hold that share a log, slice by slice, as of the same transactions. What they tell each other is on a {@link
 * org.alder.partition.bookkeeper.compare.Board}.
 */
package org.alder.partition.bookkeeper.compare;

