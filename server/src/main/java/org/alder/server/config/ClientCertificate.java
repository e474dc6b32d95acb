package org.alder.server.config;

/** Whether clients show certificates. */
public enum ClientCertificate {
    OFF, OPTIONAL, REQUIRED
}
