/** What members of a cluster do for each other's clients: updates that a replica hands on to the leader. */
package org.alder.server.cluster;
