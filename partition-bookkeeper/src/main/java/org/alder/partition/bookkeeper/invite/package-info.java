/** How another machine becomes a member: what it needs is sealed, waits in ZooKeeper, is given out once, and is opened by whoever has the token (docs/format/invitation.md). */
package org.alder.partition.bookkeeper.invite;
