package org.alder.server.config;

/** Whether there is TLS. */
public enum Tls {
    ON, NONE
}
