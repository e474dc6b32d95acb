/** ZooKeeper: sessions with it, and the server that runs in a member's own process, also on a disk that was lost. Knows nothing of what its znodes mean. */
package org.alder.partition.bookkeeper.zookeeper;
