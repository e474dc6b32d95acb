/** The ports of a member that other members alone connect to. Knows nothing of what is said there. */
package org.alder.partition.bookkeeper.socket;

