package org.alder.server.control;

/** A control of a response (RFC 4511 4.1.11), never critical. @param value null if absent; not to be changed */
public record ResponseControl(String oid, byte[] value) {
}
