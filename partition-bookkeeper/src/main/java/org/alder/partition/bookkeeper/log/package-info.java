/**
 * A partition's log on bookies: {@link org.alder.partition.bookkeeper.log.LogCluster} connects to them and to ZooKeeper, {@link
 * org.alder.partition.bookkeeper.log.BookKeeperLog} is the log as its leader writes it, {@link
 * org.alder.partition.bookkeeper.log.BookKeeperSource} what it holds, and {@link org.alder.partition.bookkeeper.log.LogTail} how a replica follows it.
 * {@link org.alder.partition.bookkeeper.log.SchemaVersions} are those that its entries need.
 *
 * <p>What holds, by whom: an entry that two bookies have synced is acknowledged, and no later leader's recovery misses it (BookKeeper). Of
 * two leaders the one that has changed the log's znode last writes, as the other's ledger is fenced before the first entry of the new one
 * (compare-and-set, docs/format/replicated-log.md). No clock decides who may write; one decides how long a leader may answer reads without
 * asking ({@link org.alder.partition.bookkeeper.log.Lease}).
 */
package org.alder.partition.bookkeeper.log;
