/** Questions of members to each other, such as updates that they hand on: bytes, whatever they mean. */
package org.alder.partition.bookkeeper.ask;

