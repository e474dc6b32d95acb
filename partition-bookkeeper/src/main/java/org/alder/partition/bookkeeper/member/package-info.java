/** Who is a member of a cluster: the file that names them all, and the keys by which they know each other. */
package org.alder.partition.bookkeeper.member;
