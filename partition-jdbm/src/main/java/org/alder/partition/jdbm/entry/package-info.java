/** The entries of a segment in one file: each coded by its shape and by what the segment's entries have in common, and read alone. */
package org.alder.partition.jdbm.entry;
