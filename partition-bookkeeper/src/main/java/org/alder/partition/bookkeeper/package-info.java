/**
 * A server as a member of a cluster, on Apache BookKeeper and ZooKeeper: {@link org.alder.partition.bookkeeper.BookKeeperCluster} makes it one, {@link
 * org.alder.partition.bookkeeper.BookKeeperSharedLog} is the log of a store that others have too, {@link
 * org.alder.partition.bookkeeper.ClusterView} what all members say of themselves.
 */
package org.alder.partition.bookkeeper;
