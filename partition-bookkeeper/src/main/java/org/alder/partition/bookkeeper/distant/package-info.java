/** Stores that other members hold: what is read of them is asked, and what holds them answers. */
package org.alder.partition.bookkeeper.distant;
