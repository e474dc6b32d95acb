package org.alder.server.control;

/**
 * The value of a paged results control (RFC 2696 2). @param size entries wanted; 0 with a cookie ends the paged search
 * @param cookie empty for the first page; not to be changed
 */
public record PageRequest(int size, byte[] cookie) {
}
