/** The feature level of a cluster, and the builds that its members run, in ZooKeeper. */
package org.alder.partition.bookkeeper.level;
