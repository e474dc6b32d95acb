/**
 * The log of a partition on several machines: BookKeeper keeps it, ZooKeeper says who writes it. {@link
 * org.alder.partition.bookkeeper.LogCluster} connects to both; {@link org.alder.partition.bookkeeper.BookKeeperLog} is the log as its leader
 * writes it, {@link org.alder.partition.bookkeeper.BookKeeperSource} what it holds and {@link org.alder.partition.bookkeeper.LogTail} how a
 * replica follows it; {@link org.alder.partition.bookkeeper.BookKeeperSharedLog} joins them for a store. {@link
 * org.alder.partition.bookkeeper.EmbeddedBookie} and {@link org.alder.partition.bookkeeper.EmbeddedZooKeeper} run in this process what would else be other ones.
 *
 * <p>What holds, by whom: an entry that two bookies have synced is acknowledged, and no later leader's recovery misses it (BookKeeper). Of
 * two leaders the one that has changed the log's znode last writes, as the other's ledger is fenced before the first entry of the new one
 * (compare-and-set, docs/format/replicated-log.md). No clock decides who may write; one decides how long a leader may answer reads without
 * asking ({@link org.alder.partition.bookkeeper.Lease}).
 */
package org.alder.partition.bookkeeper;
