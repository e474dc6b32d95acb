/** Which member leads: a lock in ZooKeeper, and what members tell of themselves there. That two never write is the log's doing, not the lock's. */
package org.alder.partition.bookkeeper.election;
