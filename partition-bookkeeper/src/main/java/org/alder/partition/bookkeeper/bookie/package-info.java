/** The bookie that runs in a member's own process, and what is done where its disk was lost: another name for it, and new copies of what it held. */
package org.alder.partition.bookkeeper.bookie;
