package org.alder.server.control;

/** A control as a client sent it (RFC 4511 4.1.11). @param value null if absent; not to be changed */
public record RequestControl(String oid, boolean critical, byte[] value) {
}
