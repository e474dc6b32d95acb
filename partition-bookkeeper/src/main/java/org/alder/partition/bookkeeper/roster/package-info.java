/** Where members are: what each says of itself in ZooKeeper, beside what a member's own file says of the others, and those to whom updates can be handed on. */
package org.alder.partition.bookkeeper.roster;
