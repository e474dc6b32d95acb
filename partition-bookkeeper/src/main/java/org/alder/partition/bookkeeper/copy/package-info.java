/**
 * How a member takes a copy of another one's store: {@link org.alder.partition.bookkeeper.copy.CopyServer} gives it,
 * {@link org.alder.partition.bookkeeper.copy.RemoteStore} is what {@link org.alder.partition.jdbm.backup.StoreCopy} reads. Knows nothing of
 * logs, ZooKeeper and elections.
 */
package org.alder.partition.bookkeeper.copy;

